/**
 * Compares decoders with other libraries and lower bounds: same bytes and chunks, one process,
 * interleaved. Results are compared first.
 */
import assert from "node:assert/strict";
import * as decoders from "./codec-decoders.js";
import type { Decode } from "./codec-decoders.js";
import { beginningOf, bodyOf, chunksOf, workloads, type Workload } from "./codec-corpus.js";
import { measure, type Work } from "./measure.js";
import { median, medianRatio, printTable } from "./table.js";

const rounds = Number(process.env["ROUNDS"] ?? 15);
/** Milliseconds of warm-up, enough to compile all contestants. */
const warmMs = Number(process.env["WARM_MS"] ?? 300);
const only = process.env["ONLY"];

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
 * The work that no decoder can avoid: parsing strings (A), or decoding and parsing byte slices (B).
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

/** Medians of the ratios to ours per round. */
async function compare(
  load: Workload,
  size: number,
  peers: Readonly<Record<string, Decode>>,
): Promise<string[]> {
  const framed = chunksOf(load.framed, size);
  const lines = chunksOf(load.lines, size);
  const { a, b } = floors(load);
  const contestants: Record<string, [Decode, readonly Buffer[]]> = {
    ours: [decoders.ours, framed],
    A: [a, framed],
    B: [b, framed],
  };
  for (const [name, decode] of Object.entries(peers))
    contestants[name] = [decode, /acp|mcp|lines/.test(name) ? lines : framed];
  const count = load.messages.length;
  for (const [name, [decode, chunks]] of Object.entries(contestants)) {
    assert.deepEqual(await collect(decode, chunks, count), load.messages, name);
  }
  const works = Object.values(contestants).map(([decode, chunks]) => workOf(decode, chunks, count));
  const times = await measure(works, { rounds, turnMs: 8, warmMs });
  const [own] = times;
  const names = Object.keys(contestants);
  return [
    `${(median(own!) / count).toFixed(0)} ns`,
    ...["A", "B", "bare", "official", "testsupport", "jsonrpc", "acp", "mcp"].map((name) => {
      const each = times[names.indexOf(name)];
      return each === undefined ? "" : medianRatio(each, own!).toFixed(2);
    }),
  ];
}

const { bare, official, testsupport, jsonrpc, acp, mcp } = decoders;
const all = { bare, official, testsupport, jsonrpc, acp, mcp };
const plan: readonly [Workload, readonly number[]][] = [
  [workloads.tiny, [65536, 16384, 1460, 64, 1]],
  [workloads.output, [65536, 16384, 1460, 64, 1]],
  [workloads.outputWide, [65536, 16384, 1460, 64, 1]],
  [workloads.stack, [65536, 16384, 1460, 64]],
  [workloads.variables, [65536, 16384, 1460, 64]],
  [workloads.mixed, [65536, 16384, 1460, 64, 1]],
  [workloads.large, [65536, 1460, 64]],
];

console.log(
  `Node ${process.version}; medians of ${rounds} interleaved rounds; times relative to ours (2.00 takes twice as long)\n`,
);
const rows: string[][] = [];
for (const [load, sizes] of plan) {
  for (const size of sizes) {
    if (only !== undefined && !`${load.name} ${size}`.includes(only)) continue;
    // Quadratic libraries would take minutes here.
    const isSlow =
      (size === 1 && load === workloads.mixed) || (size <= 64 && load === workloads.large);
    const peers = isSlow ? { bare, official, jsonrpc } : all;
    const part = size === 1 ? beginningOf(load, 40_000) : load;
    rows.push([load.name, String(size), ...(await compare(part, size, peers))]);
    console.error(rows.at(-1)!.join(" | "));
  }
}
printTable(
  [
    "workload",
    "chunk",
    "ours, per message",
    "floor A",
    "floor B",
    "bare",
    "official",
    "testsupport",
    "jsonrpc",
    "acp lines",
    "mcp lines",
  ],
  rows,
);

/** Nanoseconds per byte by body size, with the lower bound. */
async function printGrowth(): Promise<void> {
  console.log("\nTime per byte by body size (ns), which must stay flat\n");
  const sizes = [1, 64, 1460, 65536];
  const growth = [...sizes.map((size) => [String(size)]), ["floor A"], ["floor B"]];
  for (const bytes of [4e3, 64e3, 1e6, 16e6, 64e6]) {
    const load = bodyOf(bytes);
    const { a, b } = floors(load);
    const feasible = bytes > 1e6 ? sizes.slice(1) : sizes;
    const works = [
      ...feasible.map((size) => workOf(decoders.ours, chunksOf(load.framed, size), 1)),
      workOf(a, [], 1),
      workOf(b, [], 1),
    ];
    const times = await measure(works, { rounds: 7, turnMs: 10, warmMs: 100 });
    const cells = times.map((each) => (median(each) / load.framed.length).toFixed(2));
    if (feasible.length < sizes.length) cells.unshift("");
    growth.forEach((row, index) => row.push(cells[index]!));
  }
  printTable(["chunk", "4 kB", "64 kB", "1 MB", "16 MB", "64 MB"], growth);
}

if (only === undefined) await printGrowth();
