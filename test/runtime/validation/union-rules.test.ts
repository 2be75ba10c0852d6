import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../../runtime/index.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import { describeIssue } from "../../../runtime/validation/describe-issue.js";
import { found, places, tolerating } from "../../support/rule-issues.js";

test("an enum refuses unlisted values and values of another type", () => {
  const rule: Rule = { oneOf: ["none", "all"], numbers: [0, 1] };
  const expected = 'one of "none", "all"';
  const allowed = ["none", "all"];
  const refused = (received: unknown, more: object): void =>
    assert.deepEqual(found(rule, received), [{ pointer: "", expected, received, ...more }]);
  refused("some", { code: "not-in-enum", allowed, rule: "closed-enum" });
  for (const received of [true, null, 0, ["none"]])
    refused(received, { code: "wrong-type", allowed });
});

test("a union reports the issues of the nearest member", () => {
  const cat: ObjectRule = { required: { lives: { integer: [1, 9] }, name: "string" } };
  const dog: ObjectRule = { required: { barks: "boolean" } };
  const rule: Rule = { anyOf: ["string", cat, dog, { list: "integer" }] };
  assert.deepEqual(places(rule, { barks: true }), []);
  assert.deepEqual(places(rule, { barks: 1 }), ["/barks wrong-type"]);
  assert.deepEqual(places(rule, { lives: 0, name: "" }), ["/lives out-of-range"]);
  // If two members are equally near, the first one is reported.
  assert.deepEqual(places({ anyOf: [dog, { required: { a: "any" } }] }, {}), ["/barks missing"]);
  assert.deepEqual(places(rule, [1, "a", 2, null]), ["/1 wrong-type", "/3 wrong-type"]);
  assert.deepEqual(found(rule, 5), [
    { pointer: "", code: "wrong-type", expected: "a string or an object or an array", received: 5 },
  ]);
  const nested: Rule = { optional: { pet: rule } };
  assert.deepEqual(places(nested, { pet: { lives: 10, name: 1 } }), ["/pet/barks missing"]);
  assert.deepEqual(places(nested, { pet: { lives: 10, name: "" } }), ["/pet/lives out-of-range"]);
  const range = tolerating("integer-range");
  assert.deepEqual(places(nested, { pet: { lives: 10, name: "" } }, range), [
    "/pet/lives lets pass integer-range",
  ]);
  // A member for which the value is valid takes precedence over one that only tolerates the value.
  for (const other of ["any", { map: "any" }] as const)
    assert.deepEqual(places({ anyOf: [cat, other] }, { lives: 10, name: "" }, range), []);
  const most = { maxIssues: 1 };
  assert.deepEqual(places(rule, ["a", "b"], most), ["/0 wrong-type"]);
  assert.deepEqual(places({ list: rule }, [5, 5], most), ["/0 wrong-type"]);
});

const plan: ObjectRule = {
  bases: [{ required: { entries: { list: { required: { text: "string", rank: "integer" } } } } }],
  required: { kind: { value: "plan" } },
};

const usage: ObjectRule = {
  required: { kind: { value: "usage" }, used: "integer" },
  optional: { cost: "number" },
};

const info: ObjectRule = { required: { kind: { value: "info" } }, optional: { title: "string" } };

const update: Rule = { anyOf: ["null", plan, () => usage, { late: () => info }] };

test("a tagged union reports the issues of the member with the matching tag", () => {
  const ofPlan = ["/entries/0/text missing", "/entries/0/rank missing"];
  assert.deepEqual(places(update, { kind: "plan", entries: [{}] }), ofPlan);
  assert.deepEqual(places(update, { kind: "usage", cost: "a", title: 1 }), [
    "/used missing",
    "/cost wrong-type",
  ]);
  assert.deepEqual(places(update, { kind: "info", title: 1 }), ["/title wrong-type"]);
  // The issues are the same inside another union, in an array, and with a limit of one issue.
  assert.deepEqual(
    places({ anyOf: [{ list: update }, update] }, { kind: "plan", entries: [{}] }),
    ofPlan,
  );
  assert.deepEqual(places({ list: update }, [{ kind: "plan", entries: [{}] }]), [
    "/0/entries/0/text missing",
    "/0/entries/0/rank missing",
  ]);
  assert.deepEqual(places(update, { kind: "usage", cost: "a" }, { maxIssues: 1 }), [
    "/used missing",
  ]);
  // A tag may have several constants of any type, and two members may share a tag.
  const several: Rule = {
    anyOf: [
      { required: { kind: { oneOf: ["a", "b"] }, one: "string", two: "string" } },
      { required: { kind: { value: 3 }, three: "string" } },
      { required: { kind: { value: 3 }, four: "string", five: "string" } },
    ],
  };
  assert.deepEqual(places(several, { kind: "b" }), ["/one missing", "/two missing"]);
  assert.deepEqual(places(several, { kind: 3, four: "" }), ["/three missing"]);
});

