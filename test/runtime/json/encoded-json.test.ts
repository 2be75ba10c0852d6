import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameEncoder } from "../../../runtime/index.js";

const lines = new FrameEncoder({ framing: "lines" });

const frames = new FrameEncoder();

/** Asserts that the encoder produces the same bytes as `JSON.stringify`. */
function assertSame(message: object, what?: string): void {
  assertSameEach(() => message, what);
}

/** Compares the bytes for a message that changes as it is read. Each reader gets its own copy. */
function assertSameEach(make: () => object, what?: string): void {
  const body = JSON.stringify(make());
  assert.equal(Buffer.from(lines.encode(make())).toString(), `${body}\n`, what);
  assert.equal(
    Buffer.from(frames.encode(make())).toString(),
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    what,
  );
}

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

test("every character is written as by JSON.stringify, at every position in a string", () => {
  const codes = [
    ...Array.from({ length: 0x82 }, (_, code) => code),
    0xe9,
    0x7ff,
    0x800,
    0xefef,
    0xff1a,
    0xfeff,
    0xfffd,
    0xffff,
    0x2028,
    0x1f600,
    0x10ffff,
    0xd800,
    0xdbff,
    0xdc00,
    0xdfff,
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

test("numbers are written as by JSON.stringify", () => {
  const numbers = [0, -0, 0.1, -1, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 1e21];
  for (let power = 0; power < 40; power++) {
    for (const more of [-1, 0, 1, 0.5]) numbers.push(10 ** (power / 2) + more, 2 ** power + more);
  }
  for (const value of numbers) assertSame({ value, list: [value, -value] });
});

function hidden(name: string, value: unknown): object {
  return Object.defineProperty({ a: 1 }, name, { value, enumerable: false });
}

const sparse = [1, , 3];

const rawJson = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON;

const unusual: Readonly<Record<string, object>> = {
  "a class instance": new Point(),
  "an instance of a derived class": { inner: new Point3() },
  "inherited properties": Object.create({ inherited: 1 }, {}) as object,
  "inherited properties in a nested object": { inner: Object.create({ inherited: 1 }) as object },
  "no prototype": { inner: Object.assign(Object.create(null) as object, { a: 1 }) },
  "wrapped primitives": {
    a: [new Number(1), new String("x"), new Boolean(false), Object(Symbol())],
  },
  "a subclass of String": { a: new (class extends String {})("x") },
  "a non-enumerable property": hidden("b", 2),
  "a non-enumerable toJSON": hidden("toJSON", () => ({ other: 1 })),
  "a toJSON that is not a function": { toJSON: 1, a: { toJSON: null } },
  "an array with toJSON": { a: Object.assign([1], { toJSON: () => "x" }) },
  "dates, maps, sets, errors and regular expressions": {
    a: [new Date(0), new Map([[1, 2]]), new Set([1]), new Error("x"), /x/],
  },
  "typed arrays": {
    a: new Uint8Array(3),
    b: Buffer.from("ab"),
    c: new DataView(new ArrayBuffer(2)),
  },
  "arrays with holes and properties": { a: sparse, b: Object.assign([1], { name: "x" }) },
  "a subclass of Array": { a: new (class extends Array<number> {})(1, 2) },
  symbols: { a: Symbol("x"), [Symbol("y")]: 1, b: [Symbol("z")] },
  "numeric property names": { b: 1, 10: 2, 2: 3, "-1": 4, 1.5: 5 },
  "a getter": {
    get a() {
      return { b: 1 };
    },
  },
  proxies: { a: new Proxy({ b: 1 }, {}), c: new Proxy([1, 2], {}) },
  "own properties named like those of the prototype": JSON.parse(
    '{"__proto__":{"a":1},"constructor":1,"hasOwnProperty":2,"toString":3}',
  ) as object,
  "many properties": Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`n${index}`, index]),
  ),
  "long property names": { ["x".repeat(53)]: 1, ["x".repeat(54)]: 2, ["é".repeat(60)]: 3, "": 4 },
  "deep nesting": JSON.parse(`{"a":${"[".repeat(300)}${"]".repeat(300)}}`) as object,
  "a text with many lines": { text: 'const a = "b";\n'.repeat(30_000) },
  "control characters only": { text: "\u0001".repeat(70_000) },
  ...(rawJson === undefined ? {} : { "raw JSON": { a: rawJson("1e3") } }),
};

for (const [what, message] of Object.entries(unusual)) {
  test(`unusual values are written as by JSON.stringify: ${what}`, () => assertSame(message, what));
}

test("a BigInt in a class instance or in an array is refused", () => {
  const instance = Object.assign(new Point(), { big: 1n, more: 2 });
  for (const message of [instance, { inner: instance }, { list: [1n, 2] }])
    assert.throws(() => lines.encode(message), { code: "ERR_ENCODE_BIGINT" });
});

test("a getter may change later properties", () => {
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

test("properties added to prototypes have the same effect as in JSON.stringify", () => {
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

test("the encoder reads an ordinary value only once", () => {
  const long = "abc def ghi jkl mno pqr stu";
  const values: readonly unknown[] = [
    "",
    "short",
    'a "quote"\n',
    "é",
    "日本😀",
    long,
    `${long} é \uff1a`,
    `${long} "quote"\n`,
    0,
    -1,
    7,
    10,
    1_234_567_890,
    1.5,
    NaN,
    true,
    false,
    null,
    undefined,
    () => 1,
    Symbol("x"),
    {},
    [],
    { a: { b: [1, { c: "d" }] } },
    [[1], [undefined, null]],
    new Point3(),
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
