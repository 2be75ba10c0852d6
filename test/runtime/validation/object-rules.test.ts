import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { createValidator, type Rule } from "../../../runtime/index.js";
import { hasOnlyFields, testOfArm } from "../../../runtime/protocol/message-fields.js";
import { InvalidMessageError } from "../../../runtime/validation/describe-issue.js";
import type { ValidateOptions } from "../../../runtime/validation/findings.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import { readInput, testCases } from "../../support/case-list.js";
import { found, tolerating } from "../../support/rule-issues.js";

const base: ObjectRule = {
  required: { kind: "string" },
  optional: { note: "string", size: "integer" },
};

const restricted: Rule = {
  bases: [base, () => ({ required: { other: "boolean" } })],
  required: { size: { integer: [0, 9] } },
  optional: { kind: { value: "file" } },
};

const inherited: Rule = {
  required: { ["toString" as string]: "string" },
  optional: { ["valueOf" as string]: "string" },
};

const nullable: ObjectRule = {
  message: true,
  required: {
    type: "string",
    seq: { part: "id", rule: "integer" },
    re: { part: "replyTo", rule: "integer" },
    body: {
      part: "result",
      rule: { optional: { a: "string", b: { anyOf: ["null", "string"] } } },
    },
  },
  optional: { error: { part: "error", rule: "string" }, more: "null", any: "any" },
};

const envelope: Rule = {
  message: true,
  required: {
    type: "string",
    seq: { part: "id", rule: "integer" },
    re: { part: "replyTo", rule: "integer" },
    arguments: { part: "payload", rule: "any" },
    body: { part: "result", rule: "any" },
    error: { part: "error", rule: "any" },
  },
};

const numbers = (
  part: "id" | "replyTo",
  rule: Rule = { integer: [1, 2 ** 31 - 1] },
): ObjectRule => ({ message: true, required: { seq: { part, rule } } });

const request: ObjectRule = {
  message: true,
  required: { type: { value: "request" }, command: { value: "go" } },
};

const anyRequest: ObjectRule = {
  message: true,
  required: { type: { value: "request" }, command: "string" },
};

const note: ObjectRule = { message: true, required: { type: { value: "note" } } };

const message: Rule = {
  arms: [
    { when: { type: "request" }, name: "command", known: { go: request }, other: anyRequest },
    { when: { type: "note" }, other: note },
  ],
};

const byFields: Rule = {
  arms: [
    { when: { id: true, method: true, jsonrpc: "2.0" }, other: {} },
    { when: { id: false, method: true }, other: {} },
    { when: { method: false }, other: { required: { id: "integer" } } },
  ],
};

const success: ObjectRule = {
  message: true,
  required: { success: "boolean", command: { value: "go" }, body: "string" },
};

const failure = {
  rule: { required: { success: { value: false }, reason: "string" } },
  by: "success",
  name: "command",
} as const;

const byPresence: Rule = {
  success: { required: { result: "string" } },
  failure: { rule: { required: { error: "string" } }, by: "error", byPresence: true },
};

/** The names in cases. */
const names: Readonly<Record<string, unknown>> = {
  base,
  byDefinition: { success: () => success, failure },
  byFields,
  byPresence,
  envelope,
  inherited,
  message,
  nullable,
  nulls: { type: null, seq: null, re: null, body: null, error: null, more: null, any: null },
  numbers,
  response: { success, failure },
  restricted,
  tolerate: tolerating,
  unknown: { kind: "a", mine: 1, "a/b": 2 },
  wire: { profile: "wire" },
};

const shown = (value: unknown): string => inspect(value, { breakLength: Infinity });

testCases("test/cases/object-rules.md", "a value is judged", (input) => {
  const [rule, value, options] = readInput(input, names);
  const result = createValidator(rule as Rule)(value, options as ValidateOptions | undefined);
  if (result.ok)
    return result.deviations.map(({ pointer, rule }) => `${pointer} lets pass ${rule}`);
  return result.issues.map(
    ({ pointer, code, expected, received, rule: tolerance, ...rest }) =>
      `${pointer} ${code}: expected ${expected}, received ${shown(received)}${tolerance === undefined ? "" : `, tolerated by ${tolerance}`}${Object.keys(rest).length === 0 ? "" : `, ${shown(rest)}`}`,
  );
});

test("an InvalidMessageError contains all issues, and its message names them", () => {
  const issues = found({ required: { a: "string", b: "null" } }, { a: 1 });
  const error = new InvalidMessageError(issues);
  assert.equal(
    error.message,
    "The message is invalid: `/a`: expected a string, received 1; `/b`: expected null, received nothing",
  );
  assert.deepEqual(
    [error.name, error.code, error.issues],
    ["InvalidMessageError", "ERR_INVALID_MESSAGE", issues],
  );
});

test("the presence of fields distinguishes kinds of messages", () => {
  const messages = [{}, { type: "a" }, { type: true }, { id: 0, type: "a" }, { id: 0 }];
  const fits = (when: Parameters<typeof testOfArm>[0]["when"]): readonly boolean[] =>
    messages.map(testOfArm({ when }));
  assert.deepEqual(fits({ type: "a" }), [false, true, false, true, false]);
  assert.deepEqual(fits({ type: true }), [false, true, true, true, false]);
  assert.deepEqual(fits({ type: false }), [true, false, false, false, true]);
  assert.deepEqual(fits({ type: "a", id: true }), [false, false, false, true, false]);
  assert.deepEqual(fits({}), [true, true, true, true, true]);
});

test("hasOnlyFields() returns true for objects without other fields", () => {
  const names = new Set(["a", "b"]);
  assert.deepEqual(
    [{}, { a: 1 }, { a: 1, b: 1 }, { c: 1 }, { a: 1, c: 1 }].map((value) =>
      hasOnlyFields(value, names),
    ),
    [true, true, true, false, false],
  );
});
