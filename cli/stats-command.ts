import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";
import { eventsOf, requestsOf } from "../generator/model/queries.js";
import { namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import { collectStats, type RecordingStats } from "../sessions/show/stats/session-stats.js";
import { exceededLimits, readLimit } from "../sessions/show/stats/stats-limits.js";
import {
  printJsonStats,
  printMarkdownStats,
  printTextStats,
  statsFormats,
  type StatsReport,
} from "../sessions/show/stats/stats-report.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { openProtocolOf } from "./recorded-protocol.js";
import { readSenders, recordingOptions, progressOf } from "./shared-options.js";

export const statsCommand = describeCommand({
  name: "stats",
  forms: ["FILE… [options]"],
  about:
    "Prints statistics about recordings, by request and event: messages, failures, response times, bytes, and requests that were still open at the end.",
  operands: [
    [
      "FILE",
      'a recording or a log, as in wirewright lint; "-" for standard input. Several recordings appear in one table',
    ],
  ],
  options: {
    "fail-over": {
      multiple: true,
      value: "LIMIT",
      help: 'exit with 1 if a limit is exceeded. A limit consists of a name or "*", then median, p95, max, count, failures, open or bytes, then an amount, as in "stackTrace p95 200ms"',
    },
    format: { value: "FORMAT", help: "", choices: statsFormats, default: "text" },
    ...recordingOptions,
    version: { value: "VERSION", help: "bundled version of the protocol to use" },
  },
  examples: [
    ["stats session.jsonl", "one recording"],
    ["stats before.jsonl after.jsonl", "two recordings, side by side"],
    ["stats session.jsonl --fail-over 'stackTrace p95 200ms' --fail-over '* open 0'", "in CI"],
  ],
  status: "0 on success, 1 if a limit is exceeded, 2 if the arguments or a recording are invalid.",
});

/** Runs `wirewright stats`. Returns the exit status. */
export async function runStats(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(statsCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals: files } = call;
  if (files.length === 0)
    throw argumentError(
      "Cannot count messages: no recording is given",
      "See wirewright stats --help",
    );
  const limits = (values["fail-over"] ?? []).map(readLimit);
  const protocol = await openProtocolOf(files[0], values);
  const protocolNames = new Set(
    [...requestsOf(protocol), ...eventsOf(protocol)].map(({ name }) => name),
  );
  const recordings: RecordingStats[] = [];
  for (const file of files) {
    const recording = await openRecordingFiles([file], protocol, {
      dialect: values.dialect,
      senders: readSenders(values.sender),
    });
    recordings.push(
      await collectStats(recording, protocol, namesOf([file])[0]!, progressOf(terminal)).finally(
        () => terminal.progress(""),
      ),
    );
  }
  const exceeded = recordings.flatMap((stats) => exceededLimits(stats, limits, protocolNames));
  const { name, version } = protocol;
  terminal.out(
    reportText({ protocol: name, version, recordings, exceeded }, values.format, terminal),
  );
  return exceeded.length > 0 ? 1 : 0;
}

function reportText(
  report: StatsReport,
  format: (typeof statsFormats)[number],
  terminal: Terminal,
): string {
  switch (format) {
    case "json":
      return printJsonStats(report);
    case "markdown":
      return printMarkdownStats(report);
    case "text":
      return printTextStats(report, (text) => paint(terminal, "bold", text));
  }
}
