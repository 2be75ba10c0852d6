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

const cases: readonly {
  readonly name: string;
  readonly it: Json;
  readonly base: Json;
  readonly expected: Type;
  readonly expectedWarnings: readonly string[];
}[] = [
  {
    name: "constants",
    it: derived({ const: "b" }),
    base: { const: "a" },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "lists of values",
    it: derived({ enum: ["b", "c"] }),
    base: { enum: ["a", "d"] },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "ranges",
    it: derived({ type: "integer", minimum: 5 }),
    base: { type: "integer", maximum: 4 },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "a constant that is too long",
    it: derived({ const: "abc" }),
    base: { type: "string", maxLength: 2 },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "a constant by reference",
    it: derived(reference("Key")),
    base: { const: "a" },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "alternatives",
    it: derived({ anyOf: [{ const: "b" }, { type: "null" }] }),
    base: { const: "a" },
    expected: never,
    expectedWarnings: [otherwise],
  },
  {
    name: "the parts of allOf",
    it: { allOf: [typed({ const: "b" }), typed({ const: "a" })] },
    base: {},
    expected: never,
    expectedWarnings: [
      "/definitions/It/allOf/1/properties/type: No value can be valid here: the keywords contradict each other",
    ],
  },
  {
    name: "two bases",
    it: { allOf: [reference("Other"), reference("Base")] },
    base: { const: "a" },
    expected: never,
    expectedWarnings: [
      '/definitions/It: No value can be valid here: "Other" and "Base" declare "type" differently',
    ],
  },
  {
    name: "enums that have a value in common",
    it: derived({ enum: ["b", "a"] }),
    base: { enum: ["a", "c"] },
    expected: { kind: "literal", value: "a" },
    expectedWarnings: [],
  },
  {
    name: "a forbidden property",
    it: typed(false),
    base: {},
    expected: never,
    expectedWarnings: [],
  },
];

for (const { name, it, base, expected, expectedWarnings } of cases)
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
