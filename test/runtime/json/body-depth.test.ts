import assert from "node:assert/strict";
import { test } from "node:test";
import { mayNestDeeper, textNestsWithin } from "../../../runtime/json/json-scan.js";
import { FrameDecoder } from "../../../runtime/index.js";
import { seeded } from "../../support/sample-values.js";
import { framed } from "../../support/framed-text.js";

test("depth counts arrays and objects, no matter how they are formatted", () => {
  const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number): string => '{"":'.repeat(depth) + "1" + "}".repeat(depth);
  const padding = `,"text":"${"[{".repeat(40)}"`;
  for (const [json, depth] of [
    [`{"a":${lists(20)}${padding}}`, 21],
    [`{"a":${lists(62)}}`, 63],
    [`{"a":${lists(63)}}`, 64],
    [`{"a":${objects(64)}}`, 65],
    [`{"a":[${lists(70)},{},${lists(500)}]}`, 502],
    [`{"a":${objects(20)}${padding}}`, 21],
    [`{"a":[{}, [] , {"b":[1]}],"c":{}${padding}}`, 4],
    [`{"__proto__":${lists(7)}${padding}}`, 8],
    [`{"a":"${"x".repeat(99)}"}`, 1],
  ] as const) {
    assert.equal(mayNestDeeper(json, depth - 1), true, json);
    assert.equal(mayNestDeeper(json, depth + 2000), false, json);
    const bytes = Buffer.from(json);
    assert.equal(textNestsWithin(bytes, 0, bytes.length, depth), true, json);
    assert.equal(textNestsWithin(bytes, 0, bytes.length, depth - 1), false, json);
  }
});

/** Creates JSON with brackets and quotes inside strings. Returns the text and its depth. */
function randomJson(random: () => number, most: number): { json: string; depth: number } {
  const texts = ["", "a", "[{", '\\"[', "}]},{", "\\\\", 'a\\"},\\"b', "é{", "]"];
  const text = (): string => `"${texts[Math.floor(random() * texts.length)]!}"`;
  const blank = random() < 0.1 ? " \n" : "";
  if (most === 0 || random() < 0.3)
    return { json: random() < 0.5 ? text() : String(Math.floor(random() * 99)), depth: 0 };
  const parts = Array.from({ length: Math.floor(random() * 5) }, () =>
    randomJson(random, most - 1),
  );
  const depth = 1 + Math.max(0, ...parts.map((part) => part.depth));
  const isList = random() < 0.5;
  const items = parts.map(({ json }) => (isList ? json : `${text()}${blank}:${json}`));
  return {
    json: `${isList ? "[" : "{"}${blank}${items.join(`${blank},`)}${isList ? "]" : "}"}`,
    depth,
  };
}

test("the depth of a JSON text is the depth of its value", () => {
  const random = seeded(11);
  for (let round = 0; round < 4000; round++) {
    const { json, depth } = randomJson(random, 9);
    if (depth === 0) continue;
    assert.equal(mayNestDeeper(json, depth - 1), true, json);
    const lead = round % 5;
    const bytes = Buffer.concat([Buffer.alloc(lead, 0x5b), Buffer.from(json), Buffer.from("[[[")]);
    const end = lead + Buffer.byteLength(json);
    assert.equal(textNestsWithin(bytes, lead, end, depth), true, json);
    assert.equal(textNestsWithin(bytes, lead, end, depth - 1), false, json);
  }
});

test("the depth of a range does not depend on the surrounding text", () => {
  const bytes = Buffer.from('7\n\n[[]]x{"a":{}}\n');
  for (const [start, end, depth] of [
    [3, 7, 2],
    [8, 16, 2],
    [3, 5, 2],
    [4, 6, 1],
    [5, 7, 0],
  ] as const) {
    assert.equal(textNestsWithin(bytes, start, end, depth), true, `${start}-${end}`);
    if (depth > 0) assert.equal(textNestsWithin(bytes, start, end, depth - 1), false);
  }
});

