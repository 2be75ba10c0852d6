/**
 * The cost of a tap: a program sends a hundred megabytes directly, through a Node script that only
 * copies, and through `wirewright tap`: quiet, checking and recording. Also measures round trips.
 * The figures are what the process between uses, its start included.
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
import { startMetered } from "./metered-process.js";
import { figureOf, selects, type Bench } from "./report.js";

const cli = fileURLToPath(new URL("../generator/cli.js", import.meta.url));
const peer = fileURLToPath(new URL("./connection-peer.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
const out = join(folder, "session.jsonl");

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
  ["tap, which shows and judges", [cli, "tap", "--"]],
  ["tap --quiet --out", [cli, "tap", "--quiet", "--out", out, "--"]],
];

interface Cost {
  /** Nanoseconds of processor time of the process between. */
  readonly time: number;
  /** Megabytes. */
  readonly peak: number;
}

/** Starts the process between, or none, in front of a program. */
function startBetween(
  args: readonly string[],
  program: readonly string[],
): { readonly child: ChildProcess; readonly cost: Promise<Cost> } {
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
  for await (const chunk of child.stdout!) length += (chunk as Buffer).length;
  child.stdin!.end();
  assert.equal(length, count * frame.length);
  return cost;
}

const trips = 2_000;

/** The cost of round trips, one after another. */
async function roundTrips(args: readonly string[]): Promise<Cost> {
  const { child, cost } = startBetween(args, [peer, "wirewright"]);
  const connection = connect("client", nodeTransport(child.stdout!, child.stdin!));
  for (let index = 0; index < trips; index++) {
    const { stackFrames } = await connection.request("stackTrace", { threadId: 1, levels: 20 });
    assert.equal(stackFrames.length, 20);
  }
  await connection.close();
  return cost;
}

export const bench: Bench = async (report, options) => {
  const table = report.table("between two programs", ["between"], {
    "100 MB": "ns",
    "a round trip": "ns",
    "elapsed, a round trip": "ns",
    peak: "MB",
  });
  const chosen = ways.filter(([name]) => selects(options, [name]));
  const figures = chosen.map(() => ({
    bulk: [] as Cost[],
    trips: [] as Cost[],
    elapsed: [] as number[],
  }));
  for (let round = 0; round < Math.min(options.rounds, 5); round++)
    for (const index of turnsOf(chosen.length, round)) {
      const [, args] = chosen[index]!;
      const { bulk: bulks, trips: costs, elapsed } = figures[index]!;
      bulks.push(await bulk(args));
      const from = performance.now();
      costs.push(await roundTrips(args));
      elapsed.push(((performance.now() - from) * 1e6) / trips);
    }
  chosen.forEach(([name], index) => {
    const { bulk: bulks, trips: costs, elapsed } = figures[index]!;
    table.row([name], {
      "100 MB": figureOf(bulks.map(({ time }) => time)),
      "a round trip": figureOf(costs.map(({ time }) => time / trips)),
      "elapsed, a round trip": figureOf(elapsed),
      peak: figureOf(bulks.map(({ peak }) => peak)),
    });
  });
  rmSync(folder, { recursive: true });
};
