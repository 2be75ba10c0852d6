/**
 * The cost of a tap: a program sends a hundred megabytes directly, through a Node script that only
 * copies, and through `wirewright tap`: quiet, checking and recording. Interleaved, medians. Also
 * measures the latency of a small response.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEncoder, type StackTraceResponse } from "../generated/dap/index.js";
import { spawnAdapter } from "../generated/dap/node.js";
import { median, printTable } from "./table.js";

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

/** Milliseconds until everything has been received. */
async function bulk(args: readonly string[]): Promise<number> {
  const own = [process.execPath, "-e", program];
  const [command, ...rest] = args.length === 0 ? own : [process.execPath, ...args, ...own];
  const child = spawn(command!, rest, { stdio: ["pipe", "pipe", "ignore"] });
  let from: bigint | undefined;
  let length = 0;
  for await (const chunk of child.stdout!) {
    from ??= process.hrtime.bigint();
    length += (chunk as Buffer).length;
  }
  const time = Number(process.hrtime.bigint() - from!) / 1e6;
  child.stdin!.end();
  assert.equal(length, count * frame.length);
  return time;
}

/** Median microseconds of a round trip. */
async function roundTrip(args: readonly string[]): Promise<number> {
  const own = [process.execPath, peer, "wirewright"];
  const [command, ...rest] = args.length === 0 ? own : [process.execPath, ...args, ...own];
  const { connection, process: child } = await spawnAdapter(
    command!,
    rest,
    {},
    { stdio: ["pipe", "pipe", "ignore"] },
  );
  const times: number[] = [];
  for (let index = 0; index < 3_000; index++) {
    const from = process.hrtime.bigint();
    const { stackFrames } = await connection.request("stackTrace", { threadId: 1, levels: 20 });
    assert.equal(stackFrames.length, 20);
    times.push(Number(process.hrtime.bigint() - from) / 1e3);
  }
  await connection.close();
  child.kill();
  return median(times.slice(500));
}

const bulks = ways.map((): number[] => []);
const trips = ways.map((): number[] => []);
for (let round = 0; round < 5; round++) {
  for (const [index, [, args]] of ways.entries()) {
    bulks[index]!.push(await bulk(args));
    trips[index]!.push(await roundTrip(args));
  }
}
const [direct] = bulks.map(median);
console.log(`Node ${process.versions.node}; ${count} messages of ${frame.length} bytes`);
printTable(
  ["between", "100 MB", "beside nothing", "round trip"],
  ways.map(([name], index) => [
    name,
    `${median(bulks[index]!).toFixed(0)} ms`,
    (median(bulks[index]!) / direct!).toFixed(2),
    `${median(trips[index]!).toFixed(0)} us`,
  ]),
);
rmSync(folder, { recursive: true });
