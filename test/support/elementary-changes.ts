import type { ReadOutcome } from "../../diff/compare/outcomes.js";

/** A schema in JSON Schema draft 4, the draft used by protocol schemas. */
export type Schema = { readonly [key: string]: unknown };

/** A payload, and whether a message may omit it. */
export interface PayloadCase {
  readonly schema: Schema;
  readonly optional?: true;
}

export interface ElementaryChange {
  readonly title: string;
  readonly before: PayloadCase | undefined;
  readonly after: PayloadCase | undefined;
  /** Ids of the rules that report the change. */
  readonly ids: readonly string[];
  /**
   * The effect on values written by the old version and read by the new one, followed by the effect
   * in the opposite direction.
   */
  readonly oldToNew: ReadOutcome;
  readonly newToOld: ReadOutcome;
  /** `ok` if old code compiles with the new types, or else the kind of code that fails. */
  readonly producer: Compiled;
  readonly consumer: Compiled;
  /** Whether a writer of the open version may add other properties. */
  readonly extras?: true;
}

export type Compiled = "ok" | "always" | "direct-use" | "whole-value";

const string = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const either = { type: ["string", "number"] };
const nullable = { type: ["string", "null"] };
const anything = { type: ["array", "boolean", "integer", "null", "number", "object", "string"] };
const closed = (...values: string[]): Schema => ({ type: "string", enum: values });
const open = (...values: string[]): Schema => ({ type: "string", _enum: values });
const branch = (kind: string, name: string): Schema => ({
  type: "object",
  properties: { kind: closed(kind), [name]: string },
  required: ["kind", name],
});
const tuple = (...items: readonly Schema[]): Schema => ({
  type: "array",
  items,
  additionalItems: false,
  minItems: items.length,
});
const list = (items: Schema): Schema => ({ type: "array", items });
const having = (name: string, more: Schema = {}): Schema => ({
  type: "object",
  properties: { [name]: string, ...more },
  required: [name],
});
const union = (...branches: Schema[]): Schema => ({ anyOf: branches });

/**
 * Creates an object schema with the required property `q` and other properties. Properties whose
 * names end in `?` are optional.
 */
function object(properties: Readonly<Record<string, Schema>>, more: Schema = {}): PayloadCase {
  const own = Object.entries({ q: string, ...properties });
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(own.map(([name, type]) => [name.replace("?", ""), type])),
      required: own.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
      ...more,
    },
  };
}

const p = (type: Schema): PayloadCase => object({ p: type });
const optional = (payload: PayloadCase): PayloadCase => ({ ...payload, optional: true });
const plain = object({});
const shut = { additionalProperties: false };

type Row = readonly [
  title: string,
  before: PayloadCase | undefined,
  after: PayloadCase | undefined,
  ids: readonly string[],
  oldToNew: ReadOutcome,
  newToOld: ReadOutcome,
  producer: Compiled,
  consumer: Compiled,
  extras?: true,
];

