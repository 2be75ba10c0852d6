import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { seeded } from "../../support/sample-values.js";
import { framed } from "../../support/framed-text.js";

const illFormed = [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]];

/** Creates a body with one or more kinds of characters, sometimes ill-formed. */
function randomBody(random: () => number, mayBeIllFormed: boolean): Buffer {
  const kinds = ["plain", "Größe ", "日本語 ", "😀", "\\u00e9\\n", " "];
  const kind = random();
  const count = Math.floor(random() ** 3 * (kind > 0.97 ? 9000 : 200));
  const parts: Buffer[] = [];
  for (let part = 0; part < count; part++) {
    const text = kind < 0.5 ? "ascii, " : kinds[Math.floor(random() * kinds.length)]!;
    parts.push(Buffer.from(text));
    if (mayBeIllFormed && random() < 0.002)
      parts.push(Buffer.from(illFormed[Math.floor(random() * illFormed.length)]!));
  }
  return Buffer.concat([Buffer.from('{"text":"'), ...parts, Buffer.from('"}')]);
}

/**
 * Decodes frames. Returns the messages, and a code for each refused body. If no size is given, the
 * chunks have random sizes.
 */
function decode(
  bytes: Buffer,
  invalidUtf8: "replace" | "error",
  random: () => number,
  size?: number,
): unknown[] {
  const seen: unknown[] = [];
  const decoder = new FrameDecoder({
    invalidUtf8,
    onMessage: (message) => seen.push(message),
    onFault: ({ code }) => seen.push(code),
  });
  const most = [40, 900, 5000, 80_000][Math.floor(random() * 4)]!;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + (size ?? 1 + Math.floor(random() * most)));
    // Chunks from sockets and pools are parts of a larger array, and may be aligned or unaligned.
    const lead = Math.floor(random() * 9);
    const chunk = new Uint8Array(lead + end - at + 5).subarray(lead, lead + end - at);
    chunk.set(bytes.subarray(at, end));
    decoder.push(chunk);
    chunk.fill(0x58);
    at = end;
  }
  decoder.end();
  return seen;
}

test("body text equals the result of TextDecoder, no matter where chunks end", () => {
  const outcomes = { read: 0, refused: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const random = seeded(seed);
    const bodies = Array.from({ length: 80 }, () => randomBody(random, seed % 3 === 0));
    const bytes = Buffer.concat(bodies.map(framed));
    const texts = new TextDecoder("utf-8", { ignoreBOM: true });
    const fatal = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
    const replaced = bodies.map((body) => JSON.parse(texts.decode(body)) as unknown);
    const refused = bodies.map((body, index) => {
      try {
        fatal.decode(body);
      } catch {
        outcomes.refused++;
        return "ERR_UTF8";
      }
      outcomes.read++;
      return replaced[index];
    });
    assert.deepEqual(decode(bytes, "replace", random), replaced, `seed ${seed}, replaced`);
    assert.deepEqual(decode(bytes, "error", random), refused, `seed ${seed}, refused`);
  }
  assert.ok(outcomes.read > 1_000 && outcomes.refused > 100, JSON.stringify(outcomes));
});

test("many small bodies are decoded just like single bodies, with and without ASCII", () => {
  const changes: readonly (readonly number[])[] = [
    ...illFormed,
    ...["é", "日", "😀", "\ufffd"].map((text) => [...Buffer.from(text)]),
    // A string with as many UTF-16 units as bytes, although it is not ASCII.
    [0xff, 0x80, 0xc3],
    [0xc3],
  ];
  for (let seed = 1; seed <= 40; seed++) {
    const random = seeded(seed);
    const rarity = [0.002, 0.02, 0.1][seed % 3]!;
    const bodies = Array.from({ length: 600 }, (_, index) =>
      Buffer.concat([
        Buffer.from(`{"seq":${index},"text":"${"x".repeat(Math.floor(random() * 90))}`),
        Buffer.from(random() < rarity ? changes[Math.floor(random() * changes.length)]! : []),
        Buffer.from('"}'),
      ]),
    );
    const bytes = Buffer.concat(bodies.map(framed));
    const replaced = bodies.map((body) => JSON.parse(body.toString()) as unknown);
    const refused = bodies.map((body, index) => {
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(body);
        return replaced[index];
      } catch {
        return "ERR_UTF8";
      }
    });
    for (const size of [bytes.length, 20_000, 8_192, 8_191, 3_000]) {
      assert.deepEqual(decode(bytes, "replace", random, size), replaced, `seed ${seed}, ${size}`);
      assert.deepEqual(decode(bytes, "error", random, size), refused, `seed ${seed}, ${size}`);
    }
  }
});

test("a body whose declared length is too long does not delay complete messages that follow it", () => {
  const good = [{ seq: 2 }, { seq: 3, text: "é" }];
  const bytes = Buffer.concat([
    Buffer.from('Content-Length: 900\r\n\r\n{"seq":1}'),
    ...good.map((message) => framed(Buffer.from(JSON.stringify(message)))),
  ]);
  for (let cut = 1; cut <= bytes.length; cut++) {
    for (const later of [cut, Math.min(bytes.length, cut + 7), bytes.length]) {
      const seen: unknown[] = [];
      const decoder = new FrameDecoder({
        onMessage: (message) => seen.push(message),
        onFault: ({ code, recovered }) => seen.push(`${code} ${recovered}`),
      });
      decoder.push(bytes.subarray(0, cut));
      if (later > cut) decoder.push(bytes.subarray(cut, later));
      if (bytes.length > later) decoder.push(bytes.subarray(later));
      assert.deepEqual(seen, [{ seq: 1 }, "ERR_LENGTH_WRONG true", ...good], `${cut}, ${later}`);
    }
  }
});
