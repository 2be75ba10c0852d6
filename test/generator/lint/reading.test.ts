import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../generator/index.js";
import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { EntryQueue } from "../../../generator/session/entry-queue.js";
import { Interleaving } from "../../../generator/session/interleave.js";
import { LineCutter } from "../../../generator/session/entries/line-cutter.js";
import { LuaLog, readLuaLog } from "../../../generator/session/logs/lua-text.js";
import { RecordedLines } from "../../../generator/session/recorded-lines.js";
import type { RecordedEntry } from "../../../generator/session/entries/recorded-entry.js";
import { isOneSided, openRecording, readRecording } from "../../../generator/session/recording.js";
import {
  rememberedKey,
  shortName,
  shortText,
  valueText,
} from "../../../generator/session/remembered.js";
import { isMessage, Senders } from "../../../generator/session/entries/senders.js";

const dap = await readProtocol("dap");
const acp = await readProtocol("acp-breakpoints");

/** A text in two pieces, at every place, and a byte at a time. */
function* cutsOf(bytes: Buffer): Generator<readonly Buffer[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Buffer.of(byte));
}

test("lines are cut at line feeds, under any cut of the bytes", () => {
  const cases: readonly (readonly [text: string, lines: readonly string[]])[] = [
    ["", []],
    ["\n", ["1 "]],
    ["a", ["1 a"]],
    ["a\n\nbc\r\n\r\nd\re\n", ["1 a", "2 ", "3 bc", "4 ", "5 d\re"]],
    ["123456\n1234567\n12345678\nx", ["1 123456", "2 too long: 7", "3 too long: 8", "4 x"]],
    ["1234567\r\n123456789", ["1 too long: 8", "2 too long: 9"]],
    ["12345\r\nx\r", ["1 12345", "2 x"]],
    ["\rx\n\nabcdef", ["1 \rx", "2 ", "3 abcdef"]],
  ];
  for (const [text, want] of cases)
    for (const chunks of cutsOf(Buffer.from(text))) {
      const lines: string[] = [];
      const cutter = new LineCutter(6, {
        line: (bytes, number) => void lines.push(`${number} ${Buffer.from(bytes).toString()}`),
        tooLong: (number, length) => void lines.push(`${number} too long: ${length}`),
      });
      for (const chunk of chunks) cutter.push(chunk);
      cutter.end();
      cutter.end();
      assert.deepEqual(lines, want, text);
    }
});

test("entries are queued in batches, up to so many of them and of their bytes", () => {
  const queue = new EntryQueue({ bytes: 100, entries: 4 });
  const state = (): readonly unknown[] => [queue.first?.time, queue.hasRoom, queue.isOver];
  assert.deepEqual(state(), [undefined, true, false]);
  queue.add({ entries: [], bytes: 500 });
  assert.deepEqual(state(), [undefined, true, false]);
  queue.add({ entries: [{ time: 1 }, { time: 2 }], bytes: 60 });
  queue.add({ entries: [{ time: 3 }], bytes: 39 });
  assert.deepEqual(state(), [1, true, false]);
  queue.add({ entries: [{ time: 4 }], bytes: 0 });
  assert.deepEqual(state(), [1, false, false]);
  assert.deepEqual(queue.take(), { time: 1 });
  assert.deepEqual(state(), [2, true, false]);
  queue.add({ entries: [{ time: 5 }], bytes: 1 });
  assert.deepEqual(state(), [2, false, false]);
  // The bytes of a batch go with its last entry.
  assert.deepEqual(queue.take(), { time: 2 });
  assert.deepEqual(state(), [3, true, false]);
  queue.end();
  assert.deepEqual(state(), [3, false, false]);
  assert.deepEqual(queue.takeAll(), [
    { entries: [{ time: 3 }], bytes: 39 },
    { entries: [{ time: 4 }], bytes: 0 },
    { entries: [{ time: 5 }], bytes: 1 },
  ]);
  assert.deepEqual(state(), [undefined, false, true]);
  const full = new EntryQueue({ bytes: 100, entries: 4 });
  full.add({ entries: [{ time: 1 }], bytes: 100 });
  assert.equal(full.hasRoom, false);
  full.takeAll();
  full.add({ entries: [{}, {}, {}], bytes: 99 });
  assert.equal(full.hasRoom, true);
});

