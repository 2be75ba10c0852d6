import { readFileSync } from "node:fs";
import { FrameDecoder, type Frame, type FrameDecoderOptions } from "../../runtime/index.js";
import { fromRoot } from "./paths.js";
import assert from "node:assert/strict";
import { test } from "node:test";

/**
 * A test case in a Markdown file: a heading, the reason for the case, bytes in a `frames` fence,
 * and the expected results in a `log` fence.
 */
export interface FrameCase {
  /** File path, line and heading. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly log: readonly string[];
  readonly options: Omit<FrameDecoderOptions, "onMessage" | "onFrame">;
}

/**
 * Reads a file's test cases. In a `frames` fence, bytes are written as characters or as `\r`, `\n`,
 * `\t`, `\\` and `\xNN`, and `{N × text}` repeats a text. Line endings in the fence are ignored.
 */
export function readFrameCases(file: string): readonly FrameCase[] {
  const lines = readFileSync(fromRoot(file), "utf8").split("\n");
  const cases: FrameCase[] = [];
  let heading = "";
  let options: FrameCase["options"] = {};
  let bytes: Uint8Array | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith("## ")) {
      heading = `${file}:${at + 1} ${line.slice(3)}`;
      options = {};
    }
    if (line.startsWith("<!-- "))
      options = JSON.parse(line.slice(5, line.lastIndexOf("-->"))) as FrameCase["options"];
    const fence = /^```(frames|log)$/.exec(line)?.[1];
    if (fence === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const inside = lines.slice(at + 1, end);
    if (fence === "frames") bytes = unescapeBytes(inside.join(""));
    else cases.push({ name: heading, bytes: bytes!, log: inside, options });
    at = end;
  }
  return cases;
}

function unescapeBytes(text: string): Uint8Array {
  const repeated = text.replaceAll(
    /\{(\d+) × ((?:[^{}\\]|\\.)+)\}/g,
    (_, count: string, part: string) => part.repeat(Number(count)),
  );
  const parts = repeated.split(/(\\x[0-9a-f]{2}|\\.)/);
  return Buffer.concat(
    parts.map((part) => {
      if (!part.startsWith("\\")) return Buffer.from(part);
      if (part.startsWith("\\x")) return Buffer.from(part.slice(2), "hex");
      return Buffer.from({ r: "\r", n: "\n", t: "\t", "\\": "\\" }[part[1]!]!);
    }),
  );
}

/** Options that add details to a log beyond those in the test cases. */
export interface LogDetail {
  /** Whether bodies are parsed. If not, frames are logged with all their bytes. Default: true. */
  readonly isParsed?: boolean;
  /** Whether errors are logged with their samples. Default: false. */
  readonly hasSamples?: boolean;
}

/**
 * Decodes a stream split at the given offsets and returns the decoder's reports, one per line.
 * Adjacent pieces of noise are joined.
 */
export function logOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: FrameCase["options"],
  { isParsed = true, hasSamples = false }: LogDetail = {},
): readonly string[] {
  const log: string[] = [];
  let noise: { offset: number; text: string } | undefined;
  const flush = (): void => {
    if (noise !== undefined) log.push(`noise ${noise.offset} ${JSON.stringify(noise.text)}`);
    noise = undefined;
  };
  const say = (kind: string, { offset, headerLength, bodyLength }: Frame, text: string): void => {
    flush();
    log.push(`${kind} ${offset}+${headerLength}+${bodyLength} ${text}`);
  };
  const decoder = new FrameDecoder({
    ...options,
    ...(isParsed
      ? { onMessage: (message, frame) => say("message", frame, JSON.stringify(message)) }
      : { onFrame: (frame) => say("frame", frame, Buffer.from(frame.raw).toString("latin1")) }),
    onFault: ({ code, offset, length, recovered, sample }) => {
      flush();
      const shown = hasSamples ? ` ${sample}` : "";
      log.push(`error ${code} ${offset}+${length}${recovered ? " recovered" : ""}${shown}`);
    },
    onNoise: (part, offset) => {
      const text = Buffer.from(part).toString("latin1");
      if (noise !== undefined && noise.offset + noise.text.length === offset) noise.text += text;
      else {
        flush();
        noise = { offset, text };
      }
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    // Push a copy that is then overwritten, because a decoder must not hold on to chunks.
    const chunk = Uint8Array.from(bytes.subarray(from, cut));
    decoder.push(chunk);
    chunk.fill(0x7b);
    from = cut;
  }
  decoder.end();
  flush();
  return log;
}

/**
 * Ways to split a stream: not at all, after every byte, at every possible position into two parts,
 * and at random positions chosen by a seed.
 */
export function* everyCut(
  length: number,
  seed = 1,
): Generator<{ readonly name: string; readonly cuts: readonly number[] }> {
  yield { name: "whole", cuts: [] };
  yield {
    name: "every byte",
    cuts: Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1),
  };
  for (let cut = 1; cut < length; cut++) yield { name: `split at ${cut}`, cuts: [cut] };
  yield* randomCuts(length, 25, seed);
}

/** Splits a stream into pieces of random length. The same seed gives the same pieces. */
export function* randomCuts(
  length: number,
  count: number,
  seed: number,
): Generator<{ readonly name: string; readonly cuts: readonly number[] }> {
  let state = seed;
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let round = 0; round < count; round++) {
    const largest = 2 + Math.floor(random() ** 3 * Math.max(2, length));
    const cuts: number[] = [];
    for (let at = 0; ;) {
      at += 1 + Math.floor(random() * largest);
      if (at >= length) break;
      cuts.push(at);
    }
    yield { name: `seed ${seed} round ${round}`, cuts };
  }
}

/**
 * Decodes a stream and returns the messages along with the faults, which include all their
 * properties.
 */
function reportsOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: FrameDecoderOptions,
): readonly string[] {
  const log: string[] = [];
  const decoder = new FrameDecoder({
    ...options,
    onMessage: (message) => void log.push(JSON.stringify(message)),
    onFault: ({ code, message, offset, length, sample, recovered }) => {
      // The JavaScript engine's error messages vary between versions.
      const text = message.replace(/^(Cannot parse the body: ).+$/, "$1…");
      log.push(
        `${code} ${offset}+${length}: ${text}${recovered ? " (recovered)" : ""}`,
        `  ${sample}`,
      );
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    decoder.push(bytes.slice(from, cut));
    from = cut;
  }
  decoder.end();
  return log;
}

export interface Case {
  /** The bytes of the stream, one character each. */
  readonly stream: string;
  readonly options?: FrameDecoderOptions;
  readonly log: readonly string[];
}

/** Tests that streams are decoded as expected, however they are split. */
export function testFaults(group: string, cases: readonly Case[]): void {
  test(`every fault has an error message, a range and a sample, however the stream is split: ${group}`, () => {
    for (const { stream, options = {}, log } of cases) {
      const bytes = Buffer.from(stream, "latin1");
      for (const { name, cuts } of everyCut(bytes.length))
        assert.deepEqual(
          reportsOf(bytes, cuts, options),
          log,
          `${JSON.stringify(stream)}, ${name}`,
        );
    }
  });
}

export const strict = { recovery: "strict" } as const;

export const short = { limits: { maxHeaderBytes: 40 } } as const;
