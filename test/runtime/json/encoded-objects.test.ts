import assert from "node:assert/strict";
import { test } from "node:test";
import { lines, assertSame, assertSameEach, Point, Point3 } from "../../support/encoded-json.js";

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
