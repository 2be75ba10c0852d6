import type { EventMessage, Message, Payload, RequestMessage } from "../../model/protocol.js";
import { flattenProperties } from "../../model/properties.js";
import { extendsDefinition } from "../../model/queries.js";
import type { Definition, Definitions, Property, Json } from "../../model/types.js";
import type { Description, MessagesByInheritance } from "../description/description-types.js";
import { gatesOf, senderOf } from "../description/notes.js";
import { nameInlineBodies } from "../schema/definitions.js";
import type { SchemaFile } from "../schema/schema-file.js";
import { type FoundMessages, definitionsIn, type Draft } from "../description/draft.js";
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
  const reading = new InheritanceReading(schema, byName, named, description, convention);
  const leaves = leavesOf(definitions, named, convention);
  const messages = leaves.flatMap((definition): Message[] => {
    if (extendsDefinition(byName, definition.name, convention.request))
      return [reading.request(definition)];
    if (extendsDefinition(byName, definition.name, convention.event))
      return [reading.event(definition)];
    return [];
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

class InheritanceReading {
  readonly #schema: SchemaFile;
  readonly #known: Definitions;
  readonly #byName: Definitions;
  readonly #description: Description;
  readonly #convention: MessagesByInheritance;

  constructor(
    schema: SchemaFile,
    known: Definitions,
    named: readonly Definition[],
    description: Description,
    convention: MessagesByInheritance,
  ) {
    this.#schema = schema;
    this.#known = known;
    this.#byName = new Map(named.map((definition) => [definition.name, definition]));
    this.#description = description;
    this.#convention = convention;
  }

  request(definition: Definition): RequestMessage {
    const { request, response } = this.#description.envelope;
    const name = this.#nameOf(definition, request.name);
    const answer = this.#responseTo(definition);
    const payload = this.#payloadOf(definition, request.payload);
    const result = this.#payloadOf(answer, response!.result);
    return {
      kind: "request",
      name,
      sender: senderOf(this.#description, "request", name),
      definition: definition.name,
      responseDefinition: answer.name,
      ...(payload === undefined ? {} : { payload }),
      ...(result === undefined ? {} : { result }),
      ...gatesOf(this.#description, name),
      ...docsOf(definition),
    };
  }

  event(definition: Definition): EventMessage {
    const { event } = this.#description.envelope;
    const name = this.#nameOf(definition, event.name);
    const payload = this.#payloadOf(definition, event.payload);
    return {
      kind: "event",
      name,
      sender: senderOf(this.#description, "event", name),
      definition: definition.name,
      ...(payload === undefined ? {} : { payload }),
      ...gatesOf(this.#description, name),
      ...docsOf(definition),
    };
  }

  /**
   * Returns a message's payload. What its bases say about the field counts only if they require it:
   * every message of a kind may have it, but few do.
   */
  #payloadOf({ type }: Definition, field: string): Payload | undefined {
    if (type.kind !== "object") return undefined;
    const isPayload = ({ name }: Property): boolean => name === field;
    const property = flattenProperties(this.#known, type).find(isPayload);
    if (property === undefined) return undefined;
    return property.required || type.properties.some(isPayload)
      ? { type: property.type, required: property.required }
      : undefined;
  }

  #nameOf(definition: Definition, field: string): string {
    const type = ownProperty(definition, field)?.type;
    if (type?.kind === "literal" && typeof type.value === "string") return type.value;
    return this.#schema.fail(
      "ERR_MESSAGE",
      `Cannot determine the name of the message "${definition.name}": its "${field}" does not have a single value`,
      definition.pointer ?? "",
      `Give it a "${field}" property with a one-value enum`,
    );
  }

  #responseTo({ name, pointer }: Definition): Definition {
    const { pair, response } = this.#convention;
    const [before, after] = pair.request.split("*") as [string, string];
    const fits =
      name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
    const stem = name.slice(before.length, name.length - after.length);
    const paired = pair.response.replace("*", () => stem);
    const target = fits ? this.#byName.get(paired) : undefined;
    if (target === undefined || !extendsDefinition(this.#known, paired, response))
      return this.#schema.fail(
        "ERR_MESSAGE",
        `Cannot find the response to "${name}"`,
        pointer ?? "",
        fits
          ? `Define "${paired}" as an extension of "${response}"`
          : `Name the request to match the pattern "${pair.request}"`,
      );
    return target;
  }
}

function ownProperty({ type }: Definition, name: string): Property | undefined {
  return type.kind === "object"
    ? type.properties.find((property) => property.name === name)
    : undefined;
}

function docsOf({
  docs,
  deprecated,
  pointer,
}: Definition): Pick<Message, "docs" | "deprecated" | "pointer"> {
  return {
    ...(docs === undefined ? {} : { docs }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(pointer === undefined ? {} : { pointer }),
  };
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
    const kindOfBase = arms.find(({ base }) => base === name);
    if (kindOfBase !== undefined) {
      const kinds = Object.entries(kindOfBase.arm.when).filter(
        ([, value]) => typeof value === "string",
      );
      return [
        name,
        kinds.reduce((pinned, [field, value]) => pin(pinned, field, String(value)), node),
      ];
    }
    const parent = arms
      .slice(0, 2)
      .find(({ base }) => isBasedOn(node, base) && name.endsWith(base));
    if (parent === undefined) return [name, node];
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
