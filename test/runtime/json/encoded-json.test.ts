import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameEncoder } from "../../../runtime/index.js";
import { seeded } from "../../../tools/shared/sample-values.js";

const lines = new FrameEncoder({ framing: "lines" });
const frames = new FrameEncoder();

/** The encoder writes what `JSON.stringify` makes of a message, byte by byte. */
function assertSame(message: object, what?: string): void {
  assertSameEach(() => message, what);
}

/** The same of a message that changes when it is read: each reader gets its own. */
function assertSameEach(make: () => object, what?: string): void {
  const body = JSON.stringify(make());
  assert.equal(Buffer.from(lines.encode(make())).toString(), `${body}\n`, what);
  assert.equal(
    Buffer.from(frames.encode(make())).toString(),
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    what,
  );
}

test("every character is written as JSON has it, at every place of a text", () => {
  const codes = [
    ...Array.from({ length: 0x82 }, (_, code) => code),
    ...[0xe9, 0x7ff, 0x800, 0xefef, 0xff1a, 0xfeff, 0xfffd, 0xffff, 0x2028, 0x1f600, 0x10ffff],
    ...[0xd800, 0xdbff, 0xdc00, 0xdfff],
  ];
  for (const code of codes) {
    const character = String.fromCodePoint(code);
    for (const filler of ["a", "é", "日"]) {
      for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 40]) {
        assertSame({
          first: filler.repeat(length) + character,
          middle: filler.repeat(length) + character + filler.repeat(9),
          twice: character + filler.repeat(length) + character,
          [filler.repeat(length) + character]: 1,
        });
      }
    }
  }
});

test("numbers are written as JSON has them", () => {
  const numbers = [0, -0, 0.1, -1, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 1e21];
  for (let power = 0; power < 40; power++) {
    for (const more of [-1, 0, 1, 0.5]) numbers.push(10 ** (power / 2) + more, 2 ** power + more);
  }
  for (const value of numbers) assertSame({ value, list: [value, -value] });
});

function randomText(random: () => number): string {
  const alphabets = ["abc def", 'a"\\/\n\t\u0001', "aé日😀", "\ud83d\ude00\ufffd\uff1a", "a\u0000"];
  const alphabet = alphabets[Math.floor(random() * alphabets.length)]!;
  const length = Math.floor(random() ** 3 * 90);
  let text = "";
  while (text.length < length) text += alphabet[Math.floor(random() * alphabet.length)]!;
  return text;
}

function randomValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 4 ? 8 : 11));
  if (kind < 3) return randomText(random);
  if (kind < 5) return Math.floor((random() - 0.2) * 10 ** Math.floor(random() * 17));
  if (kind === 5) return random() < 0.5;
  if (kind === 6) return random() < 0.5 ? null : random() * 100;
  if (kind === 7) return random() < 0.5 ? undefined : () => 1;
  const length = Math.floor(random() * 7);
  if (kind === 8) return Array.from({ length }, () => randomValue(random, depth + 1));
  return randomObject(random, depth, length);
}

function randomObject(random: () => number, depth = 0, length = 5): object {
  const value: Record<string, unknown> = {};
  for (let count = 0; count < length; count++) {
    const name = random() < 0.8 ? `name${Math.floor(random() * 50)}` : randomText(random);
    value[name] = randomValue(random, depth + 1);
  }
  return value;
}

test("random messages are written as JSON.stringify does, alone and many at once", () => {
  const random = seeded(20);
  for (let round = 0; round < 300; round++) {
    const batch = Array.from({ length: 10 }, () => randomObject(random));
    for (const message of batch) assertSame(message);
    assert.equal(
      Buffer.from(lines.encodeInto(batch)).toString(),
      batch.map((message) => `${JSON.stringify(message)}\n`).join(""),
    );
  }
});

class Point {
  #secret = 3;
  x = 1;
  y = undefined;
  method = (): number => this.#secret;
  get computed(): number {
    return this.#secret;
  }
}
class Point3 extends Point {
  z = 4;
}

function hidden(name: string, value: unknown): object {
  return Object.defineProperty({ a: 1 }, name, { value, enumerable: false });
}

