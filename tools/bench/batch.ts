/**
 * Benchmarks `wirewright lint` on 1,000 recordings of 1,000 messages each. All runs must report the
 * same findings.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BatchFindings } from "../../sessions/judge/batch/batch-findings.js";
import { openProtocol } from "../../sessions/judge/open-protocol.js";
import { judgeFiles } from "../../sessions/judge/batch/judge-files.js";
import { figureOf, type Bench } from "./report.js";
import { linesOf } from "./view.js";

const messages = 1_000;

export const bench: Bench = async (report, { rounds, isQuick }) => {
  const recordings = isQuick ? 4 : 1_000;
  const counts = [1];
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
        const findings = await judge(files);
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

async function judge(files: readonly string[]): Promise<string> {
  const all = new BatchFindings();
  const protocol = await openProtocol("dap");
  const settings = { protocol, profile: "wire", severities: new Map() } as const;
  for await (const verdict of judgeFiles(files, settings)) all.add(verdict, true);
  if (all.recordings !== files.length) throw new Error("Not all recordings were checked");
  return JSON.stringify([all.messages, all.counts, all.list(undefined)]);
}
