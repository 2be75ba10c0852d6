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

/** Runs the command with a heap much smaller than the session. */
async function runWithSmallHeap(
  ...args: readonly string[]
): Promise<{ status: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, cli, ...args], {
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

function write(path: string, print: (seq: number) => string): void {
  const file = openSync(path, "w");
  for (let seq = 1; seq <= events; seq++) writeSync(file, print(seq));
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
