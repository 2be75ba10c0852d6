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

test("faults of all kinds are reported at once", async () => {
  const definitions = {
    Open: { type: "object", properties: { a: reference("Icon"), b: reference("Icon") } },
    Other: { type: "object", properties: { c: reference("Ursl") }, patern: "a" },
  };
  const events = {
    open: { docs: "Opens.", params: "Opne" },
    other: { docs: "x", params: "Other" },
  };
  assert.equal(
    await report(definitions, { events }, { strictSchema: true }),
    `Found 5 faults:
Cannot find the definition of "#/definitions/Icon" [ERR_REF], 2 times
  - types.json:7:14 /definitions/Open/properties/a/$ref
  - types.json:10:14 /definitions/Open/properties/b/$ref
types.json:21:14 /definitions/Other/patern: Ignored the unknown keyword "patern" [ERR_KEYWORD]
  Did you mean "pattern"?
types.json:18:14 /definitions/Other/properties/c/$ref: Cannot find the definition of "#/definitions/Ursl" [ERR_REF]
types.json:2:17 /definitions: Cannot find the definition "Opne" that the description names at /messages/events/open/params [ERR_REF]`,
  );
});

test("a definition that several messages lack is one fault", async () => {
  const row = { docs: "x", params: "Open", result: "Missing" };
  const say = (rest: string): string =>
    `types.json:2:17 /definitions: Cannot find the definition "Missing" that the description names at /messages/requests/a/result${rest} [ERR_REF]`;
  for (const [requests, rest] of [
    [{ a: row }, ""],
    [{ a: row, b: row }, " and 1 other place"],
    [{ a: row, b: row, c: { ...row, errorData: "Missing" } }, " and 3 other places"],
  ] as const)
    assert.equal(await report({ Open: { type: "object" } }, { requests }), say(rest));
  const unions = { editor: { requests: "Asked" } };
  const message = { type: "object", properties: { method: { const: "a" }, params: {} } };
  const otherwise = { request: "*Request", result: "*Result", response: "*Wire", otherwise: "Any" };
  assert.equal(
    await report(
      {
        Asked: { anyOf: [reference("ARequest"), reference("BRequest")] },
        ARequest: message,
        BRequest: message,
      },
      { by: "const", unions, results: otherwise, requests: undefined, events: undefined },
    ),
    'types.json:2:17 /definitions: Cannot find the definition "Any" that the description names at /messages/results/otherwise [ERR_REF]',
  );
});

test("all faults in unions of messages are reported, along with those of the schema", async () => {
  const message = (method: string): object => ({
    type: "object",
    properties: { method: { const: method }, params: reference("Icon") },
  });
  const results = { request: "*Request", result: "*Result", response: "*Wire", otherwise: "Any" };
  assert.equal(
    await report(
      {
        Asked: {
          anyOf: [
            ...["ARequest", "Lost"].map(reference),
            { type: "object" },
            reference("Bare"),
            { $ref: "more.json#/definitions/C" },
          ],
        },
        ARequest: message("a"),
        Bare: message("b"),
        Any: {},
      },
      {
        by: "const",
        unions: { editor: { requests: "Asked" }, keeper: { events: "Told" } },
        results,
        requests: undefined,
        events: undefined,
      },
    ),
    `Found 7 faults:
types.json:9:14 /definitions/Asked/anyOf/1/$ref: Cannot find the definition of "#/definitions/Lost" [ERR_REF]
types.json:11:5 /definitions/Asked/anyOf/2: Cannot read a message in "Asked": it must have a constant name, or reference a definition that has one [ERR_MESSAGE]
types.json:18:14 /definitions/Asked/anyOf/4/$ref: Cannot follow "more.json#/definitions/C": a message must be in the same file as its union [ERR_REF_OUTSIDE]
  Copy its definition into this file and reference it as "#/definitions/NAME"
types.json:2:17 /definitions: Cannot find the union "Told" that the description names under "messages" [ERR_REF]
Cannot find the definition of "#/definitions/Icon" [ERR_REF], 2 times
  - types.json:29:14 /definitions/ARequest/properties/params/$ref
  - types.json:40:14 /definitions/Bare/properties/params/$ref
types.json:33:11 /definitions/Bare: Cannot find the result of "Bare": its name does not match *Request [ERR_MESSAGE]`,
  );
});

test("all definitions that cannot be omitted are reported, along with other faults", async () => {
  const schema = { ...description.schema, omit: ["Icon", "Text"] };
  const definitions = {
    Open: { type: "object", properties: { icon: reference("Icon"), text: reference("Text") } },
    Icon: { anyOf: [reference("Size")] },
    Size: reference("Lost"),
    Text: {},
  };
  const events = { open: { docs: "Opens.", params: "Open" } };
  assert.equal(
    await report(definitions, { events }, {}, { schema }),
    `Found 3 faults:
types.json:7:14 /definitions/Open/properties/icon/$ref: Cannot omit "Icon": "Open" references it [ERR_REF]
  Either list "Open" under "omit" in the description as well, or remove "Icon" from it
types.json:10:14 /definitions/Open/properties/text/$ref: Cannot omit "Text": "Open" references it [ERR_REF]
  Either list "Open" under "omit" in the description as well, or remove "Text" from it
types.json:22:12 /definitions/Size/$ref: Cannot find the definition of "#/definitions/Lost" [ERR_REF]`,
  );
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

test("many faults of a few causes fit one screen", async () => {
  const names = Array.from({ length: 176 }, (_, index) => `T${index}`);
  const text = await report(
    Object.fromEntries(
      names.map((name, index) => [
        name,
        { type: "object", properties: { p: reference(["Icon", "Uri", "Text"][index % 3]!) } },
      ]),
    ),
  );
  const lines = text.split("\n");
  assert.equal(lines.length, 1 + 3 * 12);
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("  - types.json")),
    [
      "Found 176 faults:",
      'Cannot find the definition of "#/definitions/Icon" [ERR_REF], 59 times',
      "  - and 49 more",
      'Cannot find the definition of "#/definitions/Uri" [ERR_REF], 59 times',
      "  - and 49 more",
      'Cannot find the definition of "#/definitions/Text" [ERR_REF], 58 times',
      "  - and 48 more",
    ],
  );
});

test("no more than fifty faults are printed", async () => {
  const names = Array.from({ length: 70 }, (_, index) => `T${index}`);
  const text = await report(
    Object.fromEntries(names.map((name) => [name, reference(`No${name}`)])),
  );
  const lines = text.split("\n");
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [52, "Found 70 faults:", "and 20 more"]);
});

test("a fault that ends the reading comes with the faults before it", async () => {
  assert.match(
    await report({ A: reference("Icon"), B: { type: "strin" } }),
    /^Found 2 faults:\n.*"#\/definitions\/Icon" \[ERR_REF\]\n.*Cannot read the type "strin"/,
  );
});
