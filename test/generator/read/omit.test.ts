import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../generator/model/types.js";
import { InputError, readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";

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
        name: "notes",
        title: "Notes",
        package: "notes",
        roles: ["editor", "keeper"],
        schema: {
          format: "json-schema",
          current: "1.0.0",
          versions: { "1.0.0": "types.json" },
          omit,
        },
        messages: {
          by: "table",
          requests: {},
          events: { open: { docs: "Opens.", params: "Open" } },
        },
        directions: { requests: "editor", events: "keeper" },
        envelope: {
          id: "id",
          replyTo: "id",
          request: { when: { method: true, id: true }, name: "method", payload: "params" },
          event: { when: { method: true, id: false }, name: "method", payload: "params" },
          response: { when: { method: false, id: true }, result: "result", error: "error" },
        },
        framing: { editor: "lines", keeper: "lines" },
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

const refused: readonly {
  readonly name: string;
  readonly definitions: { readonly [name: string]: Json };
  readonly pointer: string;
  readonly message: string;
}[] = [
  {
    name: "a definition that also refers to others",
    definitions: { A: object({}), Id: { type: "integer" }, B: list("Id", "A") },
    pointer: "/definitions/B/items/anyOf/1/$ref",
    message: 'Cannot omit "A": "B" references it',
  },
  {
    name: "the payload of a message",
    definitions: { A: object({}), Open: object({ part: reference("B") }), B: list("A") },
    pointer: "/definitions/B/items/anyOf/0/$ref",
    message: 'Cannot omit "A": "B" references it',
  },
];

for (const { name, definitions, pointer, message } of refused)
  test(`omit refuses to remove a definition that other definitions need: ${name}`, async () => {
    await assert.rejects(remaining(definitions, ["A"]), (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual(
        [error.code, error.message, error.place.pointer],
        ["ERR_REF", message, pointer],
      );
      assert.ok(error.place.line !== undefined && error.hint?.includes('"omit"'));
      return true;
    });
  });
