import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "../../../generator/base/visible-text.js";

test("output reaches a terminal without control characters, and selects colours only if it may", () => {
  const output = "a\tb\n\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b[2J \r\u009b1A \u007f\0";
  assert.equal(
    printable(output, true),
    "a\tb\n\u001b[31mred\u001b[0m \\u001b]0;title\\u0007 \\u001b[2J \\u000d\\u009b1A \\u007f\\u0000",
  );
  assert.equal(
    printable(output, false),
    "a\tb\n\\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007 \\u001b[2J \\u000d\\u009b1A \\u007f\\u0000",
  );
});
