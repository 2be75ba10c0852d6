import assert from "node:assert/strict";
import { test } from "node:test";
import type { Definition, Json, Type } from "../../../generator/model/types.js";
import { InputError } from "../../../generator/index.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { openSchema } from "../../../generator/read/schema/schema-file.js";

function read(
  definitions: Record<string, Json>,
  container: "definitions" | "$defs" = "definitions",
): readonly Definition[] {
  const file = readJsonText(JSON.stringify({ [container]: definitions }, null, 1), "test.json");
  const schema = openSchema(file, new Set(["x-note"]));
  return readDefinitions(schema, {
    gates: new Map(),
    defaults: new Map(),
    extensible: new Set(),
    annotations: new Set(["x-note"]),
    forgives: {},
    untyped: "meant",
    overlapping: false,
    formats: false,
  });
}

function typeOf(node: Json): Type {
  return read({ Other: { type: "object" }, It: node })[1]!.type;
}

function refusal(node: Json): { code: string; pointer: string | undefined; line: boolean } {
  try {
    read({ Other: { type: "object" }, It: node });
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return { code: error.code, pointer: error.place.pointer, line: error.place.line !== undefined };
  }
  return assert.fail("the schema was accepted");
}

const readable: readonly (readonly [string, Json, Type])[] = [
  ["a schema that says nothing", {}, { kind: "any" }],
  ["true", true, { kind: "any" }],
  [
    "all seven types, in any order",
    { type: ["string", "array", "boolean", "integer", "null", "number", "object"] },
    { kind: "any" },
  ],
  [
    "two types",
    { type: ["integer", "string"] },
    { kind: "union", members: [{ kind: "integer" }, { kind: "string" }] },
  ],
  [
    "a type or null",
    { type: ["string", "null"] },
    { kind: "union", members: [{ kind: "string" }, { kind: "null" }] },
  ],
  [
    "an open enum",
    { type: "string", _enum: ["a", "b"], enumDescriptions: ["one", "Deprecated: two"] },
    {
      kind: "enum",
      open: true,
      values: [
        { value: "a", docs: "one" },
        { value: "b", docs: "Deprecated: two", deprecated: "two" },
      ],
    },
  ],
  [
    "a closed enum",
    { type: "string", enum: ["a", "b"] },
    { kind: "enum", open: false, values: [{ value: "a" }, { value: "b" }] },
  ],
  [
    "an enum of one value, which is a literal",
    { type: "string", enum: ["a"] },
    { kind: "literal", value: "a" },
  ],
  [
    "an open enum of one value, which is not",
    { type: "string", _enum: ["a"] },
    { kind: "enum", open: true, values: [{ value: "a" }] },
  ],
  ["a const", { const: 3 }, { kind: "literal", value: 3 }],
  [
    "an enum with null",
    { enum: ["a", null] },
    {
      kind: "union",
      members: [{ kind: "enum", open: false, values: [{ value: "a" }] }, { kind: "null" }],
    },
  ],
  [
    "int32",
    { type: "integer", format: "int32" },
    { kind: "integer", format: "int32", minimum: -2147483648, maximum: 2147483647 },
  ],
  [
    "int32 from 1",
    { type: "integer", format: "int32", minimum: 1 },
    { kind: "integer", format: "int32", minimum: 1, maximum: 2147483647 },
  ],
  [
    "uint32",
    { type: "integer", format: "uint32" },
    { kind: "integer", format: "uint32", minimum: 0, maximum: 4294967295 },
  ],
  [
    "uint64, whose lower bound only the format says",
    { type: "integer", format: "uint64", maximum: 9007199254740991 },
    { kind: "integer", format: "uint64", minimum: 0, maximum: 9007199254740991 },
  ],
  [
    "int64",
    { type: "integer", format: "int64" },
    { kind: "integer", format: "int64", minimum: -9007199254740991, maximum: 9007199254740991 },
  ],
  ["a bare integer", { type: "integer" }, { kind: "integer" }],
  [
    "a number in a range",
    { type: "number", minimum: 0, maximum: 100 },
    { kind: "number", minimum: 0, maximum: 100 },
  ],
  [
    "an exclusive bound as in draft 4",
    { type: "integer", minimum: 0, exclusiveMinimum: true },
    { kind: "integer", minimum: 1 },
  ],
  [
    "an exclusive bound as in draft 7",
    { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    { kind: "integer", minimum: 1, maximum: 9 },
  ],
  [
    "a string with a length",
    { type: "string", minLength: 1, maxLength: 9, format: "uri" },
    { kind: "string", format: "uri", minLength: 1, maxLength: 9 },
  ],
  [
    "a list",
    { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 },
    { kind: "array", items: { kind: "boolean" }, minItems: 1, maxItems: 2 },
  ],
  [
    "a dictionary",
    { type: "object", additionalProperties: { type: "string", description: "text" } },
    { kind: "map", values: { kind: "string" }, docs: "text" },
  ],
  [
    "a dictionary of anything",
    { type: "object", additionalProperties: true },
    { kind: "map", values: { kind: "any" } },
  ],
  [
    "a closed object",
    { type: "object", additionalProperties: false },
    { kind: "object", bases: [], properties: [], extras: "closed" },
  ],
  [
    "a reference with siblings",
    { $ref: "#/definitions/Other", description: "here" },
    { kind: "reference", name: "Other" },
  ],
  [
    "an allOf that only refers",
    { allOf: [{ $ref: "#/definitions/Other" }], description: "here" },
    { kind: "reference", name: "Other" },
  ],
  [
    "oneOf, read as any of",
    { oneOf: [{ type: "string" }, { $ref: "#/definitions/Other" }] },
    { kind: "union", members: [{ kind: "string" }, { kind: "reference", name: "Other" }] },
  ],
  ["a declared annotation", { type: "null", "x-note": 1 }, { kind: "null" }],
];
for (const [name, node, want] of readable) {
  test(`readDefinitions() reads ${name}`, () => assert.deepEqual(typeOf(node), want));
}

test("readDefinitions() reads an extension: bases, own properties, text and section of the inline part", () => {
  const [, it] = read({
    Other: { type: "object" },
    It: {
      allOf: [
        { $ref: "#/definitions/Other" },
        {
          type: "object",
          title: "Part",
          description: "What it is.",
          properties: { a: { type: "string" } },
          required: ["a"],
        },
      ],
    },
  });
  assert.deepEqual(it, {
    kind: "definition",
    name: "It",
    docs: "What it is.",
    section: "Part",
    extensible: false,
    at: "/definitions/It",
    type: {
      kind: "object",
      bases: ["Other"],
      extras: "open",
      properties: [
        {
          name: "a",
          type: { kind: "string" },
          required: true,
          at: "/definitions/It/allOf/1/properties/a",
        },
      ],
    },
  });
});

test("readDefinitions() makes an inherited property required when only `required` names it", () => {
  const [, it] = read({
    Base: { type: "object", properties: { a: { type: "string", description: "text" } } },
    It: { allOf: [{ $ref: "#/definitions/Base" }, { type: "object", required: ["a", "b"] }] },
  });
  assert.deepEqual(it!.type.kind === "object" && it!.type.properties, [
    {
      name: "a",
      type: { kind: "string" },
      required: true,
      docs: "text",
      at: "/definitions/Base/properties/a",
    },
    { name: "b", type: { kind: "any" }, required: true, at: "/definitions/It/allOf/1/required" },
  ]);
});

test("readDefinitions() reads the same model from the spellings of draft 4, 7 and 2020-12", () => {
  const strip = (definitions: readonly Definition[]): unknown =>
    JSON.parse(
      JSON.stringify(definitions, (key, value: unknown) => (key === "at" ? undefined : value)),
    );
  const draft4 = read({
    A: {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 0, exclusiveMinimum: true },
        t: { type: "string", enum: ["x"] },
        r: { $ref: "#/definitions/A" },
      },
    },
  });
  const draft7 = read({
    A: {
      type: "object",
      properties: {
        n: { type: "integer", exclusiveMinimum: 0 },
        t: { const: "x" },
        r: { $ref: "#/definitions/A" },
      },
    },
  });
  const draft2020 = read(
    {
      A: {
        type: "object",
        properties: {
          n: { type: "integer", exclusiveMinimum: 0 },
          t: { const: "x" },
          r: { $ref: "#/$defs/A" },
        },
      },
    },
    "$defs",
  );
  assert.deepEqual(strip(draft7), strip(draft4));
  assert.deepEqual(strip(draft2020), strip(draft4));
});

