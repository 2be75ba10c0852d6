import type { EventMessage, Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import type { Definition, ObjectType, Property, Type } from "../../../generator/model/types.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import type { Random } from "../random.js";

/** A protocol with a single event that carries a type from a real protocol. */
export interface SmallProtocol {
  readonly protocol: Protocol;
  readonly payload: Type;
  /** The definitions that the payload uses, nearest first. */
  readonly reached: readonly string[];
}

/** The maximum number of definitions in a small protocol. */
const maxDefinitions = 40;

/**
 * Creates a small protocol from a random definition and those that it depends on. Returns undefined
 * if there are too many of them.
 */
export function takePart(random: Random, whole: Protocol): SmallProtocol | undefined {
  // Exclude definitions that every message inherits: changing one would change the event itself as
  // well.
  const own = new Set([
    ...sharedDefinitions(whole),
    ...whole.messages.flatMap((message) => [
      message.definition,
      ...(message.kind === "request" ? [message.responseDefinition] : []),
    ]),
  ]);
  const parts = whole.definitions.filter(({ name }) => !own.has(name));
  return withPayload(random.pick(whole.roles), whole, referTo(random.pick(parts).name));
}

/**
 * Creates a protocol whose only event has the given type as its payload, without unused
 * definitions.
 */
export function withPayload(
  sender: string,
  whole: Protocol,
  payload: Type,
): SmallProtocol | undefined {
  const event = whole.messages.find(
    (message): message is EventMessage => message.kind === "event" && message.payload !== undefined,
  )!;
  const definitions = definitionsByName(whole);
  const reached = reachedFrom(definitions, payload);
  if (reached.length > maxDefinitions) return undefined;
  const definition = carrying(whole, definitions.get(event.definition)!, payload);
  const kept = new Set([...sharedDefinitions(whole), ...reached]);
  const { gate: _gate, senderGate: _senderGate, registration: _registration, ...plain } = event;
  return {
    protocol: {
      ...whole,
      messages: [{ ...plain, sender, payload: { type: payload, required: true } }],
      definitions: [
        ...whole.definitions.filter(({ name }) => kept.has(name) && name !== definition.name),
        definition,
      ],
      capabilities: [],
      essential: [],
      dialects: [],
    },
    payload,
    reached,
  };
}

/** Definitions that every message contains. */
export function sharedDefinitions(protocol: Protocol): ReadonlySet<string> {
  const definitions = definitionsByName(protocol);
  return new Set(
    basesOf(protocol).flatMap((name) => [name, ...reachedFrom(definitions, referTo(name))]),
  );
}

function basesOf({ bases }: Protocol): readonly string[] {
  return Object.values(bases).filter((name) => name !== undefined);
}

function referTo(name: string): Type {
  return { kind: "reference", name };
}

function carrying(whole: Protocol, definition: Definition, payload: Type): Definition {
  const type = definition.type as ObjectType;
  const field = whole.envelope.event.payload;
  const properties = type.properties.map((property): Property =>
    property.name === field ? { ...property, type: payload, required: true } : property,
  );
  return { ...definition, type: { ...type, properties } };
}

function reachedFrom(definitions: ReadonlyMap<string, Definition>, start: Type): readonly string[] {
  const names = new Set<string>();
  const add = (type: Type): void => {
    for (const each of typesIn(type)) {
      if (each.kind === "reference") names.add(each.name);
      if (each.kind === "object") for (const base of each.bases) names.add(base);
    }
  };
  add(start);
  for (const name of names) add(definitions.get(name)!.type);
  return [...names];
}

/**
 * Removes conditions, patterns and formats, because comparisons cannot decide which values satisfy
 * them. Also removes descriptions, which would only cost time.
 */
export function withoutConditions(protocol: Protocol): Protocol {
  const plain = JSON.parse(
    JSON.stringify(protocol.definitions, (key, value: unknown) =>
      undecided.has(key) ? undefined : value,
    ),
  ) as readonly Definition[];
  return { ...protocol, definitions: plain };
}

const undecided: ReadonlySet<string> = new Set([
  "checks",
  "pattern",
  "format",
  "matching",
  "others",
  "default",
  "gate",
  "forgives",
  "docs",
]);
