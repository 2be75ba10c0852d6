import { countText } from "../generator/base/plural.js";
import { toolVersion } from "../generator/base/bundled.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readHost } from "../sessions/judge/host-table.js";
import type { OpenProtocol } from "../sessions/judge/open-protocol.js";
import { namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import { exportRecording, type Exporter, TextOutput } from "../sessions/show/export/exporter.js";
import { OtlpExporter } from "../sessions/show/export/otlp.js";
import { PerfettoExporter } from "../sessions/show/export/perfetto.js";
import { SqliteExporter } from "../sessions/show/export/sqlite.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine, type OptionValues } from "./command-line.js";
import { openProtocolOf } from "./recorded-protocol.js";
import {
  judgingOptions,
  recordingOptions,
  progressOf,
  readRecordingNames,
  readSenders,
} from "./shared-options.js";

export const exportCommand = describeCommand({
  name: "export",
  forms: ["FILE [FILE] --format FORMAT [options]"],
  about:
    "Exports a recorded session, along with its wirewright lint findings, for use in other tools: Perfetto, OpenTelemetry collectors, or SQLite.",
  operands: [
    [
      "FILE",
      'a recording or a log, as in wirewright lint; "-" for standard input. Give two files if each contains one direction',
    ],
  ],
  options: {
    format: {
      value: "FORMAT",
      help: '"perfetto": JSON trace events for ui.perfetto.dev; "otlp": OTLP traces in JSON, for a collector; "sqlite": a database, which requires Node 22.13 or later',
      choices: ["perfetto", "otlp", "sqlite"],
    },
    out: {
      value: "FILE",
      help: 'file to write; "-" for standard output, except for sqlite',
      otherwise: '"-"',
    },
    began: {
      value: "TIME",
      help: "start time of the session in ISO 8601 format, because otlp requires absolute times",
      otherwise: "the recorded start, or 1970-01-01T00:00:00Z",
    },
    ...recordingOptions,
    ...judgingOptions,
  },
  examples: [
    ["export session.jsonl --format perfetto --out session.json", "for ui.perfetto.dev"],
    ["export session.jsonl --format otlp --out session.otlp.jsonl", "for a collector"],
    ["export adapter.log --format sqlite --out session.db", "for queries"],
  ],
  status: "0 on success, 2 if the arguments or the recording are invalid.",
});

type Values = OptionValues<typeof exportCommand.options>;

/** Runs `wirewright export`. Returns the exit status. */
export async function runExport(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(exportCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const files = readRecordingNames("export", "export", positionals);
  const began = readBegan(values.began);
  const protocol = await openProtocolOf(files[0], values);
  const host = values.host === undefined ? undefined : await readHost(values.host, protocol.source);
  const name = namesOf(files).join(" ");
  const recording = await openRecordingFiles(files, protocol, {
    dialect: values.dialect,
    senders: readSenders(values.sender),
  });
  const exporter = await openExporter(values, protocol, {
    name,
    began: began ?? Date.parse(recording.began ?? "1970-01-01T00:00:00Z"),
  });
  const { messages } = await exportRecording(
    recording,
    protocol,
    exporter,
    {
      name,
      profile: values.profile,
      rules: protocol.sessionRules,
      host,
      severities: new Map(),
    },
    progressOf(terminal),
  ).finally(() => terminal.progress(""));
  terminal.error(visible(`${name}   ${countText(messages, "message")}`));
  return 0;
}

/** @throws InputError `ERR_ARGUMENT` if a format or a file is missing. */
async function openExporter(
  { format, out }: Values,
  protocol: OpenProtocol,
  more: { readonly name: string; readonly began: number },
): Promise<Exporter> {
  if (format === undefined)
    throw argumentError("Cannot export: no --format is given", "Allowed: perfetto, otlp, sqlite");
  if (format === "sqlite") {
    if (out === undefined || out === "-")
      throw argumentError("Cannot write a database to standard output", "Give a file with --out");
    return SqliteExporter.open(out);
  }
  const output = new TextOutput(await StreamedFile.open(out ?? "-"));
  const { name, version } = protocol;
  return format === "perfetto"
    ? new PerfettoExporter(output, `${name} ${version}`)
    : new OtlpExporter(output, { ...more, protocol: name, version, toolVersion: toolVersion() });
}

/** @throws InputError `ERR_ARGUMENT` for an invalid time. */
function readBegan(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (!Number.isNaN(time) && time >= 0 && /^\d{4}-\d\d-\d\d/.test(text)) return time;
  throw argumentError(`Cannot use --began "${text}"`, 'Give a time such as "2026-01-31T12:00:00Z"');
}
