import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../support/sample-values.js";
import { lines, assertSame, Point, Point3 } from "../../support/encoded-json.js";

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

test("random messages are written as by JSON.stringify, one by one and together", () => {
  const random = seeded(20);
  for (let round = 0; round < 300; round++) {
    const batch = Array.from({ length: 10 }, () => randomObject(random));
    for (const message of batch) assertSame(message);
    assert.equal(
      Buffer.from(lines.encodeAll(batch)).toString(),
      batch.map((message) => `${JSON.stringify(message)}\n`).join(""),
    );
  }
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
