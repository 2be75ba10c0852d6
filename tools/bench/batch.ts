/**
 * Benchmarks `wirewright lint` on 1,000 recordings of 1,000 messages each, with one thread and with
 * several. `npm run bench -- batch 1,2,4` sets the thread counts. All runs must report the same
 * findings.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { BatchFindings } from "../../sessions/judge/batch/batch-findings.js";
import { judgeFiles } from "../../sessions/judge/batch/judge-files.js";
import { figureOf, type Bench } from "./report.js";
import { linesOf } from "./view.js";

const messages = 1_000;

export const bench: Bench = async (report, { rounds, args, isQuick }) => {
  const recordings = isQuick ? 4 : 1_000;
  const cores = availableParallelism();
  const counts = (args[0] ?? (cores > 1 ? `1,${cores}` : "1")).split(",").map(Number);
  const table = report.table("batch", ["threads"], {
    elapsed: "ms",
    "per message": "us",
    "times one thread": "",
  });
  const folder = mkdtempSync(join(tmpdir(), "wirewright-"));
  try {
    const text = [...linesOf(messages)].join("");
    const files = Array.from({ length: recordings }, (_, at) => join(folder, `${at}.jsonl`));
    for (const file of files) writeFileSync(file, text);
    const times = new Map<number, number[]>();
    let found: string | undefined;
    for (let round = 0; round < Math.min(rounds, 3); round++)
      for (const threads of counts) {
        const began = performance.now();
        const findings = await judge(files, threads);
        times.set(threads, [...(times.get(threads) ?? []), performance.now() - began]);
        found ??= findings;
        if (found !== findings) throw new Error(`${threads} threads report different findings`);
      }
    const one = times.get(counts[0]!)!;
    for (const [threads, elapsed] of times)
      table.row([String(threads)], {
        elapsed: figureOf(elapsed),
        "per message": figureOf(elapsed.map((time) => (time * 1_000) / (recordings * messages))),
        "times one thread": figureOf(elapsed.map((time, round) => one[round]! / time)),
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

async function judge(files: readonly string[], threads: number): Promise<string> {
  const all = new BatchFindings();
  const settings = { protocol: "dap", profile: "wire", severities: new Map() } as const;
  await judgeFiles(files, settings, threads, (verdict, place) => all.add(verdict, place, true));
  if (all.recordings !== files.length) throw new Error("Not all recordings were checked");
  return JSON.stringify([all.messages, all.counts, all.list(undefined)]);
}
