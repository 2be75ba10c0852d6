import assert from "node:assert/strict";
import test from "node:test";
import * as wirewright from "../../cli/index.js";

type AnyFunction = (...given: readonly unknown[]) => unknown;

const functions = wirewright as unknown as Readonly<Record<string, AnyFunction>>;
const protocol = "the result of readProtocol or openProtocol";
const comparison = "the result of diffVersions or diffProtocols";

/**
 * Invalid arguments for each function, with the error message. The message begins with the function
 * name, which is omitted here.
 */
const calls: readonly (readonly [name: string, given: readonly unknown[], message: string])[] = [
  ["readProtocol", [], '"name" must be a string, not undefined'],
  ["openProtocol", [null], '"name" must be a string, not null'],
  ["openProtocolSource", ["dap", 5], '"protocol" must be a string, not 5'],
  ["openHost", [{}], '"host" must be a string, not an object'],
  ["readHost", ["zed"], '"protocol" must be a string, not undefined'],
  ["readConfigurations", [[]], '"path" must be a string, not an array'],
  ["readCommentedFile", [5], '"name" must be a string, not 5'],
  ["readJsonText", [new Uint8Array(1)], '"text" must be a string, not an object'],
  ["generate", [], '"protocol" must be a string, not undefined'],
  ["emitPackage", ["dap"], `"protocol" must be ${protocol}, not "dap"`],
  ["emitDeclarationsPackage", [null], `"protocol" must be ${protocol}, not null`],
  ["formatPackage", ["out", {}], '"files" must be a Map of texts by path, not an object'],
  ["writeOutput", [5, new Map()], '"folder" must be a string, not 5'],
  ["compareOutput", ["out", []], '"files" must be a Map of texts by path, not an array'],
  ["diffVersions", ["dap"], '"after" must be a string, not undefined'],
  ["diffRange", [], '"range" must be a string, not undefined'],
  ["diffProtocols", ["dap", "dap"], `"before" must be ${protocol}, not "dap"`],
  [
    "compareVersions",
    [["dap"]],
    `"protocols" must be an array, each item ${protocol}, not an array`,
  ],
  ["selectFindings", [{}, {}], `"diff" must be ${comparison}, not an object`],
  ["adviseBump", [undefined], `"diff" must be ${comparison}, not undefined`],
  ["printDiff", [{}], `"diff" must be ${comparison}, not an object`],
  ["printRange", [5], '"compared" must be the result of diffRange, not 5'],
  ["printRecordingPage", ["a.jsonl", "dap"], '"files" must be an array, not "a.jsonl"'],
  ["openRecording", ["a.jsonl", {}], '"files" must be an array, not "a.jsonl"'],
  ["readRecording", [[], "dap"], `"protocol" must be ${protocol}, not "dap"`],
];

for (const [name, given, message] of calls)
  test(`${name} rejects the arguments ${JSON.stringify(given)}`, async () => {
    await assert.rejects(async () => functions[name]!(...given), {
      name: "TypeError",
      message: `${name}: ${message}`,
    });
  });

test("LintSession rejects a name instead of a protocol", () => {
  const { LintSession } = wirewright as unknown as Record<
    "LintSession",
    new (given: unknown) => object
  >;
  assert.throws(() => new LintSession("dap"), {
    name: "TypeError",
    message: `LintSession: "protocol" must be ${protocol}, not "dap"`,
  });
});

test("lint and sessionStats reject a recording that is not a file", async () => {
  const message = 'recording: "file" must be a path, bytes, or a stream of bytes, not 5';
  const given = 5 as unknown as string;
  await assert.rejects(async () => wirewright.lint(given, { protocol: "dap" }).next(), {
    name: "TypeError",
    message,
  });
  await assert.rejects(async () => wirewright.sessionStats(given, { protocol: "dap" }), {
    name: "TypeError",
    message,
  });
});

test("checkFormat lists the formats that it supports", () => {
  const file = wirewright.readJsonText("{}", "a.json");
  const unknown = "protocols" as "protocol";
  assert.throws(() => wirewright.checkFormat(file, unknown, "ERR_CONFIG"), {
    name: "TypeError",
    message: /^checkFormat: "name" must be one of "accept", .*\(did you mean "protocol"\?\)/,
  });
});
