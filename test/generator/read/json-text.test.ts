import assert from "node:assert/strict";
import { test } from "node:test";
import { readInput, testCases } from "../../support/case-list.js";
import { refusalOf } from "../../support/refusal.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";

const report = (text: string): Promise<string> => refusalOf(() => readJsonText(text, "a.json"));

testCases("test/cases/json-text.md", "JSON is read", async (input) => [
  await report(readInput(input)[0] as string),
]);

test("readJsonText() refuses 10,000 levels and locates the first one beyond the limit", async () => {
  assert.equal(
    await report(`{"a":\n${"[".repeat(10_000)}${"]".repeat(10_000)}}`),
    "a.json:2:256: Cannot read JSON nested more than 256 levels deep [ERR_TOO_DEEP]\n  Move inner schemas into definitions, and reference these definitions",
  );
});

test("readJsonText() keeps keys such as __proto__ as plain data", () => {
  const { value } = readJsonText('{"__proto__": {"polluted": true}, "constructor": 1}', "a.json");
  assert.deepEqual(Object.keys(value as object), ["__proto__", "constructor"]);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("locate() finds the line and column of a pointer, or of its nearest existing parent", () => {
  const file = readJsonText('{\n  "a": {\n    "b/c": [1,\n      2]\n  }\n}', "a.json");
  assert.deepEqual(file.locate("/a/b~1c/1"), {
    file: "a.json",
    pointer: "/a/b~1c/1",
    line: 4,
    column: 7,
  });
  assert.deepEqual(file.locate("/a/missing/x"), {
    file: "a.json",
    pointer: "/a/missing/x",
    line: 2,
    column: 8,
  });
});