const refused: readonly (readonly [string, Json, string, string])[] = [
  [
    "a pattern that is no regular expression",
    { type: "string", pattern: "(" },
    "ERR_SCHEMA",
    "/definitions/It/pattern",
  ],
  ["an unknown type", { type: "text" }, "ERR_SCHEMA", "/definitions/It/type"],
  [
    "a description that is no text",
    { type: "string", description: 5 },
    "ERR_SCHEMA",
    "/definitions/It/description",
  ],
  ["a dangling reference", { $ref: "#/definitions/Missing" }, "ERR_REF", "/definitions/It/$ref"],
  [
    "a reference into a definition",
    { $ref: "#/definitions/Other/properties/a" },
    "ERR_REF",
    "/definitions/It/$ref",
  ],
  [
    "a dynamic reference that several places may answer",
    {
      $defs: { a: { $id: "a", $dynamicAnchor: "x" }, b: { $id: "b", $dynamicAnchor: "x" } },
      $dynamicRef: "#x",
    },
    "ERR_REF",
    "/definitions/It/$dynamicRef",
  ],
  ["a reference that is no text", { $ref: {} }, "ERR_SCHEMA", "/definitions/It/$ref"],
  [
    "a reference to another file",
    { $ref: "other.json#/definitions/A" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a reference to an absolute file",
    { $ref: "file:///etc/passwd" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a reference to a URL",
    { $ref: "http://127.0.0.1:9/a.json" },
    "ERR_REF_OUTSIDE",
    "/definitions/It/$ref",
  ],
  [
    "a type that extends itself",
    { allOf: [{ $ref: "#/definitions/It" }, { type: "object" }] },
    "ERR_REF_CYCLE",
    "/definitions/It",
  ],
  ["a type that is itself", { $ref: "#/definitions/It" }, "ERR_REF_CYCLE", "/definitions/It"],
  [
    "a union of itself",
    { anyOf: [{ type: "null" }, { $ref: "#/definitions/It" }] },
    "ERR_REF_CYCLE",
    "/definitions/It",
  ],
  ["an empty range", { type: "integer", minimum: 5, maximum: 4 }, "ERR_SCHEMA", "/definitions/It"],
  ["an empty enum", { enum: [] }, "ERR_SCHEMA", "/definitions/It/enum"],
  ["an enum that repeats a value", { enum: ["a", "a"] }, "ERR_SCHEMA", "/definitions/It/enum"],
  [
    "texts that do not match an enum",
    { enum: ["a", "b"], enumDescriptions: ["one"] },
    "ERR_SCHEMA",
    "/definitions/It/enumDescriptions",
  ],
  [
    "a required that is no list",
    { type: "object", required: "a" },
    "ERR_SCHEMA",
    "/definitions/It/required",
  ],
  [
    "properties that are no object",
    { type: "object", properties: [] },
    "ERR_SCHEMA",
    "/definitions/It/properties",
  ],
];
for (const [name, node, code, pointer] of refused) {
  test(`readDefinitions() refuses ${name}`, () =>
    assert.deepEqual(refusal(node), { code, pointer, line: true }));
}

test("readDefinitions() refuses two definitions that are only each other", () => {
  assert.throws(() => read({ A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } }), {
    code: "ERR_REF_CYCLE",
  });
});

test("readDefinitions() follows a chain of 5,000 references", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index): [string, Json] => [
      `A${index}`,
      index === 4_999 ? { type: "string" } : { $ref: `#/definitions/A${index + 1}` },
    ]),
  );
  assert.equal(read(chain).length, 5_000);
});

for (const [name, why] of [
  ["foo-bar", "no identifier"],
  ["1a", "no identifier"],
  ["class", "reserved"],
  ["string", "reserved"],
  ["a;b", "no identifier"],
  ["", "no identifier"],
]) {
  test(`readDefinitions() refuses the definition name ${JSON.stringify(name)}`, () => {
    assert.throws(
      () => read({ [name!]: {} }),
      (error: InputError) =>
        error.code === "ERR_NAME" && error.message.includes(why!) && error.place.line !== undefined,
    );
  });
}

for (const name of ["__proto__", "constructor", "toString", "Object", "größe"]) {
  test(`readDefinitions() takes the definition name ${name}`, () => {
    const definitions = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`) as Record<
      string,
      Json
    >;
    assert.deepEqual(
      read(definitions).map((definition) => [definition.name, definition.type]),
      [[name, { kind: "string" }]],
    );
  });
}
