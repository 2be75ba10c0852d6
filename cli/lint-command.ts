import { statSync } from "node:fs";
import { basename } from "node:path";
import { defaultProtocol, toolHomepage, toolVersion } from "../generator/base/bundled.js";
import { formatInputError, InputError } from "../generator/base/input-error.js";
import { paint } from "../generator/base/paint.js";
import { countText } from "../generator/base/plural.js";
import type { Severity } from "../generator/base/severity.js";
import type { Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { once } from "../generator/model/once.js";
import { StreamedFile } from "../generator/output/streamed-file.js";
import { readVersionName } from "../generator/read/read-protocol.js";
import { configurationRules } from "../launch/configuration-rules.js";
import { printBaseline, readBaseline } from "../sessions/judge/batch/baseline.js";
import { BatchFindings } from "../sessions/judge/batch/batch-findings.js";
import {
  batchFormats,
  printBatchGithub,
  printBatchJson,
  printBatchText,
  type BatchReport,
} from "../sessions/judge/batch/batch-report.js";
import { findRecordings, isPattern } from "../sessions/judge/batch/find-recordings.js";
import { judgeFile } from "../sessions/judge/batch/judge-file.js";
import { readFramingRules } from "../sessions/judge/framing-rules.js";
import { findHostOf, readHost, type HostTable } from "../sessions/judge/host-table.js";
import { judgeRecording } from "../sessions/judge/judge-recording.js";
import { openProtocol, type OpenProtocol } from "../sessions/judge/open-protocol.js";
import { printSarifReport } from "../sessions/judge/report-sarif.js";
import {
  lintFormats,
  printGithubReport,
  printJsonReport,
  printTextReport,
  type LintReport,
} from "../sessions/judge/report.js";
import { explainByExample } from "../sessions/judge/rule-examples.js";
import { listRules, type LintRule } from "../sessions/judge/rules.js";
import { readSessionRules } from "../sessions/judge/session-rules.js";
import { recordedProtocol, namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import type { OpenRecording } from "../sessions/read/recording.js";
import type { RecordingPage } from "../sessions/show/inspector/recording-page.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, type OptionValues, readCommandLine } from "./command-line.js";
import { openProtocolOf } from "./recorded-protocol.js";
import {
  recordingOptions,
  readRecordingNames,
  readSenders,
  readSeverities,
  isFailure,
  progressOf,
  unknownRule,
} from "./shared-options.js";

export const lintCommand = describeCommand({
  name: "lint",
  forms: [
    "FILE [FILE] [options]",
    "DIR|PATTERN|FILE… [options]",
    "--configuration FILE [--against FILE] [options]",
    "rules",
  ],
  about:
    "Checks a recorded session: each message against the schema, and the order of the messages. The second form checks many recordings, and prints a table of findings by adapter and rule. The third form checks launch configurations. The fourth form lists the rules.",
  operands: [
    [
      "FILE",
      'a recording made with wirewright tap, framed bytes from one or both directions, one JSON message per line, or the log of any program that prints messages as JSON or as objects; "-" for standard input. Give two files if each contains one direction, or if the sessions in the second follow those in the first',
    ],
    [
      "DIR|PATTERN",
      "a folder, including its subfolders, or a quoted pattern such as 'runs/**/*.jsonl'. Each recording is checked independently, as are three or more files",
    ],
  ],
  options: {
    ...recordingOptions,
    version: { value: "VERSION", help: "bundled version of the protocol to check against" },
    profile: {
      value: "PROFILE",
      help: '"wire" reports an error if no reader can use a value, and a warning if tolerant readers accept it; "strict" reports every deviation from the schema as an error',
      choices: ["wire", "strict"],
      default: "wire",
    },
    host: {
      value: "NAME",
      help: "also check against the known behaviour of a host on the other side: visual-studio, or the path of a file in the format of schema/formats/host.schema.json",
    },
    configuration: {
      value: "FILE",
      help: "check a launch.json instead, or the debuggers in the package.json of a VS Code extension",
    },
    against: {
      multiple: true,
      value: "FILE",
      help: "source to check the configurations against: the package.json of a VS Code extension, a schema, or interfaces",
      otherwise: "the source in the project file, or ./package.json",
    },
    format: {
      value: "FORMAT",
      help: "{choices}; html writes the wirewright view page",
      choices: lintFormats,
      default: "text",
    },
    severity: {
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set the severity of a rule: error, warning, info or off",
    },
    "fail-on": {
      value: "SEVERITY",
      help: "lowest severity that makes the command fail",
      choices: ["error", "warning", "info", "never"],
      default: "error",
    },
    session: {
      value: "NUMBER",
      help: "check only this session in a recording that contains several, as numbered in the report",
    },
    each: { help: "check each file independently, even if there are only one or two" },
    baseline: {
      value: "FILE",
      help: "for many recordings: list, and fail on, only findings that are not in this file, which --write-baseline writes",
    },
    "write-baseline": { value: "FILE", help: "for many recordings: write the findings to a file" },
    all: {
      help: "list every finding as text, even if several are similar, and the lines of a log that are not messages",
    },
    explain: {
      value: "RULE",
      help: "explain a rule with an example, and show where the specification defines it",
    },
  },
  examples: [
    ["lint session.jsonl", "a recording made with wirewright tap"],
    ["lint to-adapter.bin to-client.bin --profile strict", "the bytes sent in each direction"],
    ["lint debugpy.adapter.log --fail-on warning", "the log of an adapter"],
    ["lint runs --baseline known.json", "all recordings in a folder: fails on new findings"],
    ["lint --configuration .vscode/launch.json", "launch configurations"],
  ],
  status:
    "0 if no finding reaches --fail-on, 1 if one does, 2 if the arguments or the input are invalid.",
});

type Values = OptionValues<typeof lintCommand.options>;

/** Runs `wirewright lint`. Returns the exit status. */
export async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(lintCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const { configuration, against } = values;
  if (configuration !== undefined) {
    if (positionals.length > 0)
      throw argumentError(
        `Cannot check "${positionals[0]}" and configurations in one call`,
        "Call wirewright lint once for each",
      );
    const { lintConfiguration } = await import("./lint-configuration.js");
    return lintConfiguration({ ...values, configuration }, terminal);
  }
  if (against !== undefined)
    throw argumentError(
      "Cannot use --against without --configuration",
      "Recordings are checked against a --protocol",
    );
  const listsRules = positionals.length === 1 && positionals[0] === "rules";
  if (values.explain === undefined && !listsRules)
    return isBatch(values, positionals)
      ? lintBatch(positionals, values, terminal)
      : lintRecording(readRecordingNames("lint", "judge", positionals), values, terminal);
  const { protocol } = readVersionName(values.protocol ?? defaultProtocol(), values.version);
  const host =
    values.host === undefined
      ? await findHostOf(values.explain ?? "", protocol)
      : await readHost(values.host, protocol);
  const rules = knownRules(await readSessionRules(protocol), host);
  const text =
    values.explain === undefined ? printRules(rules) : explainRule(values.explain, rules, protocol);
  terminal.out(text);
  return 0;
}

/** Returns whether the call checks many separate recordings. */
function isBatch(values: Values, names: readonly string[]): boolean {
  const { each = false, baseline } = values;
  if (each || (baseline ?? values["write-baseline"]) !== undefined || names.length > 2) return true;
  return names.some((name) => {
    const entry = statSync(name, { throwIfNoEntry: false });
    return entry === undefined ? name !== "-" && isPattern(name) : entry.isDirectory();
  });
}

/** Checks one recording. */
async function lintRecording(
  files: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const protocol = await openProtocolOf(files[0], values);
  const { sessionRules, source } = protocol;
  const host = values.host === undefined ? undefined : await readHost(values.host, source);
  const rules = once(() => knownRules(sessionRules, host));
  const severities = readSeverities(values.severity, rules);
  const recording = await openRecordingFiles(files, protocol, {
    dialect: values.dialect,
    senders: readSenders(values.sender),
  });
  const page =
    values.format === "html"
      ? new (await import("../sessions/show/inspector/recording-page.js")).RecordingPage(protocol)
      : undefined;
  const report = await judgeRecording(recording, protocol, {
    name: namesOf(files).join(" "),
    profile: values.profile,
    rules: sessionRules,
    host,
    severities,
    session: readSession(values.session),
    viewer: page,
    onProgress: progressOf(terminal),
  }).finally(() => terminal.progress(""));
  if (values.session !== undefined && report.messages + report.findings.length === 0)
    throw argumentError(
      `Cannot find session ${values.session} in ${namesOf(files).join(" ")}`,
      "Without --session, the report lists the sessions",
    );
  const text = reportText(report, { files, values, rules, page, recording, terminal });
  if (text !== undefined) terminal.out(text);
  if (protocol.withoutSchema !== undefined) terminal.error(protocol.withoutSchema);
  return isFailure(report.counts, values["fail-on"]) ? 1 : 0;
}

/** @throws InputError `ERR_ARGUMENT` if the value is not a session number. */
function readSession(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw argumentError(`Cannot use "${text}" as --session`, "Give a session number, starting at 1");
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** Formats a report as requested. Returns undefined if there is nothing to print. */
function reportText(
  report: LintReport,
  {
    files,
    values: { format, all = false },
    rules,
    page,
    recording,
    terminal,
  }: {
    readonly files: readonly string[];
    readonly values: Values;
    readonly rules: () => ReadonlyMap<string, LintRule>;
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
      return page?.print({ ...report, file }, rules(), recording);
    }
    case "sarif": {
      const file = files.length === 1 && files[0] !== "-" ? files[0] : undefined;
      const tool = { version: toolVersion(), homepage: toolHomepage() };
      return printSarifReport(report, { tool, folder: process.cwd(), file, rules: rules() });
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

/** Checks many recordings independently, and reports their findings in one table. */
async function lintBatch(
  names: readonly string[],
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const { session, all = false, profile, "write-baseline": writeBaseline } = values;
  const unusable = session !== undefined ? "--session" : all ? "--all" : undefined;
  if (unusable !== undefined || names.includes("-"))
    throw argumentError(
      `Cannot use ${unusable ?? "standard input"} with several recordings`,
      "Give one recording",
    );
  if (names.length === 0) readRecordingNames("lint", "judge", names);
  const files = await findRecordings(names);
  const protocolName = values.protocol ?? (await recordedProtocol(files[0]?.file));
  const { version, schema, dialect } = values;
  const protocol = await openProtocol(protocolName, { version, schema });
  const host = values.host === undefined ? undefined : await readHost(values.host, protocol.source);
  const severities = readSeverities(values.severity, () => knownRules(protocol.sessionRules, host));
  const format = batchFormats.find((name) => name === values.format);
  if (format === undefined)
    throw argumentError(
      `Cannot use --format "${values.format}" with several recordings`,
      `Allowed: ${batchFormats.join(", ")}`,
    );
  const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline);
  const batch = new BatchFindings();
  const settings = { protocol, dialect, profile, host, severities };
  try {
    for (const [index, { file, isNamed }] of files.entries()) {
      try {
        batch.add(await judgeFile(file, settings));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        batch.fail(file, error, isNamed);
      }
      terminal.progress(`${index + 1} of ${files.length} recordings`);
    }
  } finally {
    terminal.progress("");
  }
  const findings = batch.list(baseline);
  for (const { error } of batch.errors) terminal.error(formatInputError(error));
  if (batch.recordings === 0 && batch.errors.length === 0)
    throw argumentError(
      `Cannot find any message in ${files.length === 1 ? "the file" : `the ${files.length} files`}`,
    );
  const report: BatchReport = {
    protocol: protocol.name,
    version: protocol.version,
    profile,
    all: batch,
    findings,
    hasBaseline: baseline !== undefined,
  };
  const text = batchText(report, format, terminal);
  if (text !== "") terminal.out(text);
  if (writeBaseline !== undefined) {
    const file = await StreamedFile.open(writeBaseline);
    await file.write(printBaseline(findings));
    await file.finish();
    terminal.error(visible(`${writeBaseline}   ${countText(findings.length, "finding")}`));
  }
  if (batch.errors.length > 0) return 2;
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { isNew, first } of findings) if (isNew) counts[first.severity]++;
  return isFailure(baseline === undefined ? batch.counts : counts, values["fail-on"]) ? 1 : 0;
}

function batchText(
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

/**
 * Returns all rules that a call may name: session rules, host rules, and configuration rules, which
 * do not depend on the protocol.
 */
function knownRules(
  rules: OpenProtocol["sessionRules"] | undefined,
  host: HostTable | undefined,
): ReadonlyMap<string, LintRule> {
  const launch = Object.entries(configurationRules).map(([id, rule]): [string, LintRule] => [
    id,
    { id, ...rule },
  ]);
  return new Map([...listRules(rules, host), ...launch]);
}

/** Formats the output of `wirewright lint rules`. */
function printRules(rules: ReadonlyMap<string, LintRule>): string {
  const rows = [...rules.values()].map(({ id, severity, docs }) => [id, severity, docs]);
  const width = Math.max(...rows.map(([id = ""]) => id.length));
  return [["RULE", "SEVERITY", "FINDS"], ...rows]
    .map(
      ([id = "", severity = "", docs = ""]) =>
        `${id.padEnd(width)}  ${severity.padEnd(8)}  ${docs}`,
    )
    .join("\n");
}

/**
 * Lists the readers that were tested with a framing rule's fault, and how each reader reacts.
 * Returns an empty array for other rules.
 */
function explainReaders(id: string): readonly string[] {
  const { rules, readers } = readFramingRules();
  const quirk = rules.find((rule) => rule.id === id)?.bytes;
  if (typeof quirk !== "string") return [];
  const tested = readers.filter(
    ({ fails, reads }) => Object.hasOwn(fails, quirk) || reads.includes(quirk),
  );
  if (tested.length === 0) return [];
  const rows = tested.map(({ name, version = "", role, fails }) => [
    `${name} ${version}`.trimEnd(),
    role,
    fails[quirk] ?? "reads it",
  ]);
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return [
    "",
    "Effects on readers:",
    ...rows.map(
      ([name = "", role = "", does = ""]) => `  ${name.padEnd(width)}  ${role.padEnd(8)}  ${does}`,
    ),
  ];
}

/**
 * Formats the output of `wirewright lint --explain RULE`. @throws InputError `ERR_ARGUMENT` if
 * there is no such rule.
 */
function explainRule(id: string, rules: ReadonlyMap<string, LintRule>, protocol: string): string {
  const rule = rules.get(id);
  if (rule === undefined) throw unknownRule(id, rules.keys(), "lint");
  const { severity, docs, source = [] } = rule;
  return [
    `${id} (${severity})`,
    "",
    docs,
    ...(source.length === 0
      ? []
      : ["", "Defined in the specification at:", ...source.map((passage) => `  ${passage}`)]),
    ...explainByExample(id, protocol),
    ...explainReaders(id),
    "",
    `Change its severity with --severity ${id}=info, or turn it off with --severity ${id}=off.`,
  ].join("\n");
}