const ask = (seq: unknown, command = "threads"): object => ({ seq, type: "request", command });
const answer = (request_seq: unknown, command = "threads"): object => ({
  ...{ seq: 0, type: "response", request_seq, success: true, command },
});
const tell = (event: string): object => ({ seq: 0, type: "event", event });
const entriesOf = (messages: readonly object[]): readonly RecordedEntry[] =>
  messages.map((message) => ("fault" in message ? (message as RecordedEntry) : { message }));

/** The order of two directions that are read in batches of so many messages, and the one needed before each. */
function interleaved(
  asked: readonly object[],
  answers: readonly object[],
  size: number,
): { readonly order: readonly string[]; readonly needs: readonly string[] } {
  const order = new Interleaving(dap);
  const rest = { initiator: [...asked], responder: [...answers] };
  const taken: string[] = [];
  const needs: string[] = [];
  for (;;) {
    const { entries, needs: direction } = order.take();
    for (const { from, message, fault } of entries) {
      const { type, seq, request_seq, event } = (message ?? {}) as Record<string, unknown>;
      taken.push(
        fault === undefined
          ? `${from} ${String(type)} ${String(event ?? request_seq ?? seq)}`
          : `${from} fault`,
      );
    }
    if (direction === undefined) return { order: taken, needs };
    needs.push(direction);
    const batch = rest[direction].splice(0, size);
    if (batch.length === 0) order.end(direction);
    else order.add(direction, { entries: entriesOf(batch), bytes: batch.length });
  }
}

const fault = { fault: { code: "ERR_NOISE", text: "x" } };
const orders: readonly (readonly [
  what: string,
  asked: readonly object[],
  answers: readonly object[],
  order: readonly string[],
])[] = [
  ["nothing", [], [], []],
  ["one side", [ask(1), ask(2)], [], ["client request 1", "client request 2"]],
  ["the other side", [], [tell("a"), answer(1)], ["adapter event a", "adapter response 1"]],
  [
    "an event that came before the first request",
    [ask(1)],
    [tell("a"), answer(1), tell("b")],
    ["client request 1", "adapter event a", "adapter response 1", "adapter event b"],
  ],
  [
    "answers as early as they can be",
    [ask(1), ask(2), ask(3)],
    [answer(1), answer(3), answer(2)],
    [
      "client request 1",
      "adapter response 1",
      "client request 2",
      "client request 3",
      "adapter response 3",
      "adapter response 2",
    ],
  ],
  [
    "an answer to nothing",
    [ask(1), ask(2)],
    [answer(9), answer(2), answer({}), answer(true)],
    [
      "client request 1",
      "adapter response 9",
      "client request 2",
      "adapter response 2",
      "adapter response [object Object]",
      "adapter response true",
    ],
  ],
  [
    "a number that is asked twice, texts, and what is no number",
    [ask(1), ask("1"), ask({}), ask(1), ask(2)],
    [answer(1), answer("1"), answer(1), answer(2)],
    [
      "client request 1",
      "adapter response 1",
      "client request 1",
      "adapter response 1",
      "adapter response 1",
      "client request [object Object]",
      "client request 1",
      "client request 2",
      "adapter response 2",
    ],
  ],
  [
    "requests of the answering side, and bytes that are no message",
    [ask(1), answer(7), fault, ask(2)],
    [ask(7), fault, answer(2), answer(1)],
    [
      "client request 1",
      "adapter request 7",
      "adapter fault",
      "client response 7",
      "client fault",
      "client request 2",
      "adapter response 2",
      "adapter response 1",
    ],
  ],
];
for (const [what, asked, answers, want] of orders)
  test(`two directions have an order that may have been: ${what}`, () => {
    for (const size of [1, 2, 3, 100]) {
      const { order, needs } = interleaved(asked, answers, size);
      assert.deepEqual(order, want, `in batches of ${size}`);
      // No more is read than is needed, and each direction to its end.
      const rounds = (messages: readonly object[]): number => Math.ceil(messages.length / size) + 1;
      assert.deepEqual(
        ["initiator", "responder"].map((each) => needs.filter((own) => own === each).length),
        [rounds(asked), rounds(answers)],
      );
    }
  });

