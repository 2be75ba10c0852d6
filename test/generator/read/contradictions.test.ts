/** Objects that redeclare inherited properties in such a way that no value is valid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Type } from "../../../generator/model/types.js";
import { generate } from "../../../cli/index.js";
import { schemaWith } from "../../support/elementary-changes.js";
import { compile, installedCompilers, withProject, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { read } from "../../support/read-schemas.js";

const reference = (name: string): Json => ({ $ref: `#/definitions/${name}` });

const typed = (type: Json): { readonly [key: string]: Json } => ({
  type: "object",
  properties: { type },
});

const derived = (type: Json): Json => ({ allOf: [reference("Base")], ...typed(type) });

const never: Type = { kind: "union", members: [] };

const otherwise =
  '/definitions/It/properties/type: No value can be valid here: "Base" declares the property differently';

/** Derived types with their base and, unless it is `otherwise` and never, the warning and the type. */
const cases: readonly (readonly [
  name: string,
  it: Json,
  base: Json,
  expectedWarnings?: readonly string[],
  expected?: Type,
])[] = [
  ["constants", derived({ const: "b" }), { const: "a" }],
  ["lists of values", derived({ enum: ["b", "c"] }), { enum: ["a", "d"] }],
  ["ranges", derived({ type: "integer", minimum: 5 }), { type: "integer", maximum: 4 }],
  ["a constant that is too long", derived({ const: "abc" }), { type: "string", maxLength: 2 }],
  ["a constant by reference", derived(reference("Key")), { const: "a" }],
  ["alternatives", derived({ anyOf: [{ const: "b" }, { type: "null" }] }), { const: "a" }],
  [
    "the parts of allOf",
    { allOf: [typed({ const: "b" }), typed({ const: "a" })] },
    {},
    [
      "/definitions/It/allOf/1/properties/type: No value can be valid here: the keywords contradict each other",
    ],
  ],
  [
    "two bases",
    { allOf: [reference("Other"), reference("Base")] },
    { const: "a" },
    ['/definitions/It: No value can be valid here: "Other" and "Base" declare "type" differently'],
  ],
  [
    "enums that have a value in common",
    derived({ enum: ["b", "a"] }),
    { enum: ["a", "c"] },
    [],
    { kind: "literal", value: "a" },
  ],
  ["a forbidden property", typed(false), {}, []],
];

for (const [name, it, base, expectedWarnings = [otherwise], expected = never] of cases)
  test(`a type without valid values becomes never, with a warning: ${name}`, () => {
    const others = { Base: typed(base), Other: typed({ const: "b" }), Key: { const: "b" } };
    const { it: made, warnings } = read(it, others);
    assert.ok(made.type.kind === "object");
    const [property] = made.type.properties;
    assert.deepEqual(
      [property?.name, property?.type, warnings],
      ["type", expected, expectedWarnings],
    );
  });

test("an object that requires a property without valid values has no valid values", () => {
  const base = { ...typed({ const: "a" }), required: ["type"] };
  const { it, warnings } = read(derived({ const: "b" }), { Base: base });
  assert.deepEqual([it.type, warnings], [never, [otherwise]]);
});

test("guards for alternatives without valid values compile", () =>
  withProject(async (folder) => {
    const one = (base: string, other: string): Json => ({
      oneOf: [reference(base), reference(other)],
    });
    const payload: Json = {
      type: "object",
      properties: { p: one("Base", "Sub"), q: one("Needed", "SubNeeded"), r: one("Sub", "Two") },
    };
    const { definitions } = schemaWith({ schema: payload }, "adapter") as {
      readonly definitions: object;
    };
    const needed = { ...typed({ const: "a" }), required: ["type"] };
    const others = {
      Base: typed({ const: "a" }),
      Sub: derived({ const: "b" }),
      Needed: needed,
      SubNeeded: { allOf: [reference("Needed")], ...typed({ const: "b" }) },
      Two: { allOf: [reference("Other"), reference("Base")] },
      Other: typed({ const: "b" }),
    };
    writeFiles(folder, {
      "own.json": JSON.stringify({ definitions: { ...definitions, ...others } }),
    });
    const { files } = await generate(fromRoot("test/fixtures/elementary"), {
      schema: `${folder}/own.json`,
      packageName: "x",
    });
    writeFiles(folder, files);
    for (const compiler of installedCompilers)
      assert.equal(compile(compiler, "-p", folder, "--noEmit"), "", compiler);
  }));
