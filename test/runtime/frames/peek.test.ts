import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inspect } from "node:util";
import { peek } from "@wirewright/dap";
import { createPeek, type Peeked } from "../../../runtime/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { framed, textOf } from "../../support/framed-text.js";
import { ticker } from "../../support/ticker.js";

const nothing: Peeked = {
  kind: undefined,
  id: undefined,
  name: undefined,
  replyTo: undefined,
  success: undefined,
};

testCases("test/cases/peeked-messages.md", "a message is read in parts", (input) => {
  const [body] = readInput(input) as readonly [string];
  const bytes = Buffer.from(body);
  const end = Buffer.byteLength(body.trimEnd());
  for (let cut = 0; cut < end; cut++)
    assert.equal(peek(bytes.subarray(0, cut)), undefined, `cut at ${cut}`);
  const found = peek(bytes);
  return found === undefined ? [] : [inspect(found, { breakLength: Infinity })];
});

test("renumber() changes only the id and the header, whatever the old id and its position", () => {
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
  // Compare all frames again: a later frame must not have overwritten an earlier one.
  for (const [frame, want] of frames) assert.equal(textOf(frame), want);
});

test("peek() determines the kind of a JSON-RPC message from its fields", () => {
  const look = createPeek(ticker.protocol.envelope);
  for (const [body, want] of [
    [
      '{"jsonrpc":"2.0","id":"a","method":"ticker/start"}',
      { kind: "request", id: "a", name: "ticker/start" },
    ],
    [
      '{"jsonrpc":"2.0","method":"ticker/tick","params":{"id":1}}',
      { kind: "event", name: "ticker/tick" },
    ],
    ['{"id":4,"result":{"error":1}}', { kind: "response", id: 4, replyTo: 4, success: true }],
    ['{"id":4,"error":{}}', { kind: "response", id: 4, replyTo: 4, success: false }],
  ] as const)
    assert.deepEqual(look(Buffer.from(body)), { ...nothing, ...want });
});

test("peek() and renumber() read non-ASCII field names, escaped or not", () => {
  const look = createPeek({
    constants: {},
    id: "日本",
    replyTo: "zu",
    request: { when: { größe: "x" }, name: "größe", payload: "p" },
    event: { when: { e: true }, name: "e", payload: "p" },
    response: { when: { zu: true }, result: "r", error: "f" },
  });
  for (const body of ['{"日本":1,"größe":"x"}', '{"\\u65e5本":1,"gr\\u00f6\\u00dfe":"x"}']) {
    const bytes = Buffer.from(body);
    assert.equal(look(bytes)?.kind, "request");
    assert.equal(look(bytes)?.id, 1);
    const frame = Buffer.from(look.renumber(bytes, 77)!).toString();
    assert.equal(frame.slice(frame.indexOf("{")), body.replace(":1", ":77"));
  }
  const repeated = Buffer.from('{"日本":1,"\\u65e5\\u672c":2}');
  const frame = Buffer.from(look.renumber(repeated, 77)!).toString();
  assert.equal(frame.slice(frame.indexOf("{")), '{"日本":1,"\\u65e5\\u672c":77}');
});

test("peek() leaves all values except plain strings and integers to JSON.parse", () => {
  const unread = undefined;
  // Strings that share a cache slot. One is a prefix of the other.
  const cases: readonly (readonly [spelled: string, read: unknown])[] = [
    ['"aB"', "aB"],
    ['"a"', "a"],
    [`"${"x".repeat(32)}"`, "x".repeat(32)],
    [`"${"x".repeat(33)}"`, "x".repeat(33)],
    ['""', ""],
    ['"\\u0041\\n"', "A\n"],
    ['"\u007f"', "\u007f"],
    ['"a\nb"', unread],
    ['"a\u0000b"', unread],
    ["0", 0],
    ["01", unread],
    ["00", unread],
    ["1x", unread],
    ["1/2", unread],
    ["1:2", unread],
    ["123456789012345", 123_456_789_012_345],
    ["1234567890123456", 1_234_567_890_123_456],
    ["1e3", 1_000],
    ["-1", -1],
    ["tru", unread],
  ];
  for (const [spelled, read] of cases)
    assert.deepEqual(
      peek(Buffer.from(`{"seq":${spelled},"type":"event","event":"stopped"}`)),
      { ...nothing, kind: "event", id: read, name: "stopped" },
      spelled,
    );
});

