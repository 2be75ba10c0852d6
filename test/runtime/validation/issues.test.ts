import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../../runtime/index.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import type { ValidationIssue } from "../../../runtime/validation/findings.js";
import { describeIssue } from "../../../runtime/validation/describe-issue.js";
import { found, places, tolerating } from "../../support/rule-issues.js";

test("issues and deviations are collected up to maxIssues", () => {
  const numbers = [0, 1, 2, 3, 4].map((at) => `/${at} wrong-type`);
  const five = ["a", "b", "c", "d", "e"];
  const rules: readonly Rule[] = [
    { list: "integer" },
    { list: { anyOf: ["integer", "null"] } },
    { list: { optional: { a: "integer" } } },
    { list: { list: "integer" } },
  ];
  for (const rule of rules) {
    assert.deepEqual(places(rule, five), numbers);
    for (const maxIssues of [1, 2, 4, 5])
      assert.deepEqual(places(rule, five, { maxIssues }), numbers.slice(0, maxIssues));
  }
  const map = Object.fromEntries(five.map((value, at) => [`k${at}`, value]));
  const keys = five.map((_, at) => `/k${at} wrong-type`);
  for (const maxIssues of [1, 2, 4, 5]) {
    const options = { maxIssues };
    assert.deepEqual(places({ map: "integer" }, map, options), keys.slice(0, maxIssues));
    const optional = Object.fromEntries(Object.keys(map).map((key) => [key, "integer"] as const));
    assert.deepEqual(places({ optional }, map, options), keys.slice(0, maxIssues));
    const closed = keys.map((key) => key.replace("wrong-type", "unknown-field"));
    assert.deepEqual(places({ extras: "closed" }, map, options), closed.slice(0, maxIssues));
  }
  assert.equal(places({ list: "integer" }, Array.from({ length: 101 }, String)).length, 100);
  const nulls = five.map(() => ({ a: null, b: 1.5 }));
  const rule: Rule = { list: { optional: { a: "string", b: "string" } } };
  assert.deepEqual(places(rule, nulls, { ...tolerating("null"), maxIssues: 2 }), [
    "/0/b wrong-type",
    "/1/b wrong-type",
  ]);
  const onlyNulls = five.map(() => ({ a: null }));
  assert.deepEqual(places(rule, onlyNulls, { ...tolerating("null"), maxIssues: 2 }), [
    "/0/a lets pass null",
    "/1/a lets pass null",
  ]);
});

/** Rules that contain themselves: an array, a map and an object. */
const tree: ObjectRule = {
  recursive: true,
  optional: { next: { late: () => tree }, many: { list: { late: () => tree } }, leaf: "string" },
};

test("recursive definitions are followed for at most 512 levels", () => {
  const chain = (levels: number, end: object): object => {
    let value = end;
    for (let level = 0; level < levels; level++) value = { next: value };
    return value;
  };
  const path = (levels: number): string => "/next".repeat(levels);
  assert.deepEqual(places(tree, chain(512, { leaf: "a" })), []);
  assert.deepEqual(places(tree, chain(512, { leaf: 1 })), [`${path(512)}/leaf wrong-type`]);
  assert.deepEqual(found(tree, chain(513, { leaf: 1 })), [
    {
      pointer: path(513),
      code: "too-deep",
      expected: "at most 512 levels",
      received: undefined,
    },
  ]);
  let lists: object = { leaf: 1 };
  for (let level = 0; level < 512; level++) lists = { many: [lists] };
  assert.deepEqual(places(tree, lists), [`${"/many/0".repeat(512)}/leaf wrong-type`]);
  assert.deepEqual(places(tree, { many: [lists] }), [`${"/many/0".repeat(513)} too-deep`]);
  // A value that is too deep ends the search, but issues found earlier are kept.
  const rule: Rule = { optional: { a: "string", b: () => tree, c: "string" } };
  assert.deepEqual(places(rule, { a: 1, b: chain(600, {}), c: 1 }), [
    "/a wrong-type",
    `/b${path(513)} too-deep`,
  ]);
  const nested: Rule = { late: () => ({ list: nested }) };
  let list: unknown[] = [];
  for (let level = 0; level < 511; level++) list = [list];
  assert.deepEqual(places(nested, list), []);
  assert.deepEqual(places(nested, [[[list]]]), [`${"/0".repeat(512)} too-deep`]);
});

