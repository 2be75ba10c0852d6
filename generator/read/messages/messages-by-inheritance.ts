import { statedFields } from "../../base/stated-fields.js";
import type { Message, Payload } from "../../model/protocol.js";
import { flattenProperties } from "../../model/properties.js";
import { extendsDefinition } from "../../model/queries.js";
import type { Definition, Definitions, Property, Json } from "../../model/types.js";
import type { Description, MessagesByInheritance } from "../description/description-types.js";
import { gatesOf, senderOf } from "../description/notes.js";
import { nameInlineBodies } from "../schema/definitions.js";
import type { SchemaFile } from "../schema/schema-file.js";
import { type FoundMessages, definitionsIn, type Draft } from "../description/draft.js";
import { stemOf } from "./name-patterns.js";
import { isJsonObject, type JsonObject } from "../source/json-text.js";

/**
 * Finds the messages in a schema whose message definitions extend bases, as in DAP. Each kind of
 * message has its own base.
 *
 * The name of a message is the only value of its discriminator, and its payload is a property of
 * its definition. Definition names are used only to pair requests with responses.
 */
export function readInheritedMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  description: Description,
  convention: MessagesByInheritance,
): FoundMessages {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  checkBases(schema, byName, convention);
  const named = nameInlineBodies(definitions, ({ name }) =>
    extendsDefinition(byName, name, convention.root),
  );
  const namedDefinitions = new Map(named.map((definition) => [definition.name, definition]));
  const { envelope } = description;
  const read = <Kind extends Message["kind"]>(kind: Kind, definition: Definition) => {
    const name = nameOf(schema, definition, envelope[kind].name);
    const { docs, deprecated, pointer } = definition;
    return {
      start: { kind, name, sender: senderOf(description, kind, name), definition: definition.name },
      payload: payloadOf(byName, definition, envelope[kind].payload),
      rest: { ...gatesOf(description, name), docs, deprecated, pointer },
    };
  };
  const leaves = leavesOf(definitions, named, convention);
  const messages = leaves.flatMap((definition): Message[] => {
    if (extendsDefinition(byName, definition.name, convention.request)) {
      const { start, payload, rest } = read("request", definition);
      const answer = responseTo(schema, definition, byName, namedDefinitions, convention);
      const result = payloadOf(byName, answer, envelope.response!.result);
      return [
        statedFields({ ...start, responseDefinition: answer.name, payload, result, ...rest }),
      ];
    }
    if (!extendsDefinition(byName, definition.name, convention.event)) return [];
    const { start, payload, rest } = read("event", definition);
    return [statedFields({ ...start, payload, ...rest })];
  });
  refuseUnpairedResponses(
    schema,
    leaves.filter(({ name }) => extendsDefinition(byName, name, convention.response)),
    messages,
    convention,
  );
  const { request, event, response, error } = convention;
  return { messages, definitions: named, bases: { request, event, response, error } };
}

function checkBases(
  schema: SchemaFile,
  known: Definitions,
  convention: MessagesByInheritance,
): void {
  for (const key of ["root", "request", "event", "response", "error"] as const) {
    const base = known.get(convention[key]);
    if (base === undefined)
      schema.fail(
        "ERR_SCHEMA",
        `Cannot find "${convention[key]}", which the description names as a base of messages`,
        `/${schema.container}`,
      );
    else if (base.type.kind !== "object")
      schema.fail(
        "ERR_SCHEMA",
        `Cannot use "${convention[key]}" as a base of messages: it is not an object`,
        base.pointer ?? "",
      );
  }
}

/** Lists the definitions that no other definition extends, not counting the message bases. */
function leavesOf(
  definitions: readonly Definition[],
  named: readonly Definition[],
  convention: MessagesByInheritance,
): readonly Definition[] {
  const extended = new Set([
    convention.root,
    convention.request,
    convention.event,
    convention.response,
    convention.error,
    ...definitions.flatMap(({ type }) => (type.kind === "object" ? type.bases : [])),
  ]);
  return named.filter(({ name }) => !extended.has(name));
}

/** Rejects responses that have no request. */
function refuseUnpairedResponses(
  schema: SchemaFile,
  responses: readonly Definition[],
  messages: readonly Message[],
  { pair }: MessagesByInheritance,
): void {
  const answered = new Set(
    messages.map((message) =>
      message.kind === "request" ? message.responseDefinition : undefined,
    ),
  );
  for (const { name, pointer } of responses)
    if (!answered.has(name))
      schema.fail(
        "ERR_MESSAGE",
        `Cannot find the request that "${name}" answers`,
        pointer ?? "",
        `Responses are paired by name: "${pair.request}" with "${pair.response}"`,
      );
}

