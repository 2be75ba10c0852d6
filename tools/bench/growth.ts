/**
 * Measures how the time and memory required for decoding, encoding, validation and lint grow with
 * the size of bodies and sessions. Growing schemas are measured by `tools/bench/generate.ts` and
 * `tools/bench/diff.ts`.
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEncoder, type Encoder } from "@wirewright/dap";
import { FrameDecoder } from "../../runtime/index.js";
import { isValid } from "@wirewright/dap/validators";
import { fromRoot } from "../../test/support/paths.js";
import { chunksOf, variablesOf } from "./codec-corpus.js";
import { measure } from "./measure.js";
import { runMetered } from "./metered-process.js";
import { figureOf, selects, type Bench, type BenchOptions, type Report } from "./report.js";
import { sessionOf } from "./recording.js";

const times = {
  decode: "ns",
  encode: "ns",
  validate: "ns",
  "JSON.parse": "ns",
  "JSON.stringify": "ns",
};

type Message = Parameters<Encoder["encode"]>[0];

async function measureBodies(report: Report, options: BenchOptions): Promise<void> {
  const table = report.table("bodies", ["size"], times);
  const sizes = { "64 kB": 64e3, "1 MB": 1e6, "4 MB": 4e6, "16 MB": 16e6, "64 MB": 64e6 };
  for (const [name, bytes] of Object.entries(sizes)) {
    if (!selects(options, ["body", name])) continue;
    const message = variablesOf(bytes) as Message;
    const text = JSON.stringify(message);
    const encoder = createEncoder();
    const chunks = chunksOf(Buffer.from(encoder.encode(message)), 65_536);
    const works = {
      decode: () => {
        let count = 0;
        const limits = { maxBodyBytes: 1 << 28 };
        const decoder = new FrameDecoder({ limits, onMessage: () => count++ });
        for (const chunk of chunks) decoder.push(chunk);
        return count;
      },
      encode: () => encoder.encode(message).length,
      validate: () => (isValid(message) ? 1 : 0),
      "JSON.parse": () => ((JSON.parse(text) as { seq: number }).seq > 0 ? 1 : 0),
      "JSON.stringify": () => JSON.stringify(message).length,
    };
    const turns = { ...options, rounds: Math.min(options.rounds, 3), turnMs: 0, warmMs: 100 };
    const found = await measure(Object.values(works), turns);
    const cells = Object.keys(works).map((work, at) => [work, figureOf(found[at]!)] as const);
    table.row([name], Object.fromEntries(cells));
  }
}

async function measureSessions(report: Report, options: BenchOptions): Promise<void> {
  const table = report.table("sessions", ["messages"], {
    ...times,
    lint: "ns",
    "lint, peak": "MB",
  });
  const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
  try {
    for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
      const name = count.toLocaleString("en");
      if (!selects(options, ["session", name])) continue;
      const cells = await measureSession(count, options);
      const path = join(folder, "session.jsonl");
      writeSession(path, count);
      const { usage, errors } = runMetered([fromRoot("build/cli/main.js"), "lint", path]);
      if (usage === undefined) throw new Error(`lint: ${statSync(path).size} B: ${errors}`);
      table.row([name], {
        ...cells,
        lint: figureOf([usage.time]),
        "lint, peak": figureOf([usage.peak]),
      });
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures a session of `count` messages: a thousand messages, repeated as a stream that is never
 * held in memory as a whole.
 */
async function measureSession(
  count: number,
  options: BenchOptions,
): Promise<Record<string, ReturnType<typeof figureOf>>> {
  const messages = [...sessionOf(1_000)].map(({ message }) => message as Message);
  const texts = messages.map((message) => JSON.stringify(message));
  const encoder = createEncoder();
  const chunks = chunksOf(
    Buffer.concat(messages.map((message) => Buffer.from(encoder.encode(message)))),
    65_536,
  );
  const repeat = (each: () => number) => (): number => {
    let sum = 0;
    for (let turn = 0; turn < count; turn += messages.length) sum += each();
    return sum;
  };
  const sumOf = (each: (at: number) => number) => (): number => {
    let sum = 0;
    for (let at = 0; at < messages.length; at++) sum += each(at);
    return sum;
  };
  let decoded = 0;
  const decoder = new FrameDecoder({ onMessage: () => decoded++ });
  const works = {
    decode: repeat(() => {
      decoded = 0;
      for (const chunk of chunks) decoder.push(chunk);
      return decoded;
    }),
    encode: repeat(sumOf((at) => encoder.encode(messages[at]!).length)),
    validate: repeat(sumOf((at) => (isValid(messages[at]) ? 1 : 0))),
    "JSON.parse": repeat(sumOf((at) => (JSON.parse(texts[at]!) as { seq: number }).seq)),
    "JSON.stringify": repeat(sumOf((at) => JSON.stringify(messages[at]).length)),
  };
  const turns = { ...options, rounds: Math.min(options.rounds, 3), turnMs: 0, warmMs: 100 };
  const found = await measure(Object.values(works), turns);
  return Object.fromEntries(Object.keys(works).map((work, at) => [work, figureOf(found[at]!)]));
}

/** Writes a recording of `count` messages. */
function writeSession(path: string, count: number): void {
  const file = openSync(path, "w");
  let text = "";
  for (const exchange of sessionOf(count)) {
    text += `${JSON.stringify(exchange)}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
}

export const bench: Bench = async (report, options) => {
  await measureBodies(report, options);
  await measureSessions(report, options);
};
