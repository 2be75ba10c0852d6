import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allOf,
  anyOf,
  type Condition,
} from "../../../generator/emit/printer/logical-expression.js";

/** Returns the largest number of parts in a row. */
function longestRow(condition: Condition): number {
  return typeof condition === "string"
    ? 1
    : Math.max(condition.parts.length, ...condition.parts.map(longestRow));
}

function leaves(condition: Condition): readonly string[] {
  return typeof condition === "string" ? [condition] : condition.parts.flatMap(leaves);
}

test("a condition with many parts is divided into groups, so that compilers do not overflow their stack", () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
  for (const condition of [allOf(...names)!, anyOf(...names)!, allOf("a", allOf(...names), "b")!]) {
    assert.ok(longestRow(condition) <= 200);
    assert.equal(leaves(condition).filter((each) => each.startsWith("p")).length, 20_000);
  }
  assert.deepEqual(anyOf("a", anyOf("b", "c")), { operator: "||", parts: ["a", "b", "c"] });
});
