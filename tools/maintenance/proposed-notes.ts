import type { Json } from "../../generator/model/types.js";
import type { Description } from "../../generator/read/description/description-types.js";
import { nodesOf, wholeSchema, type JsonObject, type SchemaNode } from "./schema-nodes.js";

/**
 * A note about a new part of the protocol that `protocol.json` may need. Whoever adds the version
 * decides whether to include it.
 */
export interface ProposedNote {
  /** The section of `protocol.json` that the note belongs in, such as `gates.messages`. */
  readonly part: string;
  readonly key: string;
  readonly value: Json;
}

/**
 * Proposals for new parts that our description does not mention yet: notes that follow from their
 * official descriptions.
 */
export interface Proposals {
  readonly notes: readonly ProposedNote[];
  /** New capabilities that no message or property requires yet, as `role.flag`. */
  readonly unusedFlags: readonly string[];
}

/**
 * Extracts facts about the new parts of an official schema from its descriptions: capabilities,
 * directions and defaults.
 */
export function proposeNotes(
  official: JsonObject,
  before: JsonObject,
  description: Description,
): Proposals {
  const addresses = new Set([...nodesOf(wholeSchema(before))].map(({ address }) => address));
  const fresh = [...nodesOf(wholeSchema(official))].filter(
    ({ address, value }) => !addresses.has(address) && value["allOf"] === undefined,
  );
  const flags = flagsOf(official, description);
  const proposed = fresh.flatMap((node) => notesFor(node, flags, description));
  const notes = proposed.filter(({ part, key }) => !isNoted(description, part, key));
  const gates = Object.values({
    ...description.gates?.messages,
    ...description.gates?.properties,
  }).concat(notes.flatMap(({ part, value }) => (part.startsWith("gates") ? String(value) : [])));
  const unusedFlags = fresh.flatMap(({ address }) => {
    const [definition = "", flag = ""] = address.split("/");
    return (flags.get(flag) ?? [])
      .filter((each) => each.definition === definition)
      .map(({ role }) => `${role}.${flag}`)
      .filter((gate) => !gates.includes(gate));
  });
  return { notes, unusedFlags };
}

type Flags = ReadonlyMap<string, readonly { readonly role: string; readonly definition: string }[]>;

/** Returns the roles that announce each capability, by capability name. */
function flagsOf(schema: JsonObject, { capabilities = {} }: Description): Flags {
  const flags = new Map<string, { role: string; definition: string }[]>();
  for (const { address } of nodesOf(wholeSchema(schema)))
    for (const [role, { type }] of Object.entries(capabilities)) {
      const [definition, flag, ...deeper] = address.split("/");
      if (definition === type && flag !== undefined && deeper.length === 0)
        flags.set(flag, [...(flags.get(flag) ?? []), { role, definition }]);
    }
  return flags;
}

function notesFor(
  { address, role, value }: SchemaNode,
  flags: Flags,
  { roles, directions }: Description,
): readonly ProposedNote[] {
  const text = value["description"];
  if (typeof text !== "string") return [];
  const [definition = ""] = address.split("/");
  if (role === "definition") {
    const [, stem = "", kind] = /^(\w+)(Request|Event)$/.exec(definition) ?? [];
    if (kind === undefined) return [];
    const name = stem.charAt(0).toLowerCase() + stem.slice(1);
    const usual = kind === "Event" ? directions.events : directions.requests;
    const isReverse = kind === "Request" && /sent from the debug adapter to the client/.test(text);
    const sender = isReverse ? directions.events : usual;
    const receiver = roles.find((each) => each !== sender)!;
    return [
      ...(isReverse ? [{ part: "directions.exceptions", key: name, value: sender }] : []),
      ...gateIn(text, flags, receiver).map((gate) => ({
        part: "gates.messages",
        key: name,
        value: gate,
      })),
    ];
  }
  if (
    role !== "property" ||
    [...flags.values()].flat().some((each) => each.definition === definition)
  )
    return [];
  const absent = defaultIn(text, value);
  return [
    ...gateIn(text, flags).map((gate) => ({ part: "gates.properties", key: address, value: gate })),
    ...(absent === undefined ? [] : [{ part: "defaults", key: address, value: absent }]),
  ];
}

/** Returns the first capability mentioned in a description, as an array with at most one item. */
function gateIn(text: string, flags: Flags, announcer?: string): readonly string[] {
  for (const [, name = ""] of text.matchAll(/`(\w+)`/g)) {
    const announced = flags.get(name)?.find(({ role }) => role === (announcer ?? role));
    if (announced !== undefined) return [`${announced.role}.${name}`];
  }
  return [];
}

/**
 * Returns the value that an absent property stands for, if the description states it in one of the
 * usual ways.
 */
function defaultIn(text: string, { type }: JsonObject): Json | undefined {
  const [, first, second] =
    /(?:defaults to|default is|value) (?:the value )?`?(true|false|\d+)`?|(?:defaults to|default is) `(\w+)`/i.exec(
      text,
    ) ?? [];
  if (type === "string") return second;
  if (first === undefined) return undefined;
  const value = JSON.parse(first) as Json;
  return typeof value === (type === "boolean" ? "boolean" : "number") ? value : undefined;
}

function isNoted(description: Description, part: string, key: string): boolean {
  const { gates, defaults, directions } = description;
  const noted: Readonly<Record<string, object | undefined>> = {
    "gates.messages": gates?.messages,
    "gates.properties": gates?.properties,
    "directions.exceptions": directions.exceptions,
    defaults,
  };
  return Object.hasOwn(noted[part] ?? {}, key);
}
