import { availableParallelism } from "node:os";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { BatchFindings } from "../sessions/judge/batch/batch-findings.js";
import {
  batchFormats,
  printBatchGithub,
  printBatchJson,
  printBatchText,
  type BatchReport,
} from "../sessions/judge/batch/batch-report.js";
import { printBaseline, readBaseline } from "../sessions/judge/batch/baseline.js";
import type { findRecordings } from "../sessions/judge/batch/find-recordings.js";
import type { BatchSettings } from "../sessions/judge/batch/judge-file.js";
import { judgeFiles } from "../sessions/judge/batch/judge-files.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { isFailure } from "./option-values.js";

/** Options for checking many recordings. */
export interface BatchCall extends BatchSettings {
  readonly files: Awaited<ReturnType<typeof findRecordings>>;
  readonly format: string;
  readonly failOn: "error" | "warning" | "info" | "never";
  readonly baseline: string | undefined;
  readonly writeBaseline: string | undefined;
  readonly threads: string | undefined;
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** Runs `wirewright lint` on many recordings. Returns the exit status. */
export async function lintBatch(
  { files, format, failOn, baseline: known, writeBaseline, threads, ...settings }: BatchCall,
  protocol: { readonly name: string; readonly version: string },
  terminal: Terminal,
): Promise<number> {
  const wanted = batchFormats.find((each) => each === format);
  if (wanted === undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use --format "${format}" with several recordings`,
      {},
      `Allowed: ${batchFormats.join(", ")}`,
    );
  const count = readThreads(threads);
  const baseline = known === undefined ? undefined : await readBaseline(known);
  const all = new BatchFindings();
  let done = 0;
  await judgeFiles(
    files.map(({ file }) => file),
    settings,
    count,
    (verdict, place) => {
      all.add(verdict, place, files[place]!.isNamed);
      terminal.progress(`${++done} of ${files.length} recordings`);
    },
  ).finally(() => terminal.progress(""));
  const findings = all.list(baseline);
  const report: BatchReport = {
    protocol: protocol.name,
    version: protocol.version,
    profile: settings.profile,
    all,
    findings,
    hasBaseline: baseline !== undefined,
  };
  for (const { error } of [...all.errors].sort((a, b) => a.place - b.place))
    terminal.error(
      formatInputError(new InputError(error!.code, error!.message, error!.place, error!.hint)),
    );
  if (all.recordings === 0 && all.errors.length === 0)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find any message in ${files.length === 1 ? "the file" : `the ${files.length} files`}`,
    );
  const text = reportText(report, wanted, terminal);
  if (text !== "") terminal.out(text);
  if (writeBaseline !== undefined) {
    await writeText(writeBaseline, printBaseline(findings));
    terminal.error(visible(`${writeBaseline}   ${findings.length} findings`));
  }
  if (all.errors.length > 0) return 2;
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { isNew, first } of findings) if (isNew) counts[first.severity]++;
  return isFailure(baseline === undefined ? all.counts : counts, failOn) ? 1 : 0;
}

/** @throws InputError `ERR_ARGUMENT` if the value is not a number of threads. */
function readThreads(text: string | undefined): number {
  if (text === undefined) return availableParallelism();
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use "${text}" as --threads`,
    {},
    "Give a number from 1 to 999",
  );
}

function reportText(
  report: BatchReport,
  format: (typeof batchFormats)[number],
  terminal: Terminal,
): string {
  switch (format) {
    case "json":
      return printBatchJson(report);
    case "github":
      return printBatchGithub(report);
    case "text":
      return printBatchText(report, (severity, text) => paint(terminal, colours[severity], text));
  }
}

async function writeText(path: string, text: string): Promise<void> {
  const file = await StreamedFile.open(path);
  await file.write(text);
  await file.finish();
}
