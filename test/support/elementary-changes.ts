import type { ReadOutcome } from "../../diff/compare/outcomes.js";
import type { SourceVerdict } from "../../diff/compare/rule-family.js";

/** A schema in JSON Schema draft 4, the draft used by protocol schemas. */
export type Schema = { readonly [key: string]: unknown };

/** A payload, and whether a message may omit it. */
export interface PayloadCase {
  readonly schema: Schema;
  readonly optional?: true;
}

export interface ElementaryChange {
  readonly title: string;
  readonly before?: PayloadCase;
  readonly after?: PayloadCase;
  /** Ids of the rules that report the change. */
  readonly ids: readonly string[];
  /**
   * The effect on values written by the old version and read by the new one, followed by the effect
   * in the opposite direction.
   */
  readonly oldToNew: ReadOutcome;
  readonly newToOld: ReadOutcome;
  /**
   * `ok` if old code compiles with the new types, or else the kind of code that fails. `sometimes`
   * if the rule alone does not decide.
   */
  readonly producer: Compiled;
  readonly consumer: Compiled;
  /** Whether a writer of the open version may add other properties. */
  readonly extras?: true;
}

export type Compiled = "ok" | NonNullable<SourceVerdict["when"]>;

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
const oneRequired: Schema = { anyOf: [{ required: ["p"] }, { required: ["line"] }] };
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