test("an unknown tag is reported with all known tags", () => {
  const expected = 'one of "plan", "usage", "info"';
  const allowed = ["plan", "usage", "info"];
  const wrong = (code: string, received: unknown): object => ({
    pointer: "/kind",
    code,
    expected,
    received,
    allowed,
  });
  for (const rest of [{}, { entries: [] }, { entries: [{}], used: 1.5, title: 1 }])
    for (const options of [undefined, { profile: "wire" }, { maxIssues: 1 }] as const) {
      assert.deepEqual(found(update, { kind: "usages", ...rest }, options), [
        wrong("not-in-enum", "usages"),
      ]);
      assert.deepEqual(found(update, { kind: 1, ...rest }, options), [wrong("wrong-type", 1)]);
      assert.deepEqual(found(update, rest, options), [wrong("missing", undefined)]);
    }
  const [issue] = found(update, { kind: "usages" });
  assert.equal(
    describeIssue(issue!),
    '`/kind`: expected one of "plan", "usage", "info", received "usages"; did you mean "usage"?',
  );
  assert.deepEqual(places(update, 5), [" wrong-type"]);
  // An inherited property cannot be a tag.
  const inherited: Rule = {
    anyOf: ["a", "b"].map((value) => ({ required: { toString: { value } } })),
  };
  assert.deepEqual(places(inherited, {}), ["/toString missing"]);
});

test("a property that does not distinguish union members is not a tag", () => {
  const version = { value: "2.0" } as const;
  const alike: Rule = {
    anyOf: [
      { required: { version, a: "string", b: "string" } },
      { required: { version, c: "string" } },
    ],
  };
  assert.deepEqual(places(alike, { version: "2.0", a: "" }), ["/b missing"]);
  assert.deepEqual(places(alike, { version: "3.0", c: "" }), ["/version wrong-value"]);
  // A member without the tag can be the nearest one, and its values are accepted.
  const open: Rule = { anyOf: [plan, usage, { required: { kind: "string", other: "integer" } }] };
  assert.deepEqual(places(open, { kind: "plan", other: 1 }), []);
  assert.deepEqual(places(open, { kind: "plan", other: "" }), ["/entries missing"]);
  assert.deepEqual(places(open, { kind: "more", other: "" }), ["/other wrong-type"]);
});

test("a tagged union accepts the same deviations as other values", () => {
  const wire = { profile: "wire" } as const;
  const open: Rule = {
    anyOf: [
      { required: { kind: { oneOf: ["a"] }, a: "string" } },
      { required: { kind: { oneOf: ["b"] }, b: "string" } },
    ],
  };
  assert.deepEqual(places(open, { kind: "c", b: "" }, wire), ["/kind lets pass closed-enum"]);
  assert.deepEqual(places(open, { kind: "a", b: "" }, wire), ["/kind lets pass closed-enum"]);
  assert.deepEqual(places(open, { kind: "a" }, wire), ["/a missing"]);
  assert.deepEqual(places(update, { kind: "info", title: null }, wire), ["/title lets pass null"]);
});

test("a value that equals none of several constants is reported with all of those constants", () => {
  const level: Rule = { anyOf: [{ value: "high" }, { value: "low" }, "null"] };
  assert.deepEqual(found(level, "hihg"), [
    {
      pointer: "",
      code: "not-in-enum",
      expected: 'one of "high", "low"',
      received: "hihg",
      allowed: ["high", "low"],
    },
  ]);
  assert.deepEqual(places(level, 1), [" wrong-type"]);
  assert.deepEqual(places(level, null), []);
  assert.deepEqual(places({ anyOf: [{ value: "a" }, "null"] }, "b"), [" wrong-value"]);
});
