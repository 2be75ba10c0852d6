/**
 * Peak memory of lint and tap by session length: `npm run bench:recording -- --megabytes
 * 64,256,2048`.
 *
 * Recordings are valid sessions: requests, responses with twenty stack frames, and occasional
 * events. `lint` reads them from a file; `tap` records a program that sends them. Memory must not
 * grow with the length.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { printTable } from "./table.js";

const cli = fileURLToPath(new URL("../generator/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
/** Preloaded into the measured process: prints its peak memory as the last line of stderr. */
const meter = join(folder, "meter.mjs");
writeFileSync(
  meter,
  'process.on("exit", () => process.stderr.write(`\\npeak ${process.resourceUsage().maxRSS}\\n`));\n',
);

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "16,64,256" } },
});
const sizes = values.megabytes.split(",").map(Number);

interface Exchange {
  readonly from: "client" | "adapter";
  readonly message: object;
}

/** The messages of an endless session, a few at a time. */
function* session(): Generator<readonly Exchange[]> {
  let own = 1;
  let theirs = 1;
  const ask = (command: string, args: object, body: object): readonly Exchange[] => {
    const seq = own++;
    return [
      { from: "client", message: { seq, type: "request", command, arguments: args } },
      {
        from: "adapter",
        message: {
          seq: theirs++,
          type: "response",
          request_seq: seq,
          success: true,
          command,
          body,
        },
      },
    ];
  };
  const say = (event: string, body: object): Exchange => ({
    from: "adapter",
    message: { seq: theirs++, type: "event", event, body },
  });
  yield ask("initialize", { adapterID: "bench" }, {});
  yield [{ from: "adapter", message: { seq: theirs++, type: "event", event: "initialized" } }];
  yield ask("launch", {}, {});
  const stackFrames = Array.from({ length: 20 }, (_, id) => ({
    id,
    name: `function number ${id}`,
    line: id * 7,
    column: 3,
    source: { path: `/home/user/project/src/module${id}.ts` },
  }));
  for (;;) {
    yield [say("stopped", { reason: "step", threadId: 1 })];
    yield ask("threads", {}, { threads: [{ id: 1, name: "main" }] });
    yield ask("stackTrace", { threadId: 1, levels: 20 }, { stackFrames });
    yield [say("output", { category: "stdout", output: "step by step\n" })];
    yield ask("next", { threadId: 1 }, {});
  }
}

/**
 * Writes a session of about `bytes` bytes, each message formatted by `print`. Returns the number of
 * messages.
 */
async function writeSession(
  path: string,
  bytes: number,
  print: (exchange: Exchange) => string,
): Promise<number> {
  const file = createWriteStream(path);
  let [written, messages] = [0, 0];
  for (const part of session()) {
    const text = part.map(print).join("");
    written += text.length;
    messages += part.length;
    if (!file.write(text)) await once(file, "drain");
    if (written >= bytes) break;
  }
  file.end();
  await finished(file);
  return messages;
}

interface Run {
  readonly seconds: number;
  /** Megabytes. */
  readonly peak: number;
  readonly said: string;
}

/** Runs the command with the meter and reads its output to the end. */
async function run(args: readonly string[]): Promise<Run> {
  const from = performance.now();
  const child = spawn(process.execPath, ["--import", pathToFileURL(meter).href, cli, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const [status] = (await once(child, "close")) as [number | null];
  assert.equal(status, 0, `${args[0]}: ${errors}${said}`);
  const peak = Number(/peak (\d+)\n$/.exec(errors)![1]) / 1024;
  return { seconds: (performance.now() - from) / 1e3, peak, said };
}

const row = (what: string, length: number, { seconds, peak }: Run): string[] => [
  what,
  `${Math.round(length / 1e6)} MB`,
  `${peak.toFixed(0)} MB`,
  `${(length / 1e6 / seconds).toFixed(0)} MB/s`,
];

const rows: string[][] = [];
try {
  for (const size of sizes) {
    const lines = join(folder, "session.jsonl");
    await writeSession(lines, size * 1e6, (each) => `${JSON.stringify(each)}\n`);
    rows.push(row("lint of a recording", statSync(lines).size, await run(["lint", lines])));
    rmSync(lines);

    const raw = join(folder, "adapter.bin");
    await writeSession(raw, size * 1e6, ({ from, message }) => {
      const text = JSON.stringify(message);
      return from === "client" ? "" : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    });
    const out = join(folder, "recorded.jsonl");
    const say = 'require("node:fs").createReadStream(process.argv[1]).pipe(process.stdout)';
    const adapter = [process.execPath, "-e", say, raw];
    rows.push(
      row(
        "tap --quiet --out",
        statSync(raw).size,
        await run(["tap", "--quiet", "--out", out, "--", ...adapter]),
      ),
    );
    assert.ok(statSync(out).size > statSync(raw).size);
    rmSync(out);
    rmSync(raw);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printTable(["work", "length", "peak", "speed"], rows);
