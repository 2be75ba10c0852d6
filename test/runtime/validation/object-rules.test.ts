import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../../runtime/index.js";
import { hasOnlyFields } from "../../../runtime/protocol/message-fields.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import { found, places, tolerating } from "../../support/rule-issues.js";

const base: ObjectRule = {
  required: { kind: "string" },
  optional: { note: "string", size: "integer" },
};

test("an object has its bases' properties, which its own properties restrict", () => {
  const rule: Rule = {
    bases: [base, () => ({ required: { other: "boolean" } })],
    required: { size: { integer: [0, 9] } },
    optional: { kind: { value: "file" } },
  };
  assert.deepEqual(places(rule, { kind: "file", other: true, size: 9 }), []);
  assert.deepEqual(found(rule, { note: null, size: 10 }), [
    { pointer: "/kind", code: "missing", expected: '"file"', received: undefined },
    {
      pointer: "/note",
      code: "wrong-type",
      expected: "a string",
      received: null,
      rule: "null",
    },
    {
      pointer: "/size",
      code: "out-of-range",
      expected: "an integer from 0 to 9",
      received: 10,
      rule: "integer-range",
    },
    { pointer: "/other", code: "missing", expected: "true or false", received: undefined },
  ]);
});

test("unknown fields are issues in a closed object, and deviations under the unknown-field tolerance", () => {
  const names = tolerating("unknown-field");
  const value = { kind: "a", mine: 1, "a/b": 2 };
  const letPass = ["/mine lets pass unknown-field", "/a~1b lets pass unknown-field"];
  assert.deepEqual(places(base, value), []);
  assert.deepEqual(places(base, value, names), letPass);
  assert.deepEqual(places(base, value, { ...names, maxIssues: 1 }), letPass.slice(0, 1));
  assert.deepEqual(places({ ...base, extras: "free" }, value), []);
  assert.deepEqual(places({ ...base, extras: "free" }, value, names), []);
  assert.deepEqual(found({ ...base, extras: "closed" }, value), [
    {
      pointer: "/mine",
      code: "unknown-field",
      expected: "no such field",
      received: 1,
      rule: "unknown-field",
    },
    {
      pointer: "/a~1b",
      code: "unknown-field",
      expected: "no such field",
      received: 2,
      rule: "unknown-field",
    },
  ]);
  assert.deepEqual(places({ ...base, extras: "closed" }, value, names), letPass);
  // An object that declares no fields may have any fields, unless it is closed.
  assert.deepEqual(places({}, { mine: 1 }, names), []);
  assert.deepEqual(places({ extras: "closed" }, { mine: 1 }), ["/mine unknown-field"]);
  assert.deepEqual(places({ bases: [base] }, { kind: "a", mine: 1 }, names), [
    "/mine lets pass unknown-field",
  ]);
  assert.deepEqual(places(base, value, tolerating("null", "closed-enum")), []);
});

test("a property named like an inherited one counts only if the object owns it", () => {
  const rule: Rule = {
    required: { ["toString" as string]: "string" },
    optional: { ["valueOf" as string]: "string" },
  };
  assert.deepEqual(places(rule, {}), ["/toString missing"]);
  assert.deepEqual(places(rule, { toString: "a", valueOf: 1 }), ["/valueOf wrong-type"]);
});

