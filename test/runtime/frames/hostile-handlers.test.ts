import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits, FrameDecoder } from "../../../runtime/index.js";
import { framed, textOf } from "../../support/framed-text.js";

test("an undefined limit means the default, and an invalid or unknown limit is refused", () => {
  const decoderWith = (limits: object) => () =>
    new FrameDecoder({ onMessage: () => undefined, limits });
  for (const name of Object.keys(defaultLimits)) {
    decoderWith({ [name]: undefined })();
    decoderWith({ [name]: 1 })();
    for (const value of [NaN, -1, 0, 0.5, Infinity, -Infinity, 2 ** 53, null, "5", 5n, {}])
      assert.throws(decoderWith({ [name]: value }), {
        name: "TypeError",
        message: new RegExp(name),
      });
  }
  assert.throws(
    decoderWith({ maxBodyByte: 5 }),
    /"limits" must be an object without "maxBodyByte" \(did you mean "maxBodyBytes"\?\)/,
  );
});

test("push() called in a handler takes effect after the current chunk", () => {
  for (const [framing, form] of [
    ["content-length", (text: string) => textOf(framed(text))],
    ["lines", (text: string) => `${text}\n`],
  ] as const) {
    for (const size of [1, 3, 1_000]) {
      const seen: unknown[] = [];
      const decoder: FrameDecoder = new FrameDecoder({
        framing,
        onMessage: (message, { offset }) => {
          const { seq, more } = message as { seq: number; more?: boolean };
          seen.push([seq, offset]);
          if (more !== true) return;
          // The handler overwrites this buffer immediately.
          const bytes = Buffer.from(`${form(`{"seq":${seq + 10}}`)}${form(`{"seq":${seq + 20}}`)}`);
          for (let at = 0; at < bytes.length; at += size)
            decoder.push(bytes.subarray(at, at + size));
          bytes.fill(0);
          if (seq === 2) decoder.end();
        },
        onFault: ({ code }) => seen.push(code),
      });
      const first = form('{"seq":1,"more":true}') + form('{"seq":2,"more":true}');
      decoder.push(Buffer.from(first + form('{"seq":3}')));
      const offsets = ['{"seq":1,"more":true}', '{"seq":2,"more":true}', '{"seq":3}']
        .concat(['{"seq":11}', '{"seq":21}', '{"seq":12}', '{"seq":22}'])
        .map(form)
        .map((_, at, all) => all.slice(0, at).join("").length);
      const order = [1, 2, 3, 11, 21, 12, 22];
      assert.deepEqual(
        seen,
        order.map((seq, at) => [seq, offsets[at]]),
        `${framing}, ${size}`,
      );
    }
  }
});

test("several push() calls in handlers keep their order, and their exceptions are thrown once", () => {
  for (const framing of ["content-length", "lines"] as const) {
    const bytesOf = (seq: number): Buffer =>
      Buffer.from(framing === "lines" ? `{"seq":${seq}}\n` : framed(`{"seq":${seq}}`));
    const seen: number[] = [];
    const decoder: FrameDecoder = new FrameDecoder({
      framing,
      onMessage: (message) => {
        const { seq } = message as { seq: number };
        seen.push(seq);
        for (const next of [2 * seq, 2 * seq + 1]) if (next < 2_000) decoder.push(bytesOf(next));
        if (seq % 2 === 1) throw new Error(`from ${seq}`);
      },
    });
    assert.throws(() => decoder.push(bytesOf(1)), /from 1$/);
    assert.deepEqual(
      seen,
      Array.from({ length: 1_999 }, (_, at) => at + 1),
    );
    assert.throws(() => decoder.push(bytesOf(5_001)), /from 5001/);
  }
});

test("a frame's raw bytes have its true length and contain only header lines before the body", () => {
  const raws: string[] = [];
  const decoder = new FrameDecoder({
    onFrame: ({ raw }) => raws.push(Buffer.from(raw).toString("latin1")),
    onFault: () => undefined,
  });
  decoder.push(
    Buffer.from(
      'X-A: 1\r\ncontent-length : 060\r\nprinted\r\n\r\n{"a":1}Content-Length: 007\r\n\r\n{"b":1}',
    ),
  );
  decoder.end();
  assert.deepEqual(raws, [
    'X-A: 1\r\ncontent-length : 7\r\n\r\n{"a":1}',
    'Content-Length: 007\r\n\r\n{"b":1}',
  ]);
});

test("untrusted text in error messages is safe to print", () => {
  const nasty = '\x1b[2J\u202e\n::stop-commands::x\u2028"';
  const texts: string[] = [];
  const decoder = new FrameDecoder({
    onMessage: () => undefined,
    onFault: ({ message, sample }) => texts.push(message, sample),
  });
  const inHeader = nasty.replaceAll("\n", "");
  for (const text of [
    `Content-Length: 5\r\nContent-Type: x; charset=${inHeader}\r\n\r\n{"a":`,
    `Content-Length: ${inHeader}\r\n\r\n`,
    `Content-Length: 7\r\n${inHeader}\r\n\r\n{"a":1}`,
    `Content-Length: ${Buffer.byteLength(nasty) + 1}\r\n\r\n{${nasty}`,
    nasty,
  ])
    decoder.push(Buffer.from(text));
  decoder.end();
  assert.ok(texts.length >= 10);
  for (const text of texts) assert.match(text, /^[\x20-\x7e]*$/);
});