const sparse = [1, , 3];
const rawJson = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON;

const unusual: Readonly<Record<string, object>> = {
  "an instance of a class": new Point(),
  "an instance of a class that extends another": { inner: new Point3() },
  "inherited properties": Object.create({ inherited: 1 }, {}) as object,
  "inherited properties below": { inner: Object.create({ inherited: 1 }) as object },
  "no prototype": { inner: Object.assign(Object.create(null) as object, { a: 1 }) },
  "wrapped primitives": {
    a: [new Number(1), new String("x"), new Boolean(false), Object(Symbol())],
  },
  "a class of texts": { a: new (class extends String {})("x") },
  "a property that is not enumerable": hidden("b", 2),
  "a toJSON that is not enumerable": hidden("toJSON", () => ({ other: 1 })),
  "a toJSON that is no function": { toJSON: 1, a: { toJSON: null } },
  "a toJSON of a list": { a: Object.assign([1], { toJSON: () => "x" }) },
  "dates, maps, sets, errors and expressions": {
    a: [new Date(0), new Map([[1, 2]]), new Set([1]), new Error("x"), /x/],
  },
  "typed arrays": {
    a: new Uint8Array(3),
    b: Buffer.from("ab"),
    c: new DataView(new ArrayBuffer(2)),
  },
  "lists with holes and properties": { a: sparse, b: Object.assign([1], { name: "x" }) },
  "a class of lists": { a: new (class extends Array<number> {})(1, 2) },
  symbols: { a: Symbol("x"), [Symbol("y")]: 1, b: [Symbol("z")] },
  "numbers as names": { b: 1, 10: 2, 2: 3, "-1": 4, 1.5: 5 },
  "a getter": {
    get a() {
      return { b: 1 };
    },
  },
  proxies: { a: new Proxy({ b: 1 }, {}), c: new Proxy([1, 2], {}) },
  "own names of the prototype": JSON.parse(
    '{"__proto__":{"a":1},"constructor":1,"hasOwnProperty":2,"toString":3}',
  ) as object,
  "many names": Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`n${index}`, index]),
  ),
  "long names": { ["x".repeat(53)]: 1, ["x".repeat(54)]: 2, ["é".repeat(60)]: 3, "": 4 },
  "deep nesting": JSON.parse(`{"a":${"[".repeat(300)}${"]".repeat(300)}}`) as object,
  "a text of many lines": { text: 'const a = "b";\n'.repeat(30_000) },
  "control characters only": { text: "\u0001".repeat(70_000) },
  ...(rawJson === undefined ? {} : { "raw JSON": { a: rawJson("1e3") } }),
};
for (const [what, message] of Object.entries(unusual)) {
  test(`JSON of what is unusual: ${what}`, () => assertSame(message, what));
}

test("a getter may change what follows it", () => {
  const removes = (): object => ({
    get a() {
      delete (this as { b?: number }).b;
      return 1;
    },
    b: 2,
    c: 3,
  });
  const adds = (): object => ({
    get a() {
      (this as { d?: number }).d = 4;
      return 1;
    },
    c: 3,
  });
  const cutsShort = (): object => {
    const list: unknown[] = [];
    const shorten = {
      get a() {
        list.length = 1;
        return 1;
      },
    };
    list.push(shorten, 2, 3);
    return { list };
  };
  for (const make of [removes, adds, cutsShort]) assertSameEach(make, make.name);
});

test("what was added to the prototypes is seen as JSON.stringify sees it", () => {
  const add = (prototype: object, name: string, value: unknown): void => {
    Object.defineProperty(prototype, name, { value, configurable: true, enumerable: true });
    try {
      assertSame({ a: 1, b: { c: [true, "x"] }, d: new Point() }, name);
    } finally {
      delete (prototype as Record<string, unknown>)[name];
    }
  };
  add(Object.prototype, "inherited", 1);
  add(Object.prototype, "toJSON", () => ({ all: "the same" }));
  add(Array.prototype, "toJSON", () => "a list");
  add(Point.prototype, "toJSON", () => "a point");
  add(Array.prototype, "1", "in a hole");
  const bigInt = BigInt.prototype as { toJSON?: () => string };
  bigInt.toJSON = function () {
    return `${String(this)}n`;
  };
  try {
    assertSame({ a: 12n });
  } finally {
    delete bigInt.toJSON;
  }
});

