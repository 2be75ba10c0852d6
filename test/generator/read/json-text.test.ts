import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../../support/refusal.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";

const report = (text: string): Promise<string> => refusalOf(() => readJsonText(text, "a.json"));

for (const [name, text, want] of [
  [
    "a trailing comma",
    '{\n  "a": 1,\n}',
    'a.json:3:1: Cannot parse JSON: property name expected at "}" [ERR_JSON]',
  ],
  [
    "a comment",
    "{ // no\n}",
    'a.json:1:3: Cannot parse JSON: invalid comment token at "// no" [ERR_JSON]',
  ],
  ["an empty text", "", "a.json:1:1: Cannot parse JSON: the text is empty [ERR_JSON]"],
  [
    "a missing brace",
    '{"a": {',
    "a.json:1:8: Cannot parse JSON: close brace expected at the end [ERR_JSON]",
  ],
  [
    "single quotes",
    "{'a': 1}",
    `a.json:1:2: Cannot parse JSON: invalid symbol at "'a'" [ERR_JSON]`,
  ],
  [
    "a key twice",
    '{"a": 1,\n "b": {"c": 1, "c": 2}}',
    'a.json:2:16: Cannot read the key "c" twice in one object [ERR_DUPLICATE_KEY]\n  Remove or rename one of the two',
  ],
  ["the same key in two objects", '{"a": {"c": 1}, "b": {"c": 2}}', "accepted"],
  ["a byte order mark", '\ufeff{"a": 1}', "accepted"],
  ["brackets in a string", `{"a": "${"[".repeat(500)}\\""}`, "accepted"],
] as const) {
  test(`readJsonText() reads or refuses ${name}`, async () =>
    assert.equal(await report(text), want));
}

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
