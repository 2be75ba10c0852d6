import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  createDecoder,
  createDecoderStream,
  createEncoder,
  decodeFrames,
  peek,
  readMessages,
  type Classified,
} from "../../../generated/dap/index.js";
import { createMessageTransform, createWriter } from "../../../generated/dap/node.js";
import { createPeek, FrameDecoder, FrameEncoder, type Peeked } from "../../../runtime/index.js";
import * as ticker from "../../fixtures/ticker/generated/index.js";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Values that are awkward to write, among them everything JSON can hold. */
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

test("encode() writes exactly Content-Length, a blank line and the body, in one array", () => {
  assert.equal(text(new FrameEncoder().encode({ seq: 1 })), 'Content-Length: 9\r\n\r\n{"seq":1}');
  assert.equal(text(new FrameEncoder().encode({ a: "é" })), 'Content-Length: 10\r\n\r\n{"a":"é"}');
  assert.equal(text(new FrameEncoder({ framing: "lines" }).encode({ a: "\n" })), '{"a":"\\n"}\n');
});

for (const framing of ["content-length", "lines"] as const) {
  test(`decode(encode(x)) is what JSON makes of x (${framing})`, () => {
    for (const asciiOnly of [false, true]) {
      const encoder = new FrameEncoder({ framing, asciiOnly });
      const frames = messages.map((message) => encoder.encode(message));
      const batch = encoder.encodeInto(messages);
      assert.deepEqual(
        Buffer.from(batch),
        Buffer.concat(frames),
        "encodeInto() writes the same bytes",
      );
      if (asciiOnly) assert.ok(batch.every((byte) => byte < 0x80));
      const decoded: object[] = [];
      const again: Uint8Array[] = [];
      const decoder = new FrameDecoder({
        framing,
        onMessage: (message, frame) => (decoded.push(message), again.push(frame.raw)),
        onError: ({ message }) => assert.fail(message),
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

test("frames of one encoder do not share bytes", () => {
  const encoder = new FrameEncoder();
  const first = encoder.encode({ a: 1 });
  const copy = text(first);
  for (let index = 0; index < 5_000; index++)
    encoder.encode({ index, text: "y".repeat(index % 90) });
  assert.equal(text(first), copy);
});

const cycle: Record<string, unknown> = { list: [] };
(cycle["list"] as unknown[]).push({ back: cycle });
const deepBigInt = { body: { "a/b": [0, { "~": 10n }] } };
for (const [name, value, code, path] of [
  ["a BigInt", deepBigInt, "ERR_ENCODE_BIGINT", "/body/a~1b/1/~0"],
  ["a cycle", cycle, "ERR_ENCODE_CYCLE", "/list/0/back"],
  [
    "a toJSON that throws",
    {
      a: {
        toJSON() {
          throw new Error("no");
        },
      },
    },
    "ERR_ENCODE_TOJSON",
    "/a",
  ],
  [
    "a getter that throws",
    {
      a: {
        get b() {
          throw new Error("no");
        },
      },
    },
    "ERR_ENCODE_TOJSON",
    "/a",
  ],
  ["a list", [1], "ERR_ENCODE_NOT_OBJECT", ""],
  ["undefined", undefined as unknown as object, "ERR_ENCODE_NOT_OBJECT", ""],
  ["a message whose toJSON gives a text", { toJSON: () => "x" }, "ERR_ENCODE_NOT_OBJECT", ""],
] as const) {
  test(`encode() refuses ${name} and names its path`, () => {
    const encoder = new FrameEncoder();
    assert.throws(() => encoder.encode(value), { name: "EncodeError", code, path });
    assert.throws(() => encoder.encodeInto([{ fine: 1 }, value]), { code, path });
    assert.equal(text(encoder.encode({ a: 1 })), 'Content-Length: 7\r\n\r\n{"a":1}');
  });
}

test("encode() asks the check first", () => {
  const encoder = createEncoder({
    check: (message) => {
      if (!("seq" in message)) throw new TypeError("a message needs a seq");
    },
  });
  assert.throws(
    () => encoder.encode({ type: "event", event: "initialized" } as never),
    /a message needs a seq/,
  );
});

const peeks: readonly (readonly [string, string, Peeked | undefined])[] = [
  [
    "a request",
    '{"seq":5,"type":"request","command":"next","arguments":{"seq":9}}',
    { kind: "request", id: 5, name: "next", replyTo: undefined, success: undefined },
  ],
  [
    "an event, with look-alikes inside",
    '{"body":{"type":"request","seq":1,"event":"no"},"event":"stopped","type":"event","seq":7}',
    { kind: "event", id: 7, name: "stopped", replyTo: undefined, success: undefined },
  ],
  [
    "a response",
    ' { "seq" : 8 , "type" : "response" , "request_seq" : 5 , "success" : false , "command" : "" } ',
    { kind: "response", id: 8, name: "", replyTo: 5, success: false },
  ],
  [
    "escaped keys and values",
    '{"s\\u0065q":3,"\\u0074ype":"ev\\u0065nt","event":"\\u0073topped"}',
    { kind: "event", id: 3, name: "stopped", replyTo: undefined, success: undefined },
  ],
  [
    "repeated keys: the last counts",
    '{"seq":1,"type":"request","seq":2,"type":"event","event":"a","event":"b"}',
    { kind: "event", id: 2, name: "b", replyTo: undefined, success: undefined },
  ],
  [
    "keys in strings",
    '{"seq":1,"x":"\\"seq\\":2,\\"type\\":\\"event\\"","type":"event","event":"é\\"}"}',
    { kind: "event", id: 1, name: 'é"}', replyTo: undefined, success: undefined },
  ],
  [
    "fields of other types",
    '{"seq":{"a":1},"type":"event","event":null}',
    { kind: "event", id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  [
    "no known kind",
    '{"type":"responce"}',
    { kind: undefined, id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  [
    "an empty object",
    "{}",
    { kind: undefined, id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  ["no object", "[1]", undefined],
  ["a cut object", '{"seq":1,"type":"ev', undefined],
  ["nothing", "", undefined],
];
for (const [name, body, want] of peeks) {
  test(`peek() at ${name}`, () => {
    const bytes = Buffer.from(body);
    assert.deepEqual(peek(bytes), want);
    const end = Buffer.byteLength(body.trimEnd());
    for (let cut = 0; cut < end; cut++)
      assert.equal(peek(bytes.subarray(0, cut)), undefined, `cut at ${cut}`);
  });
}

test("peek() sees what JSON.parse sees, in messages with fields at random places", () => {
  let state = 11;
  const random = (below: number): number => (
    (state = (Math.imul(state, 1664525) + 1013904223) >>> 0),
    state % below
  );
  const values = [
    "1",
    "0",
    '"event"',
    '"request"',
    '"response"',
    '"re\\u0071uest"',
    "true",
    "false",
    "null",
    '{"type":"event","seq":[1,{"seq":2}]}',
    '["}","]"]',
    '"\\\\"',
    '"\\""',
    "1.5e3",
  ];
  const keys = [
    "seq",
    "type",
    "command",
    "event",
    "request_seq",
    "success",
    "body",
    "se\\u0071",
    "typ\\u0065",
    "x",
  ];
  for (let round = 0; round < 5_000; round++) {
    const fields = Array.from(
      { length: random(9) },
      () =>
        `${" ".repeat(random(2))}"${keys[random(keys.length)]}"${" ".repeat(random(2))}:${values[random(values.length)]}`,
    );
    const body = `{${fields.join(",")}}`;
    const parsed = JSON.parse(body) as Record<string, unknown>;
    const type = parsed["type"];
    const kind = type === "request" || type === "event" || type === "response" ? type : undefined;
    const id = (value: unknown) =>
      typeof value === "number" || typeof value === "string" ? value : undefined;
    const name = kind === undefined ? undefined : parsed[kind === "event" ? "event" : "command"];
    assert.deepEqual(
      peek(Buffer.from(body)),
      {
        kind,
        id: id(parsed["seq"]),
        name: typeof name === "string" ? name : undefined,
        replyTo: kind === "response" ? id(parsed["request_seq"]) : undefined,
        success:
          kind === "response" && typeof parsed["success"] === "boolean"
            ? parsed["success"]
            : undefined,
      },
      body,
    );
    const renumbered = peek.renumber(Buffer.from(body), 123_456);
    if (!Object.hasOwn(parsed, "seq")) assert.equal(renumbered, undefined, body);
    else {
      const frame = text(renumbered!);
      const [head, rest] = [
        frame.slice(0, frame.indexOf("\r\n\r\n")),
        frame.slice(frame.indexOf("\r\n\r\n") + 4),
      ];
      assert.equal(head, `Content-Length: ${Buffer.byteLength(rest)}`, body);
      assert.deepEqual(JSON.parse(rest), { ...parsed, seq: 123_456 }, body);
    }
  }
});

test("renumber() writes nothing but the frame, whatever the old id and its place", () => {
  const frames: [Uint8Array, string][] = [];
  for (const [body, id, want] of [
    ['{"seq":1,"type":"event"}', 4711, '{"seq":4711,"type":"event"}'],
    ['{"seq":123456789,"type":"event"}', 1, '{"seq":1,"type":"event"}'],
    ...[0, 9, 10, 99_999, 100_000, 4_294_967_295, 4_294_967_296, 1e15 - 1, 1e15, 2 ** 53 - 1].map(
      (id) => ['{"seq":1,"type":"event"}', id, `{"seq":${id},"type":"event"}`] as const,
    ),
    [`{"seq":"${"x".repeat(500)}","type":"event"}`, 2, '{"seq":2,"type":"event"}'],
    [`{"text":"${"é".repeat(50)}","seq":7}`, 30, `{"text":"${"é".repeat(50)}","seq":30}`],
    ['{"seq":1,"a":"q\\"","seq":2}', 3, '{"seq":1,"a":"q\\"","seq":3}'],
  ] as const) {
    const frame = peek.renumber(Buffer.from(body), id)!;
    frames.push([frame, `Content-Length: ${Buffer.byteLength(want)}\r\n\r\n${want}`]);
  }
  for (const id of [-1, 1.5, NaN, 2 ** 53])
    assert.throws(() => peek.renumber(Buffer.from('{"seq":1}'), id), RangeError);
  // All of them again: no later frame has written into an earlier one.
  for (const [frame, want] of frames) assert.equal(text(frame), want);
});

test("peek() of JSON-RPC goes by which fields are there", () => {
  const look = createPeek(ticker.protocol.envelope);
  assert.deepEqual(look(Buffer.from('{"jsonrpc":"2.0","id":"a","method":"ticker/start"}')), {
    kind: "request",
    id: "a",
    name: "ticker/start",
    replyTo: undefined,
    success: undefined,
  });
  assert.deepEqual(
    look(Buffer.from('{"jsonrpc":"2.0","method":"ticker/tick","params":{"id":1}}')),
    { kind: "event", id: undefined, name: "ticker/tick", replyTo: undefined, success: undefined },
  );
  assert.deepEqual(look(Buffer.from('{"id":4,"result":{"error":1}}')), {
    kind: "response",
    id: 4,
    name: undefined,
    replyTo: 4,
    success: true,
  });
  assert.deepEqual(look(Buffer.from('{"id":4,"error":{}}')), {
    kind: "response",
    id: 4,
    name: undefined,
    replyTo: 4,
    success: false,
  });
});

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

test("createDecoder() sorts messages, decodeFrames() leaves them as bytes", () => {
  const messages: Classified[] = [];
  const decoder = createDecoder({ onMessage: (message) => messages.push(message) });
  decoder.push(stream);
  decoder.end();
  assert.deepEqual(classified(messages), want);
  const bodies: string[] = [];
  decodeFrames({ onFrame: ({ body }) => bodies.push(text(body)) }).push(stream);
  assert.deepEqual(
    bodies.map((body) => JSON.parse(body) as unknown),
    [stopped, mine, { a: 1 }],
  );
});

test("readMessages() takes from its source only what is asked for", async () => {
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

test("createDecoderStream() is a WHATWG transform", async () => {
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < stream.length; at += 13)
        controller.enqueue(stream.subarray(at, at + 13));
      controller.close();
    },
  });
  const messages: object[] = [];
  const reader = input.pipeThrough(createDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    messages.push(next.value);
  assert.deepEqual(messages, [stopped, mine, { a: 1 }]);
});

test("Node streams: a writer that waits for the reader, and a transform", async () => {
  const pipe = new PassThrough({ highWaterMark: 64 });
  const writer = createWriter(pipe);
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
  await assert.rejects(createWriter(broken).write(stopped));
});

test("the codec of a protocol of lines writes and reads lines", async () => {
  const bytes = ticker
    .createEncoder()
    .encode({ jsonrpc: "2.0", method: "ticker/tick", params: { tickerId: "a", count: 1 } });
  assert.equal(
    text(bytes),
    '{"jsonrpc":"2.0","method":"ticker/tick","params":{"tickerId":"a","count":1}}\n',
  );
  const kinds: string[] = [];
  for await (const message of ticker.readMessages([bytes]))
    kinds.push(message.status === "malformed" ? message.code : message.kind);
  assert.deepEqual(kinds, ["notification"]);
});