test("what is usual is read once: no second text of a message is made", () => {
  const long = "abc def ghi jkl mno pqr stu";
  const values: readonly unknown[] = [
    ...["", "short", 'a "quote"\n', "é", "日本😀", long, `${long} é \uff1a`, `${long} "quote"\n`],
    ...[0, -1, 7, 10, 1_234_567_890, 1.5, NaN, true, false, null, undefined, () => 1, Symbol("x")],
    ...[{}, [], { a: { b: [1, { c: "d" }] } }, [[1], [undefined, null]], new Point3()],
  ];
  for (const value of values) {
    let times = 0;
    const message = {
      get counted() {
        times++;
        return 1;
      },
      value,
      list: [value],
      inner: { value, "ä name": value },
    };
    const body = JSON.stringify(message);
    times = 0;
    assert.equal(Buffer.from(lines.encode(message)).toString(), `${body}\n`);
    assert.equal(times, 1, body);
  }
});

test("a BigInt in an object of a class, or in a list, is refused", () => {
  const instance = Object.assign(new Point(), { big: 1n, more: 2 });
  for (const message of [instance, { inner: instance }, { list: [1n, 2] }])
    assert.throws(() => lines.encode(message), { code: "ERR_ENCODE_BIGINT" });
});

test("small frames lie in one piece of memory, behind one that could not be written too", () => {
  const encoder = new FrameEncoder();
  const { buffer } = encoder.encode({ a: 1 });
  assert.equal(encoder.encode({ b: 2 }).buffer, buffer);
  assert.throws(() => encoder.encode({ big: 1n }), { code: "ERR_ENCODE_BIGINT" });
  assert.throws(() => encoder.encodeInto([{ big: 1n }]), { code: "ERR_ENCODE_BIGINT" });
  assert.equal(encoder.encode({ c: 3 }).buffer, buffer);
  assert.equal(encoder.encodeInto([{ d: 4 }, { e: 5 }]).buffer, buffer);
});

test("texts of any length are whole at the end of the memory", () => {
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

test("a getter may use the encoder that writes its message", () => {
  for (const encoder of [new FrameEncoder(), new FrameEncoder({ framing: "lines" })]) {
    const inner: Uint8Array[] = [];
    const message = {
      before: "x".repeat(30),
      get nested() {
        inner.push(encoder.encode({ inner: inner.length }), encoder.encodeInto([{ batch: 1 }]));
        return 1;
      },
    };
    const once = Buffer.from(encoder.encode(message)).toString();
    const batch = Buffer.from(encoder.encodeInto([message, message])).toString();
    const plain = (value: object): string => Buffer.from(encoder.encode(value)).toString();
    assert.equal(once, plain({ before: "x".repeat(30), nested: 1 }));
    assert.equal(batch, once + once);
    assert.deepEqual(
      inner.map((bytes) => Buffer.from(bytes).toString()),
      [0, 2, 4].flatMap((count) => [plain({ inner: count }), plain({ batch: 1 })]),
    );
  }
});

test("frames stay as they were while memory is renewed and grows", () => {
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

test("a message that cannot be written leaves the encoder as it was", () => {
  const encoder = new FrameEncoder();
  const bad = {
    text: "x".repeat(100),
    get broken(): number {
      throw new Error("no");
    },
  };
  assert.throws(() => encoder.encode(bad), { code: "ERR_ENCODE_TOJSON" });
  assert.throws(() => encoder.encodeInto([{ a: 1 }, bad]), { code: "ERR_ENCODE_TOJSON" });
  assert.equal(
    Buffer.from(encoder.encodeInto([{ a: 1 }, { b: 2 }])).toString(),
    'Content-Length: 7\r\n\r\n{"a":1}Content-Length: 7\r\n\r\n{"b":2}',
  );
});
