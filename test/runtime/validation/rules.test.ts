import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { Rule } from "../../../runtime/index.js";
import type { ValidationIssue } from "../../../runtime/validation/findings.js";
import { readInput, testCases } from "../../support/case-list.js";
import { found } from "../../support/rule-issues.js";

/** Returns what a validator says about a value, on a line. */
function judged(rule: Rule, value: unknown): string {
  const issues = found(rule, value);
  if (issues.length === 0) return `${shown(value)}: valid`;
  const [{ pointer, code, expected, received, rule: tolerance }] = issues as [ValidationIssue];
  assert.deepEqual([issues.length, pointer, received], [1, "", value]);
  const tolerated = tolerance === undefined ? "" : `, tolerated by ${tolerance}`;
  return `${shown(value)}: ${code}, expected ${expected}${tolerated}`;
}

const shown = (value: unknown): string => inspect(value, { maxStringLength: 10 });

/** A rule works in the same way for a property, an item, a map value and a union member. */
function checkParts(rule: Rule, value: unknown): void {
  const property: Rule = { required: { a: rule } };
  const [issue] = found(rule, value);
  if (issue === undefined) {
    assert.deepEqual(found(property, { a: value }), []);
    assert.deepEqual(found({ list: rule }, [value, value]), []);
    assert.deepEqual(found({ map: rule }, { a: value }), []);
    assert.deepEqual(found({ anyOf: [{ value: "never" }, rule] }, value), []);
    return;
  }
  const asItem = found({ list: rule }, [value, value]);
  assert.deepEqual(asItem, [
    { ...issue, pointer: "/0" },
    { ...issue, pointer: "/1" },
  ]);
  const asValue = found({ map: rule }, { "a/b~": value });
  assert.deepEqual(asValue, [{ ...issue, pointer: "/a~1b~0" }]);
  assert.deepEqual(found({ map: rule }, { "~": value }), [{ ...issue, pointer: "/~0" }]);
  const isNull = value === null && issue.rule === undefined;
  assert.deepEqual(found(property, { a: value }), [
    { ...issue, pointer: "/a", ...(isNull && { rule: "null" }) },
  ]);
}

testCases("test/cases/rules.md", "a value is judged", (input) => {
  const [rule, ...values] = readInput(input) as readonly [Rule, ...unknown[]];
  for (const value of values) checkParts(rule, value);
  return values.map((value) => judged(rule, value));
});
