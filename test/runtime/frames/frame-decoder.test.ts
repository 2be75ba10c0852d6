import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { defaultLimits, FrameDecoder, type FrameFault } from "../../../runtime/index.js";
import { everyCut, logOf } from "../../support/frame-cases.js";
import { fromRoot } from "../../support/paths.js";
import { framed } from "../../support/framed-text.js";
import { pushPieces } from "../../support/stream-oracles.js";

test("a header name that differs from Content-Length in one byte is not a length, however the bytes are split", () => {
  for (let changed = 0; changed < 15; changed++) {
    const bytes = framed('{"a":1}');
    bytes[changed] = 0x5f;
    for (const { name, cuts } of everyCut(bytes.length)) {
      const log = logOf(bytes, cuts, {});
      // A line without a colon is not a header.
      const want =
        changed < 14
          ? ["error ERR_LENGTH_MISSING 0+21", 'noise 21 "{\\"a\\":1}"', "error ERR_NOISE 21+7"]
          : ['noise 0 "Content-Length_ 7\\r\\n"', "error ERR_NOISE 0+19", "error ERR_FRAMING 21+7"];
      assert.deepEqual(log, want, `${changed}, ${name}`);
    }
  }
});

test("a frame's raw bytes equal the bytes in the stream, no matter how they are split", () => {
  const streams = {
    "content-length": [
      'Content-Length: 7\r\n\r\n{"a":1}',
      'Content-Length: 0007\r\n\r\n{"b":1}',
      'content-length:7\n\n{"c":1}',
      'X: 1\r\nContent-Length: 7\r\n\n{"d":1}',
      "Content-Length: 02\r\nX: é\r\n\r\n{}",
    ],
    lines: ['{"a":1}\n', ' {"b":1} \r\n', "{}\n", '{"c":1}'],
  };
  for (const framing of ["content-length", "lines"] as const) {
    const wanted = streams[framing];
    const bytes = Buffer.from(wanted.join(""));
    for (const { name, cuts } of everyCut(bytes.length)) {
      const raw: string[] = [];
      const decoder = new FrameDecoder({
        framing,
        onFrame: (each) => raw.push(Buffer.from(each.raw).toString()),
        onFault: (error) => raw.push(error.message),
      });
      pushPieces(decoder, bytes, cuts);
      decoder.end();
      assert.deepEqual(raw, wanted, `${framing}, ${name}`);
    }
  }
});

test("a body passed on as bytes must begin and end with braces, apart from whitespace", () => {
  const bodies = ["{}", " \r\n{ }\t\n", "\ufeff{}", "{", "}", "[]", "{]", "[}", "", " ", '"{}"'];
  const at = (text: string): string => `${JSON.stringify(text)} as a frame`;
  for (const recovery of ["tolerant", "strict"] as const) {
    const taken = recovery === "strict" ? ["{}", " \r\n{ }\t\n"] : bodies.slice(0, 3);
    for (const body of bodies) {
      const reports: unknown[] = [];
      const decoder = new FrameDecoder({
        recovery,
        onFrame: (each) => reports.push(Buffer.from(each.body).toString()),
        onFault: (error) => reports.push(error),
      });
      const bytes = framed(body);
      decoder.push(bytes);
      // After a body that stops in mid-value, the decoder waits for the next header.
      decoder.end();
      const refused = {
        code: "ERR_JSON",
        message: "Cannot use a body that is not an object",
        offset: 0,
        length: bytes.length,
        sample: body.replace("\ufeff", "..."),
        recovered: false,
      };
      assert.deepEqual(reports, [taken.includes(body) ? body : refused], at(body));
    }
  }
});

test("a fault has all of its properties, and has a cause only if a handler threw", () => {
  const errors: FrameFault[] = [];
  const thrown = new Error("from the handler");
  const decoder = new FrameDecoder({
    onMessage: () => {
      throw thrown;
    },
    onFault: (error) => errors.push(error),
  });
  decoder.push(Buffer.concat([Buffer.from("junk\n"), framed("{}"), Buffer.from("junk\n")]));
  decoder.end();
  const noise = { code: "ERR_NOISE", length: 5, sample: "junk\\n", recovered: false };
  const message = "Skipped 5 bytes that do not belong to a message";
  assert.deepEqual(errors, [
    { ...noise, message, offset: 0 },
    {
      code: "ERR_HANDLER",
      message: "A message handler threw",
      offset: 5,
      length: 23,
      sample: "",
      recovered: true,
      cause: thrown,
    },
    { ...noise, message, offset: 28 },
  ]);
});

test("the next message arrives after a handler has thrown", () => {
  const bytes = Buffer.concat([framed('{"a":1}'), framed('{"b":2}'), framed('{"c":3}')]);
  const throwing = (seen: object[]) => (message: object) => {
    seen.push(message);
    if ("b" in message) throw new Error("from the handler");
  };
  const reported: FrameFault[] = [];
  const seen: object[] = [];
  const decoder = new FrameDecoder({
    onMessage: throwing(seen),
    onFault: (error) => reported.push(error),
  });
  decoder.push(bytes);
  assert.deepEqual(seen, [{ a: 1 }, { b: 2 }, { c: 3 }]);
  assert.equal(reported.length, 1);
  assert.equal(reported[0]!.code, "ERR_HANDLER");
  assert.equal((reported[0]!.cause as Error).message, "from the handler");

  const unheard: object[] = [];
  const quiet = new FrameDecoder({ onMessage: throwing(unheard) });
  assert.throws(() => quiet.push(bytes), /from the handler/);
  assert.equal(unheard.length, 3);
  quiet.push(framed('{"d":4}'));
  assert.deepEqual(unheard.at(-1), { d: 4 });
});