test("a direction is read when it is its turn, and ahead only for a request that is answered", () => {
  const asked = [ask(1), ask(2), ask(3)];
  const answers = [answer(1), tell("a"), answer(3), answer(2)];
  assert.deepEqual(interleaved(asked, answers, 1), {
    order: [
      "client request 1",
      "adapter response 1",
      "adapter event a",
      "client request 2",
      "client request 3",
      "adapter response 3",
      "adapter response 2",
    ],
    needs: [
      ...["initiator", "responder", "responder", "responder", "initiator", "initiator"],
      ...["responder", "responder", "initiator"],
    ],
  });
});

test("a request is looked for in a bounded part of what comes next", () => {
  const order = new Interleaving(dap);
  order.add("initiator", { entries: entriesOf([ask(1)]), bytes: 1 });
  order.add("responder", { entries: entriesOf([answer(2), answer(1)]), bytes: 1 });
  order.add("initiator", { entries: entriesOf([ask(3)]), bytes: 4 * 1024 * 1024 });
  // It is not among the next 4 MiB: the answer is taken for one to nothing.
  const { entries, needs } = order.take();
  assert.deepEqual(
    [entries.map(({ message }) => message), needs],
    [[ask(1), answer(2), answer(1)], "responder"],
  );
});

test("who sends a message is told by its name, where one side alone sends it", () => {
  const senders = new Senders(dap);
  const cases: readonly (readonly [message: object, from: string | undefined])[] = [
    [ask(1), "client"],
    [ask(1, "runInTerminal"), "adapter"],
    [ask(1, "mine"), undefined],
    [answer(1), "adapter"],
    [answer(1, "runInTerminal"), "client"],
    [answer(1, "mine"), undefined],
    [tell("stopped"), "adapter"],
    [tell("mine"), undefined],
    [{ type: "odd" }, undefined],
    [{}, undefined],
  ];
  assert.deepEqual(
    cases.map(([message]) => senders.senderOf(message)),
    cases.map(([, from]) => from),
  );
  const rpc = new Senders(acp);
  assert.deepEqual(
    [
      rpc.senderOf({ jsonrpc: "2.0", id: 1, method: "initialize" }),
      rpc.senderOf({ jsonrpc: "2.0", id: 1, method: "fs/read_text_file" }),
      rpc.senderOf({ jsonrpc: "2.0", method: "session/update" }),
      rpc.senderOf({ jsonrpc: "2.0", id: 1, result: {} }),
    ],
    ["client", "agent", "agent", undefined],
  );
  assert.deepEqual(
    [ask(1), answer(1), tell("x"), { type: "odd" }, { seq: 1 }].map((each) => isMessage(each, dap)),
    [true, true, true, false, false],
  );
});

