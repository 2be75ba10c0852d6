import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Type } from "../../../generator/model/types.js";
import { printType } from "../../../generator/emit/printer/type-expression.js";
import { readInput, testCases } from "../../support/case-list.js";
import { validatorOf } from "../../support/schema-validator.js";
import { read } from "../../support/read-schemas.js";

const changed = {
  type: "object",
  required: ["line"],
  properties: { line: { type: "integer" }, at: { type: "string" } },
};

const typeText = (type: Type): string => printType(type, (name) => name, 0, 0, 0);

/** Returns a schema's printed type, and whether each value is valid. */
function judged(
  node: Json,
  values: readonly unknown[],
  others: Readonly<Record<string, Json>> = {},
): readonly [type: string, ...valid: boolean[]] {
  const { it, definitions } = read(node, others);
  const isValid = validatorOf(definitions, "It");
  return [typeText(it.type), ...values.map((value) => isValid(value))];
}

test("a property with contradictory types in allOf has no valid values", () => {
  const base = { ...changed, required: [] };
  const node: Json = {
    allOf: [{ $ref: "#/definitions/Changed" }, { properties: { line: { type: "string" } } }],
  };
  const { it, definitions, warnings } = read(node, { Changed: base });
  assert.deepEqual(
    it.type.kind === "object" && [it.type.bases, it.type.properties.map(({ type }) => type)],
    [["Changed"], [{ kind: "union", members: [] }]],
  );
  assert.deepEqual(warnings, [
    '/definitions/It/allOf/1/properties/line: No value can be valid here: "Changed" declares the property differently',
  ]);
  const isValid = validatorOf(definitions, "It");
  assert.deepEqual(
    [{}, { pointer: "x" }, { line: "a" }, { line: 1 }].map((value) => isValid(value)),
    [true, true, false, false],
  );
});

test("an object type that requires a property without valid values is empty", () => {
  const node: Json = {
    allOf: [{ $ref: "#/definitions/Changed" }, { properties: { line: { type: "string" } } }],
  };
  const { it } = read(node, { Changed: changed });
  assert.equal(typeText(it.type), "never");
});

test("enum values of another type are dropped, even if no value remains", () => {
  const { it, warnings } = read({ type: "integer", enum: ["a"] });
  assert.equal(typeText(it.type), "never");
  assert.deepEqual(warnings, [
    "/definitions/It: No value can be valid here: the keywords contradict each other",
  ]);
  assert.equal(typeText(read({ type: "integer", enum: ["a", 1, 2, 2.5] }).it.type), "1 | 2");
});

test("additionalProperties: false in one part of allOf also forbids the other parts' properties", () => {
  const closed = { type: "object", properties: { a: {} }, additionalProperties: false };
  const open = { type: "object", properties: { b: {} } };
  const values = [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }, { c: 1 }, {}];
  const expected = [true, false, false, false, true];
  assert.deepEqual(judged({ allOf: [closed, open] }, values).slice(1), expected);
  const named = { Closed: closed, Open: open };
  const [one, two] = [{ $ref: "#/definitions/Closed" }, { $ref: "#/definitions/Open" }];
  assert.deepEqual(judged({ allOf: [one, open] }, values, named).slice(1), expected);
  assert.deepEqual(judged({ allOf: [closed, two] }, values, named).slice(1), expected);
  assert.deepEqual(judged({ allOf: [two, one] }, values, named).slice(1), expected);
});

testCases("test/cases/schema-shapes.md", "types are printed, and values judged", (input) => {
  const [schema, ...values] = readInput(input) as readonly [Json, ...unknown[]];
  const others = {
    Name: { type: "string" },
    Deep: { type: "object", properties: { inner: { type: "integer" } } },
    Here: { $anchor: "here", type: "boolean" },
  };
  const [text, ...verdicts] = judged(schema, values, others);
  assert.deepEqual(verdicts, [true, false], input);
  return [text];
});

test("conditions are checked, and their issues give locations", () => {
  const node = {
    type: "object",
    properties: { kind: { type: "string" }, port: { type: "integer" } },
    if: { properties: { kind: { const: "tcp" } }, required: ["kind"] },
    then: { required: ["port"] },
    dependentRequired: { port: ["host"] },
  };
  const { definitions } = read(node);
  const explain = validatorOf(definitions, "It", "explain");
  assert.deepEqual(explain({ kind: "pipe" }), []);
  assert.deepEqual(explain({ kind: "tcp" }), ["`/port`: expected any value, received nothing"]);
  assert.deepEqual(explain({ kind: "tcp", port: 1 }), [
    "`/host`: expected any value, received nothing",
  ]);
});

test('a schema that has only properties accepts objects, or any value with "untyped": "exact"', () => {
  const node = { properties: { a: { type: "string" } } };
  assert.equal(typeText(read(node).it.type), "{\n  a?: string;\n}");
  assert.equal(
    typeText(read(node, {}, { untyped: "exact" }).it.type),
    "\n  | {\n      a?: string;\n    }\n  | unknown[]\n  | string\n  | number\n  | boolean\n  | null",
  );
});

test("keywords next to $ref have no effect in old drafts", () => {
  const node = { $ref: "#/definitions/Name", maxLength: 1 };
  const root = { $schema: "http://json-schema.org/draft-07/schema#" };
  const { it, warnings } = read(node, { Name: { type: "string" } }, {}, root);
  assert.deepEqual(it.type, { kind: "reference", name: "Name" });
  assert.deepEqual(warnings, [
    '/definitions/It/maxLength: Ignored "maxLength" next to $ref: it has no effect there in this draft of JSON Schema',
  ]);
});

test("a property with a recursive nullable type accepts null", () => {
  const tree: Json = {
    anyOf: [
      { type: "null" },
      { type: "object", properties: { next: { $ref: "#/definitions/It" } } },
    ],
  };
  assert.deepEqual(judged(tree, [{ next: { next: null } }, { next: 1 }]).slice(1), [true, false]);
});
