import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder } from "../../support/compile.js";
import { cli } from "../../support/run-command.js";

const heapMegabytes = 48;
const events = 1_500;
const text = "x".repeat(100_000);

/** Prints the largest size of the process when it ends. */
const printPeak = `data:text/javascript,${encodeURIComponent('process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))')}`;

/** Runs the command with a heap much smaller than the session, and prints its peak memory. */
async function runWithSmallHeap(
  ...args: readonly string[]
): Promise<{ status: number | null; output: string; errors: string }> {
  const heap = `--max-old-space-size=${heapMegabytes}`;
  const child = spawn(process.execPath, [heap, "--import", printPeak, cli, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, output, errors };
}

const event = (seq: number): string =>
  JSON.stringify({ seq, type: "event", event: "output", body: { output: text } });

function write(path: string, print: (seq: number) => string, count = events): void {
  const file = openSync(path, "w");
  for (let seq = 1; seq <= count; seq++) writeSync(file, print(seq));
  closeSync(file);
}

test("a recording of any length is judged in bounded memory", async () => {
  await withFolder(async (folder) => {
    const lines = join(folder, "lines.jsonl");
    write(lines, (seq) => `{"from":"adapter","message":${event(seq)}}\n`);
    const frames = join(folder, "frames.bin");
    write(frames, (seq) => `Content-Length: ${event(seq).length}\r\n\r\n${event(seq)}`);
    for (const path of [lines, frames]) {
      const { status, output, errors } = await runWithSmallHeap(
        "lint",
        path,
        "--severity",
        "opening.early=off",
      );
      assert.equal(status, 0, errors);
      assert.match(output, / 1500 messages {3}no findings\n$/);
    }
  });
});

test("a log of 50 MB takes as much memory as one of 5 MB", async () => {
  const body = { output: "y".repeat(300), category: "stdout" };
  const print = (seq: number): string => {
    const message = { seq, type: "event", event: "output", body };
    const indent = seq % 7 === 0 ? 2 : undefined;
    return `[INFO] worker.cpp:${seq} (thread-${seq % 50}) <-- ${JSON.stringify(message, undefined, indent)}\nsettings: {"number":${seq}}\nnothing of note in line ${seq}\n`;
  };
  const ask = { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "a" } };
  const size = print(1).length;
  await withFolder(async (folder) => {
    const peaks = [];
    for (const megabytes of [5, 50]) {
      const log = join(folder, `${megabytes}.log`);
      const count = Math.ceil((megabytes * 1e6) / size);
      const first = `[INFO] worker.cpp:0 (thread-0) --> ${JSON.stringify(ask)}\n`;
      write(log, (seq) => (seq === 1 ? first : "") + print(seq), count);
      const { status, output, errors } = await runWithSmallHeap("stats", log, "--format", "json");
      assert.equal(status, 0, errors);
      assert.equal(Number(/"messages": (\d+)/.exec(output)?.[1]), count + 1);
      peaks.push(Number(/peak (\d+)/.exec(errors)?.[1]));
    }
    const [small, large] = peaks as [number, number];
    assert.ok(large < small * 1.3, `${small} and ${large} kB`);
  });
});

test("a session of any length is recorded in bounded memory", async () => {
  await withFolder(async (folder) => {
    const frames = join(folder, "frames.bin");
    write(frames, (seq) => `Content-Length: ${event(seq).length}\r\n\r\n${event(seq)}`);
    const out = join(folder, "session.jsonl");
    const program = 'require("node:fs").createReadStream(process.argv[1]).pipe(process.stdout)';
    const { status, errors } = await runWithSmallHeap(
      "tap",
      "--quiet",
      "--out",
      out,
      "--",
      process.execPath,
      "-e",
      program,
      frames,
    );
    assert.equal(status, 0, errors);
    assert.ok(statSync(out).size > events * text.length);
  });
});