test("texts are cut to so many characters, and long ones remembered by their digest", () => {
  assert.deepEqual(
    [shortText("abcd", 4), shortText("abcde", 4), shortText("", 4)],
    ["abcd", "abc…", ""],
  );
  assert.deepEqual(
    [shortName("x".repeat(200)), shortName("x".repeat(201))],
    ["x".repeat(200), `${"x".repeat(199)}…`],
  );
  assert.deepEqual([[], {}, null, undefined, 1, "a", true].map(valueText), [
    "a list",
    "an object",
    "null",
    "undefined",
    "1",
    "a",
    "true",
  ]);
  const long = "y".repeat(201);
  assert.deepEqual([null, undefined, 1, "a", "y".repeat(200), true].map(rememberedKey), [
    null,
    undefined,
    1,
    "a",
    "y".repeat(200),
    true,
  ]);
  assert.match(String(rememberedKey(long)), /^[0-9a-f]{64}$/);
  assert.equal(rememberedKey(long), rememberedKey("y".repeat(201)));
  assert.notEqual(rememberedKey(long), rememberedKey(`${long}y`));
  const object = {};
  assert.notEqual(rememberedKey(object), rememberedKey(object));
});

/** What lines of a recording are read as, each with its bytes. */
function linesOf(text: string, protocol = dap): readonly unknown[] {
  const entries: unknown[] = [];
  const lines = new RecordedLines("x", protocol, (entry, bytes) => entries.push([entry, bytes]));
  lines.push(Buffer.from(text));
  lines.end();
  return entries;
}

test("lines are read with what they say of their messages", () => {
  const noJson = { code: "ERR_JSON", text: "Cannot read a line as JSON" };
  const deep = {
    code: "ERR_DEPTH",
    text: "Cannot read a line that nests more than 4096 levels deep",
  };
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const stopped = tell("stopped");
  const spelled = JSON.stringify(stopped);
  const cases: readonly (readonly [line: string, entry: object | undefined])[] = [
    ["", undefined],
    [" \t", undefined],
    ["[1]", undefined],
    [" [", undefined],
    ["x", { fault: noJson }],
    ["x [", { fault: noJson }],
    ["From client: [", { fault: noJson }],
    ["7", { fault: noJson }],
    ["null", { fault: noJson }],
    ["{", { fault: noJson }],
    [spelled, { message: stopped }],
    [`{"ts":1,"message":${spelled}}`, { message: stopped }],
    [`{"ts":1,"msg":${spelled}}`, { message: stopped }],
    [`{"ts":1,"body":${spelled}}`, { message: stopped }],
    [`{"message":1,"msg":{},"body":${spelled}}`, { message: stopped }],
    [`{"other":${spelled}}`, { message: { other: stopped } }],
    ['{"recording":"wirewright"}', undefined],
    ['{"recording":"other"}', { message: { recording: "other" } }],
    ['{"kind":"end"}', undefined],
    [`{"kind":"message","message":1}`, { message: { kind: "message", message: 1 } }],
    [`{"kind":"message","message":${spelled}}`, { message: stopped }],
    [
      `{"kind":"message","from":"adapter","time":1.5,"offset":7,"session":3,"message":${spelled}}`,
      { from: "adapter", time: 1.5, offset: 7, session: 3, message: stopped },
    ],
    [
      `{"kind":"message","time":"1","offset":[],"session":null,"message":${spelled}}`,
      { message: stopped },
    ],
    [
      '{"kind":"fault","from":"client","code":"ERR_UTF8","text":"no text"}',
      { from: "client", fault: { code: "ERR_UTF8", text: "no text" } },
    ],
    [
      '{"kind":"fault","code":7,"text":7}',
      { fault: { code: "ERR_JSON", text: "The recording does not say what it was" } },
    ],
    [
      '{"kind":"noise","time":2,"code":"ERR_UTF8","text":"oops"}',
      { time: 2, fault: { code: "ERR_NOISE", text: "oops" } },
    ],
    [`{"type":"event","x":${nested(4_099)}}`, { message: "deep" }],
    [`{"type":"event","x":${nested(4_100)}}`, { fault: deep }],
  ];
  for (const [line, entry] of cases) {
    const [read] = linesOf(`${line}\n`) as [RecordedEntry, number][];
    const shown = line.slice(0, 60);
    if (entry === undefined) assert.equal(read, undefined, shown);
    else if ("message" in entry && entry.message === "deep") assert.ok(read![0].message, shown);
    else assert.deepEqual(read, [{ ...entry, line: 1 }, line.length + 1], shown);
  }
  assert.deepEqual(linesOf(`\n${spelled}\r\n\n${spelled}`), [
    [{ line: 2, message: stopped }, spelled.length + 1],
    [{ line: 4, message: stopped }, spelled.length + 1],
  ]);
});

