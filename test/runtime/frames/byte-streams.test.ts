import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createMappedStream,
  decodeMessages,
  type StreamOptions,
} from "../../../runtime/frames/async-streams.js";
import { decodeFrames } from "../../../runtime/frames/frame-decoder.js";
import { createDecoderTransform, createFrameWriter } from "../../../runtime/frames/node-streams.js";
import { framed, textOf } from "../../support/framed-text.js";

const throwing = {
  onFault: () => {
    throw new Error("from a handler");
  },
};

test("decodeMessages() yields the messages in a chunk before it throws a handler's exception", async () => {
  for (const source of [
    [Buffer.from(`${framed('{"seq":1}')}junk\n${framed('{"seq":2}')}`), framed("{}")],
    [Buffer.from(`${framed('{"seq":1}')}${framed('{"seq":2}')}junk\n`)],
  ]) {
    const seen: object[] = [];
    await assert.rejects(async () => {
      for await (const message of decodeMessages(decodeFrames, source, throwing))
        seen.push(message);
    }, /from a handler/);
    assert.deepEqual(seen, [{ seq: 1 }, { seq: 2 }]);
  }
});

const lines = { framing: "lines" } as const;

test("decodeMessages() yields a message completed by the end of input, and under strict recovery stops reading after a fault", async () => {
  const whole: object[] = [];
  for await (const message of decodeMessages(
    decodeFrames,
    [Buffer.from('{"a":1}\n{"b"'), Buffer.from(":2}")],
    lines,
  ))
    whole.push(message);
  assert.deepEqual(whole, [{ a: 1 }, { b: 2 }]);

  const asked: number[] = [];
  function* source(): Generator<Uint8Array> {
    for (const [index, part] of ['{"a":1}\n', "oops\n", '{"b":2}\n'].entries()) {
      asked.push(index);
      yield Buffer.from(part);
    }
  }
  const until: object[] = [];
  for await (const message of decodeMessages(decodeFrames, source(), {
    ...lines,
    recovery: "strict",
  }))
    until.push(message);
  assert.deepEqual([until, asked], [[{ a: 1 }], [0, 1]]);
});

test("decodeMessages() ends with its signal's reason, even while the source is silent", async () => {
  const controller = new AbortController();
  const calls: string[] = [];
  const silent: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        calls.push("next");
        if (calls.length > 1) return new Promise(() => undefined);
        return Promise.resolve({ value: Buffer.from('{"a":1}\n{"a":2}\n{"a"') });
      },
      return: () => {
        calls.push("return");
        return new Promise(() => undefined);
      },
    }),
  };
  const seen: object[] = [];
  const reading = (async () => {
    const options = { ...lines, signal: controller.signal };
    for await (const message of decodeMessages(decodeFrames, silent, options)) seen.push(message);
  })();
  await nextTurn();
  controller.abort(new Error("enough"));
  await assert.rejects(reading, new Error("enough"));
  assert.deepEqual(
    [seen, calls],
    [
      [{ a: 1 }, { a: 2 }],
      ["next", "next", "return"],
    ],
  );

  const aborted = decodeMessages(decodeFrames, [Buffer.from('{"a":1}\n')], {
    ...lines,
    signal: controller.signal,
  });
  await assert.rejects(aborted.next(), new Error("enough"));
  assert.throws(
    () =>
      createMappedStream(
        decodeFrames,
        { ...lines, signal: controller.signal } as StreamOptions,
        String,
      ),
    /unknown option "signal"/,
  );
});

test("decodeMessages() with a signal reads, closes and fails just as it does without one", async () => {
  const { signal } = new AbortController();
  const calls: string[] = [];
  function* source(): Generator<Uint8Array> {
    try {
      yield Buffer.from('{"a":1}\n');
      yield Buffer.from('{"a":2}\n');
      calls.push("read");
      throw new Error("lost");
    } finally {
      calls.push("closed");
    }
  }
  for await (const _ of decodeMessages(decodeFrames, source(), { ...lines, signal })) break;
  assert.deepEqual(calls.splice(0), ["closed"]);
  const seen: object[] = [];
  await assert.rejects(async () => {
    for await (const message of decodeMessages(decodeFrames, source(), { ...lines, signal }))
      seen.push(message);
  }, new Error("lost"));
  assert.deepEqual(
    [seen, calls],
    [
      [{ a: 1 }, { a: 2 }],
      ["read", "closed"],
    ],
  );
  const whole: object[] = [];
  for await (const message of decodeMessages(decodeFrames, [Buffer.from('{"a":1}')], {
    ...lines,
    signal,
  }))
    whole.push(message);
  assert.deepEqual(whole, [{ a: 1 }]);
});

test("createMappedStream() yields a message completed by the end of input, and under strict recovery ends at a fault", async () => {
  const through = async (parts: readonly string[], options: StreamOptions): Promise<object[]> => {
    const input = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    const messages: object[] = [];
    for await (const message of input.pipeThrough(
      createMappedStream(decodeFrames, options, (message) => message),
    ))
      messages.push(message);
    return messages;
  };
  assert.deepEqual(await through(['{"a":1}\n{"b"', ":2}"], lines), [{ a: 1 }, { b: 2 }]);
  assert.deepEqual(
    await through(['{"a":1}\n', "oops\n", '{"b":2}\n'], { ...lines, recovery: "strict" }),
    [{ a: 1 }],
  );
});

test("an exception in a handler ends a transform with that very error", async () => {
  const ofHandler = createDecoderTransform(decodeFrames, throwing);
  const ofMap = createDecoderTransform(decodeFrames, {}, () => {
    throw Object.create(null);
  });
  const atEnd = createDecoderTransform(decodeFrames, throwing);
  for (const [transform, bytes, message] of [
    [ofHandler, `junk\n${framed("{}")}`, "from a handler"],
    [ofMap, textOf(framed("{}")), "A handler threw"],
    [atEnd, "junk\n", "from a handler"],
  ] as const) {
    const failed = once(transform, "error");
    transform.resume();
    transform.end(Buffer.from(bytes));
    assert.equal((await failed)[0].message, message);
  }
});

test("a transform skips messages for which its map returns nothing", async () => {
  const transform = createDecoderTransform(decodeFrames, {}, (message) =>
    "skip" in message ? message.skip : message,
  );
  transform.end(Buffer.from(['{"skip":null}', "{}", '{"skip":1}'].map(framed).join("")));
  assert.deepEqual(await transform.toArray(), [{}, 1]);
});

test("under strict recovery, a transform ends at the first fault", async () => {
  const transform = createDecoderTransform(decodeFrames, { recovery: "strict" });
  for (const text of [framed('{"seq":1}'), framed('{"seq":2}'), "junk\r\n\r\n", framed("{}")])
    transform.write(text);
  transform.end();
  assert.deepEqual(await transform.toArray(), [{ seq: 1 }, { seq: 2 }]);
});

test("a writer rejects if a message cannot be encoded or written", async () => {
  const output = new PassThrough();
  const writer = createFrameWriter(output);
  await assert.rejects(writer.write({ big: 1n }), { code: "ERR_ENCODE_BIGINT" });
  await writer.write({ seq: 1 });
  assert.equal(String(output.read()), textOf(framed('{"seq":1}')));
  const broken = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => done(new Error("no more")),
  });
  broken.on("error", () => undefined);
  await assert.rejects(createFrameWriter(broken).write({ seq: 1 }), /no more/);
  await assert.rejects(createFrameWriter(broken).write({ seq: 1 }), Error);
});
