import assert from "node:assert/strict";
import { test } from "node:test";
import type { Definition, Json, Type } from "../../../generator/model/types.js";
import { read } from "../../support/read-definitions.js";

function typeOf(node: Json): Type {
  return read({ Other: { type: "object" }, It: node })[1]!.type;
}

const readable: readonly (readonly [name: string, node: Json, want: Type])[] = [
  ["an empty schema", {}, { kind: "any" }],
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
    "an enum with one value, which is a literal",
    { type: "string", enum: ["a"] },
    { kind: "literal", value: "a" },
  ],
  [
    "an open enum with one value, which is not a literal",
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
    "uint64, whose lower bound is given only by the format",
    { type: "integer", format: "uint64", maximum: 9007199254740991 },
    { kind: "integer", format: "uint64", minimum: 0, maximum: 9007199254740991 },
  ],
  [
    "int64",
    { type: "integer", format: "int64" },
    {
      kind: "integer",
      format: "int64",
      minimum: -9007199254740991,
      maximum: 9007199254740991,
    },
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
    "a dictionary with values of any type",
    { type: "object", additionalProperties: true },
    { kind: "map", values: { kind: "any" } },
  ],
  [
    "a closed object",
    { type: "object", additionalProperties: false },
    { kind: "object", bases: [], properties: [], extras: "closed" },
  ],
  [
    "a reference with sibling keywords",
    { $ref: "#/definitions/Other", description: "here" },
    { kind: "reference", name: "Other" },
  ],
  [
    "an allOf that contains only a reference",
    { allOf: [{ $ref: "#/definitions/Other" }], description: "here" },
    { kind: "reference", name: "Other" },
  ],
  [
    "oneOf, which is read as anyOf",
    { oneOf: [{ type: "string" }, { $ref: "#/definitions/Other" }] },
    { kind: "union", members: [{ kind: "string" }, { kind: "reference", name: "Other" }] },
  ],
  ["a declared annotation", { type: "null", "x-note": 1 }, { kind: "null" }],
];

for (const [name, node, want] of readable) {
  test(`readDefinitions() reads ${name}`, () => assert.deepEqual(typeOf(node), want));
}

test("readDefinitions() reads an extension with its bases, own properties, text and the section from its inline part", () => {
  const [, it] = read({
    Other: { type: "object" },
    It: {
      allOf: [
        { $ref: "#/definitions/Other" },
        {
          type: "object",
          title: "Part",
          description: "Its kind.",
          properties: { a: { type: "string" } },
          required: ["a"],
        },
      ],
    },
  });
  assert.deepEqual(it, {
    kind: "definition",
    name: "It",
    docs: "Its kind.",
    section: "Part",
    extensible: false,
    pointer: "/definitions/It",
    type: {
      kind: "object",
      bases: ["Other"],
      extras: "open",
      properties: [
        {
          name: "a",
          type: { kind: "string" },
          required: true,
          pointer: "/definitions/It/allOf/1/properties/a",
        },
      ],
    },
  });
});

test("readDefinitions() makes an inherited property required even if only `required` names it", () => {
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
      pointer: "/definitions/Base/properties/a",
    },
    {
      name: "b",
      type: { kind: "any" },
      required: true,
      pointer: "/definitions/It/allOf/1/required",
    },
  ]);
});

test("readDefinitions() reads the same model from equivalent draft 4, 7 and 2020-12 schemas", () => {
  const strip = (definitions: readonly Definition[]): unknown =>
    JSON.parse(
      JSON.stringify(definitions, (key, value: unknown) => (key === "pointer" ? undefined : value)),
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

test("readDefinitions() follows a chain of 5,000 references", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index): [string, Json] => [
      `A${index}`,
      index === 4_999 ? { type: "string" } : { $ref: `#/definitions/A${index + 1}` },
    ]),
  );
  assert.equal(read(chain).length, 5_000);
});
