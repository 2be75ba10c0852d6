import assert from "node:assert/strict";
import { test } from "node:test";
import type { Definition, Json, Type } from "../../../generator/model/types.js";
import { read } from "../../support/read-definitions.js";

function typeOf(node: Json): Type {
  return read({ Other: { type: "object" }, It: node })[1]!.type;
}

const readable: readonly { readonly name: string; readonly node: Json; readonly want: Type }[] = [
  { name: "an empty schema", node: {}, want: { kind: "any" } },
  { name: "true", node: true, want: { kind: "any" } },
  {
    name: "all seven types, in any order",
    node: { type: ["string", "array", "boolean", "integer", "null", "number", "object"] },
    want: { kind: "any" },
  },
  {
    name: "two types",
    node: { type: ["integer", "string"] },
    want: { kind: "union", members: [{ kind: "integer" }, { kind: "string" }] },
  },
  {
    name: "a type or null",
    node: { type: ["string", "null"] },
    want: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] },
  },
  {
    name: "an open enum",
    node: { type: "string", _enum: ["a", "b"], enumDescriptions: ["one", "Deprecated: two"] },
    want: {
      kind: "enum",
      open: true,
      values: [
        { value: "a", docs: "one" },
        { value: "b", docs: "Deprecated: two", deprecated: "two" },
      ],
    },
  },
  {
    name: "a closed enum",
    node: { type: "string", enum: ["a", "b"] },
    want: { kind: "enum", open: false, values: [{ value: "a" }, { value: "b" }] },
  },
  {
    name: "an enum with one value, which is a literal",
    node: { type: "string", enum: ["a"] },
    want: { kind: "literal", value: "a" },
  },
  {
    name: "an open enum with one value, which is not a literal",
    node: { type: "string", _enum: ["a"] },
    want: { kind: "enum", open: true, values: [{ value: "a" }] },
  },
  { name: "a const", node: { const: 3 }, want: { kind: "literal", value: 3 } },
  {
    name: "an enum with null",
    node: { enum: ["a", null] },
    want: {
      kind: "union",
      members: [{ kind: "enum", open: false, values: [{ value: "a" }] }, { kind: "null" }],
    },
  },
  {
    name: "int32",
    node: { type: "integer", format: "int32" },
    want: { kind: "integer", format: "int32", minimum: -2147483648, maximum: 2147483647 },
  },
  {
    name: "int32 from 1",
    node: { type: "integer", format: "int32", minimum: 1 },
    want: { kind: "integer", format: "int32", minimum: 1, maximum: 2147483647 },
  },
  {
    name: "uint32",
    node: { type: "integer", format: "uint32" },
    want: { kind: "integer", format: "uint32", minimum: 0, maximum: 4294967295 },
  },
  {
    name: "uint64, whose lower bound is given only by the format",
    node: { type: "integer", format: "uint64", maximum: 9007199254740991 },
    want: { kind: "integer", format: "uint64", minimum: 0, maximum: 9007199254740991 },
  },
  {
    name: "int64",
    node: { type: "integer", format: "int64" },
    want: {
      kind: "integer",
      format: "int64",
      minimum: -9007199254740991,
      maximum: 9007199254740991,
    },
  },
  { name: "a bare integer", node: { type: "integer" }, want: { kind: "integer" } },
  {
    name: "a number in a range",
    node: { type: "number", minimum: 0, maximum: 100 },
    want: { kind: "number", minimum: 0, maximum: 100 },
  },
  {
    name: "an exclusive bound as in draft 4",
    node: { type: "integer", minimum: 0, exclusiveMinimum: true },
    want: { kind: "integer", minimum: 1 },
  },
  {
    name: "an exclusive bound as in draft 7",
    node: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    want: { kind: "integer", minimum: 1, maximum: 9 },
  },
  {
    name: "a string with a length",
    node: { type: "string", minLength: 1, maxLength: 9, format: "uri" },
    want: { kind: "string", format: "uri", minLength: 1, maxLength: 9 },
  },
  {
    name: "a list",
    node: { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 },
    want: { kind: "array", items: { kind: "boolean" }, minItems: 1, maxItems: 2 },
  },
  {
    name: "a dictionary",
    node: { type: "object", additionalProperties: { type: "string", description: "text" } },
    want: { kind: "map", values: { kind: "string" }, docs: "text" },
  },
  {
    name: "a dictionary with values of any type",
    node: { type: "object", additionalProperties: true },
    want: { kind: "map", values: { kind: "any" } },
  },
  {
    name: "a closed object",
    node: { type: "object", additionalProperties: false },
    want: { kind: "object", bases: [], properties: [], extras: "closed" },
  },
  {
    name: "a reference with sibling keywords",
    node: { $ref: "#/definitions/Other", description: "here" },
    want: { kind: "reference", name: "Other" },
  },
  {
    name: "an allOf that contains only a reference",
    node: { allOf: [{ $ref: "#/definitions/Other" }], description: "here" },
    want: { kind: "reference", name: "Other" },
  },
  {
    name: "oneOf, which is read as anyOf",
    node: { oneOf: [{ type: "string" }, { $ref: "#/definitions/Other" }] },
    want: { kind: "union", members: [{ kind: "string" }, { kind: "reference", name: "Other" }] },
  },
  { name: "a declared annotation", node: { type: "null", "x-note": 1 }, want: { kind: "null" } },
];

for (const { name, node, want } of readable) {
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
