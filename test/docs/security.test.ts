import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, fromRoot } from "../support/paths.js";

test("each promise in SECURITY.md names tests that exist", () => {
  const rows = readFileSync(fromRoot("SECURITY.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split(" | "))
    .filter(([promise]) => !/^\| (promise|-+)/.test(promise!));
  assert.ok(rows.length > 15, `${rows.length} promises`);
  const tests = filesBelow("test", /\.test\.ts$/);
  for (const [promise, names] of rows) {
    const named = [...names!.matchAll(/`([a-z][a-z/-]*)`/g)].map(([, name]) => name!);
    assert.ok(named.length > 0, promise);
    for (const name of named)
      assert.equal(tests.filter((path) => path.endsWith(`/${name}.test.ts`)).length, 1, name);
  }
});
