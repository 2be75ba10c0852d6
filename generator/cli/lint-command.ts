import { statSync } from "node:fs";
import { basename } from "node:path";
import { toolHomepage, toolVersion } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";
import { RecordingPage } from "../inspector/inspect-recording.js";
import { isPattern } from "../batch/find-recordings.js";
import { openProtocol } from "../library/open-protocol.js";
import { namesOf, openRecordingFiles } from "../library/recording-files.js";
import { findHostOf, readHost } from "../lint/host-table.js";
import { judgeRecording } from "../lint/judge-recording.js";
import {
  lintFormats,
  printGithubReport,
  printJsonReport,
  printTextReport,
  type LintReport,
} from "../lint/report.js";
import { printSarifReport } from "../lint/report-sarif.js";
import type { LintRule, LintSeverity } from "../lint/rules.js";
import { readSessionRules } from "../lint/session-rules.js";
import { readVersionName } from "../read/read-protocol.js";
import type { OpenRecording } from "../session/recording.js";
import {
  describeCommand,
  dialectOption,
  protocolOption,
  readCommandLine,
  schemaOption,
  type OptionValues,
} from "./command-line.js";
import { explainRule, knownRules, printRules } from "./lint-rules.js";
import {
  isFailure,
  progressOf,
  readRecordingNames,
  readSeverities,
  schemaOf,
} from "./option-values.js";

export const lintCommand = describeCommand({
  name: "lint",
  forms: [
    "FILE [FILE] [options]",
    "DIR|PATTERN|FILE… [options]",
    "--configuration FILE [--against FILE] [options]",
    "rules",
  ],
  about:
    "Judges a recorded session: each message by the schema, and the messages of the session together. The second form judges many recordings in parallel, and prints a table by adapter and rule. The third form judges launch configurations, the fourth lists the rules.",
  operands: [
    [
      "FILE",
      'a recording of wirewright tap, framed bytes of one direction or of both, lines with a JSON message each, or a log in one of the formats of wirewright convert formats; "-" for standard input. Two files are the two directions',
    ],
    [
      "DIR|PATTERN",
      "a folder with all that is below it, or a quoted pattern such as 'runs/**/*.jsonl'. Each recording is judged by itself, as are three files and more",
    ],
  ],
  options: {
    protocol: protocolOption,
    dialect: dialectOption,
    schema: schemaOption,
    version: { type: "string", value: "VERSION", help: "bundled version to judge by" },
    profile: {
      type: "string",
      value: "PROFILE",
      help: '"wire" makes an error of what no reader can use, and a warning of what tolerant readers accept; "strict" takes the schema literally',
      choices: ["wire", "strict"],
      default: "wire",
    },
    host: {
      type: "string",
      value: "NAME",
      help: "also judge by the behaviour of a host of the other side: visual-studio, or the path of a file in the format of schema/host.schema.json",
    },
    configuration: {
      type: "string",
      value: "FILE",
      help: "judge a launch.json instead, or the debuggers of the package.json of an extension",
    },
    against: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "judge configurations by this package.json of an extension, schema or interfaces",
      otherwise: "those of the project file, or ./package.json",
    },
    format: {
      type: "string",
      value: "FORMAT",
      help: "{choices}; html is the page of wirewright view",
      choices: lintFormats,
      default: "text",
    },
    severity: {
      type: "string",
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set a rule to error, warning, info or off",
    },
    "fail-on": {
      type: "string",
      value: "SEVERITY",
      help: "least severity that fails",
      choices: ["error", "warning", "info", "never"],
      default: "error",
    },
    session: {
      type: "string",
      value: "NUMBER",
      help: "judge only this session of a recording that has several, as the report numbers them",
    },
    each: { type: "boolean", help: "judge one or two files as many are" },
    baseline: {
      type: "string",
      value: "FILE",
      help: "of many recordings, list and fail on only what this file of --write-baseline does not have",
    },
    "write-baseline": {
      type: "string",
      value: "FILE",
      help: "write what was found in many recordings to a file",
    },
    threads: {
      type: "string",
      value: "NUMBER",
      help: "threads for many recordings",
      otherwise: "one a core",
    },
    all: { type: "boolean", help: "list each finding in text, also those that say the same" },
    explain: {
      type: "string",
      value: "RULE",
      help: "explain a rule, and show where the specification states it",
    },
  },
  examples: [
    ["lint session.jsonl", "a recording of wirewright tap"],
    ["lint to-adapter.bin to-client.bin --profile strict", "the bytes of both directions"],
    ["lint debugpy.adapter.log --fail-on warning", "the log of an adapter"],
    ["lint runs --baseline known.json", "all recordings in a folder: fails on new findings"],
    ["lint --configuration .vscode/launch.json", "launch configurations"],
  ],
  status:
    "0 nothing of that severity was found, 1 something was, 2 the call or the input is wrong.",
});