test("a long line that nests too deep is not parsed, nor one that is too long", () => {
  const padding = "x".repeat(2 * 1024 * 1024);
  const [deep] = linesOf(`{"x":"${padding}","y":${"[".repeat(5_000)}}`) as [
    RecordedEntry,
    number,
  ][];
  assert.equal(deep![0].fault?.code, "ERR_DEPTH");
  const [fine] = linesOf(`{"type":"event","event":"${padding}"}`) as [RecordedEntry, number][];
  assert.equal(fine![0].fault, undefined);
  const length = maxMessageBytes + 64 * 1024 + 1;
  const entries: unknown[] = [];
  const lines = new RecordedLines("x", dap, (entry, bytes) => entries.push([entry, bytes]));
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  for (let left = length; left > 0; left -= chunk.length)
    lines.push(chunk.subarray(0, Math.min(left, chunk.length)));
  lines.end();
  assert.deepEqual(entries, [
    [
      {
        line: 1,
        fault: {
          code: "ERR_BODY_TOO_LONG",
          text: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
        },
      },
      length,
    ],
  ]);
});

test("tables of a Lua log are read under any cut, each with its line and its bytes", () => {
  const text =
    "before { 0 }\n[START] x\n[DEBUG] a { 1 } and { 2 }\n[ INFO ] b\n { x = {\n} }\n[WARN] none\n[ERROR ] c { 3 }";
  const want = [
    [{ line: 3, value: [1] }, 13],
    [{ line: 3, value: [2] }, 13],
    [{ line: 4, value: { x: [] } }, 24],
    [{ line: 8, value: [3] }, 17],
  ];
  for (const chunks of cutsOf(Buffer.from(text))) {
    const tables: unknown[] = [];
    const log = new LuaLog({
      table: (table, bytes) => tables.push([table, bytes]),
      tooLong: () => assert.fail(),
    });
    for (const chunk of chunks) log.push(chunk);
    log.end();
    assert.deepEqual(tables, want);
  }
  const values: readonly (readonly [text: string, value: unknown])[] = [
    ["{}", []],
    ["{ 1, 2, }", [1, 2]],
    ['{ "a", x = 1 }', { 1: "a", x: 1 }],
    ['{ a_1 = 1, ["b c"] = 2, [3] = 4, ["d"] = 5 }', { a_1: 1, "b c": 2, 3: 4, d: 5 }],
    ["{ <1>{ 1 }, <table 1> }", [[1], undefined]],
    ["{ <metatable> = { 1 }, x = 2 }", { "<metatable>": [1], x: 2 }],
    ["{ a = nil, b = vim.NIL, c = vim.empty_dict() }", { a: null, b: null, c: {} }],
    ["{ true, false, -1.5e+3, 0x10 }", [true, false, -1500, 16]],
    [
      "{ 'it\\'s', \"\\\"\\\\\\n\\t\\065\\10!\", '\\a\\b\\f\\r\\v\\q' }",
      ["it's", '"\\\n\tA\n!', "\x07\b\f\r\vq"],
    ],
    ["{ x = <function 1>, y = 1 }", { y: 1 }],
  ];
  for (const [spelled, value] of values)
    assert.deepEqual(readLuaLog(`[DEBUG] ${spelled}`), [{ line: 1, value }], spelled);
  for (const spelled of ["{ 1 2 }", "{ [1 }", "{ [1] 2 }", '{ "a }', "{ word }", "{", '{ "\\'])
    assert.deepEqual(readLuaLog(`[DEBUG] ${spelled}`), [], spelled);
  const nested = (levels: number): string => `[DEBUG] ${"{".repeat(levels)}${"}".repeat(levels)}`;
  assert.deepEqual([readLuaLog(nested(201)).length, readLuaLog(nested(202)).length], [1, 0]);
});

