import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePointer, partOf, pointerStep } from "../../../runtime/base/json-pointer.js";

/** The examples from RFC 6901, section 5, and similar pointers. */
const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
  "o~1p": 9,
};

test("a pointer refers to the part specified by RFC 6901", () => {
  const parts: readonly (readonly [pointer: string, part: unknown])[] = [
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
    ["/o~01p", 9],
  ];
  for (const [pointer, part] of parts) assert.deepEqual(partOf(document, pointer), part, pointer);
});

test("a pointer to a missing part returns undefined, even for names that objects inherit", () => {
  for (const pointer of [
    "/a",
    "/a/b",
    "/foo/2",
    "/foo/length/x",
    "/constructor",
    "/__proto__",
    "/a~1b/c",
  ])
    assert.equal(partOf(document, pointer), undefined, pointer);
  assert.equal(partOf(undefined, "/a"), undefined);
});

test("a pointer built from keys is parsed back into the same keys", () => {
  for (const key of Object.keys(document)) assert.deepEqual(parsePointer(pointerStep(key)), [key]);
});
