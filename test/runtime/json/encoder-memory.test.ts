import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameEncoder } from "../../../runtime/index.js";
import { seeded } from "../../support/sample-values.js";

test("small frames share a buffer, even after a message that could not be written", () => {
  const encoder = new FrameEncoder();
  const { buffer } = encoder.encode({ a: 1 });
  assert.equal(encoder.encode({ b: 2 }).buffer, buffer);
  assert.throws(() => encoder.encode({ big: 1n }), { code: "ERR_ENCODE_BIGINT" });
  assert.throws(() => encoder.encodeAll([{ big: 1n }]), { code: "ERR_ENCODE_BIGINT" });
  assert.equal(encoder.encode({ c: 3 }).buffer, buffer);
  assert.equal(encoder.encodeAll([{ d: 4 }, { e: 5 }]).buffer, buffer);
});

test("strings of any length are complete even at the end of the buffer", () => {
  const encoder = new FrameEncoder({ framing: "lines" });
  const kept: [Uint8Array, string][] = [];
  for (let round = 0; round < 2_000; round++) {
    const message = {
      text: "日".repeat(round % 120),
      name: round,
      [`é${round % 7}`]: "x".repeat(31),
    };
    kept.push([encoder.encode(message), `${JSON.stringify(message)}\n`]);
  }
  for (const [bytes, expected] of kept) assert.equal(Buffer.from(bytes).toString(), expected);
});

test("a getter may use the encoder that is writing its message", () => {
  for (const encoder of [new FrameEncoder(), new FrameEncoder({ framing: "lines" })]) {
    const inner: Uint8Array[] = [];
    const message = {
      before: "x".repeat(30),
      get nested() {
        inner.push(encoder.encode({ inner: inner.length }), encoder.encodeAll([{ batch: 1 }]));
        return 1;
      },
    };
    const once = Buffer.from(encoder.encode(message)).toString();
    const batch = Buffer.from(encoder.encodeAll([message, message])).toString();
    const plain = (value: object): string => Buffer.from(encoder.encode(value)).toString();
    assert.equal(once, plain({ before: "x".repeat(30), nested: 1 }));
    assert.equal(batch, once + once);
    assert.deepEqual(
      inner.map((bytes) => Buffer.from(bytes).toString()),
      [0, 2, 4].flatMap((count) => [plain({ inner: count }), plain({ batch: 1 })]),
    );
  }
});

test("frames do not change while the buffer grows and is replaced", () => {
  const random = seeded(21);
  const encoder = new FrameEncoder();
  const kept: [Uint8Array, string][] = [];
  for (let round = 0; round < 400; round++) {
    const message = { round, text: '"é'.repeat(Math.floor(random() ** 6 * 60_000)), list: [round] };
    const body = JSON.stringify(message);
    kept.push([
      encoder.encode(message),
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ]);
  }
  for (const [bytes, expected] of kept) assert.equal(Buffer.from(bytes).toString(), expected);
});

test("a message that cannot be written does not affect the encoder", () => {
  const encoder = new FrameEncoder();
  const bad = {
    text: "x".repeat(100),
    get broken(): number {
      throw new Error("no");
    },
  };
  assert.throws(() => encoder.encode(bad), { code: "ERR_ENCODE_TOJSON" });
  assert.throws(() => encoder.encodeAll([{ a: 1 }, bad]), { code: "ERR_ENCODE_TOJSON" });
  assert.equal(
    Buffer.from(encoder.encodeAll([{ a: 1 }, { b: 2 }])).toString(),
    'Content-Length: 7\r\n\r\n{"a":1}Content-Length: 7\r\n\r\n{"b":2}',
  );
});
