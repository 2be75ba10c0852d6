import { readFileSync } from "node:fs";
import { fromRoot } from "./paths.js";
import { seeded } from "./sample-values.js";
import { recordStream, type StreamOptions } from "./stream-oracles.js";

/**
 * A test case in a Markdown file: a heading, the reason for the case, bytes in a `frames` fence,
 * and the expected results in a `log` fence.
 */
export interface FrameCase {
  /** File path, line and heading. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly log: readonly string[];
  readonly options: StreamOptions;
}

/**
 * Reads a file's test cases. In a `frames` fence, bytes are written as characters or as `\r`, `\n`,
 * `\t`, `\\` and `\xNN`, and `{N × text}` repeats a text. Line endings in the fence are ignored.
 */
export function readFrameCases(file: string): readonly FrameCase[] {
  const lines = readFileSync(fromRoot(file), "utf8").split("\n");
  const cases: FrameCase[] = [];
  let heading = "";
  let options: StreamOptions = {};
  let bytes: Uint8Array | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith("## ")) {
      heading = `${file}:${at + 1} ${line.slice(3)}`;
      options = {};
    }
    if (line.startsWith("<!-- "))
      options = JSON.parse(line.slice(5, line.lastIndexOf("-->"))) as StreamOptions;
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

/** Reads bytes as `frames` fences write them. */
export function unescapeBytes(text: string): Buffer {
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

/**
 * Decodes a stream split at the given offsets and returns the decoder's reports, one per line.
 * Adjacent pieces of noise are joined.
 */
export function logOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: StreamOptions,
): readonly string[] {
  return recordStream(bytes, cuts, options).map((record) => {
    const { kind, offset, length } = record;
    if (kind === "noise") return `noise ${offset} ${JSON.stringify(record.text)}`;
    if (kind === "error")
      return `error ${record.code} ${offset}+${length}${record.recovered ? " recovered" : ""}`;
    const { headerLength, json } = record;
    return `message ${offset}+${headerLength}+${length - headerLength} ${json}`;
  });
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
  const random = seeded(seed);
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
