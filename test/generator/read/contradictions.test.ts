/** Objects that redeclare inherited properties in such a way that no value is valid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Type } from "../../../generator/model/types.js";
import { generate } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
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

testCases("test/cases/contradictions.md", "properties are redeclared", (input) => {
  const names = { derived, reference, typed };
  const [it, base] = readInput(input, names) as readonly [Json, Json];
  const others = { Base: typed(base), Other: typed({ const: "b" }), Key: { const: "b" } };
  const { it: made, warnings } = read(it, others);
  assert.ok(made.type.kind === "object");
  const [property] = made.type.properties;
  assert.equal(property?.name, "type");
  return [JSON.stringify(property.type), ...warnings];
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
