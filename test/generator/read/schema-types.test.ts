import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError } from "../../../cli/index.js";
import type { Definition, Json } from "../../../generator/model/types.js";
import { readInput, testCases } from "../../support/case-list.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { openSchema } from "../../../generator/read/schema/schema-file.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";

function read(
  definitions: Record<string, Json>,
  container: "definitions" | "$defs" = "definitions",
): readonly Definition[] {
  const file = readJsonText(JSON.stringify({ [container]: definitions }, null, 1), "test.json");
  const schema = openSchema(file, new Set(["x-note"]));
  const read = readDefinitions(schema, {
    gates: new Map(),
    defaults: new Map(),
    limits: new Map(),
    extensible: new Set(),
    annotations: new Set(["x-note"]),
    forgives: {},
    untyped: "meant",
    overlapping: false,
    formats: false,
  });
  schema.settle();
  return read;
}

testCases("test/cases/schema-types.md", "readDefinitions() reads", (input) => {
  const [node] = readInput(input) as readonly [Json];
  try {
    return [JSON.stringify(read({ Other: { type: "object" }, It: node })[1]!.type)];
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    const { pointer, line } = error.place;
    assert.ok(line !== undefined, input);
    return [`${error.code} ${pointer}`];
  }
});

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

test("readDefinitions() refuses definitions that refer only to each other", () => {
  assert.throws(() => read({ A: { $ref: "#/definitions/B" }, B: { $ref: "#/definitions/A" } }), {
    code: "ERR_REF_CYCLE",
  });
});

// The description's names have been applied before.
for (const [name, why] of [
  ["foo-bar", "not an identifier"],
  ["1a", "not an identifier"],
  ["class", "reserved"],
  ["string", "reserved"],
  ["a;b", "not an identifier"],
  ["", "not an identifier"],
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
  test(`readDefinitions() accepts the definition name ${name}`, () => {
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
