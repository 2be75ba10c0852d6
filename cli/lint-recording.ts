import { basename } from "node:path";
import { toolHomepage, toolVersion } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import { paint } from "../generator/base/paint.js";
import type { Terminal } from "../generator/base/terminal.js";
import type { RecordingPage } from "../sessions/show/inspector/inspect-recording.js";
import { namesOf, openRecordingFiles, recordedProtocol } from "../sessions/read/recording-files.js";
import { openProtocol } from "../sessions/judge/open-protocol.js";
import { readHost } from "../sessions/judge/host-table.js";
import { judgeRecording } from "../sessions/judge/judge-recording.js";
import {
  printGithubReport,
  printJsonReport,
  printTextReport,
  type LintReport,
} from "../sessions/judge/report.js";
import { printSarifReport } from "../sessions/judge/report-sarif.js";
import type { Severity } from "../generator/base/severity.js";
import type { Protocol } from "../generator/model/protocol.js";
import type { LintRule } from "../sessions/judge/rules.js";
import type { OpenRecording } from "../sessions/read/recording.js";
import { knownRules } from "./lint-rules.js";
import { isFailure, progressOf, readSeverities, readingOptions } from "./option-values.js";
import { type Values } from "./lint-call.js";

export async function lintRecording(
  files: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const protocol = await openProtocol(
    values.protocol ?? (await recordedProtocol(files[0])),
    readingOptions(values),
  );
  const { sessionRules: rules, source } = protocol;
  const host = values.host === undefined ? undefined : await readHost(values.host, source);
  const known = knownRules(rules, host);
  const severities = readSeverities(values.severity, known);
  const recording = await openRecordingFiles(files, protocol, { dialect: values.dialect });
  const onProgress = progressOf(terminal);
  const page = values.format === "html" ? await pageOf(protocol) : undefined;
  const report = await judgeRecording(recording, protocol, {
    name: namesOf(files).join(" "),
    profile: values.profile,
    rules,
    host,
    severities,
    session: readSession(values.session),
    viewer: page,
    onProgress: (messages, bytes) => onProgress(bytes, messages),
  }).finally(() => terminal.progress(""));
  if (values.session !== undefined && report.messages + report.findings.length === 0)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find session ${values.session} in ${namesOf(files).join(" ")}`,
      {},
      "Without --session, the report lists the sessions",
    );
  const text = reportText(report, { files, values, known, page, recording, terminal });
  if (text !== undefined) terminal.out(text);
  return isFailure(report.counts, values["fail-on"]) ? 1 : 0;
}

async function pageOf(protocol: Protocol): Promise<RecordingPage> {
  const { RecordingPage } = await import("../sessions/show/inspector/inspect-recording.js");
  return new RecordingPage(protocol);
}

/** @throws InputError `ERR_ARGUMENT` if the value is not a session number. */
function readSession(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use "${text}" as --session`,
    {},
    "Give a session number, starting at 1",
  );
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** Formats a report as requested. Returns undefined if there is nothing to print. */
function reportText(
  report: LintReport,
  {
    files,
    values: { format, all = false },
    known,
    page,
    recording,
    terminal,
  }: {
    readonly files: readonly string[];
    readonly values: Values;
    readonly known: ReadonlyMap<string, LintRule>;
    readonly page: RecordingPage | undefined;
    readonly recording: OpenRecording;
    readonly terminal: Terminal;
  },
): string | undefined {
  switch (format) {
    case "html": {
      const file = namesOf(files)
        .map((name) => basename(name))
        .join(" ");
      return page?.print({ ...report, file }, known, recording);
    }
    case "sarif": {
      const file = files.length === 1 && files[0] !== "-" ? files[0] : undefined;
      const tool = { version: toolVersion(), homepage: toolHomepage() };
      return printSarifReport(report, { tool, folder: process.cwd(), file, rules: known });
    }
    case "json":
      return printJsonReport(report);
    case "text":
      return printTextReport(report, {
        paint: (severity: Severity, text) => paint(terminal, colours[severity], text),
        isFull: all,
      });
    case "github":
      return report.findings.length > 0 ? printGithubReport(report) : undefined;
  }
}
