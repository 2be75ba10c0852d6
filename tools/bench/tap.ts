/**
 * Measures how much a tap costs. A program sends a hundred megabytes in three ways: directly,
 * through a Node script that only copies, and through `wirewright tap` while it is quiet, checks or
 * records. Round trips are measured too.
 * Processor time covers the intermediate process from start to end. Elapsed time covers only the
 * session: from the first byte to the last, or from a request to its response. The main thread does
 * the forwarding, so the session waits for no other thread.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createEncoder,
  type OutputEvent,
  type StackTraceResponse,
  type VariablesResponse,
} from "@wirewright/dap";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { turnsOf } from "./measure.js";
import { startMetered, type Usage } from "./metered-process.js";
import { figureOf, selects, type Bench, type BenchOptions, type Report } from "./report.js";

const cli = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
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

/** Two messages: program output as an adapter sends it, and a long array of variables. */
const short = createEncoder().encode({
  seq: 12_345,
  type: "event",
  event: "output",
  body: { category: "stdout", output: `${"a line that the program prints ".repeat(4)}\n` },
} satisfies OutputEvent);
const long = createEncoder().encode({
  seq: 1,
  type: "response",
  request_seq: 1,
  success: true,
  command: "variables",
  body: {
    variables: Array.from({ length: 600 }, (_, id) => ({
      name: `local ${id}`,
      value: `the value of number ${id}, "quoted"`,
      type: "number",
      variablesReference: id,
    })),
  },
} satisfies VariablesResponse);

const countOf = ({ length }: Uint8Array, megabytes: number): number =>
  Math.round((megabytes * 1e6) / length);

/**
 * Returns the source code for a program that sends one message repeatedly, in chunks of about 75
 * kB.
 */