type Values = OptionValues<typeof lintCommand.options>;

/** `wirewright lint`. Returns the exit status. */
export async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(lintCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const { configuration, against } = values;
  if (configuration !== undefined) {
    if (positionals.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot judge "${positionals[0]}" and configurations at once`,
        {},
        "Call wirewright lint for each of them",
      );
    const { lintConfiguration } = await import("./lint-configuration.js");
    return lintConfiguration({ ...values, configuration }, terminal);
  }
  if (against !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot use --against without --configuration",
      {},
      "Recordings are judged by a --protocol",
    );
  const asksForRules = positionals.length === 1 && positionals[0] === "rules";
  if (values.explain === undefined && !asksForRules && isBatch(values, positionals))
    return lintMany(positionals, values, terminal);
  if (values.explain === undefined && !asksForRules)
    return lintRecording(readRecordingNames("lint", "judge", positionals), values, terminal);
  const { protocol } = readVersionName(values.protocol, values.version);
  const host =
    values.host === undefined
      ? await findHostOf(values.explain ?? "", protocol)
      : await readHost(values.host, protocol);
  const known = knownRules(await readSessionRules(protocol), host);
  const text =
    values.explain === undefined ? printRules(known) : explainRule(values.explain, known);
  terminal.out(text);
  return 0;
}

/** Whether a call is about many recordings, each by itself. */
function isBatch(values: Values, names: readonly string[]): boolean {
  const { each = false, baseline, "write-baseline": written, threads } = values;
  if (each || (baseline ?? written ?? threads) !== undefined || names.length > 2) return true;
  return names.some((name) => {
    const kind = statSync(name, { throwIfNoEntry: false });
    return kind === undefined ? name !== "-" && isPattern(name) : kind.isDirectory();
  });
}

async function lintMany(
  names: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const { session, all = false, version, schema } = values;
  const only = session !== undefined ? "--session" : all ? "--all" : undefined;
  if (only !== undefined || names.includes("-"))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use ${only ?? "standard input"} for several recordings`,
      {},
      "Give one recording",
    );
  if (names.length === 0) readRecordingNames("lint", "judge", names);
  const protocol = await openProtocol(values.protocol, {
    ...(version === undefined ? {} : { version }),
    ...schemaOf(values),
  });
  const host = values.host === undefined ? undefined : await readHost(values.host, protocol.source);
  const severities = readSeverities(values.severity, knownRules(protocol.sessionRules, host));
  const { lintBatch } = await import("./lint-batch.js");
  return lintBatch(
    {
      ...{ names, severities, version, schema, host: values.host, dialect: values.dialect },
      ...{ protocol: values.protocol, profile: values.profile, format: values.format },
      ...{ failOn: values["fail-on"], baseline: values.baseline, threads: values.threads },
      writeBaseline: values["write-baseline"],
    },
    protocol,
    terminal,
  );
}

async function lintRecording(
  files: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const protocol = await openProtocol(values.protocol, {
    ...(values.version === undefined ? {} : { version: values.version }),
    ...schemaOf(values),
  });
  const { sessionRules: rules, source } = protocol;
  const host = values.host === undefined ? undefined : await readHost(values.host, source);
  const known = knownRules(rules, host);
  const severities = readSeverities(values.severity, known);
  const recording = await openRecordingFiles(files, protocol, { dialect: values.dialect });
  const onProgress = progressOf(terminal);
  const page = values.format === "html" ? new RecordingPage(protocol) : undefined;
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
  const text = reportText(report, { files, values, known, page, recording, terminal });
  if (text !== undefined) terminal.out(text);
  return isFailure(report.counts, values["fail-on"]) ? 1 : 0;
}

/** @throws InputError `ERR_ARGUMENT` if it is not the number of a session. */
function readSession(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use "${text}" as --session`,
    {},
    "Give the number of a session, from 1",
  );
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** A report in the format that is asked for. Undefined if there is nothing to print. */
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
        paint: (severity: LintSeverity, text) => paint(terminal, colours[severity], text),
        isFull: all,
      });
    case "github":
      return report.findings.length > 0 ? printGithubReport(report) : undefined;
  }
}
