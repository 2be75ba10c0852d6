import assert from "node:assert/strict";
import { test } from "node:test";
import { logOf } from "../../support/frame-cases.js";
import { seeded } from "../../support/sample-values.js";

const texts = [
  "abc",
  "é日本😀",
  '{"x":[1,2,{"y":3}]}',
  "Content-Length: 12",
  "line\nline",
  "}}}}",
  "{",
  '\\"q',
  "",
];

function randomBody(random: (below: number) => number): Buffer {
  const text = (): string => texts[random(texts.length)]!;
  const list = Array.from({ length: random(4) }, () => text().repeat(random(30)));
  const json = JSON.stringify(
    { seq: random(1000), text: text(), list },
    null,
    random(5) === 0 ? 2 : 0,
  );
  return Buffer.from(random(10) === 0 ? json.replaceAll("\n", "\r\n") : json);
}

/** Creates a frame that is either valid or damaged. */
function randomPiece(random: (below: number) => number): Buffer {
  const body = randomBody(random);
  const { length } = body;
  const framed = (announced: number | string, bytes: Uint8Array = body): Buffer =>
    Buffer.concat([Buffer.from(`Content-Length: ${announced}\r\n\r\n`), bytes]);
  const behind = (text: string, bytes: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(text), bytes]);
  switch (random(24)) {
    case 0:
      return framed(length + random(60) + 1);
    case 1:
      return framed(Math.max(0, length - 1 - random(10)));
    case 2:
      return behind("printed text\n", framed(length));
    case 3:
      return behind("no newline junk", framed(length));
    case 4:
      return behind(`content-length:${length}\r\nX-Y: z\r\n\r\n`, body);
    case 5:
      return framed(length, body.subarray(0, random(length)));
    case 6:
      return framed(length + random(3000));
    case 7: {
      const bent = Buffer.from(body);
      bent[random(length)] = random(256);
      return framed(length, bent);
    }
    case 8:
      return behind(`Content-Length: ${length}\n\n`, body);
    case 9:
      return behind("Content-Length: -5\r\n\r\n", body);
    case 10:
      return Buffer.concat([framed(length), Buffer.from("\r\n\r\n")]);
    case 11:
      return framed(`000${length}`);
    case 12:
      return body;
    case 13:
      return Buffer.from("Content-Len");
    case 14:
      return behind(`Content-Length: ${length}\r\nContent-Length: ${length + 1}\r\n\r\n`, body);
    default:
      return framed(length);
  }
}

/** Returns random offsets that split a stream into pieces of limited length. */
function cutsOf(length: number, most: number, random: (below: number) => number): number[] {
  const cuts: number[] = [];
  for (let at = 1 + random(most); at < length; at += 1 + random(most)) cuts.push(at);
  return cuts;
}

test("damaged streams give the same result however they are split, and the next valid frame arrives", () => {
  const number = seeded(2026);
  const random = (below: number): number => Math.floor(number() * below);
  const good = Buffer.from('\r\n\r\nContent-Length: 12\r\n\r\n{"seq":4711}');
  for (let round = 0; round < 1200; round++) {
    const pieces = Array.from({ length: 2 + random(12) }, () => randomPiece(random));
    const bytes = Buffer.concat([...pieces, good]);
    const recovery = random(7) === 0 ? "strict" : "tolerant";
    const invalidUtf8 = random(5) === 0 ? "error" : "replace";
    const limits = random(10) === 0 ? { maxBodyBytes: 300 } : {};
    const isParsed = random(3) > 0;
    const logOfCuts = (cuts: readonly number[]): readonly string[] =>
      logOf(bytes, cuts, { recovery, invalidUtf8, limits }, { isParsed, hasSamples: true });
    const whole = logOfCuts([]);
    for (const most of [1, 3, 40, 1500])
      assert.deepEqual(logOfCuts(cutsOf(bytes.length, most, random)), whole, `${round}: ${most}`);
    if (recovery === "tolerant")
      assert.ok(
        whole.some((line) => line.endsWith('{"seq":4711}') && !line.startsWith("noise")),
        `${round}: ${JSON.stringify(bytes.toString("latin1").slice(-200))} ${whole.slice(-6).join("\n")}`,
      );
  }
});
