/**
 * Compares our decoder with other libraries and with lower bounds. All contestants decode the same
 * bytes in the same chunks, taking turns in one process. Their results are compared before anything
 * is measured.
 */
import assert from "node:assert/strict";
import * as decoders from "./codec-decoders.js";
import type { Decode } from "./codec-decoders.js";
import { beginningOf, bodyOf, chunksOf, workloads, type Workload } from "./codec-corpus.js";
import { contest } from "./contest.js";
import type { Work } from "./measure.js";
import { selects, type Bench, type BenchOptions, type Report } from "./report.js";

/** Decodes all chunks once. */
function workOf(decode: Decode, chunks: readonly Buffer[], count: number): Work {
  return async () => {
    let sum = 0;
    await decode(chunks, count, (message) => {
      sum += (message as { seq: number }).seq;
    });
    return sum;
  };
}

async function collect(
  decode: Decode,
  chunks: readonly Buffer[],
  count: number,
): Promise<unknown[]> {
  const messages: unknown[] = [];
  await decode(chunks, count, (message) => messages.push(message));
  return messages;
}

/**
 * Returns the work that no decoder can avoid: parsing strings (A), or decoding byte slices and then
 * parsing them (B).
 */
function floors(load: Workload): { a: Decode; b: Decode } {
  const texts = load.messages.map((message) => JSON.stringify(message));
  const slices: Buffer[] = texts.map((text) => Buffer.from(text));
  return {
    a: (_chunks, _count, each) => {
      for (let at = 0; at < texts.length; at++) each(JSON.parse(texts[at]!));
    },
    b: (_chunks, _count, each) => {
      for (let at = 0; at < slices.length; at++) {
        const slice = slices[at]!;
        each(JSON.parse(slice.toString("utf8", 0, slice.length)));
      }
    },
  };
}

/** Returns each decoder in a row as a decode function, along with its chunks. */
function contestantsOf(
  load: Workload,
  size: number,
  peers: Readonly<Record<string, Decode>>,
): Readonly<Record<string, readonly [Decode, readonly Buffer[]]>> {
  const framed = chunksOf(load.framed, size);
  const lines = chunksOf(load.lines, size);
  const { a, b } = floors(load);
  return {
    ours: [decoders.ours, framed],
    "floor A": [a, framed],
    "floor B": [b, framed],
    ...Object.fromEntries(
      Object.entries(peers).map(([name, decode]) => [
        name,
        [decode, name.endsWith("lines") ? lines : framed],
      ]),
    ),
  };
}

const all: Readonly<Record<string, Decode>> = {
  bare: decoders.bare,
  official: decoders.official,
  testsupport: decoders.testsupport,
  "vscode-jsonrpc": decoders.jsonrpc,
  "ACP lines": decoders.acp,
  "MCP lines": decoders.mcp,
};

const sizeNames: Readonly<Record<number, string>> = {
  65536: "64 KiB",
  16384: "16 KiB",
  1460: "1,460 B",
  64: "64 B",
  1: "1 B",
};

const plan: readonly [Workload, readonly number[]][] = [
  [workloads.tiny, [65536, 16384, 1460, 64, 1]],
  [workloads.output, [65536, 16384, 1460, 64, 1]],
  [workloads.outputWide, [65536, 16384, 1460, 64, 1]],
  [workloads.stack, [65536, 16384, 1460, 64]],
  [workloads.variables, [65536, 16384, 1460, 64]],
  [workloads.mixed, [65536, 16384, 1460, 64, 1]],
  [workloads.large, [65536, 1460, 64]],
];

export const bench: Bench = async (report, options) => {
  const table = report.table("decoding", ["work", "chunk"], { ours: "ns per message" });
  for (const [load, sizes] of plan) {
    for (const size of sizes) {
      const labels = [load.name, sizeNames[size]!];
      if (!selects(options, labels)) continue;
      // Leave out libraries that take quadratic time, because they would need minutes.
      const isSlow =
        (size === 1 && load === workloads.mixed) || (size <= 64 && load === workloads.large);
      const { bare, official, "vscode-jsonrpc": jsonrpc } = all as Record<string, Decode>;
      const peers = isSlow ? { bare: bare!, official: official!, "vscode-jsonrpc": jsonrpc! } : all;
      const part = size === 1 ? beginningOf(load, 40_000) : load;
      const contestants = contestantsOf(part, size, peers);
      const count = part.messages.length;
      for (const [name, [decode, chunks]] of Object.entries(contestants))
        assert.deepEqual(await collect(decode, chunks, count), part.messages, name);
      report.outcome(labels.join(), part.messages);
      const works = Object.fromEntries(
        Object.entries(contestants).map(([name, [decode, chunks]]) => [
          name,
          workOf(decode, chunks, count),
        ]),
      );
      table.row(labels, await contest(works, count, { ...options, turnMs: 8, warmMs: 200 }));
    }
  }
  await measureGrowth(report, options);
};

/**
 * Measures nanoseconds per byte for growing bodies, alongside the lower bounds. The time per byte
 * must not grow.
 */
async function measureGrowth(report: Report, options: BenchOptions): Promise<void> {
  const table = report.table("time per byte by size of the body", ["chunk", "body"], {
    ours: "ns per byte",
  });
  const bodies: readonly (readonly [string, number])[] = [
    ["4 kB", 4e3],
    ["64 kB", 64e3],
    ["1 MB", 1e6],
    ["16 MB", 16e6],
    ["64 MB", 64e6],
  ];
  for (const [body, bytes] of bodies) {
    const load = bodyOf(bytes);
    const { a, b } = floors(load);
    for (const size of bytes > 1e6 ? [65536, 1460] : [65536, 1460, 64]) {
      const labels = [sizeNames[size]!, body];
      if (!selects(options, labels)) continue;
      const works = {
        ours: workOf(decoders.ours, chunksOf(load.framed, size), 1),
        "floor A": workOf(a, [], 1),
        "floor B": workOf(b, [], 1),
      };
      const turns = { ...options, rounds: Math.min(options.rounds, 5), turnMs: 10, warmMs: 100 };
      table.row(labels, await contest(works, load.framed.length, turns));
    }
  }
}
