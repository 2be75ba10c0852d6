import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyMarks } from "../../../sessions/read/byte-marks.js";
import { bytesOf } from "../../support/framed-text.js";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** Returns the names of the quirks in a body. */
function quirksIn(body: Uint8Array): readonly string[] {
  const message = JSON.parse(new TextDecoder().decode(body)) as object;
  return (bodyMarks(body, message, 0) ?? []).map(({ quirk }) => quirk);
}

const deep = (levels: number): string => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"key ${index}":0`).join(",")}}`;

const plain = [
  `{}`,
  `{ }`,
  `{\t"a" : 1 ,\t"b":[ ] }`,
  `{"a":1}`,
  `{"a":"","b":"x","c":"xy","d":"xyz","e":"wxyz","f":"vwxyz"}`,
  `{"":0}`,
  `{"a":[],"b":{},"c":[[]],"d":[{}],"e":{"f":{}}}`,
  `{"a":[1,2,[3,{"b":4}],{"b":5}]}`,
  `{"a":{"a":{"a":1}},"b":{"a":1}}`,
  `{"a":0,"b":-0,"c":10,"d":-10.5,"e":0.0,"f":1e5,"g":1E+05,"h":-1.25e-3,"i":123456789012345678901234567890}`,
  `{"a":true,"b":false,"c":null}`,
  `{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\\ud800"}`,
  `{"a":"é日本😀","größe":1}`,
  `{"a":"\x7f"}`,
  `{"a":"Content-Length: 7"}`,
  `{"__proto__":1,"constructor":2}`,
  deep(64),
  keys(5),
];

const peculiar: readonly Uint8Array[] = [
  bytesOf(`\ufeff{}`),
  bytesOf(`{"a":1,"a":2}`),
  bytesOf(`{"a":1,"b":2,"a":3}`),
  bytesOf(`{"x":{"a":1,"a":2}}`),
  bytesOf(`{"x":[{"b":0},{"a":{},"a":{}}]}`),
  bytesOf(`{"a":{"b":1},"a":2}`),
  bytesOf(`{"é":1,"é":2}`),
  bytesOf(`{"a":1,"\\u0061":2}`),
  latin1(`{"a":"\xe9"}`),
  latin1(`{"\xe9":1}`),
  latin1(`{"a":"\xc0\x80"}`),
  latin1(`{"a":"\xed\xa0\x80"}`),
  latin1(`{"a":"\xf4\x90\x80\x80"}`),
  latin1(`{"a":"\xe2\x82"}`),
  latin1(`{"a":"\x80"}`),
];

test("a body without quirks has no marks", () => {
  for (const text of plain) assert.deepEqual(quirksIn(bytesOf(text)), [], text);
});

test("a body with quirks has marks", () => {
  for (const body of peculiar)
    assert.notDeepEqual(quirksIn(body), [], Buffer.from(body).toString());
});

test("whichever byte is changed, a body that is still a message has marks only for its quirks", () => {
  const text = `{"a":[-1.5e1,"x\\u0041é"],"c":{"d":null}}`;
  const whole = bytesOf(text);
  for (let at = 0; at < whole.length; at++)
    for (let byte = 0; byte < 256; byte++) {
      const body = Uint8Array.from(whole);
      body[at] = byte;
      const decoded = new TextDecoder().decode(body);
      const value = parsed(decoded);
      if (value === undefined) continue;
      const expected = !Buffer.from(decoded).equals(body)
        ? ["ill-formed-utf8"]
        : Object.keys(value).length < 2
          ? ["duplicate-key"]
          : [];
      assert.deepEqual(quirksIn(body), expected, `${byte} at ${at}`);
    }
});

/** Parses a JSON object. Returns undefined if the text is not one. */
function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