test("null for an absent property differs from null for a value", () => {
  const rule: ObjectRule = {
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
  const value = { type: null, seq: null, re: null, body: null, error: null, more: null, any: null };
  assert.deepEqual(places(rule, value, { profile: "wire" }), [
    "/type wrong-type",
    "/re wrong-type",
  ]);
  const kept = { ...value, type: "a", re: 1 };
  assert.deepEqual(places(rule, kept, { profile: "wire" }), [
    "/seq lets pass null",
    "/body lets pass null",
    "/error lets pass null",
  ]);
  assert.deepEqual(places(rule, kept), [
    "/seq wrong-type",
    "/body wrong-type",
    "/error wrong-type",
  ]);
  const derived: Rule = { bases: [rule], required: { name: "string" } };
  assert.deepEqual(places(derived, { ...kept, name: null }, { profile: "wire" }), [
    "/name wrong-type",
  ]);
  const either: Rule = { required: { a: { anyOf: ["any", "string"] } } };
  assert.deepEqual(places(either, { a: null }), []);
  const within = { ...kept, seq: 1, error: "no", body: { a: null, b: null } };
  assert.deepEqual(places(rule, within, { profile: "wire" }), ["/body/a lets pass null"]);
});

test("whether a missing envelope field is tolerated depends on which part of the envelope it is", () => {
  const rule: Rule = {
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
  assert.deepEqual(found(rule, {}), [
    { pointer: "/type", code: "missing", expected: "a string", received: undefined },
    {
      pointer: "/seq",
      code: "missing",
      expected: "an integer",
      received: undefined,
      rule: "id-unset",
    },
    { pointer: "/re", code: "missing", expected: "an integer", received: undefined },
    { pointer: "/arguments", code: "missing", expected: "any value", received: undefined },
    {
      pointer: "/body",
      code: "missing",
      expected: "any value",
      received: undefined,
      rule: "success-body",
    },
    {
      pointer: "/error",
      code: "missing",
      expected: "any value",
      received: undefined,
      rule: "failure-body",
    },
  ]);
  assert.deepEqual(places(rule, { type: "a", re: 1, arguments: 0 }, { profile: "wire" }), [
    "/seq lets pass id-unset",
    "/body lets pass success-body",
    "/error lets pass failure-body",
  ]);
});

test("a message id may be zero or a string of digits", () => {
  const numbers = (part: "id" | "replyTo", rule: Rule): Rule => ({
    message: true,
    required: { seq: { part, rule } },
  });
  const from1 = { integer: [1, 2 ** 31 - 1] } as const;
  const own = numbers("id", from1);
  assert.deepEqual(found(own, { seq: 0 }), [
    {
      pointer: "/seq",
      code: "out-of-range",
      expected: "an integer from 1 to 2^31-1",
      received: 0,
      rule: "id-unset",
    },
  ]);
  const expected = "an integer from 1 to 2^31-1";
  for (const received of ["0", "9", "123456789012345"])
    assert.deepEqual(found(own, { seq: received }), [
      { pointer: "/seq", code: "wrong-type", expected, received, rule: "id-text" },
    ]);
  for (const received of ["", "1234567890123456", "/", ":", "1/", "1:", "-1", "1.5"])
    assert.deepEqual(found(own, { seq: received }), [
      { pointer: "/seq", code: "wrong-type", expected, received },
    ]);
  assert.deepEqual(found(own, { seq: -1 }), [
    { pointer: "/seq", code: "out-of-range", expected, received: -1, rule: "integer-range" },
  ]);
  assert.deepEqual(places(own, { seq: 0 }, tolerating("id-unset")), ["/seq lets pass id-unset"]);
  assert.deepEqual(places(numbers("id", { integer: [0, 9] }), { seq: 0 }), []);
  assert.deepEqual(
    places(numbers("id", { integer: [-9, -1] }), { seq: 0 }, tolerating("id-unset")),
    ["/seq out-of-range"],
  );
  assert.deepEqual(places(numbers("replyTo", from1), { seq: 0 }, { profile: "wire" }), [
    "/seq lets pass id-unset",
  ]);
  assert.deepEqual(places(numbers("replyTo", from1), { seq: "1" }, { profile: "wire" }), [
    "/seq wrong-type",
  ]);
  // Where an id may be a string, a string of digits is not a deviation.
  const text = numbers("id", { anyOf: ["integer", { string: [9, 9] }] });
  assert.deepEqual(places(text, { seq: "1" }, { profile: "wire" }), ["/seq wrong-size"]);
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
