import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder, type FrameDecoderOptions } from "../runtime/index.js";

/** A seeded generator of whole numbers below a bound. */
function seeded(seed: number): (below: number) => number {
  return (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
}

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

/** A frame, or what becomes of one in bad hands. */
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

/** Everything that a decoder says, noise as one text however it was cut. */
function logOf(
  bytes: Buffer,
  most: number,
  random: (below: number) => number,
  options: object,
  parsed: boolean,
): string[] {
  const log: string[] = [];
  let noise: { at: number; text: string } | undefined;
  const say = (line: string): void => {
    if (noise !== undefined) log.push(`noise ${noise.at} ${noise.text}`);
    noise = undefined;
    log.push(line);
  };
  const handlers: Partial<FrameDecoderOptions> = parsed
    ? {
        onMessage: (message, { offset, headerLength, bodyLength }) =>
          say(`message ${offset} ${headerLength} ${bodyLength} ${JSON.stringify(message)}`),
      }
    : {
        onFrame: ({ offset, headerLength, bodyLength, raw }) =>
          say(
            `frame ${offset} ${headerLength} ${bodyLength} ${Buffer.from(raw).toString("latin1")}`,
          ),
      };
  const decoder = new FrameDecoder({
    ...(options as FrameDecoderOptions),
    ...handlers,
    onError: ({ code, offset, length, recovered, sample }) =>
      say(`${code} ${offset} ${length} ${recovered} ${sample}`),
    onNoise: (part, offset) => {
      const text = Buffer.from(part).toString("latin1");
      if (noise !== undefined && noise.at + noise.text.length === offset) noise.text += text;
      else noise = { at: offset, text };
    },
  });
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + random(most));
    decoder.push(Uint8Array.from(bytes.subarray(at, end)));
    at = end;
  }
  decoder.end();
  say("end");
  return log;
}

test("damaged streams say the same under every cut, and the good frame behind them arrives", () => {
  const random = seeded(2026);
  const good = Buffer.from('\r\n\r\nContent-Length: 12\r\n\r\n{"seq":4711}');
  for (let round = 0; round < 1200; round++) {
    const pieces = Array.from({ length: 2 + random(12) }, () => randomPiece(random));
    const bytes = Buffer.concat([...pieces, good]);
    const recovery = random(7) === 0 ? "strict" : "tolerant";
    const invalidUtf8 = random(5) === 0 ? "error" : "replace";
    const options = {
      recovery,
      invalidUtf8,
      limits: random(10) === 0 ? { maxBodyBytes: 300 } : {},
    };
    const parsed = random(3) > 0;
    const whole = logOf(bytes, bytes.length * 1e6, () => bytes.length, options, parsed);
    for (const most of [1, 3, 40, 1500])
      assert.deepEqual(logOf(bytes, most, random, options, parsed), whole, `${round}: ${most}`);
    if (recovery === "tolerant")
      assert.ok(
        whole.some((line) => line.endsWith('{"seq":4711}') && !line.startsWith("noise")),
        `${round}: ${JSON.stringify(bytes.toString("latin1").slice(-200))} ${whole.slice(-6).join("\n")}`,
      );
  }
});