test("a value that throws when read is unreadable, and other issues are still found", () => {
  const broken = (name: string): object => {
    const get = (): never => {
      throw new Error("no");
    };
    return Object.defineProperty({}, name, { get, enumerable: true });
  };
  const unreadable = {
    code: "unreadable",
    expected: "a value that can be read",
    received: undefined,
  };
  const rule: Rule = {
    optional: { first: "string", inner: { optional: { a: "string" } }, map: { map: "string" } },
  };
  assert.deepEqual(found(rule, broken("first")), [{ pointer: "", ...unreadable }]);
  assert.deepEqual(found(rule, { first: 1, inner: broken("a") }), [
    { pointer: "/first", code: "wrong-type", expected: "a string", received: 1 },
    { pointer: "/inner", ...unreadable },
  ]);
  assert.deepEqual(found(rule, { map: broken("b") }), [{ pointer: "/map", ...unreadable }]);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.deepEqual(found({ list: "any" }, proxy), [{ pointer: "", ...unreadable }]);
});

test("describeIssue() returns a sentence", () => {
  const issue = (received: unknown, more: Partial<ValidationIssue> = {}): string =>
    describeIssue({ pointer: "/a", code: "wrong-type", expected: "x", received, ...more });
  const received = (text: string): string => `\`/a\`: expected x, received ${text}`;
  const texts: readonly (readonly [unknown, string])[] = [
    [undefined, "nothing"],
    [null, "null"],
    ['a\n"', '"a\\n\\""'],
    ["x".repeat(80), `"${"x".repeat(80)}"`],
    ["x".repeat(81), `"${"x".repeat(80)}…"`],
    [[1, 2], "an array of 2 items"],
    [{}, "an object"],
    [5n, "5n"],
    [() => 1, "a function"],
    [Symbol("s"), "a symbol"],
    [true, "true"],
    [-1.5, "-1.5"],
  ];
  for (const [value, text] of texts) assert.equal(issue(value), received(text));
  assert.equal(issue(1, { pointer: "" }), "the message: expected x, received 1");
  const long = `/${"a".repeat(199)}`;
  assert.equal(issue(1, { pointer: long }), `\`${long}\`: expected x, received 1`);
  const longer = `/${"a".repeat(60)}${"b".repeat(140)}`;
  assert.equal(
    issue(1, { pointer: longer }),
    `\`/${"a".repeat(59)}…${"b".repeat(140)}\`: expected x, received 1`,
  );
});

test("an issue suggests the nearest enum value", () => {
  const allowed = ["normal", "label", "subtle", 5, true];
  const hint = (received: unknown): string | undefined => {
    const issue = { pointer: "", code: "not-in-enum", expected: "x", received, allowed } as const;
    return / did you mean (.*)\?$/.exec(describeIssue(issue))?.[1];
  };
  const hints: readonly (readonly [unknown, string | undefined])[] = [
    ["lable", '"label"'],
    ["LABEL", '"label"'],
    ["labe", '"label"'],
    ["labels", '"label"'],
    ["xabel", '"label"'],
    ["alble", undefined],
    ["norm", undefined],
    ["norma", '"normal"'],
    ["subtel", '"subtle"'],
    ["sutbel", '"subtle"'],
    ["usbtel", '"subtle"'],
    ["", undefined],
    ["5", undefined],
    [5, undefined],
    [null, undefined],
  ];
  for (const [received, near] of hints) assert.equal(hint(received), near, String(received));
  const short = { pointer: "", code: "not-in-enum", expected: "x", allowed: ["a", "bc"] } as const;
  assert.match(describeIssue({ ...short, received: "b" }), /did you mean "a"\?$/);
  const long = "x".repeat(90);
  assert.match(
    describeIssue({ ...short, received: long, allowed: ["x".repeat(80)] }),
    /did you mean "x{80}"\?$/,
  );
  // Only the beginning of a long string is compared.
  const longer = `${"x".repeat(80)}${"y".repeat(200)}`;
  assert.match(
    describeIssue({ ...short, received: longer, allowed: ["x".repeat(80)] }),
    /did you mean "x{80}"\?$/,
  );
});