const programOf = (
  message: Uint8Array,
  megabytes: number,
): string => `const frame = Buffer.from("${Buffer.from(message).toString("base64")}", "base64");
const many = Math.max(1, Math.round(75_000 / frame.length));
const chunk = Buffer.concat(Array(many).fill(frame));
let left = ${countOf(message, megabytes)};
const next = () => {
  while (left > 0) {
    const part = left >= many ? chunk : chunk.subarray(0, left * frame.length);
    left -= many;
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

const copyAndKeep = `${copy}
child.stdout.pipe(require("node:fs").createWriteStream(${JSON.stringify(bytes)}));`;

const ways: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["nothing between", []],
  ["a script that copies", ["-e", copy, "--"]],
  ["a script that copies, also to a file", ["-e", copyAndKeep, "--"]],
  ["tap --quiet", [cli, "tap", "--quiet", "--"]],
  ["tap --quiet --bytes", [cli, "tap", "--quiet", "--bytes", bytes, "--"]],
  ["tap --quiet --out", [cli, "tap", "--quiet", "--out", out, "--"]],
  ["tap, which shows and judges", [cli, "tap", "--"]],
];

interface Cost {
  /** Duration of the session in nanoseconds. */
  readonly elapsed: number;
  /** Processor time of the intermediate process in nanoseconds. */
  readonly time: number;
  /** Processor time of the forwarding thread in nanoseconds. */
  readonly main: number;
  /** Peak memory in megabytes. */
  readonly peak: number;
}

/**
 * Starts a program, either directly or through a process that forwards its bytes and is measured.
 */
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
  return { child, cost: once(child, "close").then(() => ({ time: 0, peak: 0, main: 0 })) };
}

/** Measures how long it takes to receive everything that the program sends. */
async function bulk(args: readonly string[], megabytes: number, message = frame): Promise<Cost> {
  const { child, cost } = startBetween(args, ["-e", programOf(message, megabytes)]);
  let length = 0;
  let from = 0;
  for await (const chunk of child.stdout!) {
    if (length === 0) from = performance.now();
    length += (chunk as Buffer).length;
  }
  const elapsed = sinceThen(from);
  child.stdin!.end();
  assert.equal(length, countOf(message, megabytes) * message.length);
  return { ...(await cost), elapsed };
}

/** Measures consecutive round trips. */
async function roundTrips(args: readonly string[], trips: number): Promise<Cost> {
  const { child, cost } = startBetween(args, [peer, "wirewright"]);
  const connection = connect("client", nodeTransport(child.stdout!, child.stdin!));
  let from = 0;
  // How many round trips to make before measuring elapsed time.
  const warmUp = trips / 10;
  for (let index = 0; index < trips; index++) {
    if (index === warmUp) from = performance.now();
    const { stackFrames } = await connection.request("stackTrace", { threadId: 1, levels: 20 });
    assert.equal(stackFrames.length, 20);
  }
  const elapsed = sinceThen(from) / (trips - warmUp);
  await connection.close();
  return { ...(await cost), elapsed };
}

/** Returns the nanoseconds that have elapsed since the given `performance.now()` timestamp. */
const sinceThen = (from: number): number => (performance.now() - from) * 1e6;

export const bench: Bench = async (report, options) => {
  const megabytes = options.isQuick ? 5 : 100;
  const trips = options.isQuick ? 100 : 2_000;
  const table = report.table("between two programs", ["between"], {
    [`${megabytes} MB`]: "ns",
    [`elapsed, ${megabytes} MB`]: "ns",
    [`forwarding thread, ${megabytes} MB`]: "ns",
    "per round trip": "ns",
    "elapsed, per round trip": "ns",
    peak: "MB",
  });
  const chosen = ways.filter(([name]) => selects(options, ["between", name]));
  const figures = chosen.map(() => ({
    bulk: [] as Cost[],
    trips: [] as Cost[],
  }));
  for (let round = 0; round < Math.min(options.rounds, 5); round++)
    for (const index of turnsOf(chosen.length, round)) {
      const [, args] = chosen[index]!;
      figures[index]!.bulk.push(await bulk(args, megabytes));
      figures[index]!.trips.push(await roundTrips(args, trips));
    }
  chosen.forEach(([name], index) => {
    const { bulk: bulks, trips: costs } = figures[index]!;
    table.row([name], {
      [`${megabytes} MB`]: figureOf(bulks.map(({ time }) => time)),
      [`elapsed, ${megabytes} MB`]: figureOf(bulks.map(({ elapsed }) => elapsed)),
      [`forwarding thread, ${megabytes} MB`]: figureOf(bulks.map(({ main }) => main)),
      "per round trip": figureOf(costs.map(({ time }) => time / trips)),
      "elapsed, per round trip": figureOf(costs.map(({ elapsed }) => elapsed)),
      peak: figureOf(bulks.map(({ peak }) => peak)),
    });
  });
  await measureSizes(report, options);
  rmSync(folder, { recursive: true });
};

const sized: readonly string[] = ["a script that copies", "tap --quiet", "tap --quiet --out"];

/**
 * Compares a session of many short messages with one of a few long messages. Both have the same
 * total size.
 */
async function measureSizes(report: Report, options: BenchOptions): Promise<void> {
  const table = report.table("messages of other sizes", ["between", "per message"], {
    "100 MB": "ns",
    "elapsed, 100 MB": "ns",
    "forwarding thread, 100 MB": "ns",
  });
  const rows = [short, long].flatMap((message) =>
    ways
      .filter(([name]) => sized.includes(name))
      .map(([name, args]) => ({ labels: [name, `${message.length} B`], args, message })),
  );
  const chosen = rows.filter(({ labels }) => selects(options, ["sizes", ...labels]));
  const costs = chosen.map((): Cost[] => []);
  for (let round = 0; round < Math.min(options.rounds, 5); round++)
    for (const index of turnsOf(chosen.length, round))
      costs[index]!.push(await bulk(chosen[index]!.args, 100, chosen[index]!.message));
  chosen.forEach(({ labels }, index) =>
    table.row(labels, {
      "100 MB": figureOf(costs[index]!.map(({ time }) => time)),
      "elapsed, 100 MB": figureOf(costs[index]!.map(({ elapsed }) => elapsed)),
      "forwarding thread, 100 MB": figureOf(costs[index]!.map(({ main }) => main)),
    }),
  );
}