/**
 * Returns a message's payload. What its bases say about the field counts only if they require it:
 * every message of a kind may have it, but few do.
 */
function payloadOf(
  definitions: Definitions,
  { type }: Definition,
  field: string,
): Payload | undefined {
  if (type.kind !== "object") return undefined;
  const isPayload = ({ name }: Property): boolean => name === field;
  const property = flattenProperties(definitions, type).find(isPayload);
  return property !== undefined && (property.required || type.properties.some(isPayload))
    ? { type: property.type, required: property.required }
    : undefined;
}

function nameOf(schema: SchemaFile, { name, type, pointer }: Definition, field: string): string {
  const properties = type.kind === "object" ? type.properties : [];
  const named = properties.find((property) => property.name === field)?.type;
  if (named?.kind === "literal" && typeof named.value === "string") return named.value;
  return schema.fail(
    "ERR_MESSAGE",
    `Cannot determine the name of the message "${name}": its "${field}" does not have a single value`,
    pointer ?? "",
    `Give it a "${field}" property with a one-value enum`,
  );
}

function responseTo(
  schema: SchemaFile,
  { name, pointer }: Definition,
  definitions: Definitions,
  named: Definitions,
  { pair, response }: MessagesByInheritance,
): Definition {
  const stem = stemOf(pair.request, name);
  const paired = pair.response.replace("*", () => stem ?? "");
  const target = stem === undefined ? undefined : named.get(paired);
  return target !== undefined && extendsDefinition(definitions, paired, response)
    ? target
    : schema.fail(
        "ERR_MESSAGE",
        `Cannot find the response to "${name}"`,
        pointer ?? "",
        stem === undefined
          ? `Name the request to match the pattern "${pair.request}"`
          : `Define "${paired}" as an extension of "${response}"`,
      );
}

/**
 * Adds the values that distinguish messages to declarations that lack them. The message kind comes
 * from the envelope. The message name comes from the definition name: `NextRequest` yields `next`.
 */
export function pinDiscriminators(draft: Draft, convention: MessagesByInheritance): Draft {
  const { source, description } = draft;
  const { envelope } = description;
  const schema = definitionsIn(draft.root);
  if (!source.unstated.includes("discriminators") || schema === undefined) return draft;
  const arms = [
    { base: convention.request, arm: envelope.request },
    { base: convention.event, arm: envelope.event },
    { base: convention.response, arm: envelope.response! },
  ];
  const definitions = Object.entries(schema.definitions).map(([name, node]): [string, Json] => {
    const kinds = Object.entries(arms.find(({ base }) => base === name)?.arm.when ?? {});
    const pinned = kinds.reduce(
      (part, [field, value]) => (typeof value === "string" ? pin(part, field, value) : part),
      node,
    );
    const parent = arms
      .slice(0, 2)
      .find(({ base }) => isBasedOn(node, base) && name.endsWith(base));
    if (parent === undefined) return [name, pinned];
    const stem = name.slice(0, -parent.base.length);
    return [name, pin(node, parent.arm.name!, `${stem[0]!.toLowerCase()}${stem.slice(1)}`)];
  });
  return {
    ...draft,
    root: { ...schema.root, [schema.container]: Object.fromEntries(definitions) },
  };
}

function isBasedOn(node: Json, base: string): boolean {
  const parts = isJsonObject(node) ? node["allOf"] : undefined;
  return (
    Array.isArray(parts) &&
    parts.some((part: Json) => isJsonObject(part) && part["$ref"] === `#/definitions/${base}`)
  );
}

/**
 * Adds a required property with a single value to an object, or to the last part of its `allOf`.
 */
function pin(node: Json, field: string, value: string): Json {
  if (!isJsonObject(node)) return node;
  const parts = node["allOf"];
  if (Array.isArray(parts)) {
    const last = parts.length - 1;
    return {
      ...node,
      allOf: parts.map((part: Json, index) => (index === last ? pin(part, field, value) : part)),
    };
  }
  const properties = (node["properties"] ?? {}) as JsonObject;
  const required = (node["required"] ?? []) as readonly string[];
  if (Object.hasOwn(properties, field)) return node;
  return {
    ...node,
    properties: { [field]: { type: "string", enum: [value] }, ...properties },
    required: [...new Set([...required, field])],
  };
}
