import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { peek } from "@wirewright/dap";
import { createPeek } from "../../../runtime/index.js";
import { seeded } from "../../support/sample-values.js";
import { framed, textOf } from "../../support/framed-text.js";

const random = seeded(23);
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;

const names = ["seq", "type", "command", "event", "request_seq", "success", "body"].concat([
  "x",
  "",
  "__proto__",
  "constructor",
  "seq ",
  "Seq",
  "é",
  "日本",
]);
const numbers = [
  "0",
  "-0",
  "1",
  "-5",
  "1e3",
  "1E+2",
  "1e-7",
  "1e400",
  "-1e400",
  "0.1",
  "1.0",
].concat(["9007199254740993", "123456789012345", "1234567890123456", "12345678901234567890"]);
const texts = [
  "event",
  "request",
  "response",
  "",
  "é",
  "😀",
  "\\\\",
  '\\"',
  "\\n",
  "\\ud83d",
  "\ufeff",
].concat(['seq\\":1', '\\",\\"seq\\":1', "}", "]", "x".repeat(40)]);

/** Returns a quoted string in which some letters are escaped. */
function spell(text: string): string {
  const letters = text.startsWith("\\")
    ? text
    : text.replaceAll(/[^\\"]/gu, (letter) => {
        if (below(12) > 0 || letter.length > 1) return letter;
        const hex = letter.charCodeAt(0).toString(16).padStart(4, "0");
        return `\\u${below(2) === 0 ? hex : hex.toUpperCase()}`;
      });
  return `"${letters}"`;
}

const blank = (): string => (below(6) === 0 ? pick([" ", "\n", "\t", "\r", " \r\n"]) : "");

function value(depth: number): string {
  const kind = below(depth > 3 ? 7 : 10);
  if (kind < 3) return pick(numbers);
  if (kind < 6) return spell(pick(texts));
  if (kind < 7) return pick(["true", "false", "null"]);
  if (kind < 9) return object(depth + 1);
  return `[${Array.from({ length: below(4) }, () => blank() + value(depth + 1) + blank()).join()}]`;
}

function object(depth: number): string {
  const fields = Array.from(
    { length: below(7) },
    () => `${blank()}${spell(pick(names))}${blank()}:${blank()}${value(depth)}${blank()}`,
  );
  return `{${fields.join()}${blank()}}`;
}

/** Returns the bytes unchanged, with a few changes, or with a byte order mark. */
function bend(text: string): Uint8Array {
  const bytes = Buffer.from(below(20) === 0 ? `\ufeff${text}` : text);
  for (let change = below(4) === 0 ? below(4) : 0; change > 0; change--)
    bytes[below(bytes.length)] = pick([0x22, 0x5c, 0x7b, 0x7d, 0x2c, 0x3a, 0xff, 0xc3, below(256)]);
  return below(10) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes;
}

function parse(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Derives the result that `peek` should return for a message from its fields. */
function expectedOf(message: object): ReturnType<typeof peek> {
  const own = (name: string): unknown =>
    Object.hasOwn(message, name) ? (message as Record<string, unknown>)[name] : undefined;
  const scalar = (of: unknown) =>
    typeof of === "number" || typeof of === "string" ? of : undefined;
  const type = own("type");
  const kind = type === "request" || type === "event" || type === "response" ? type : undefined;
  const name = kind === undefined ? undefined : own(kind === "event" ? "event" : "command");
  const success = own("success");
  return {
    kind,
    id: scalar(own("seq")),
    name: typeof name === "string" ? name : undefined,
    replyTo: kind === "response" ? scalar(own("request_seq")) : undefined,
    success: kind === "response" && typeof success === "boolean" ? success : undefined,
  };
}

test("peek() and renumber() are correct for any object that JSON.parse accepts, and never throw for any bytes", () => {
  let objects = 0;
  let renumbered = 0;
  for (let round = 0; round < 15_000; round++) {
    const bytes = bend(blank() + object(0) + blank());
    const shown = Buffer.from(bytes).toString("latin1");
    const peeked = peek(bytes);
    const frame = peek.renumber(bytes, 123_456);
    const message = parse(bytes);
    if (message === undefined) continue;
    objects++;
    assert.deepStrictEqual(peeked, expectedOf(message), shown);
    if (!Object.hasOwn(message, "seq")) assert.equal(frame, undefined, shown);
    else {
      renumbered++;
      const text = Buffer.from(frame!).toString("latin1");
      const body = frame!.subarray(text.indexOf("\r\n\r\n") + 4);
      assert.ok(text.startsWith(`Content-Length: ${body.length}\r\n\r\n`), shown);
      assert.deepStrictEqual(parse(body), Object.assign(message, { seq: 123_456 }), shown);
    }
  }
  assert.ok(objects > 8_000 && renumbered > 1_000, `${objects} objects, ${renumbered} renumbered`);
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
      { kind: "event", id: read, name: "stopped", replyTo: undefined, success: undefined },
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
    assert.deepEqual(
      look(Buffer.from(body)),
      {
        kind: undefined,
        id: undefined,
        name: undefined,
        replyTo: undefined,
        success: undefined,
        ...want,
      },
      body,
    );
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
