/**
 * Runs each benchmark for a second. The contestants must agree, the figures must be printed, and no
 * row may be much slower relative to the fastest peer than its stored ratio.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { benches } from "../../tools/bench/benches.js";
import { checkQuickly, readRatios, slowerRows } from "../../tools/bench/quick-check.js";
import { quickRuns } from "../../tools/bench/quick-runs.js";

const node = { path: process.execPath, major: process.versions.node.split(".")[0]! };
const stored = readRatios();

for (const [name, { missing, ratios }] of Object.entries(quickRuns))
  test(`bench ${name} runs, and no row is much slower relative to its fastest peer`, async (t) => {
    const reason = missing?.();
    if (reason !== undefined) return t.skip(reason);
    let printed = "";
    const result = await checkQuickly(name, node, stored, (text) => (printed += text));
    t.diagnostic(printed.trim());
    assert.equal(Object.keys(result.ratios).length > 0, ratios !== undefined);
    assert.deepEqual(result.slower, []);
  });

test("each benchmark has a quick run", () => {
  assert.deepEqual(Object.keys(quickRuns).sort(), Object.keys(benches).sort());
});

test("each quick run with peers has a stored ratio, and no other run does", () => {
  for (const [name, { ratios }] of Object.entries(quickRuns))
    assert.equal(Object.keys(stored[name] ?? {}).length > 0, ratios !== undefined, name);
});

const before = { decode: { "20": 2, "22": 3 }, encode: { "22": 4, "24": 5 } };

test("a row counts as slower if it falls below half of its stored ratio", () => {
  assert.deepEqual(slowerRows({ decode: 1, encode: 2 }, before, "20"), []);
  assert.deepEqual(slowerRows({ decode: 0.99, encode: 2 }, before, "20"), [
    "decode: 0.99 of the fastest peer's speed, stored: 2",
  ]);
  assert.deepEqual(slowerRows({ decode: 1.4, encode: 2 }, before, "22"), [
    "decode: 1.4 of the fastest peer's speed, stored: 3",
  ]);
});

test("a Node version without stored ratios is compared with the lowest ratio of the other versions", () => {
  assert.deepEqual(slowerRows({ decode: 1, encode: 2 }, before, "28"), []);
  assert.deepEqual(slowerRows({ decode: 1, encode: 1.9 }, before, "28"), [
    "encode: 1.9 of the fastest peer's speed, stored: 4",
  ]);
});

test("a row is reported if it was not measured, has no number or has no stored ratio", () => {
  assert.deepEqual(slowerRows({ encode: NaN, peek: 3 }, before, "20"), [
    "encode: NaN of the fastest peer's speed, stored: 4",
    "peek: has no stored ratio",
    "decode: was not measured",
  ]);
});
