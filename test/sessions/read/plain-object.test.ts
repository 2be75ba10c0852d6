import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyMarks } from "../../../sessions/read/byte-marks.js";
import { isPlainObject } from "../../../sessions/read/plain-object.js";
import { bytesOf } from "../../support/framed-text.js";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

const isPlain = (body: Uint8Array): boolean => isPlainObject(body, 0, body.length);

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

const other = [
  ``,
  `{`,
  `}`,
  `[]`,
  `""`,
  `1`,
  `null`,
  `{}}`,
  `{{}`,
  `{]`,
  `{}{}`,
  `{} {}`,
  ` {}`,
  `{} `,
  `{}\n`,
  `{\n}`,
  `{\r}`,
  `{"a":\n1}`,
  `{"a":[1,\n2]}`,
  `{"a"\n:1}`,
  `{"a":"\n"}`,
  `{"a":"\t"}`,
  `{"a":"\0"}`,
  `{"a\x1f":1}`,
  `{,}`,
  `{"a"}`,
  `{"a":}`,
  `{"a":1,}`,
  `{"a":1 "b":2}`,
  `{"a":1:2}`,
  `{"a",1}`,
  `{a:1}`,
  `{'a':1}`,
  `{1:1}`,
  `{"a":[1,]}`,
  `{"a":[,1]}`,
  `{"a":[1 2]}`,
  `{"a":[1}`,
  `{"a":{]}`,
  `{"a":["b":1]}`,
  `{"a":"`,
  `{"a":"}`,
  `{"a":"\\"}`,
  `{"a":"\\x"}`,
  `{"a":"\\u12"}`,
  `{"a":"\\u12g4"}`,
  `{"a":"\\u"}`,
  ...[
    `01`,
    `-`,
    `+1`,
    `1.`,
    `.5`,
    `1e`,
    `1e+`,
    `1.e1`,
    `0x1`,
    `--1`,
    `1-`,
    `00`,
    `-01`,
    `NaN`,
    `Infinity`,
    `-Infinity`,
    `undefined`,
    `True`,
    `tru`,
    `truex`,
    `fals`,
    `nul`,
  ].map((value) => `{"a":${value}}`),
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

test("the fast path accepts a JSON object on one line, even in the middle of other bytes", () => {
  for (const text of plain) {
    const body = bytesOf(text);
    assert.equal(isPlain(body), true, text);
    JSON.parse(text);
    const around = Buffer.concat([bytesOf(`}"{`), body, bytesOf(`"}],`)]);
    assert.equal(isPlainObject(around, 3, 3 + body.length), true, text);
  }
});

test("the fast path refuses anything but a JSON object on one line, including every prefix and suffix of such an object", () => {
  for (const text of other) assert.equal(isPlain(bytesOf(text)), false, text);
  for (const text of plain) {
    const body = bytesOf(text);
    for (let at = 1; at < body.length; at++) {
      const cuts = [body.subarray(0, at), body.subarray(at)];
      for (const cut of cuts) assert.equal(isPlain(cut), false, `${text} at ${at}`);
      // The bytes after the end are not part of the object.
      assert.equal(isPlainObject(body, 0, at), false, `${text} before ${at}`);
    }
  }
});

test("the fast path refuses JSON with quirks", () => {
  for (const body of peculiar) assert.equal(isPlain(body), false, Buffer.from(body).toString());
});

test("the fast path refuses text with escaped keys, deep nesting or many keys", () => {
  for (const text of [`{"\\u0061":1}`, deep(65), keys(300), keys(2_000)]) {
    JSON.parse(text);
    assert.equal(isPlain(bytesOf(text)), false, text.slice(0, 40));
  }
});

test("whichever byte is changed, the fast path agrees with JSON.parse and with the quirks in the bytes", () => {
  const text = `{"ab":[-1.5e1,"x\\u0041é"],"c":{"d":null}}`;
  const whole = bytesOf(text);
  for (let at = 0; at < whole.length; at++)
    for (let byte = 0; byte < 256; byte++) {
      const body = Uint8Array.from(whole);
      body[at] = byte;
      const shown = `${byte} at ${at}`;
      if (!isPlain(body)) {
        assert.equal(isCertain(body), false, shown);
        continue;
      }
      const message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as object;
      assert.equal(Object.getPrototypeOf(message), Object.prototype, shown);
      assert.equal(bodyMarks(body, message, 0), undefined, shown);
      assert.equal(body.includes(0x0a) || body.includes(0x0d), false, shown);
    }
});

/**
 * Returns whether the fast path must accept a body: it must be valid JSON without escaped or
 * repeated keys.
 */
function isCertain(body: Uint8Array): boolean {
  const text = Buffer.from(body).toString("latin1");
  if (/[\n\r\\]/.test(text.replace("x\\u0041", "")) || text.startsWith("\xef\xbb\xbf"))
    return false;
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const value: unknown = JSON.parse(decoded);
    const again = JSON.stringify(value);
    const names = (json: string): number => json.match(/"[^"]*"\s*:/g)?.length ?? 0;
    return typeof value === "object" && !Array.isArray(value) && names(again) === names(decoded);
  } catch {
    return false;
  }
}