// prettier-ignore
const rows: readonly Row[] = [
  ["add optional property", plain, object({ "p?": string }), ["prop.added-optional"], "ok", "lost", "ok", "ok"],
  ["add required property", plain, p(string), ["prop.added-required"], "broken", "lost", "always", "ok"],
  ["remove optional property", object({ "p?": string }), plain, ["prop.removed-optional"], "lost", "ok", "direct-use", "direct-use"],
  ["remove required property", p(string), plain, ["prop.removed-required"], "lost", "broken", "direct-use", "always"],
  ["rename required property", object({ startLine: number }), object({ line: number }), ["prop.renamed-required"], "broken", "broken", "always", "always"],
  ["rename optional property", object({ "startLine?": number }), object({ "line?": number }), ["prop.renamed-optional"], "lost", "lost", "direct-use", "direct-use"],
  ["optional to required", object({ "p?": string }), p(string), ["prop.became-required"], "broken", "ok", "always", "ok"],
  ["required to optional", p(string), object({ "p?": string }), ["prop.became-optional"], "ok", "broken", "ok", "always"],
  ["type widened", p(string), p(either), ["type.widened"], "ok", "broken", "ok", "always"],
  ["type narrowed", p(either), p(string), ["type.narrowed"], "broken", "ok", "always", "ok"],
  ["type changed", p(string), p(number), ["type.changed"], "broken", "broken", "always", "always"],
  ["number to integer", p(number), p(integer), ["type.number-to-int"], "typed", "ok", "ok", "ok"],
  ["integer to number", p(integer), p(number), ["type.int-to-number"], "ok", "typed", "ok", "ok"],
  ["add maximum", p(integer), p({ type: "integer", maximum: 100 }), ["constraint.tightened"], "ranged", "ok", "ok", "ok"],
  ["add null", p(string), p(nullable), ["type.null-added"], "ok", "broken", "ok", "always"],
  ["drop null", p(nullable), p(string), ["type.null-removed"], "broken", "ok", "always", "ok"],
  ["scalar to array", p(string), p({ type: "array", items: string }), ["type.array-wrapped"], "broken", "broken", "always", "always"],
  ["any to string", p(anything), p(string), ["type.narrowed"], "broken", "ok", "always", "ok"],
  ["string to any", p(string), p(anything), ["type.widened"], "ok", "broken", "ok", "always"],
  ["object closes", object({}, { unevaluatedProperties: true }), object({}, { additionalProperties: false }), ["object.closed"], "degraded", "ok", "ok", "ok", true],
  ["object opens", object({}, { additionalProperties: false }), object({}, { unevaluatedProperties: true }), ["object.opened"], "ok", "degraded", "ok", "ok", true],
  ["closed enum: add value", p(closed("a", "b")), p(closed("a", "b", "c")), ["enum.value-added"], "ok", "degraded", "ok", "always"],
  ["closed enum: remove value", p(closed("a", "b", "c")), p(closed("a", "b")), ["enum.value-removed"], "degraded", "ok", "always", "ok"],
  ["closed enum: replace value", p(closed("a", "b")), p(closed("a", "c")), ["enum.value-replaced"], "degraded", "degraded", "always", "always"],
  ["open enum: add value", p(open("a", "b")), p(open("a", "b", "c")), ["enum.open-value-added"], "strict", "strict", "ok", "ok"],
  ["open enum: remove value", p(open("a", "b", "c")), p(open("a", "b")), ["enum.open-value-removed"], "strict", "strict", "ok", "ok"],
  ["string to open enum", p(string), p(open("a", "b")), ["enum.introduced"], "strict", "ok", "ok", "ok"],
  ["open enum to string", p(open("a", "b")), p(string), ["enum.dropped"], "ok", "strict", "ok", "ok"],
  ["enum opens", p(closed("a", "b")), p(open("a", "b")), ["enum.opened"], "ok", "degraded", "ok", "always"],
  ["enum closes", p(open("a", "b")), p(closed("a", "b")), ["enum.closed"], "degraded", "ok", "always", "ok"],
  ["string to closed enum", p(string), p(closed("a", "b")), ["enum.introduced-closed"], "degraded", "ok", "always", "ok"],
  ["closed enum to string", p(closed("a", "b")), p(string), ["enum.dropped-closed"], "ok", "degraded", "ok", "always"],
  ["add union branch", p(union(branch("k1", "x"), branch("k2", "y"))), p(union(branch("k1", "x"), branch("k2", "y"), branch("k3", "z"))), ["union.branch-added"], "ok", "degraded", "ok", "whole-value"],
  ["remove union branch", p(union(branch("k1", "x"), branch("k2", "y"), branch("k3", "z"))), p(union(branch("k1", "x"), branch("k2", "y"))), ["union.branch-removed"], "degraded", "ok", "always", "direct-use"],
  ["discriminator value renamed", p(union(branch("k1", "x"), branch("k2", "y"))), p(union(branch("k1", "x"), branch("k3", "y"))), ["type.literal-changed"], "degraded", "degraded", "always", "always"],
  ["alternative takes more values", p(union(list(closed("a", "b")), list(integer))), p(union(list(closed("a", "b", "c")), list(integer))), ["union.widened"], "ok", "degraded", "ok", "always"],
  ["alternative takes fewer values", p(union(list(closed("a", "b", "c")), list(integer))), p(union(list(closed("a", "b")), list(integer))), ["union.narrowed"], "degraded", "ok", "always", "ok"],
  ["alternative names more properties", p(union(having("x"), having("y"))), p(union(having("x"), having("y"), having("x", { z: string }))), ["union.split"], "ok", "lost", "ok", "ok"],
  ["alternative names fewer properties", p(union(having("x"), having("y"), having("x", { z: string }))), p(union(having("x"), having("y"))), ["union.merged"], "lost", "ok", "direct-use", "ok"],
  ["bounded text to open enum", p({ ...string, maxLength: 20_000 }), p(open("a", "b")), ["union.relisted"], "strict", "ok", "ok", "ok"],
  ["open enum to bounded text", p(open("a", "b")), p({ ...string, maxLength: 20_000 }), ["union.unlisted"], "ok", "strict", "ok", "ok"],
  ["item of a tuple retyped", p(tuple(integer, integer)), p(tuple(integer, string)), ["type.changed"], "broken", "broken", "always", "always"],
  ["item of a tuple in a union retyped", p({ oneOf: [string, tuple(integer, integer)] }), p({ oneOf: [string, tuple(integer, string)] }), ["type.changed"], "broken", "broken", "always", "always"],
  ["item of a tuple becomes a number", p(tuple(string, integer)), p(tuple(string, number)), ["type.int-to-number"], "ok", "typed", "ok", "ok"],
  ["item of a tuple takes another value", p(tuple(string, closed("a", "b"))), p(tuple(string, closed("a", "b", "c"))), ["enum.value-added"], "ok", "degraded", "ok", "always"],
  ["tuple gets an item", p(tuple(integer, integer)), p(tuple(integer, integer, integer)), ["type.changed"], "broken", "broken", "always", "always"],
  ["tuple in a union gets an item", p({ oneOf: [string, tuple(integer, integer)] }), p({ oneOf: [string, tuple(integer, integer, integer)] }), ["type.changed"], "broken", "broken", "always", "always"],
  ["tuple becomes a list", p(tuple(integer, integer)), p(list(integer)), ["type.widened"], "ok", "broken", "ok", "always"],
  ["list becomes a tuple", p(list(integer)), p(tuple(integer, integer)), ["type.narrowed"], "broken", "ok", "always", "ok"],
  ["add optional property to a closed object", object({}, shut), object({ "p?": string }, shut), ["prop.added-closed"], "ok", "degraded", "ok", "ok"],
  ["remove optional property from a closed object", object({ "p?": string }, shut), object({}, shut), ["prop.removed-closed"], "degraded", "ok", "direct-use", "direct-use"],
  ["add required property to a closed object", object({}, shut), object({ p: string }, shut), ["prop.added-required-closed"], "broken", "degraded", "always", "ok"],
  ["remove required property from a closed object", object({ p: string }, shut), object({}, shut), ["prop.removed-required-closed"], "degraded", "broken", "direct-use", "always"],
  ["optional body added", undefined, optional(plain), ["body.added-optional"], "ok", "lost", "ok", "ok"],
  ["required body added", undefined, plain, ["body.added-required"], "broken", "lost", "always", "ok"],
  ["body removed", plain, undefined, ["body.removed"], "lost", "broken", "direct-use", "always"],
  ["body optional to required", optional(plain), plain, ["body.became-required"], "broken", "ok", "always", "ok"],
  ["body required to optional", plain, optional(plain), ["body.became-optional"], "ok", "broken", "ok", "always"],
  ["documentation only", p({ ...string, description: "The name." }), p({ ...string, description: "Its name." }), ["doc.changed"], "ok", "ok", "ok", "ok"],
  ["deprecated", p({ ...string, description: "The name." }), p({ ...string, description: "The name.", deprecated: true }), ["deprecated.added"], "ok", "ok", "ok", "ok"],
  ["default changed", object({ "p?": { ...string, default: "a" } }), object({ "p?": { ...string, default: "b" } }), ["default.changed"], "different", "different", "ok", "ok"],
];