test("renumber()'s error describes the ids that it accepts", () => {
  for (const id of [-1, 1.5, NaN, Infinity, 2 ** 53])
    assert.throws(() => peek.renumber(Buffer.from('{"seq":1}'), id), {
      name: "RangeError",
      message: `Cannot number a message ${id}: ids are non-negative whole numbers`,
    });
  for (const body of [
    "",
    "[]",
    "{}",
    "null",
    '{"seq"=1}',
    '{"seq"',
    '{"seq":',
    '{"x":1',
    '{"x":1]',
    '{"x" 1}',
  ])
    assert.equal(peek.renumber(Buffer.from(body), 1), undefined, body);
});

test("peek() returns nothing if text follows the object", () => {
  for (const body of ['{"seq":1}x', '{"seq":1}{}', '{"seq":1,}', '{"seq":1 "x":2}', '["seq"]'])
    assert.equal(peek(Buffer.from(body)), undefined, body);
  assert.equal(peek(Buffer.from('\ufeff {"seq":1} \r\n\t'))?.id, 1);
});

test("peek() reads the name of a response that contains one", () => {
  const look = createPeek({
    id: "id",
    constants: {},
    replyTo: "to",
    request: { name: "ask", payload: "with", when: { ask: true } },
    event: { name: "tell", payload: "with", when: { tell: true } },
    response: { name: "answer", result: "with", when: { answer: true }, error: "failed" },
  });
  for (const [body, want] of [
    ['{"ask":"a","id":1}', { kind: "request", id: 1, name: "a" }],
    ['{"tell":"b"}', { kind: "event", name: "b" }],
    ['{"answer":"c","to":1}', { kind: "response", name: "c", replyTo: 1, success: true }],
    ['{"answer":"c","failed":0}', { kind: "response", name: "c", success: false }],
    ['{"id":"x"}', { id: "x" }],
  ] as const)
    assert.deepEqual(look(Buffer.from(body)), { ...nothing, ...want }, body);
});

suite("renumber() replaces ids by field", () => {
  const renumber = (body: string, ids: Parameters<typeof peek.renumber>[1]): string | undefined => {
    const frame = peek.renumber(Buffer.from(body), ids as never);
    return frame === undefined ? undefined : Buffer.from(frame).toString();
  };

  test("renumber() replaces only the given ids of the message itself", () => {
    const body = (seq: string, replyTo: string): string =>
      `{ "request_seq" :${replyTo}, "body":{"seq":1,"request_seq":2,"é":"\\"seq\\":3"},"seq": ${seq} }`;
    assert.equal(
      renumber(body("1", "22"), { seq: 4_711, request_seq: 0 }),
      textOf(framed(body("4711", "0"))),
    );
    assert.equal(renumber(body("1", "22"), { request_seq: 5 }), textOf(framed(body("1", "5"))));
    assert.equal(renumber(body("1", "22"), { seq: 5 }), textOf(framed(body("5", "22"))));
    assert.equal(renumber(body("1", "22"), {}), textOf(framed(body("1", "22"))));
  });

  test("renumber() uses the last of any duplicate keys, escaped or not", () => {
    const body = (last: string): string => `{"seq":1,"s\\u0065q":${last}}`;
    assert.equal(renumber(body("2"), { seq: 3 }), textOf(framed(body("3"))));
  });

  test("renumber() refuses messages without the field, invalid ids, and fields that are not ids", () => {
    assert.equal(renumber('{"seq":1}', { seq: 1, request_seq: 2 }), undefined);
    assert.equal(renumber("[1]", { seq: 1 }), undefined);
    assert.equal(renumber('{"seq":1', { seq: 1 }), undefined);
    for (const id of [-1, 1.5, NaN, 2 ** 53, "1" as unknown as number])
      assert.throws(() => renumber('{"seq":1}', { seq: id }), RangeError);
    // @ts-expect-error TS2353: `sequence` is not an id field.
    assert.throws(() => peek.renumber(Buffer.from('{"seq":1}'), { sequence: 1 }), {
      name: "TypeError",
      message: 'Cannot renumber "sequence": it is not an id field',
    });
  });

  test("renumber() works with the fields in either order", () => {
    for (const message of [
      { seq: 12, type: "response", request_seq: 7, success: true, command: "x", body: "\u2028" },
      { request_seq: 7, seq: 12 },
    ]) {
      const frame = renumber(JSON.stringify(message), { seq: 99_999, request_seq: 123 });
      assert.equal(
        frame,
        textOf(framed(JSON.stringify({ ...message, seq: 99_999, request_seq: 123 }))),
      );
    }
  });
});
