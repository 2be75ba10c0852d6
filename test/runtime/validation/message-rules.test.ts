import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../../runtime/index.js";
import { testOfArm } from "../../../runtime/protocol/message-fields.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import { InvalidMessageError } from "../../../runtime/validation/describe-issue.js";
import { found, places } from "../../support/rule-issues.js";

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

test("a message is checked according to its kind and name", () => {
  assert.deepEqual(places(message, { type: "request", command: "go" }), []);
  assert.deepEqual(places(message, { type: "request", command: "other" }), []);
  assert.deepEqual(places(message, { type: "request", command: "toString" }), []);
  assert.deepEqual(places(message, { type: "request" }), ["/command missing"]);
  assert.deepEqual(places(message, { type: "note", command: 1 }), []);
  assert.deepEqual(found(message, []), [
    { pointer: "", code: "wrong-type", expected: "an object", received: [] },
  ]);
  const kinds = {
    pointer: "/type",
    expected: 'one of "request", "note"',
    allowed: ["request", "note"],
  };
  assert.deepEqual(found(message, {}), [{ ...kinds, code: "missing", received: undefined }]);
  assert.deepEqual(found(message, { type: 1 }), [{ ...kinds, code: "wrong-type", received: 1 }]);
  assert.deepEqual(found(message, { type: "a" }), [
    { ...kinds, code: "not-in-enum", received: "a" },
  ]);
  const nested = found({ list: message }, [{ type: "note" }, {}]);
  assert.deepEqual(nested, [
    { ...kinds, pointer: "/1/type", code: "missing", received: undefined },
  ]);
});

test("a message whose fields match no kind is reported as a whole", () => {
  const rule: Rule = {
    arms: [
      { when: { id: true, method: true, jsonrpc: "2.0" }, other: {} },
      { when: { id: false, method: true }, other: {} },
      { when: { method: false }, other: { required: { id: "integer" } } },
    ],
  };
  assert.deepEqual(places(rule, { jsonrpc: "2.0", id: 1, method: "a" }), []);
  assert.deepEqual(places(rule, { method: "a" }), []);
  assert.deepEqual(places(rule, {}), ["/id missing"]);
  const received = { id: 1, method: "a" };
  assert.deepEqual(found(rule, received), [
    {
      pointer: "",
      code: "wrong-value",
      expected:
        'a message with id and with method and jsonrpc "2.0", or without id and with method, or without method',
      received,
    },
  ]);
});

test("a response's own field determines whether it is checked as a success or a failure", () => {
  const success: ObjectRule = {
    message: true,
    required: { success: "boolean", command: { value: "go" }, body: "string" },
  };
  const failure: ObjectRule = { required: { success: { value: false }, reason: "string" } };
  const rule: Rule = { success, failure: { rule: failure, by: "success", name: "command" } };
  assert.deepEqual(places(rule, { success: true, command: "go", body: "" }), []);
  assert.deepEqual(places(rule, { success: false, command: "go", reason: "" }), []);
  assert.deepEqual(places(rule, { success: false, command: "stop" }), [
    "/reason missing",
    "/command wrong-value",
  ]);
  assert.deepEqual(places(rule, { success: 0 }), [
    "/success wrong-type",
    "/command missing",
    "/body missing",
  ]);
  assert.deepEqual(places({ list: rule }, [{ success: false, command: "go" }, 1]), [
    "/0/reason missing",
    "/1 wrong-type",
  ]);
  const byPresence: Rule = {
    success: { required: { result: "string" } },
    failure: { rule: { required: { error: "string" } }, by: "error", byPresence: true },
  };
  assert.deepEqual(places(byPresence, { result: "" }), []);
  assert.deepEqual(places(byPresence, { error: "" }), []);
  assert.deepEqual(places(byPresence, { error: false }), ["/error wrong-type"]);
  assert.deepEqual(places(byPresence, {}), ["/result missing"]);
  // If the request name is unknown, all successes are checked against the same definition.
  const byDefinition: Rule = {
    success: () => success,
    failure: { rule: failure, by: "success", name: "command" },
  };
  assert.deepEqual(places(byDefinition, { success: false, reason: "" }), []);
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
