import assert from "node:assert/strict";
import test from "node:test";
import * as wirewright from "../../cli/index.js";
import { readInput, testCases } from "../support/case-list.js";

type AnyFunction = (...given: readonly unknown[]) => unknown;

const functions = wirewright as unknown as Readonly<Record<string, AnyFunction>>;
const protocol = "the result of readProtocol or openProtocol";

testCases(
  "test/cases/invalid-arguments.md",
  "functions reject invalid arguments",
  async (input) => {
    const [name, given] = readInput(input) as readonly [string, readonly unknown[]];
    const error: unknown = await (async () => functions[name]!(...given))().then(
      () => assert.fail(`${input} was accepted`),
      (cause: unknown) => cause,
    );
    assert.ok(error instanceof TypeError, String(error));
    return [error.message];
  },
);

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
