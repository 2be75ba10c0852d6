import assert from "node:assert/strict";
import { test } from "node:test";
import { StringBuilder } from "../../../runtime/base/string-builder.js";

test("a string builder returns the concatenation of its pieces at any time", () => {
  const text = new StringBuilder();
  assert.deepEqual([text.toString(), text.length], ["", 0]);
  let want = "";
  for (let at = 0; at < 10_000; at++) {
    const piece = `${at},`;
    text.add(piece);
    want += piece;
    if (at % 1_000 === 95) assert.deepEqual([text.toString(), text.length], [want, want.length]);
  }
  assert.deepEqual([text.toString(), text.length], [want, want.length]);
});
