import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  createDecoder,
  createDecoderStream,
  createEncoder,
  createFrameDecoder,
  readMessages,
  type Classified,
} from "@wirewright/dap";
import { createMessageTransform, createMessageWriter } from "@wirewright/dap/node";
import { FrameEncoder } from "../../../runtime/index.js";
import { textOf } from "../../support/framed-text.js";

const stopped = { seq: 1, type: "event", event: "stopped", body: { reason: "step" } } as const;

const mine = { seq: 2, type: "event", event: "vendor/heat" };

const stream = Buffer.concat([
  createEncoder().encode(stopped),
  Buffer.from(new FrameEncoder().encode(mine)),
  new FrameEncoder().encode({ a: 1 }),
]);

const classified = (messages: readonly Classified[]): string[] =>
  messages.map((each) => `${each.status} ${each.status === "malformed" ? each.code : each.name}`);

const want = ["known stopped", "custom vendor/heat", "malformed ERR_KIND"];

test("createDecoder() classifies messages, and createFrameDecoder() returns their bytes", () => {
  const messages: Classified[] = [];
  const decoder = createDecoder({ onMessage: (message) => messages.push(message) });
  decoder.push(stream);
  decoder.end();
  assert.deepEqual(classified(messages), want);
  const bodies: string[] = [];
  createFrameDecoder({ onFrame: ({ body }) => bodies.push(textOf(body)) }).push(stream);
  assert.deepEqual(
    bodies.map((body) => JSON.parse(body) as unknown),
    [stopped, mine, { a: 1 }],
  );
});

test("readMessages() reads only as much from its source as it needs", async () => {
  let taken = 0;
  function* source(): Generator<Uint8Array> {
    for (let at = 0; at < stream.length; at += 10) {
      taken++;
      yield stream.subarray(at, at + 10);
    }
  }
  const messages: Classified[] = [];
  for await (const message of readMessages(source())) {
    messages.push(message);
    if (messages.length === 1) assert.ok(taken < stream.length / 10, "the source was read ahead");
  }
  assert.deepEqual(classified(messages), want);
});

test("createDecoderStream() returns a WHATWG transform", async () => {
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < stream.length; at += 13)
        controller.enqueue(stream.subarray(at, at + 13));
      controller.close();
    },
  });
  const messages: Classified[] = [];
  const reader = input.pipeThrough(createDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    messages.push(next.value);
  assert.deepEqual(classified(messages), want);
});

test("over Node streams, a writer waits for the reader, and a transform decodes", async () => {
  const pipe = new PassThrough({ highWaterMark: 64 });
  const writer = createMessageWriter(pipe);
  const messages: Classified[] = [];
  const writing = (async () => {
    for (let index = 0; index < 200; index++) await writer.write({ ...stopped, seq: index + 1 });
    pipe.end();
  })();
  for await (const message of pipe.pipe(createMessageTransform()))
    messages.push(message as Classified);
  await writing;
  assert.deepEqual(
    messages.map((each) => each.status === "known" && each.message),
    Array.from({ length: 200 }, (_, index) => ({ ...stopped, seq: index + 1 })),
  );
  const broken = new PassThrough();
  broken.on("error", () => undefined);
  broken.destroy();
  await assert.rejects(createMessageWriter(broken).write(stopped));
});
