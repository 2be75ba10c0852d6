import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../generator/model/types.js";
import { InputError, readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";

const reference = (name: string): { readonly [key: string]: Json } => ({
  $ref: `#/definitions/${name}`,
});

const list = (...names: readonly string[]): { readonly [key: string]: Json } => ({
  type: "array",
  items: { anyOf: names.map(reference) },
});

const object = (properties: {
  readonly [name: string]: Json;
}): { readonly [key: string]: Json } => ({
  type: "object",
  properties,
});

/** Returns the names of a schema's definitions that remain when `omit` is used. */
async function remaining(
  definitions: { readonly [name: string]: Json },
  omit: readonly string[],
): Promise<readonly string[]> {
  return withFolder(async (folder) => {
    const all = { Open: object({ path: { type: "string" } }), ...definitions };
    writeFiles(folder, {
      "types.json": JSON.stringify({ definitions: all }, null, 2),
      "protocol.json": JSON.stringify({
        ...notes,
        schema: { ...notes.schema, omit },
        messages: {
          by: "table",
          requests: {},
          events: { open: { docs: "Opens.", params: "Open" } },
        },
      }),
    });
    const protocol = await readProtocol(folder);
    return protocol.definitions.map(({ name }) => name).filter((name) => Object.hasOwn(all, name));
  });
}

const cases: readonly (readonly [
  name: string,
  definitions: { readonly [name: string]: Json },
  left: readonly string[],
])[] = [
  ["a batch of omitted definitions", { A: object({}), Batch: list("A") }, ["Open"]],
  [
    "definitions that the omitted one uses are kept",
    { A: object({ id: reference("Id") }), Id: { type: "integer" }, Batch: list("A") },
    ["Open", "Id"],
  ],
  ["a chain", { A: object({}), B: list("A"), C: list("B"), D: list("C", "A") }, ["Open"]],
  [
    "definitions that refer to each other and to an omitted one",
    { A: object({}), B: object({ c: reference("C") }), C: list("A", "B") },
    ["Open"],
  ],
  [
    "definitions that refer only to each other are kept",
    { A: object({}), B: object({ c: reference("C") }), C: list("B") },
    ["Open", "B", "C"],
  ],
  [
    "a reference to a part of the definition",
    { A: object({ x: { type: "string" } }), B: { $ref: "#/definitions/A/properties/x" } },
    ["Open"],
  ],
];

for (const [name, definitions, left] of cases)
  test(`omit also removes definitions used only by omitted ones: ${name}`, async () => {
    assert.deepEqual(await remaining(definitions, ["A"]), left);
  });

const refused: readonly (readonly [
  name: string,
  definitions: { readonly [name: string]: Json },
  pointer: string,
])[] = [
  [
    "a definition that also refers to others",
    { A: object({}), Id: { type: "integer" }, B: list("Id", "A") },
    "/definitions/B/items/anyOf/1/$ref",
  ],
  [
    "the payload of a message",
    { A: object({}), Open: object({ part: reference("B") }), B: list("A") },
    "/definitions/B/items/anyOf/0/$ref",
  ],
];

for (const [name, definitions, pointer] of refused)
  test(`omit refuses to remove a definition that other definitions need: ${name}`, async () => {
    await assert.rejects(remaining(definitions, ["A"]), (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual(
        [error.code, error.message, error.place.pointer],
        ["ERR_REF", 'Cannot omit "A": "B" references it', pointer],
      );
      assert.ok(error.place.line !== undefined && error.hint?.includes('"omit"'));
      return true;
    });
  });
