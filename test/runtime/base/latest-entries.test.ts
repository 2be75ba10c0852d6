import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";

describe("a map keeps only the latest entries", () => {
  test("the map drops its older half when full", () => {
    const entries = new LatestEntries<number, string>(4);
    for (let key = 1; key <= 4; key++) entries.set(key, `value ${key}`);
    assert.deepEqual(entries.values(), ["value 1", "value 2", "value 3", "value 4"]);
    entries.set(5, "value 5");
    assert.deepEqual(entries.values(), ["value 3", "value 4", "value 5"]);
    assert.equal(entries.get(2), undefined);
    assert.equal(entries.get(3), "value 3");
  });

  test("setting an entry again makes it the latest", () => {
    const entries = new LatestEntries<string, number>(4);
    for (const key of ["a", "b", "c"]) entries.set(key, 1);
    entries.set("a", 2);
    assert.deepEqual(entries.values(), [1, 1, 2]);
    for (const key of ["d", "e"]) entries.set(key, 3);
    assert.equal(entries.get("b"), undefined);
    assert.equal(entries.get("a"), 2);
  });

  test("the map forgets deleted entries, old and new", () => {
    const entries = new LatestEntries<string, number>(2);
    entries.set("old", 1);
    entries.set("new", 2);
    entries.delete("old");
    entries.delete("new");
    entries.delete("never there");
    assert.deepEqual(entries.values(), []);
  });
});