test("the depth of a text with few brackets is counted, and that of a text with many is estimated from its beginning", () => {
  for (const [json, brackets] of [
    ["[[]]", 2],
    ['{"a":{"b":1}}', 2],
    ['{"a":[{"b":[1]},{}]}', 5],
  ] as const) {
    assert.equal(mayNestDeeper(json, brackets), false, json);
    assert.equal(mayNestDeeper(json, brackets - 1), true, json);
  }
  const few = `[${"[],".repeat(200)}0]`;
  assert.equal(mayNestDeeper(few, 201), false);
  assert.equal(mayNestDeeper(few, 200), true);
  const flat = `[${"[],".repeat(300)}0]`;
  assert.equal(mayNestDeeper(flat, 303), false);
  // If brackets were as frequent throughout as they are at the beginning, the text would be too
  // deep.
  assert.equal(mayNestDeeper(`[${flat},"${"x".repeat(10_000)}"]`, 1_000), true);
  assert.equal(mayNestDeeper(`["${"x".repeat(10_000)}",${flat}]`, 1_000), false);
});

test("a body that is not JSON is refused as ERR_JSON, no matter how many brackets it contains", () => {
  const seen: string[] = [];
  const decoder = new FrameDecoder({
    limits: { maxDepth: 5 },
    onMessage: () => seen.push("message"),
    onFault: ({ code }) => seen.push(code),
  });
  for (const body of ["{[[[[[[[[]]]]]]]]}", `{"a":${"[".repeat(9)}${"]".repeat(9)}}`, '{"a":[1]}'])
    decoder.push(framed(Buffer.from(body)));
  assert.deepEqual(seen, ["ERR_JSON", "ERR_DEPTH", "message"]);
});

test("a large body that nests too deeply is refused before memory is allocated, and a flat body is accepted", () => {
  const seen: unknown[] = [];
  const decoder = new FrameDecoder({
    onMessage: (message) => seen.push(Object.keys(message)),
    onFault: ({ code }) => seen.push(code),
  });
  const million = 1_500_000;
  const before = process.memoryUsage().rss;
  decoder.push(framed(Buffer.from(`{"deep":${"[".repeat(million)}${"]".repeat(million)}}`)));
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 60 * million, `${grown} bytes for a body of ${2 * million}`);
  decoder.push(framed(Buffer.from(`{"flat":[${"[],".repeat(million)}0]}`)));
  decoder.push(framed(Buffer.from('{"seq":1}')));
  decoder.end();
  assert.deepEqual(seen, ["ERR_DEPTH", ["flat"], ["seq"]]);
});

test("a deep value counts even if a repeated key replaces it", () => {
  const seen: unknown[] = [];
  const decoder = new FrameDecoder({
    limits: { maxDepth: 3 },
    onMessage: (message) => seen.push(message),
    onFault: ({ code }) => seen.push(code),
  });
  decoder.push(framed(Buffer.from('{"a":[[[]]],"a":1}')));
  decoder.push(framed(Buffer.from('{"a":[[]],"a":1}')));
  decoder.end();
  assert.deepEqual(seen, ["ERR_DEPTH", { a: 1 }]);
});

test("a body that nests too deeply is refused, whatever its other content, its size and its chunks", () => {
  const limits = { maxDepth: 50 };
  const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number): string => '{"k":'.repeat(depth) + "1" + "}".repeat(depth);
  const flat = `[${"{},".repeat(400)}{}]`;
  const wide = `"${"x{[".repeat(500)}"`;
  const large = `"${"y".repeat(3 << 20)}"`;
  for (const nested of [lists, objects]) {
    for (const others of [[], [flat], [wide], [flat, wide], [large], [large, flat, wide]]) {
      const bodyOf = (depth: number): string =>
        `{${[nested(depth - 1), ...others].map((each, at) => `"${at}":${each}`).join()}}`;
      const bytes = Buffer.concat(
        [50, 51, 4_000, 50].map((depth) => framed(Buffer.from(bodyOf(depth)))),
      );
      for (const size of [bytes.length, 70_000, 1_000]) {
        const seen: string[] = [];
        const decoder = new FrameDecoder({
          limits,
          onMessage: () => seen.push("message"),
          onFault: ({ code }) => seen.push(code),
        });
        for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
        assert.deepEqual(seen, ["message", "ERR_DEPTH", "ERR_DEPTH", "message"]);
      }
    }
  }
});
