import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createEncoder } from "@wirewright/dap";
import {
  assertValid,
  describeIssue,
  InvalidMessageError,
  isValid,
  isValidNextResponse,
  validate,
  validateCapabilities,
  validateNextResponse,
  validateSource,
  validateThreadsResponse,
} from "@wirewright/dap/validators";
import { ticker } from "../../support/ticker.js";
import type { ObjectRule } from "@wirewright/runtime";
import { fromRoot } from "../../support/paths.js";

test("validate() checks a failure as a failure, and a success according to its command", () => {
  const response = { seq: 1, type: "response", request_seq: 1, command: "stackTrace" };
  assert.ok(isValid({ ...response, success: true, body: { stackFrames: [] } }));
  assert.ok(isValid({ ...response, success: false, body: { error: { id: 1, format: "no" } } }));
  assert.ok(!isValid({ ...response, success: false, body: { error: { id: 1 } } }));
  const elsewhere = { ...response, success: false, body: { error: { id: 1, format: "no" } } };
  assert.ok(!isValidNextResponse(elsewhere));
  const refused = validateNextResponse(elsewhere);
  assert.deepEqual(!refused.ok && refused.issues, [
    { pointer: "/command", code: "wrong-value", expected: '"next"', received: "stackTrace" },
  ]);
  const result = validate({ ...response, success: "yes", body: {} });
  assert.deepEqual(
    !result.ok && result.issues.map(({ pointer, expected }) => [pointer, expected]),
    [
      ["/success", "true or false"],
      ["/body/stackFrames", "an array"],
    ],
  );
});

test("each of many wrong properties is reported, alone and together with others", () => {
  const names = Object.keys((validateCapabilities.rule as () => ObjectRule)().optional!);
  assert.ok(names.length > 35);
  for (const name of names) {
    const result = validateCapabilities({ [name]: 1 });
    assert.deepEqual(!result.ok && result.issues.map(({ pointer }) => pointer), [`/${name}`]);
  }
  const all = validateCapabilities(Object.fromEntries(names.map((name) => [name, 1])));
  assert.deepEqual(
    !all.ok && all.issues.map(({ pointer }) => pointer),
    names.map((name) => `/${name}`),
  );
});

test("validate() accepts either launch or attach arguments in restart", () => {
  const restart = { seq: 1, type: "request", command: "restart" };
  assert.ok(isValid({ ...restart, arguments: { arguments: { program: "a" } } }));
  assert.ok(!isValid({ ...restart, arguments: { arguments: [] } }));
});

test("describeIssue() describes a message's issues in full sentences", () => {
  const sentences = (message: object): readonly string[] => {
    const result = validate(message);
    return result.ok ? [] : result.issues.map(describeIssue);
  };
  const frame = { id: 1, name: "main", line: -1, column: 1.5, presentationHint: "lable" };
  assert.deepEqual(
    sentences({
      seq: 2 ** 31,
      type: "response",
      request_seq: 1,
      success: true,
      command: "stackTrace",
      body: { stackFrames: [frame, null, "x".repeat(100)], totalFrames: [1, 2] },
    }),
    [
      "`/seq`: expected an integer from 1 to 2^31-1, received 2147483648",
      "`/body/stackFrames/0/line`: expected an integer from 0 to 2^53-1, received -1",
      "`/body/stackFrames/0/column`: expected an integer from 0 to 2^53-1, received 1.5",
      '`/body/stackFrames/0/presentationHint`: expected one of "normal", "label", "subtle", received "lable"; did you mean "label"?',
      "`/body/stackFrames/1`: expected an object, received null",
      `\`/body/stackFrames/2\`: expected an object, received "${"x".repeat(80)}…"`,
      "`/body/totalFrames`: expected an integer from 0 to 2^32-1, received an array of 2 items",
    ],
  );
  assert.deepEqual(sentences({ seq: 1, type: "reponse" }), [
    '`/type`: expected one of "request", "event", "response", received "reponse"; did you mean "response"?',
  ]);
  assert.deepEqual(sentences([]), [
    "the message: expected an object, received an array of 0 items",
  ]);
  assert.deepEqual(sentences({ seq: 1, type: "event", event: "stopped", body: {} }), [
    "`/body/reason`: expected a string, received nothing",
  ]);
  const env = { seq: 1, type: "request", command: "runInTerminal" };
  assert.deepEqual(
    sentences({ ...env, arguments: { cwd: "/", args: [], env: { "a/b~c": 5n, d: null } } }),
    ["`/arguments/env/a~1b~0c`: expected a string or null, received 5n"],
  );
});

