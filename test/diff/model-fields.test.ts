/**
 * Checks that the comparison covers all parts of a model. Each field of each node is changed or
 * removed. The change must either cause a finding or be in a field that is listed below with a
 * reason.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { diffProtocols, openProtocol, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Check, Property, Type } from "../../generator/model/types.js";
import { fromRoot, shared, skipWithout } from "../support/paths.js";

type Json = null | boolean | number | string | Json[] | Fields;
interface Fields {
  [name: string]: Json;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const { definitions } = JSON.parse(
  readFileSync(fromRoot("schema/formats/model.schema.json"), "utf8"),
) as {
  definitions: Record<string, Schema>;
};

const protocolSchema = definitions["ModelDocument"]!.properties!["protocol"]!;

type Path = readonly (string | number)[];

/** The location of a field in a model. */
interface FieldPlace {
  /** The node type and the field name: `StringType.pattern`, `Check also.type`. */
  readonly field: string;
  readonly path: Path;
  readonly schema: Schema;
  readonly isOptional: boolean;
}

/** Lists the fields of one kind of node, leaving out those with a constant value. */
function fieldsOf(name: string, schema: Schema): readonly string[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((each) => (each.$ref === undefined ? fieldsOf(name, each) : []));
  const kind = schema.properties?.["kind"]?.const;
  const owner = name === "Check" ? `Check ${kind as string}` : name;
  return Object.entries(schema.properties ?? {})
    .filter(([, each]) => each.const === undefined)
    .map(([field]) => `${owner}.${field}`);
}

/** The names of all fields that a model can have. */
const modelFields: readonly string[] = [
  ...fieldsOf("Protocol", protocolSchema),
  ...Object.entries(definitions)
    .filter(([name]) => name !== "ModelDocument")
    .flatMap(([name, schema]) => fieldsOf(name, schema)),
];

/** Lists the fields of a model's nodes in document order. */
function* placesIn(protocol: Protocol): Generator<FieldPlace> {
  yield* walk(plain(protocol) as unknown as Json, protocolSchema, "Protocol", []);
}

function plain(protocol: Protocol): Protocol {
  return JSON.parse(JSON.stringify(protocol)) as Protocol;
}