/** The elementary changes between two versions of a type, each at a single location. */
// prettier-ignore
export const elementaryChanges: readonly ElementaryChange[] = [
  { title: "add optional property", before: plain, after: object({ "p?": string }), ids: ["prop.added-optional"], oldToNew: "ok", newToOld: "lost", producer: "ok", consumer: "ok" },
  { title: "add required property", before: plain, after: p(string), ids: ["prop.added-required"], oldToNew: "broken", newToOld: "lost", producer: "always", consumer: "ok" },
  { title: "remove optional property", before: object({ "p?": string }), after: plain, ids: ["prop.removed-optional"], oldToNew: "lost", newToOld: "ok", producer: "direct-use", consumer: "direct-use" },
  { title: "remove required property", before: p(string), after: plain, ids: ["prop.removed-required"], oldToNew: "lost", newToOld: "broken", producer: "direct-use", consumer: "always" },
  { title: "rename required property", before: object({ startLine: number }), after: object({ line: number }), ids: ["prop.renamed-required"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "rename optional property", before: object({ "startLine?": number }), after: object({ "line?": number }), ids: ["prop.renamed-optional"], oldToNew: "lost", newToOld: "lost", producer: "direct-use", consumer: "direct-use" },
  { title: "optional to required", before: object({ "p?": string }), after: p(string), ids: ["prop.became-required"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "required to optional", before: p(string), after: object({ "p?": string }), ids: ["prop.became-optional"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "either of two properties required", before: object({ "p?": string, "line?": string }), after: object({ "p?": string, "line?": string }, oneRequired), ids: ["prop.choice-narrowed"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "neither of two properties required", before: object({ "p?": string, "line?": string }, oneRequired), after: object({ "p?": string, "line?": string }), ids: ["prop.choice-widened"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "sometimes" },
  { title: "matching properties accept other values", before: object({}, { patternProperties: { "^p": string } }), after: object({}, { patternProperties: { "^p": number } }), ids: ["prop.matching-changed"], oldToNew: "broken", newToOld: "broken", producer: "ok", consumer: "ok" },
  { title: "matching properties accept more values", before: object({}, { patternProperties: { "^p": string } }), after: object({}, { patternProperties: { "^p": either } }), ids: ["prop.matching-widened"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "ok" },
  { title: "type widened", before: p(string), after: p(either), ids: ["type.widened"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "type narrowed", before: p(either), after: p(string), ids: ["type.narrowed"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "type changed", before: p(string), after: p(number), ids: ["type.changed"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "number to integer", before: p(number), after: p(integer), ids: ["type.number-to-int"], oldToNew: "typed", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "integer to number", before: p(integer), after: p(number), ids: ["type.int-to-number"], oldToNew: "ok", newToOld: "typed", producer: "ok", consumer: "ok" },
  { title: "add maximum", before: p(integer), after: p({ type: "integer", maximum: 100 }), ids: ["constraint.tightened"], oldToNew: "ranged", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "add null", before: p(string), after: p(nullable), ids: ["type.null-added"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "drop null", before: p(nullable), after: p(string), ids: ["type.null-removed"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "scalar to array", before: p(string), after: p({ type: "array", items: string }), ids: ["type.array-wrapped"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "any to string", before: p(anything), after: p(string), ids: ["type.narrowed"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "string to any", before: p(string), after: p(anything), ids: ["type.widened"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "object closes", before: object({}, { unevaluatedProperties: true }), after: object({}, { additionalProperties: false }), ids: ["object.closed"], oldToNew: "degraded", newToOld: "ok", producer: "ok", consumer: "ok", extras: true },
  { title: "object opens", before: object({}, { additionalProperties: false }), after: object({}, { unevaluatedProperties: true }), ids: ["object.opened"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "ok", extras: true },
  { title: "closed enum: add value", before: p(closed("a", "b")), after: p(closed("a", "b", "c")), ids: ["enum.value-added"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "always" },
  { title: "closed enum: remove value", before: p(closed("a", "b", "c")), after: p(closed("a", "b")), ids: ["enum.value-removed"], oldToNew: "degraded", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "closed enum: replace value", before: p(closed("a", "b")), after: p(closed("a", "c")), ids: ["enum.value-replaced"], oldToNew: "degraded", newToOld: "degraded", producer: "always", consumer: "always" },
  { title: "open enum: add value", before: p(open("a", "b")), after: p(open("a", "b", "c")), ids: ["enum.open-value-added"], oldToNew: "strict", newToOld: "strict", producer: "ok", consumer: "ok" },
  { title: "open enum: remove value", before: p(open("a", "b", "c")), after: p(open("a", "b")), ids: ["enum.open-value-removed"], oldToNew: "strict", newToOld: "strict", producer: "ok", consumer: "ok" },
  { title: "string to open enum", before: p(string), after: p(open("a", "b")), ids: ["enum.introduced"], oldToNew: "strict", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "open enum to string", before: p(open("a", "b")), after: p(string), ids: ["enum.dropped"], oldToNew: "ok", newToOld: "strict", producer: "ok", consumer: "ok" },
  { title: "enum opens", before: p(closed("a", "b")), after: p(open("a", "b")), ids: ["enum.opened"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "always" },
  { title: "enum closes", before: p(open("a", "b")), after: p(closed("a", "b")), ids: ["enum.closed"], oldToNew: "degraded", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "string to closed enum", before: p(string), after: p(closed("a", "b")), ids: ["enum.introduced-closed"], oldToNew: "degraded", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "closed enum to string", before: p(closed("a", "b")), after: p(string), ids: ["enum.dropped-closed"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "always" },
  { title: "add union branch", before: p(union(branch("k1", "x"), branch("k2", "y"))), after: p(union(branch("k1", "x"), branch("k2", "y"), branch("k3", "z"))), ids: ["union.branch-added"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "whole-value" },
  { title: "remove union branch", before: p(union(branch("k1", "x"), branch("k2", "y"), branch("k3", "z"))), after: p(union(branch("k1", "x"), branch("k2", "y"))), ids: ["union.branch-removed"], oldToNew: "degraded", newToOld: "ok", producer: "always", consumer: "direct-use" },
  { title: "discriminator value renamed", before: p(union(branch("k1", "x"), branch("k2", "y"))), after: p(union(branch("k1", "x"), branch("k3", "y"))), ids: ["type.literal-changed"], oldToNew: "degraded", newToOld: "degraded", producer: "always", consumer: "always" },
  { title: "alternative takes more values", before: p(union(list(closed("a", "b")), list(integer))), after: p(union(list(closed("a", "b", "c")), list(integer))), ids: ["union.widened"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "always" },
  { title: "alternative takes fewer values", before: p(union(list(closed("a", "b", "c")), list(integer))), after: p(union(list(closed("a", "b")), list(integer))), ids: ["union.narrowed"], oldToNew: "degraded", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "alternative names more properties", before: p(union(having("x"), having("y"))), after: p(union(having("x"), having("y"), having("x", { z: string }))), ids: ["union.split"], oldToNew: "ok", newToOld: "lost", producer: "ok", consumer: "sometimes" },
  { title: "alternative names fewer properties", before: p(union(having("x"), having("y"), having("x", { z: string }))), after: p(union(having("x"), having("y"))), ids: ["union.merged"], oldToNew: "lost", newToOld: "ok", producer: "direct-use", consumer: "ok" },
  { title: "bounded text to open enum", before: p({ ...string, maxLength: 20_000 }), after: p(open("a", "b")), ids: ["union.relisted"], oldToNew: "strict", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "open enum to bounded text", before: p(open("a", "b")), after: p({ ...string, maxLength: 20_000 }), ids: ["union.unlisted"], oldToNew: "ok", newToOld: "strict", producer: "ok", consumer: "ok" },
  { title: "item of a tuple retyped", before: p(tuple(integer, integer)), after: p(tuple(integer, string)), ids: ["type.changed"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "item of a tuple in a union retyped", before: p({ oneOf: [string, tuple(integer, integer)] }), after: p({ oneOf: [string, tuple(integer, string)] }), ids: ["type.changed"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "item of a tuple becomes a number", before: p(tuple(string, integer)), after: p(tuple(string, number)), ids: ["type.int-to-number"], oldToNew: "ok", newToOld: "typed", producer: "ok", consumer: "ok" },
  { title: "item of a tuple takes another value", before: p(tuple(string, closed("a", "b"))), after: p(tuple(string, closed("a", "b", "c"))), ids: ["enum.value-added"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "always" },
  { title: "tuple gets an item", before: p(tuple(integer, integer)), after: p(tuple(integer, integer, integer)), ids: ["type.changed"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "tuple in a union gets an item", before: p({ oneOf: [string, tuple(integer, integer)] }), after: p({ oneOf: [string, tuple(integer, integer, integer)] }), ids: ["type.changed"], oldToNew: "broken", newToOld: "broken", producer: "always", consumer: "always" },
  { title: "tuple becomes a list", before: p(tuple(integer, integer)), after: p(list(integer)), ids: ["type.widened"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "list becomes a tuple", before: p(list(integer)), after: p(tuple(integer, integer)), ids: ["type.narrowed"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "add optional property to a closed object", before: object({}, shut), after: object({ "p?": string }, shut), ids: ["prop.added-closed"], oldToNew: "ok", newToOld: "degraded", producer: "ok", consumer: "ok" },
  { title: "remove optional property from a closed object", before: object({ "p?": string }, shut), after: object({}, shut), ids: ["prop.removed-closed"], oldToNew: "degraded", newToOld: "ok", producer: "direct-use", consumer: "direct-use" },
  { title: "add required property to a closed object", before: object({}, shut), after: object({ p: string }, shut), ids: ["prop.added-required-closed"], oldToNew: "broken", newToOld: "degraded", producer: "always", consumer: "ok" },
  { title: "remove required property from a closed object", before: object({ p: string }, shut), after: object({}, shut), ids: ["prop.removed-required-closed"], oldToNew: "degraded", newToOld: "broken", producer: "direct-use", consumer: "always" },
  { title: "optional body added",  after: optional(plain), ids: ["body.added-optional"], oldToNew: "ok", newToOld: "lost", producer: "ok", consumer: "ok" },
  { title: "required body added",  after: plain, ids: ["body.added-required"], oldToNew: "broken", newToOld: "lost", producer: "always", consumer: "ok" },
  { title: "body removed", before: plain,  ids: ["body.removed"], oldToNew: "lost", newToOld: "broken", producer: "direct-use", consumer: "always" },
  { title: "body optional to required", before: optional(plain), after: plain, ids: ["body.became-required"], oldToNew: "broken", newToOld: "ok", producer: "always", consumer: "ok" },
  { title: "body required to optional", before: plain, after: optional(plain), ids: ["body.became-optional"], oldToNew: "ok", newToOld: "broken", producer: "ok", consumer: "always" },
  { title: "documentation only", before: p({ ...string, description: "The name." }), after: p({ ...string, description: "Its name." }), ids: ["doc.changed"], oldToNew: "ok", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "deprecated", before: p({ ...string, description: "The name." }), after: p({ ...string, description: "The name.", deprecated: true }), ids: ["deprecated.added"], oldToNew: "ok", newToOld: "ok", producer: "ok", consumer: "ok" },
  { title: "default changed", before: object({ "p?": { ...string, default: "a" } }), after: object({ "p?": { ...string, default: "b" } }), ids: ["default.changed"], oldToNew: "different", newToOld: "different", producer: "ok", consumer: "ok" },
];

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
