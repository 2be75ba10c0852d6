/** Decoding beside peers and floors: same bytes, same chunks, one run, interleaved; results compared first. */
import assert from "node:assert/strict";
import * as decoders from "./codec-decoders.js";
import type { Decode } from "./codec-decoders.js";
import { beginningOf, bodyOf, chunksOf, workloads, type Workload } from "./codec-corpus.js";
import { median, printTable } from "./table.js";

const rounds = Number(process.env["ROUNDS"] ?? 15);
/** Milliseconds, and rounds, before the first that counts: enough for every contestant to be compiled. */
const warmUpMs = Number(process.env["WARM_MS"] ?? 1500);
const warmUpRounds = 100;
const only = process.env["ONLY"];

/** Milliseconds of one run. */
async function time(decode: Decode, chunks: readonly Buffer[], count: number): Promise<number> {
  let sum = 0;
  const start = process.hrtime.bigint();
  await decode(chunks, count, (message) => {
    sum += (message as { seq: number }).seq;
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  assert.ok(sum > 0);
  return ms;
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

/** What no decoder can avoid: parsing ready strings (A), decoding and parsing ready byte slices (B). */
function floors(load: Workload): { a: Decode; b: Decode } {
  const texts = load.messages.map((message) => JSON.stringify(message));
  const slices: Buffer[] = texts.map((text) => Buffer.from(text));
  return {
    a: (_chunks, _count, each) => {
      for (const text of texts) each(JSON.parse(text));
    },
    b: (_chunks, _count, each) => {
      for (const slice of slices) each(JSON.parse(slice.toString("utf8", 0, slice.length)));
    },
  };
}

/** Medians of per-round ratios to ours. */
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
  const ratios: Record<string, number[]> = Object.fromEntries(
    Object.keys(contestants).map((name) => [name, []]),
  );
  const times: number[] = [];
  const order = Object.keys(contestants);
  /** A rotating start, so that nobody always runs behind the same neighbour. */
  const runRound = async (round: number): Promise<Record<string, number>> => {
    const ms: Record<string, number> = {};
    for (let turn = 0; turn < order.length; turn++) {
      const name = order[(turn + round) % order.length]!;
      const [decode, chunks] = contestants[name]!;
      ms[name] = await time(decode, chunks, count);
    }
    return ms;
  };
  const begin = performance.now();
  for (let round = 0; round < warmUpRounds; round++) {
    await runRound(round);
    if (round > 1 && performance.now() - begin > warmUpMs) break;
  }
  for (let round = 0; round < rounds; round++) {
    const ms = await runRound(round);
    times.push(ms["ours"]!);
    for (const name of order) ratios[name]!.push(ms[name]! / ms["ours"]!);
  }
  const perMessage = (median(times) * 1e6) / count;
  return [
    `${perMessage.toFixed(0)} ns`,
    ...["A", "B", "official", "testsupport", "jsonrpc", "acp", "mcp"].map((name) =>
      ratios[name] === undefined ? "" : median(ratios[name]).toFixed(2),
    ),
  ];
}

const { official, testsupport, jsonrpc, acp, mcp } = decoders;
const all = { official, testsupport, jsonrpc, acp, mcp };
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
    // Quadratic peers would take minutes here and say nothing new.
    const peers =
      size === 1 && load === workloads.mixed
        ? { official, jsonrpc }
        : size <= 64 && load === workloads.large
          ? { official, jsonrpc }
          : all;
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
    "official",
    "testsupport",
    "jsonrpc",
    "acp lines",
    "mcp lines",
  ],
  rows,
);

if (only === undefined) {
  console.log("\nTime per byte by body size (ns), which must stay flat\n");
  const growth: string[][] = [];
  for (const size of [1, 64, 1460, 65536]) {
    const cells: string[] = [];
    for (const bytes of [4e3, 64e3, 1e6, 16e6, 64e6]) {
      if (size === 1 && bytes > 1e6) {
        cells.push("");
        continue;
      }
      const load = bodyOf(bytes);
      const chunks = chunksOf(load.framed, size);
      const repeats = Math.max(1, Math.round(2e6 / bytes));
      const runs: number[] = [];
      for (let run = 0; run < 5; run++) {
        let total = 0;
        for (let repeat = 0; repeat < repeats; repeat++)
          total += await time(decoders.ours, chunks, 1);
        runs.push((total * 1e6) / repeats / load.framed.length);
      }
      cells.push(median(runs).toFixed(2));
    }
    growth.push([String(size), ...cells]);
  }
  printTable(["chunk", "4 kB", "64 kB", "1 MB", "16 MB", "64 MB"], growth);
}
