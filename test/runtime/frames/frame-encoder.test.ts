import assert from "node:assert/strict";
import { test } from "node:test";
import { createEncoder } from "@wirewright/dap";
import { EncodeError, FrameDecoder, FrameEncoder } from "../../../runtime/index.js";
import { ticker } from "../../support/ticker.js";
import { textOf } from "../../support/framed-text.js";

/** Values that are difficult to encode, and every kind of JSON value. */
const messages: readonly object[] = [
  {},
  { seq: 1, type: "event", event: "initialized" },
  {
    a: "é日本😀",
    b: "\ud83d",
    c: '\u2028\u2029\u0000\u001f\\"/',
    d: [null, true, 0, -0, 1e21, 5e-324],
  },
  { a: undefined, b: [undefined], c: { toJSON: () => ({ d: 1 }) }, e: new Date(0), f: NaN },
  { text: "x".repeat(10) },
  { text: "é".repeat(40_000) },
  { text: "x".repeat(200_000) },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as object,
];

test("encode() writes exactly Content-Length, a blank line and the body, in a single array", () => {
  assert.equal(textOf(new FrameEncoder().encode({ seq: 1 })), 'Content-Length: 9\r\n\r\n{"seq":1}');
  assert.equal(
    textOf(new FrameEncoder().encode({ a: "é" })),
    'Content-Length: 10\r\n\r\n{"a":"é"}',
  );
  assert.equal(textOf(new FrameEncoder({ framing: "lines" }).encode({ a: "\n" })), '{"a":"\\n"}\n');
});

for (const framing of ["content-length", "lines"] as const) {
  test(`decode(encode(x)) equals JSON.parse(JSON.stringify(x)) (${framing})`, () => {
    for (const asciiOnly of [false, true]) {
      const encoder = new FrameEncoder({ framing, asciiOnly });
      const frames = messages.map((message) => encoder.encode(message));
      const batch = encoder.encodeAll(messages);
      assert.deepEqual(
        Buffer.from(batch),
        Buffer.concat(frames),
        "encodeAll() writes the same bytes",
      );
      if (asciiOnly) assert.ok(batch.every((byte) => byte < 0x80));
      const decoded: object[] = [];
      const again: Uint8Array[] = [];
      const decoder = new FrameDecoder({
        framing,
        onMessage: (message, frame) => (decoded.push(message), again.push(frame.raw)),
        onFault: ({ message }) => assert.fail(message),
      });
      for (const bytes of frames) decoder.push(bytes);
      decoder.end();
      assert.deepEqual(
        decoded,
        messages.map((message) => JSON.parse(JSON.stringify(message)) as object),
      );
      assert.deepEqual(
        again.map((bytes) => Buffer.from(bytes)),
        frames.map((bytes) => Buffer.from(bytes)),
        "raw frames",
      );
    }
  });
}

test("frames from one encoder do not share bytes", () => {
  const encoder = new FrameEncoder();
  const first = encoder.encode({ a: 1 });
  const copy = textOf(first);
  for (let index = 0; index < 5_000; index++)
    encoder.encode({ index, text: "y".repeat(index % 90) });
  assert.equal(textOf(first), copy);
});

const cycle: Record<string, unknown> = { list: [] };

(cycle["list"] as unknown[]).push({ back: cycle });

const deepBigInt = { body: { "a/b": [0, { "~": 10n }] } };

for (const { name, value, code, path } of [
  { name: "a BigInt", value: deepBigInt, code: "ERR_ENCODE_BIGINT", path: "/body/a~1b/1/~0" },
  { name: "a cycle", value: cycle, code: "ERR_ENCODE_CYCLE", path: "/list/0/back" },
  {
    name: "a toJSON that throws",
    value: {
      a: {
        toJSON() {
          throw new Error("no");
        },
      },
    },
    code: "ERR_ENCODE_TOJSON",
    path: "/a",
  },
  {
    name: "a getter that throws",
    value: {
      a: {
        get b() {
          throw new Error("no");
        },
      },
    },
    code: "ERR_ENCODE_TOJSON",
    path: "/a",
  },
  { name: "an array", value: [1], code: "ERR_ENCODE_NOT_OBJECT", path: "" },
  {
    name: "undefined",
    value: undefined as unknown as object,
    code: "ERR_ENCODE_NOT_OBJECT",
    path: "",
  },
  {
    name: "a message whose toJSON returns a string",
    value: { toJSON: () => "x" },
    code: "ERR_ENCODE_NOT_OBJECT",
    path: "",
  },
] as const) {
  test(`encode() refuses ${name} and names its path`, () => {
    const encoder = new FrameEncoder();
    assert.throws(() => encoder.encode(value), { name: "EncodeError", code, pointer: path });
    assert.throws(() => encoder.encodeAll([{ fine: 1 }, value]), { code, pointer: path });
    assert.equal(textOf(encoder.encode({ a: 1 })), 'Content-Length: 7\r\n\r\n{"a":1}');
  });
}

test('encode() calls the "validate" option before it writes', () => {
  const encoder = createEncoder({
    validate: (message) => {
      if (!("seq" in message)) throw new TypeError("a message needs a seq");
    },
  });
  assert.throws(
    () => encoder.encode({ type: "event", event: "initialized" } as never),
    /a message needs a seq/,
  );
});

test("a line-based protocol's codec writes and reads lines", async () => {
  const bytes = ticker
    .createEncoder()
    .encode({ jsonrpc: "2.0", method: "ticker/tick", params: { tickerId: "a", count: 1 } });
  assert.equal(
    textOf(bytes),
    '{"jsonrpc":"2.0","method":"ticker/tick","params":{"tickerId":"a","count":1}}\n',
  );
  const kinds: string[] = [];
  for await (const message of ticker.readMessages([bytes]))
    kinds.push(message.status === "malformed" ? message.code : message.kind);
  assert.deepEqual(kinds, ["notification"]);
});

test("an encoder refuses values that are not objects", () => {
  const encoder = new FrameEncoder();
  for (const value of [Symbol("a"), 1n, 1, "a", true, null, undefined, () => 1, [1]])
    assert.throws(() => encoder.encode(value as unknown as object), EncodeError);
});
