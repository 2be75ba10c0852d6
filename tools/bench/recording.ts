/**
 * Measures the processor time and peak memory of lint and tap by session length.
 * `npm run bench -- recording 64,256,2048` sets the session sizes in megabytes.
 *
 * The recordings are valid sessions: requests, responses with twenty stack frames, and occasional
 * events. `lint` reads them from a file; `tap` records a program that sends them. Memory must not
 * grow with the session length.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { startMetered, type Usage } from "./metered-process.js";
import { figureOf, type Bench } from "./report.js";

const cli = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
interface Exchange {
  readonly from: "client" | "adapter";
  readonly message: object;
}

/** Yields the messages of an endless session, a few at a time. Each stack has `depth` frames. */
function* session(depth: number): Generator<readonly Exchange[]> {
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
  const stackFrames = Array.from({ length: depth }, (_, id) => ({
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

/** Yields the first messages of a session whose stack traces are empty. */
export function* sessionOf(count: number): Generator<Exchange> {
  let left = count;
  for (const part of session(0))
    for (const exchange of part) {
      if (left-- === 0) return;
      yield exchange;
    }
}

/**
 * Writes a session of about `bytes` bytes, formatting each message with `print`. Returns the number
 * of messages.
 */
async function writeSession(
  path: string,
  bytes: number,
  print: (exchange: Exchange) => string,
): Promise<number> {
  const file = createWriteStream(path);
  let [written, messages] = [0, 0];
  for (const part of session(20)) {
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

/** Runs the command and reads its output to the end. */
async function run(args: readonly string[]): Promise<Usage> {
  const { child, usage } = startMetered([cli, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout!.resume();
  return usage;
}

export const bench: Bench = async (report, options) => {
  const table = report.table("recordings", ["work", "length"], { time: "ns per byte", peak: "MB" });
  const sizes = (options.args[0] ?? "16,64,256").split(",").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
  const row = (what: string, size: number, length: number, { time, peak }: Usage): void =>
    table.row([what, `${size} MB`], { time: figureOf([time / length]), peak: figureOf([peak]) });
  try {
    for (const size of sizes) {
      const lines = join(folder, "session.jsonl");
      await writeSession(lines, size * 1e6, (each) => `${JSON.stringify(each)}\n`);
      row("lint of a recording", size, statSync(lines).size, await run(["lint", lines]));
      rmSync(lines);

      const raw = join(folder, "adapter.bin");
      await writeSession(raw, size * 1e6, ({ from, message }) => {
        const text = JSON.stringify(message);
        return from === "client" ? "" : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
      });
      const { size: length } = statSync(raw);
      const out = join(folder, "recorded.jsonl");
      const say = 'require("node:fs").createReadStream(process.argv[1]).pipe(process.stdout)';
      const adapter = [process.execPath, "-e", say, raw];
      const usage = await run(["tap", "--quiet", "--out", out, "--", ...adapter]);
      row("tap --quiet --out", size, length, usage);
      assert.ok(statSync(out).size > length);
      rmSync(out);
      rmSync(raw);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
