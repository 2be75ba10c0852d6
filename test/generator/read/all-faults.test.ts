/** One run reports all faults of a schema, grouped by cause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatInputError,
  type InputError,
  readProtocol,
  type ReadOptions,
} from "../../../cli/index.js";
import { readDeclarations } from "../../../generator/read/source/declarations.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { notes as description } from "../../support/notes-protocol.js";
import { readOrRefusal } from "../../support/refusal.js";

const reference = (name: string): object => ({ $ref: `#/definitions/${name}` });

/** Returns what the tool prints about a schema and its messages. */
const report = (
  definitions: object,
  messages: object = {},
  options: ReadOptions = {},
  described: object = {},
): Promise<string> =>
  withFolder(async (folder) => {
    const table = { by: "table", requests: {}, events: {}, ...messages };
    writeFiles(folder, {
      "protocol.json": JSON.stringify({ ...description, messages: table, ...described }),
      "types.json": JSON.stringify({ definitions }, null, 1),
    });
    const read = async (): Promise<string> => {
      await readProtocol(folder, options);
      return "accepted";
    };
    return readOrRefusal(read, folder);
  });

const results = { request: "*Request", result: "*Result", response: "*Wire", otherwise: "Any" };

/** The names in cases. */
const names = {
  byConst: (unions: object) => ({
    by: "const",
    unions,
    results,
    requests: undefined,
    events: undefined,
  }),
  description,
  lacking: { docs: "x", params: "Open", result: "Missing" },
  message: (method: string, params: object) => ({
    type: "object",
    properties: { method: { const: method }, params },
  }),
  reference,
};

testCases("test/cases/schema-faults.md", "a schema's faults are reported", async (input) => {
  const given = readInput(input, names) as unknown as Parameters<typeof report>;
  return [(await report(...given)).trimEnd()];
});

test("all types of a declaration file that cannot be read are reported", async () => {
  const text = [
    "export interface A {",
    "  go: () => void;",
    "  item: keyof A;",
    "  again: () => void;",
    "  size: number;",
    "}",
    "export type B = typeof A;",
  ].join("\n");
  await assert.rejects(readDeclarations(text, "a.d.ts"), (error: InputError) => {
    const hint = "  Only JSON types can be compared, not functions, generics or computed types";
    assert.equal(
      formatInputError(error),
      `Found 4 faults:
Cannot read the type \`() => void\` [ERR_DECLARATION], 2 times
${hint}
  - a.d.ts:2:7
  - a.d.ts:4:10
a.d.ts:3:9: Cannot read the type \`keyof A\` [ERR_DECLARATION]
${hint}
a.d.ts:7:17: Cannot read the type \`typeof A\` [ERR_DECLARATION]
${hint}`,
    );
    return true;
  });
});