function* walk(value: Json, schema: Schema, name: string, path: Path): Generator<FieldPlace> {
  if (schema.$ref !== undefined) {
    const target = schema.$ref.slice("#/definitions/".length);
    if (target !== "Json") yield* walk(value, definitions[target]!, target, path);
    return;
  }
  if (schema.anyOf !== undefined) {
    const match = schema.anyOf.find((each) => isOf(value, each));
    if (match !== undefined) yield* walk(value, match, name, path);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (schema.items !== undefined) yield* walk(item, schema.items, name, [...path, index]);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (schema.properties === undefined) {
    const { additionalProperties: each } = schema;
    for (const [key, item] of Object.entries(value))
      if (typeof each === "object") yield* walk(item, each, name, [...path, key]);
    return;
  }
  const owner = name === "Check" ? `Check ${value["kind"] as string}` : name;
  for (const [key, item] of Object.entries(value)) {
    const own = schema.properties[key];
    if (own === undefined) continue;
    const isOptional = schema.required?.includes(key) !== true;
    const place = [...path, key];
    if (own.const === undefined)
      yield { field: `${owner}.${key}`, path: place, schema: own, isOptional };
    yield* walk(item, own, `${owner}.${key}`, place);
  }
}

/** Returns whether a value matches a schema, judged only by kinds and field names. */
function isOf(value: Json, schema: Schema): boolean {
  const target = schema.$ref === undefined ? schema : definitions[schema.$ref.slice(14)]!;
  if (target.anyOf !== undefined) return target.anyOf.some((each) => isOf(value, each));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return target.type === typeof value;
  if (target.type !== "object") return false;
  const kind = target.properties?.["kind"];
  if (kind !== undefined)
    return kind.const === value["kind"] || kind.enum?.includes(value["kind"]!) === true;
  return (target.required ?? []).every((name) => name in value);
}

/** A copy of the model with one field changed, removed or shortened. */
interface ModelEdit {
  readonly what: "changed" | "removed" | "shortened";
  readonly protocol: Protocol;
}

/** Lists the possible edits to a field. */
function* editsOf(protocol: Protocol, place: FieldPlace): Generator<ModelEdit> {
  const { path, schema, isOptional } = place;
  const value = path.reduce<Json>(
    (node, key) => (node as Fields)[key]!,
    protocol as unknown as Json,
  );
  // Skip this edit: an object that allows other properties of any type is equivalent to one that
  // does not mention them.
  const hasNoEffect = place.field === "ObjectType.others" && (value as Fields)["kind"] === "any";
  if (isOptional && !hasNoEffect)
    yield { what: "removed", protocol: edited(protocol, path, () => undefined) };
  const target = schema.$ref === undefined ? schema : definitions[schema.$ref.slice(14)]!;
  if (Array.isArray(value)) {
    if (value.length > 0)
      yield { what: "shortened", protocol: edited(protocol, path, () => value.slice(0, -1)) };
    return;
  }
  const changed = changedValue(protocol, place.field, value, target, schema.$ref ?? "");
  if (changed !== undefined)
    yield { what: "changed", protocol: edited(protocol, path, () => changed) };
}

function changedValue(
  protocol: Protocol,
  field: string,
  value: Json,
  schema: Schema,
  ref: string,
): Json | undefined {
  if (ref.endsWith("/Type"))
    return (value as Fields)["kind"] === "null" ? { kind: "boolean" } : { kind: "null" };
  if (ref.endsWith("/Json")) return value === "other" ? "another" : "other";
  if (schema.enum !== undefined) return schema.enum.find((each) => each !== value);
  switch (typeof value) {
    case "boolean":
      return value ? false : true;
    case "number":
      return value + 1;
    case "string": {
      if (/\.(sender|role)$/.test(field))
        return protocol.roles.find((role) => role !== value) ?? null;
      if (!protocol.definitions.some(({ name }) => name === value)) return `${value}X`;
      return protocol.definitions.find(
        ({ name, type }) => name !== value && type.kind === "object" && type.properties.length > 2,
      )!.name;
    }
    default: {
      if (value === null || Array.isArray(value)) return undefined;
      if (schema.properties !== undefined) return undefined;
      const [first] = Object.keys(value);
      if (first === undefined) return undefined;
      const { [first]: _, ...rest } = value;
      return rest;
    }
  }
}

/** Returns a copy of the model with a different value at one path. All other parts are shared. */
function edited(protocol: Protocol, path: Path, change: () => Json | undefined): Protocol {
  const edit = (node: Json, [key, ...rest]: Path): Json => {
    const old = (node as Fields)[key!]!;
    const now = rest.length === 0 ? change() : edit(old, rest);
    if (Array.isArray(node)) return node.map((item, index) => (index === key ? now! : item));
    if (now !== undefined) return { ...(node as Fields), [key!]: now };
    const { [key!]: _, ...others } = node as Fields;
    return others;
  };
  return edit(protocol as unknown as Json, path) as unknown as Protocol;
}

/** Fields that do not cause findings, and why. Each key is the beginning of a field's path. */
const uncompared: Readonly<Record<string, string>> = {
  "Protocol.name": "names the protocol, and both versions of a protocol have the same name",
  "Protocol.roles": "versions with different sides are refused",
  "Protocol.title": "words for people",
  "Protocol.version": "appears at the head of each report",
  "Protocol.package": "belongs to the package, not to the protocol",
  "Protocol.configur": "configurations are compared with those in another manifest, not here",
  "Conversation.errorCodes": "covered by its own test: none of the models here defines error codes",
  "Protocol.references": "used for summaries and lint; nothing on the wire depends on it",
  "Protocol.summaries": "used for summaries; nothing on the wire depends on it",
  "Protocol.compatibility": "belongs to the package, not to the protocol",
  "Protocol.dialects": "dialects are deviations that are applied on request, in both versions",
  "Protocol.essential": "says how serious the loss of a message is; the message itself is compared",
  "Protocol.unstated": "determines which facts are compared",
  "Protocol.bases": "inherited properties are compared in the messages that inherit them",
  "Protocol.definitions": "compared where they are used",
  "Protocol.capabilities":
    "capabilities are compared where they are sent, and gates where they are required",
  "Protocol.messages": "covered by its own test: added and removed messages",
  "Bases.": "inherited properties are compared in the messages that inherit them",
  "RoleCapabilities.":
    "capabilities are compared where they are sent, and gates where they are required",
  "RegistrationRequest.": "registration requests are compared as messages",
  "ReferenceKind.": "used for summaries and lint; nothing on the wire depends on it",
  "SummaryPlace.": "used for summaries; nothing on the wire depends on it",
  "Compatibility.": "belongs to the package, not to the protocol",
  "Dialect.": "dialects are deviations that are applied on request, in both versions",
  "EnumValue.number": "dialects are deviations that are applied on request, in both versions",
  "Configurations.": "configurations are compared with those in another manifest, not here",
  "ConfigurationAttributes.":
    "configurations are compared with those in another manifest, not here",
  "NamedArm.noun": "words for people",
  "NamedArm.sender": "tells readers of logs the sender of messages that the schema does not define",
  "RequestMessage.set": "groups messages; nothing on the wire depends on it",
  "EventMessage.set": "groups messages; nothing on the wire depends on it",
  "RequestMessage.definition":
    "parts with the same name are compared; a different name alone is not a difference",
  "EventMessage.definition":
    "parts with the same name are compared; a different name alone is not a difference",
  "RequestMessage.docs": "readers give a message's definition the same text",
  "EventMessage.docs": "readers give a message's definition the same text",
  "RequestMessage.deprecated": "readers give a message's definition the same text",
  "EventMessage.deprecated": "readers give a message's definition the same text",
  "RequestMessage.pointer": "a location in a file",
  "EventMessage.pointer": "a location in a file",
  "Property.pointer": "a location in a file",
  "Definition.pointer": "a location in a file",
  "Definition.name": "parts with the same name are compared; a different name is only noted",
  "Definition.section": "the order of pages",
  "Definition.reference": "used for summaries and lint; nothing on the wire depends on it",
  "Property.reference": "used for summaries and lint; nothing on the wire depends on it",
  "Definition.extensible": "additions made by implementations are not part of any version",
  "Property.forgives": "how lenient readers treat values that neither version allows",
  "MapType.docs": "the text of map values is part of their property's text",
  "MatchingProperties.docs": "the text of map values is part of their property's text",
  "Definition.since": "the version history that a package is generated with",
  "Property.since": "the version history that a package is generated with",
  "EnumValue.since": "the version history that a package is generated with",
};

function isUncompared(field: string): boolean {
  return Object.keys(uncompared).some((start) => field.startsWith(start));
}

const text: Type = { kind: "string" };
const number: Type = { kind: "number" };

const checks: readonly (readonly [Type, Check])[] = [
  [text, { kind: "also", type: { kind: "string", minLength: 1 } }],
  [text, { kind: "not", type: { kind: "literal", value: "a" } }],
  [text, { kind: "one-of", types: [{ kind: "literal", value: "a" }, text] }],
  [text, { kind: "if", if: text, then: { kind: "literal", value: "a" }, else: number }],
  [text, { kind: "pattern", pattern: "^a" }],
  [number, { kind: "between", above: 1, below: 3 }],
  [number, { kind: "multiple", of: 2 }],
  [{ kind: "array", items: text }, { kind: "unique" }],
  [
    { kind: "array", items: text },
    { kind: "contains", type: text, least: 1, most: 2 },
  ],
  [
    { kind: "map", values: text },
    { kind: "size", least: 1, most: 2 },
  ],
  [
    { kind: "map", values: text },
    { kind: "names", type: { kind: "string", maxLength: 3 } },
  ],
  [
    { kind: "map", values: text },
    { kind: "dependent", property: "a", type: { kind: "any" } },
  ],
  [
    { kind: "map", values: text },
    { kind: "matching", pattern: "^a", type: text },
  ],
  [
    { kind: "map", values: text },
    { kind: "others", names: ["a"], patterns: ["^b"], type: text },
  ],
  [
    { kind: "map", values: text },
    {
      kind: "unevaluated",
      parts: "properties",
      type: text,
      evaluated: [
        {
          names: ["a"],
          patterns: ["^b"],
          items: 1,
          all: false,
          containing: text,
          when: text,
          unless: number,
          more: [{ names: [], patterns: [], items: 0, all: false, more: [] }],
        },
      ],
    },
  ],
];

/** Types with fields that the bundled schemas do not use. */
const samples: readonly Type[] = [
  ...checks.map(([type, check]): Type => ({ ...type, checks: [check] })),
  ...(["any", "null", "boolean"] as const).map((kind): Type => ({
    kind,
    checks: [{ kind: "not", type: { kind: "literal", value: true } }],
  })),
  { kind: "literal", value: "a", checks: [{ kind: "not", type: text }] },
  { kind: "enum", open: false, values: [{ value: "a" }], checks: [{ kind: "not", type: text }] },
  { kind: "array", items: text, checks: [{ kind: "unique" }] },
  { kind: "union", members: [text, number], checks: [{ kind: "not", type: text }] },
  { kind: "reference", name: "Source", checks: [{ kind: "size", least: 1 }] },
  {
    kind: "object",
    bases: [],
    properties: [],
    extras: "open",
    others: text,
    matching: [{ pattern: "^x", type: text }],
    checks: [{ kind: "size", least: 1 }],
  },
  { kind: "string", minLength: 1, maxLength: 9, pattern: "^a", format: "uri" },
  { kind: "array", items: text, first: [text, number], minItems: 2, maxItems: 4 },
];

/**
 * Reads DAP and adds properties to `cancel` for each sample: one with the sample itself and, where
 * possible, one with the sample among alternatives.
 */
async function sampled(): Promise<Protocol> {
  const dap = await readProtocol("dap");
  const property = (type: Type, name: string): Property => ({
    name,
    type,
    required: false,
    pointer: `/${name}`,
  });
  const added = samples.flatMap((type, index) => [
    property(type, `alone${index}`),
    // Alternatives of the same kind are merged, so the other alternative must be of a kind that no
    // sample has.
    ...(type.kind === "any" || type.kind === "null"
      ? []
      : [property({ kind: "union", members: [type, { kind: "null" }] }, `among${index}`)]),
  ]);
  return {
    ...dap,
    envelope: { ...dap.envelope, fields: ["trace"], replyTypes: ["integer", "null"] },
    definitions: dap.definitions.map((definition) =>
      definition.name === "CancelArguments" && definition.type.kind === "object"
        ? {
            ...definition,
            deprecated: "Use another one.",
            type: {
              ...definition.type,
              properties: [...definition.type.properties, ...added],
            },
          }
        : definition,
    ),
  };
}

const folder = (name: string): readonly string[] =>
  readdirSync(shared(`schemas/${name}`)!)
    .filter((file) => file.endsWith(".json") && !file.endsWith(".schema.json"))
    .sort()
    .map((file) => `${shared(`schemas/${name}`)!}/${file}`);

const protocols: Readonly<Record<string, () => Promise<Protocol>>> = {
  dap: sampled,
  "ruby-debug-ide": () => readProtocol("ruby-debug-ide"),
  lsp: () => openProtocol("lsp", { schema: folder("lsp") }),
  dbgp: () => readProtocol(fromRoot("examples/dbgp")),
  mcp: () => openProtocol("mcp", { schema: folder("mcp").slice(-1) }),
  cdp: () => openProtocol("cdp", { schema: folder("cdp") }),
};

/** Returns the definitions that messages use, except those of the envelope. */
function contentsOf({ messages, definitions, bases }: Protocol): ReadonlySet<string> {
  const byName = new Map(definitions.map((each) => [each.name, each]));
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") {
      const definition = byName.get(value);
      if (definition === undefined || found.has(value)) return;
      found.add(value);
      add(definition.type);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
  };
  for (const message of messages) {
    add(message.payload);
    if (message.kind === "request") add([message.result, message.partialResult]);
  }
  const wrappers = messages.flatMap((message) =>
    message.kind === "request"
      ? [message.definition, message.responseDefinition]
      : [message.definition],
  );
  for (const name of [...Object.values(bases), ...wrappers])
    if (name !== undefined) found.delete(name);
  return found;
}

