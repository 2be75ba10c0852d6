import assert from "node:assert/strict";
import { test } from "node:test";
import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { LineCutter } from "../../../sessions/read/json-lines.js";
import { RecordedLines } from "../../../sessions/read/recorded-lines.js";
import type { RecordedEntry } from "../../../sessions/read/recorded-entry.js";
import { dap, tell } from "../../support/read-entries.js";

/** Splits the bytes in two at each offset, and finally into single bytes. */
function* cutsOf(bytes: Buffer): Generator<readonly Buffer[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Buffer.of(byte));
}

test("lines are split at line feeds, however the bytes are split", () => {
  const cases: readonly (readonly [text: string, lines: readonly string[]])[] = [
    ["", []],
    ["\n", ["1 "]],
    ["a", ["1 a"]],
    ["a\n\nbc\r\n\r\nd\re\n", ["1 a", "2 ", "3 bc", "4 ", "5 d\re"]],
    [
      "123456\n1234567\n12345678\nx",
      ["1 123456", "2 too long: 7 1234567", "3 too long: 8 12345678", "4 x"],
    ],
    ["1234567\r\n123456789", ["1 too long: 8 1234567\r", "2 too long: 9 123456789"]],
    ["12345\r\nx\r", ["1 12345", "2 x"]],
    ["\rx\n\nabcdef", ["1 \rx", "2 ", "3 abcdef"]],
  ];
  for (const [text, want] of cases)
    for (const chunks of cutsOf(Buffer.from(text))) {
      const lines: string[] = [];
      const cutter = new LineCutter(6, {
        line: (bytes, number) => void lines.push(`${number} ${Buffer.from(bytes).toString()}`),
        tooLong: (number, length, beginning) =>
          void lines.push(`${number} too long: ${length} ${Buffer.from(beginning).toString()}`),
      });
      for (const chunk of chunks) cutter.push(chunk);
      cutter.end();
      cutter.end();
      assert.deepEqual(lines, want, text);
    }
});

/** Returns the entries in a recording's lines, each with its bytes. */
function linesOf(text: string, protocol = dap): readonly unknown[] {
  const entries: unknown[] = [];
  const lines = new RecordedLines("x", protocol, (entry, bytes) => entries.push([entry, bytes]));
  lines.push(Buffer.from(text));
  lines.end();
  return entries;
}

test("recorded lines are read with the facts about their messages", () => {
  const noJson = { code: "ERR_LOST", message: "Cannot read a line as JSON" };
  const deep = {
    code: "ERR_DEPTH",
    message: "Cannot read a line that nests more than 4096 levels deep",
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
      { from: "client", fault: { code: "ERR_UTF8", message: "no text" } },
    ],
    [
      '{"kind":"fault","code":7,"text":7}',
      {
        fault: {
          code: "ERR_JSON",
          message: "The recording does not include the content of this message",
        },
      },
    ],
    [
      '{"kind":"noise","time":2,"code":"ERR_UTF8","text":"oops"}',
      { time: 2, fault: { code: "ERR_NOISE", message: "oops" } },
    ],
    [`{"type":"event","x":${nested(4_099)}}`, { message: "deep" }],
    [`{"type":"event","x":${nested(4_100)}}`, { fault: deep }],
    // The beginning of a damaged line in a recording gives its position.
    [
      `{"session":2,"kind":"message","time":1.5,"from":"adapter","offset":7,"message":{"x":${nested(4_100)}}}`,
      { from: "adapter", time: 1.5, offset: 7, session: 2, fault: deep },
    ],
    [
      '{"kind":"message","time":1,"from":"adapter","bytes":[{"quirk":"name',
      { from: "adapter", time: 1, fault: noJson },
    ],
    ['{"kind":"message","time":1,"from":"adap', { time: 1, fault: noJson }],
    ['{"kind":"message","from":"server","time":', { fault: noJson }],
    ['{"kind":"', { fault: noJson }],
    ['{"from":"adapter","message":{', { fault: noJson }],
    ['{"a":{"kind":"message","from":"adapter","message":{', { fault: noJson }],
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

test("a line that nests too deeply or is too long is not parsed", () => {
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
          message: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
        },
      },
      length,
    ],
  ]);
});