test("an entry of a Lua log that is too long is told of, and those behind it are read", () => {
  const log: unknown[] = [];
  const reader = new LuaLog({
    table: ({ line, value }) => void log.push([line, value]),
    tooLong: (line, length) => void log.push([line, length - maxMessageBytes]),
  });
  reader.push(Buffer.from("[DEBUG] { 1 }\n[DEBUG] { 2,\n"));
  const blank = Buffer.alloc(1024 * 1024, 0x20);
  for (let left = maxMessageBytes; left > 0; left -= blank.length)
    reader.push(blank.subarray(0, Math.min(left, blank.length)));
  reader.push(Buffer.from("\n}\n[DEBUG] { 3 }"));
  reader.end();
  assert.deepEqual(log, [
    [1, [1]],
    [2, "[DEBUG] { 2,\n".length + 1 + "}\n".length],
    [5, [3]],
  ]);
});

const bytesOf = (...lines: readonly object[]): Uint8Array =>
  Buffer.from(lines.map((each) => JSON.stringify(each)).join("\n"));
const framed = (...messages: readonly object[]): Uint8Array =>
  Buffer.from(
    messages
      .map((each) => JSON.stringify(each))
      .map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`)
      .join(""),
  );

test("what could be from either is from the one side that is heard, and one side is told", async () => {
  const odd = { seq: 1, type: "event", event: "mine" };
  const cases: readonly (readonly [bytes: Uint8Array, from: readonly unknown[], is: boolean])[] = [
    [framed(odd, tell("stopped"), odd), ["adapter", "adapter", "adapter"], true],
    [framed(odd, ask(1)), ["client", "client"], true],
    [framed(odd, ask(1), tell("stopped")), [undefined, "client", "adapter"], false],
    [framed(odd), [undefined], true],
    [bytesOf(odd, tell("stopped")), ["adapter", "adapter"], false],
  ];
  for (const [bytes, from, is] of cases) {
    const entries = readRecording([{ name: "x", bytes }], dap);
    assert.deepEqual(
      entries.map((entry) => entry.from),
      from,
    );
    assert.equal(isOneSided(entries), is);
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const open = await openRecording([{ name: "x", chunks }], dap);
    const streamed: RecordedEntry[] = [];
    for await (const entry of open) streamed.push(entry);
    assert.deepEqual([streamed, open.isOneSided], [entries, is]);
  }
});

test("of two files the one that says more of what a client says is the client's", async () => {
  const client = framed(ask(1), { seq: 2, type: "event", event: "mine" }, ask(3));
  const adapter = framed(answer(1), { seq: 2, type: "event", event: "mine" }, answer(3));
  const said = ["client 1", "adapter 1", "adapter mine", "client mine", "client 3", "adapter 3"];
  for (const [one, other] of [
    [client, adapter],
    [adapter, client],
  ] as const) {
    const files = [
      { name: "one", bytes: one },
      { name: "other", bytes: other },
    ];
    const show = ({ from, message }: RecordedEntry): string => {
      const { seq, request_seq, event } = message as Record<string, unknown>;
      return `${from} ${String(event ?? request_seq ?? seq)}`;
    };
    assert.deepEqual(readRecording(files, dap).map(show), said);
    const open = await openRecording(
      files.map(({ name, bytes }) => ({ name, chunks: [bytes] })),
      dap,
    );
    const streamed: string[] = [];
    for await (const entry of open) streamed.push(show(entry));
    assert.deepEqual([streamed, open.isOneSided], [said, false]);
  }
});