/**
 * Selects the first and the last location of each field outside alternatives, inside alternatives
 * and inside tuples.
 */
function chosenPlaces(protocol: Protocol, count: number): readonly FieldPlace[] {
  const contents = contentsOf(protocol);
  const groups = new Map<string, FieldPlace[]>();
  for (const place of placesIn(protocol)) {
    const [part, index] = place.path;
    if (part === "dialects" && index !== undefined) continue;
    if (part === "definitions" && index !== undefined) {
      const { name } = protocol.definitions[index as number]!;
      if (!contents.has(name)) continue;
    }
    const where = ["members", "first"].filter((name) => place.path.includes(name)).join();
    const key = `${place.field} ${where}`;
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].flatMap((places) => [
    ...places.slice(0, 1),
    ...(count > 1 && places.length > 1 ? places.slice(-1) : []),
  ]);
}

const seen = new Set<string>();

for (const [name, read] of Object.entries(protocols))
  test(
    `each edit to a model causes a finding: ${name}`,
    { skip: /^(lsp|mcp|cdp)$/.test(name) && skipWithout(`schemas/${name}`) },
    async () => {
      const protocol = await read();
      const isBundled = ["dap", "ruby-debug-ide", "dbgp"].includes(name);
      const silent: string[] = [];
      for (const place of chosenPlaces(protocol, isBundled ? 2 : 1)) {
        const { field, path } = place;
        // Protocols other than DAP are large. Edit only locations inside alternatives, and those
        // fields of messages and of the conversation that do not occur in DAP.
        const isInside = path.includes("members") || path.includes("first");
        const isElsewhere =
          ["messages", "conversation"].includes(String(path[0])) && !seen.has(field);
        if (!isBundled && !isInside && !isElsewhere) continue;
        seen.add(field);
        if (isUncompared(field)) continue;
        for (const { what, protocol: edited } of editsOf(protocol, place)) {
          // Do not remove the field `Envelope.response`, because response definitions would lack an
          // envelope.
          if (field === "Envelope.response" && what === "removed") continue;
          if (diffProtocols(protocol, edited).findings.length === 0)
            silent.push(`${field} ${what} at ${path.join("/")}`);
        }
      }
      assert.deepEqual(silent, []);
    },
  );