test("a message that follows a body of the wrong length is delivered when its last byte arrives", () => {
  const damaged = 'Content-Length: 60\r\n\r\n{"a":1}';
  const next = 'Content-Length: 7\r\n\r\n{"b":2}';
  const bytes = Buffer.from(damaged + next);
  // Push the first bytes as one chunk and the rest one byte at a time, so that the header is split
  // at every offset.
  for (let cut = 1; cut < bytes.length; cut++) {
    const seen: unknown[] = [];
    const decoder = new FrameDecoder({
      onMessage: (message, { offset }) => seen.push([message, offset]),
      onFault: ({ code, offset }) => seen.push([code, offset]),
    });
    decoder.push(bytes.subarray(0, cut));
    for (let at = cut; at < bytes.length; at++) decoder.push(bytes.subarray(at, at + 1));
    const expected = [
      [{ a: 1 }, 0],
      ["ERR_LENGTH_WRONG", 0],
      [{ b: 2 }, damaged.length],
    ];
    assert.deepEqual(seen, expected, `cut at ${cut}`);
    // The message after the delivered one has the correct offset as well.
    decoder.push(Buffer.from(next));
    assert.deepEqual(seen.at(-1), [{ b: 2 }, bytes.length], `cut at ${cut}`);
  }
});

test("strict recovery ignores all bytes after the first fault", () => {
  const seen: object[] = [];
  const errors: string[] = [];
  const decoder = new FrameDecoder({
    recovery: "strict",
    onMessage: (message) => seen.push(message),
    onFault: ({ code }) => errors.push(code),
  });
  decoder.push(framed('{"a":1}'));
  decoder.push(Buffer.from("junk\r\n"));
  decoder.push(framed('{"b":2}'));
  decoder.end();
  assert.deepEqual([seen, errors, decoder.failed], [[{ a: 1 }], ["ERR_HEADER_LINE"], true]);
});

test("invalid limits and a decoder without a handler are refused", () => {
  for (const value of [0, -1, 1.5, NaN, Infinity]) {
    assert.throws(
      () => new FrameDecoder({ onMessage: () => undefined, limits: { maxDepth: value } }),
      TypeError,
    );
  }
  assert.throws(() => new FrameDecoder({}), TypeError);
  assert.equal(Object.keys(defaultLimits).length, 4);
});

test("onFrame receives the body as bytes, the other headers and the whole frame", () => {
  const bytes = Buffer.from(
    'X-Trace: 7\r\nContent-Length: 7\r\n\r\n{"a":1}Content-Length: 4\r\n\r\nnullContent-Length: 7\r\n\r\n{"b":2}',
  );
  const frames: unknown[] = [];
  const errors: string[] = [];
  const decoder = new FrameDecoder({
    onFrame: ({ body, headers, raw, offset }) =>
      frames.push([
        offset,
        Buffer.from(body).toString(),
        Object.fromEntries(headers),
        Buffer.from(raw).toString(),
      ]),
    onFault: ({ code }) => errors.push(code),
  });
  for (const byte of bytes) decoder.push(Uint8Array.of(byte));
  decoder.end();
  assert.deepEqual(frames, [
    [0, '{"a":1}', { "x-trace": "7" }, 'X-Trace: 7\r\nContent-Length: 7\r\n\r\n{"a":1}'],
    [65, '{"b":2}', {}, 'Content-Length: 7\r\n\r\n{"b":2}'],
  ]);
  assert.deepEqual(errors, ["ERR_JSON"]);
});

test("a body of a megabyte and more is decoded as UTF-8, whether it is ASCII or not", () => {
  const filler = "x".repeat(0x10_0000);
  for (const [bytes, text] of [
    [Buffer.from("end"), "end"],
    [Buffer.from("\u00e9\u65e5"), "\u00e9\u65e5"],
    [Buffer.of(0xc3), "\ufffd"],
  ] as const) {
    const body = Buffer.concat([Buffer.from(`{"a":"${filler}`), bytes, Buffer.from('"}')]);
    const messages: object[] = [];
    const decoder = new FrameDecoder({ onMessage: (message) => messages.push(message) });
    decoder.push(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    assert.deepEqual(messages, [{ a: filler + text }]);
  }
});

test("a decoder works the same if Buffer does not exist", () => {
  const script = `
    const bytes = new Uint8Array(${JSON.stringify([...Buffer.concat([framed('{"a":"é日本😀"}'), framed(`{"b":"${"x".repeat(5000)}"}`), Buffer.from("junk\n"), framed('{"c":[1]}')])])});
    delete globalThis.Buffer;
    const { FrameDecoder, FrameEncoder } = await import(${JSON.stringify(fromRoot("build/runtime/index.js"))});
    for (const size of [1, 7, 100000]) {
      const log = [];
      const decoder = new FrameDecoder({ onMessage: (m) => log.push(JSON.stringify(m).length), onFault: (e) => log.push(e.code) });
      for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
      decoder.end();
      console.log(log.join(" "));
    }
    console.log(String.fromCharCode(...new FrameEncoder().encode({ a: "\\u00e9" })).replace(/\\r\\n/g, "|"));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(
    stdout,
    `${"13 5008 ERR_NOISE 9\n".repeat(3)}Content-Length: 10||{"a":"\u00c3\u00a9"}\n`,
  );
});
