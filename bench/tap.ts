/**
 * The cost of a tap: a program sends a hundred megabytes directly, through a Node script that only
 * copies, and through `wirewright tap`: quiet, checking and recording. Also measures round trips.
 * Processor time is what the process between uses, its start and its end included; elapsed time is
 * that of the session alone: from the first byte to the last, and from a request to its response.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEncoder, type StackTraceResponse } from "../generated/dap/index.js";
import { connect } from "../generated/dap/connection.js";
import { nodeTransport } from "../generated/dap/node.js";
import { turnsOf } from "./measure.js";
import { startMetered, type Usage } from "./metered-process.js";
import { figureOf, selects, type Bench } from "./report.js";

const cli = fileURLToPath(new URL("../generator/cli.js", import.meta.url));
const peer = fileURLToPath(new URL("./connection-peer.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
const out = join(folder, "session.jsonl");
const bytes = join(folder, "session.bytes");

const frame = createEncoder().encode({
  seq: 1,
  type: "response",
  request_seq: 1,
  success: true,
  command: "stackTrace",
  body: {
    stackFrames: Array.from({ length: 20 }, (_, id) => ({
      id,
      name: `function number ${id}`,
      line: id * 7,
      column: 3,
      source: { path: `/home/user/project/src/module${id}.ts` },
    })),
  },
} satisfies StackTraceResponse);
const count = Math.round(100_000_000 / frame.length);

/** A program that sends the session in chunks of several messages. */
const program = `const frame = Buffer.from("${Buffer.from(frame).toString("base64")}", "base64");
const chunk = Buffer.concat(Array(32).fill(frame));
let left = ${count};
const next = () => {
  while (left > 0) {
    const part = left >= 32 ? chunk : chunk.subarray(0, left * frame.length);
    left -= 32;
    if (!process.stdout.write(part)) return process.stdout.once("drain", next);
  }
};
next();`;
const copy = `const { spawn } = require("node:child_process");
const [command, ...args] = process.argv.slice(1);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on("exit", () => process.stdin.destroy());`;

const ways: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["nothing between", []],
  ["a script that copies", ["-e", copy, "--"]],
  ["tap --quiet", [cli, "tap", "--quiet", "--"]],
  ["tap --quiet --bytes", [cli, "tap", "--quiet", "--bytes", bytes, "--"]],
  ["tap --quiet --out", [cli, "tap", "--quiet", "--out", out, "--"]],
  ["tap, which shows and judges", [cli, "tap", "--"]],
];

interface Cost {
  /** Nanoseconds that the session took. */
  readonly elapsed: number;
  /** Nanoseconds of processor time of the process between. */
  readonly time: number;
  /** Megabytes. */
  readonly peak: number;
}

/** Starts the process between, or none, in front of a program. */
function startBetween(
  args: readonly string[],
  program: readonly string[],
): { readonly child: ChildProcess; readonly cost: Promise<Usage> } {
  const stdio = ["pipe", "pipe", "pipe"] as const;
  const own = [process.execPath, ...program];
  if (args.length > 0) {
    const { child, usage } = startMetered([...args, ...own], { stdio: [...stdio] });
    return { child, cost: usage };
  }
  const child = spawn(own[0]!, own.slice(1), { stdio: [...stdio] });
  child.stderr.resume();
  return { child, cost: once(child, "close").then(() => ({ time: 0, peak: 0 })) };
}

/** The cost of receiving everything. */
async function bulk(args: readonly string[]): Promise<Cost> {
  const { child, cost } = startBetween(args, ["-e", program]);
  let length = 0;
  let from = 0;
  for await (const chunk of child.stdout!) {
    if (length === 0) from = performance.now();
    length += (chunk as Buffer).length;
  }
  const elapsed = sinceThen(from);
  child.stdin!.end();
  assert.equal(length, count * frame.length);
  return { ...(await cost), elapsed };
}

const trips = 2_000;
/** Round trips before the elapsed time counts. */
const warmUp = 200;

/** The cost of round trips, one after another. */
async function roundTrips(args: readonly string[]): Promise<Cost> {
  const { child, cost } = startBetween(args, [peer, "wirewright"]);
  const connection = connect("client", nodeTransport(child.stdout!, child.stdin!));
  let from = 0;
  for (let index = 0; index < trips; index++) {
    if (index === warmUp) from = performance.now();
    const { stackFrames } = await connection.request("stackTrace", { threadId: 1, levels: 20 });
    assert.equal(stackFrames.length, 20);
  }
  const elapsed = sinceThen(from) / (trips - warmUp);
  await connection.close();
  return { ...(await cost), elapsed };
}

/** Nanoseconds since a time. */
const sinceThen = (from: number): number => (performance.now() - from) * 1e6;

export const bench: Bench = async (report, options) => {
  const table = report.table("between two programs", ["between"], {
    "100 MB": "ns",
    "elapsed, 100 MB": "ns",
    "a round trip": "ns",
    "elapsed, a round trip": "ns",
    peak: "MB",
  });
  const chosen = ways.filter(([name]) => selects(options, [name]));
  const figures = chosen.map(() => ({
    bulk: [] as Cost[],
    trips: [] as Cost[],
  }));
  for (let round = 0; round < Math.min(options.rounds, 5); round++)
    for (const index of turnsOf(chosen.length, round)) {
      const [, args] = chosen[index]!;
      figures[index]!.bulk.push(await bulk(args));
      figures[index]!.trips.push(await roundTrips(args));
    }
  chosen.forEach(([name], index) => {
    const { bulk: bulks, trips: costs } = figures[index]!;
    table.row([name], {
      "100 MB": figureOf(bulks.map(({ time }) => time)),
      "elapsed, 100 MB": figureOf(bulks.map(({ elapsed }) => elapsed)),
      "a round trip": figureOf(costs.map(({ time }) => time / trips)),
      "elapsed, a round trip": figureOf(costs.map(({ elapsed }) => elapsed)),
      peak: figureOf(bulks.map(({ peak }) => peak)),
    });
  });
  rmSync(folder, { recursive: true });
};