test("each field of a model is either edited or listed as not compared", (t) => {
  // Without the LSP, MCP and CDP schemas, this test is skipped, because some fields occur only in
  // these protocols.
  const missing = ["lsp", "mcp", "cdp"].map((name) => skipWithout(`schemas/${name}`)).find(Boolean);
  if (missing !== undefined) return t.skip(String(missing));
  assert.deepEqual(
    modelFields.filter((field) => !seen.has(field) && !isUncompared(field)),
    [],
  );
  // Every field in the list exists.
  assert.deepEqual(
    Object.keys(uncompared).filter((start) => !modelFields.some((each) => each.startsWith(start))),
    [],
  );
});

test("edits to fields that are listed as not compared cause no findings", async () => {
  const protocol = await sampled();
  const loud: string[] = [];
  for (const place of chosenPlaces(protocol, 1)) {
    // Skip parts that can only be added or removed as a whole. They are compared by other rules, or
    // the model would be inconsistent without them.
    if (!isUncompared(place.field) || /^(Protocol|Bases)\.|name$|definition$/.test(place.field))
      continue;
    for (const { what, protocol: edited } of editsOf(protocol, place))
      if (diffProtocols(protocol, edited).findings.length > 0) loud.push(`${place.field} ${what}`);
  }
  assert.deepEqual(loud, []);
});