test("an encoder can be configured to send only valid messages", () => {
  const encoder = createEncoder({ validate: assertValid });
  assert.ok(encoder.encode({ seq: 1, type: "event", event: "initialized" }).length > 0);
  assert.throws(
    () =>
      encoder.encode({
        seq: 1,
        type: "event",
        event: "stopped",
        body: { reason: "step", threadId: -(2 ** 40) },
      }),
    (error) => {
      assert.ok(error instanceof InvalidMessageError);
      assert.equal(error.code, "ERR_INVALID_MESSAGE");
      assert.equal(
        error.message,
        "The message is invalid: `/body/threadId`: expected an integer from -2^31 to 2^31-1, received -1099511627776",
      );
      return true;
    },
  );
});

test("a JSON-RPC message's kind is determined by its fields", () => {
  const start = { jsonrpc: "2.0", id: 1, method: "ticker/start" };
  assert.ok(ticker.isValid({ ...start, params: { interval: 5, unit: "second" } }));
  assert.ok(ticker.isValid({ jsonrpc: "2.0", method: "mine", params: 5 }));
  assert.ok(ticker.isValid({ jsonrpc: "2.0", id: "a", result: 1 }));
  assert.ok(ticker.isValid({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }));
  const paths = (value: unknown): unknown => {
    assert.equal(ticker.isValid(value), false);
    const result = ticker.validate(value);
    return !result.ok && result.issues.map(({ pointer, code }: any) => [pointer, code]);
  };
  assert.deepEqual(paths({ ...start, params: { interval: 0, unit: "hour", confirms: false } }), [
    ["/params/interval", "out-of-range"],
    ["/params/unit", "not-in-enum"],
    ["/params/confirms", "wrong-value"],
  ]);
  assert.deepEqual(paths({ jsonrpc: "2.0", id: 1, error: {}, result: 1 }), [
    ["/result", "unknown-field"],
    ["/error/code", "missing"],
    ["/error/message", "missing"],
  ]);
  assert.deepEqual(paths({ jsonrpc: "2.0" }), [["", "wrong-value"]]);
  const answer = { jsonrpc: "2.0", id: 1 };
  assert.equal(ticker.isValidTickerStartResponse({ ...answer, result: { tickerId: "" } }), false);
  assert.equal(ticker.isValidTickerStartResponse({ ...answer, result: { tickerId: "a" } }), true);
  const bare = ticker.validateTickerStartResponse(answer, { profile: "wire" });
  assert.deepEqual(bare.ok && bare.deviations.map(({ rule }: any) => rule), ["success-body"]);
});

test("each definition has its own validator", () => {
  const result = validateSource({ name: "a", presentationHint: "emphasise", checksums: [{}] });
  assert.deepEqual(!result.ok && result.issues.map(({ pointer, code }) => [pointer, code]), [
    ["/presentationHint", "not-in-enum"],
    ["/checksums/0/algorithm", "missing"],
    ["/checksums/0/checksum", "missing"],
  ]);
});

test("the documentation lists every tolerance and every code", () => {
  const page = readFileSync(fromRoot("docs/reference/tolerances-and-issues.md"), "utf8");
  const source = readFileSync(fromRoot("runtime/validation/findings.ts"), "utf8");
  const names = (type: string): readonly string[] =>
    [...new RegExp(`export type ${type} =([^;]*);`).exec(source)![1]!.matchAll(/"([^"]+)"/g)].map(
      ([, name]) => name!,
    );
  const rows = (heading: string): readonly string[] =>
    [
      ...page
        .split(`| ${heading} `)[1]!
        .split("\n\n")[0]!
        .matchAll(/^\| `([^`]+)` /gm),
    ].map(([, name]) => name!);
  assert.deepEqual(rows("tolerance"), names("Tolerance"));
  assert.deepEqual(rows("issue"), names("ValidationIssueCode"));
});

test("all validators report one or more wrong items in an array", () => {
  const thread = (fields: object): object => ({ id: 1, name: "main", ...fields });
  const cases: readonly (readonly [threads: unknown, places: readonly string[]])[] = [
    [[thread({}), thread({ id: "1" })], ["/body/threads/1/id wrong-type"]],
    [
      [thread({ id: "1", name: 5 }), thread({})],
      ["/body/threads/0/id wrong-type", "/body/threads/0/name wrong-type"],
    ],
    [
      [thread({ id: "1" }), thread({}), thread({ name: null })],
      ["/body/threads/0/id wrong-type", "/body/threads/2/name wrong-type"],
    ],
    [
      [thread({ id: "1" }), 5],
      ["/body/threads/0/id wrong-type", "/body/threads/1 wrong-type"],
    ],
    [[thread({}), null], ["/body/threads/1 wrong-type"]],
    [{ 0: thread({ id: "1" }) }, ["/body/threads wrong-type"]],
  ];
  for (const [threads, places] of cases) {
    const message = {
      seq: 1,
      type: "response",
      request_seq: 1,
      success: true,
      command: "threads",
      body: { threads },
    };
    for (const result of [validate(message), validateThreadsResponse(message)]) {
      assert.ok(!result.ok);
      assert.deepEqual(
        result.issues.map(({ pointer, code }) => `${pointer} ${code}`),
        places,
      );
    }
  }
});