/** The elementary changes between two versions of a type, each at a single location. */
export const elementaryChanges: readonly ElementaryChange[] = rows.map(
  ([title, before, after, ids, oldToNew, newToOld, producer, consumer, extras]) => ({
    title,
    before,
    after,
    ids,
    oldToNew,
    newToOld,
    producer,
    consumer,
    ...(extras === undefined ? {} : { extras }),
  }),
);

/**
 * The role that reads the payload: the adapter for a client request, the client for an adapter
 * event.
 */
export type Reader = "adapter" | "client";

/**
 * Creates a schema laid out like the DAP schema, with the base definitions and a single message.
 */
export function schemaWith(payload: PayloadCase | undefined, reader: Reader): Schema {
  const message = (
    base: string,
    name: string,
    own: Schema,
    required: readonly string[],
  ): Schema => ({
    allOf: [{ $ref: `#/definitions/${base}` }, { type: "object", properties: own, required }],
    ...(name === "" ? {} : { title: name }),
  });
  const field = reader === "adapter" ? "arguments" : "body";
  const carried = payload === undefined ? {} : { [field]: { $ref: "#/definitions/Payload" } };
  const required = payload === undefined || payload.optional === true ? [] : [field];
  const messages: Record<string, Schema> =
    reader === "adapter"
      ? {
          PutRequest: message("Request", "", { command: closed("put"), ...carried }, [
            "command",
            ...required,
          ]),
          PutResponse: message("Response", "", {}, []),
        }
      : {
          GotEvent: message("Event", "", { event: closed("got"), ...carried }, [
            "event",
            ...required,
          ]),
        };
  for (const each of Object.values(messages)) {
    const own = (each["allOf"] as Schema[])[1] as { required?: unknown; properties: object };
    if ((own.required as unknown[]).length === 0) delete own.required;
  }
  return {
    $schema: "http://json-schema.org/draft-04/schema#",
    definitions: {
      ...bases,
      ...messages,
      ...(payload === undefined ? {} : { Payload: payload.schema }),
    },
  };
}

const bases: Readonly<Record<string, Schema>> = {
  ProtocolMessage: {
    type: "object",
    properties: { seq: integer, type: open("request", "response", "event") },
    required: ["seq", "type"],
  },
  Request: derived({ type: closed("request"), command: string, arguments: anything }, [
    "type",
    "command",
  ]),
  Event: derived({ type: closed("event"), event: string, body: anything }, ["type", "event"]),
  Response: derived(
    {
      type: closed("response"),
      request_seq: integer,
      success: { type: "boolean" },
      command: string,
      message: string,
      body: anything,
    },
    ["type", "request_seq", "success", "command"],
  ),
  ErrorResponse: {
    allOf: [
      { $ref: "#/definitions/Response" },
      {
        type: "object",
        properties: { body: { type: "object", properties: { error: string } } },
        required: ["body"],
      },
    ],
  },
};

function derived(properties: Schema, required: readonly string[]): Schema {
  return {
    allOf: [{ $ref: "#/definitions/ProtocolMessage" }, { type: "object", properties, required }],
  };
}
