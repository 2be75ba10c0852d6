import { basename } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../base/input-error.js";
import { configurationRules } from "../configuration/configuration-rules.js";
import { readHost } from "../lint/host-table.js";
import { readFramingRules } from "../lint/framing-rules.js";
import { readSessionRules } from "../lint/session-rules.js";
import { judgeRecording } from "../lint/judge-recording.js";
import {
  lintFormats,
  printGithubReport,
  printJsonReport,
  printTextReport,
} from "../lint/report.js";
import { RecordingPage } from "../inspector/inspect-recording.js";
import { printSarifReport } from "../lint/report-sarif.js";
import { listRules } from "../lint/rule-list.js";
import type { LintRule, LintSeverity } from "../lint/rules.js";
import { bundledProtocols, defaultProtocol, toolHomepage, toolVersion } from "../base/bundled.js";
import { readProtocol, readVersionName } from "../read/read-protocol.js";
import { oneOf, unknownRule, schemaOf } from "./option-values.js";
import { namesOf, openRecordingFiles } from "./recording-files.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";

/** The text of `--help`. */
export const lintHelp = (): string => `Usage: wirewright lint FILE [FILE] [options]
       wirewright lint --configuration FILE [--against FILE] [options]
       wirewright lint rules

Judges a recorded session: whether its messages are what the schema says, and whether they go together.

  FILE                 a recording of wirewright tap, framed bytes of one direction or of both, lines with a
                       JSON message each, or a log in one of the formats that wirewright convert formats
                       lists; "-" for standard input. Two files are the two directions.

Options:
  --protocol NAME      ${bundledProtocols().join(", ")}, or the path of a protocol.json
                       (default: ${defaultProtocol()})
  --schema FILE|URL|-  its schema, if that does not come with the tool; may be given several times
  --version VERSION    bundled version to judge by
  --profile PROFILE    "wire" (default): what no reader can use is an error, what tolerant readers go on with
                       a warning; "strict": the schema to the letter
  --host NAME          judge by what a host of the other side makes of it, too: visual-studio, or the path of
                       a file as schema/host.schema.json describes it
  --configuration FILE judge a launch.json instead, or what the package.json of an extension says of its debuggers
  --against FILE       what configurations may be: the package.json of an extension, a schema or interfaces; may be
                       given several times (default: those of the project file, or ./package.json)
  --format FORMAT      text (default), json, html (a page to look at the session, as of wirewright view), github,
                       sarif
  --severity RULE=S    error, warning, info or off; may be given several times
  --fail-on SEVERITY   error (default), warning, info or never
  --all                list each finding in text; otherwise those that say the same are one
  --explain RULE       say what a rule finds and where the specification states it
  --help               show this text

Exit status: 0 nothing of that severity was found, 1 something was, 2 the call or the recording is wrong.`;

const options = {
  protocol: { type: "string" },
  schema: { type: "string", multiple: true },
  version: { type: "string" },
  profile: { type: "string" },
  host: { type: "string" },
  configuration: { type: "string" },
  against: { type: "string", multiple: true },
  format: { type: "string" },
  severity: { type: "string", multiple: true },
  "fail-on": { type: "string" },
  explain: { type: "string" },
  all: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const order: readonly LintSeverity[] = ["error", "warning", "info"];

/** `wirewright lint`. Returns the exit status. */
export async function runLint(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(lintHelp());
    return 0;
  }
  if (values.configuration !== undefined) {
    if (positionals.length > 0)
      throw new InputError(
        "ERR_ARGUMENT",
        `Cannot judge "${positionals[0]}" and configurations at once`,
        {},
        "Call wirewright lint for each of them",
      );
    const { lintConfiguration } = await import("./lint-configuration.js");
    return lintConfiguration({ ...values, configuration: values.configuration }, terminal);
  }
  if (values.against !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot use --against without --configuration",
      {},
      "Recordings are judged by a --protocol",
    );
  const named = readVersionName(values.protocol ?? defaultProtocol(), values.version);
  const rules = await readSessionRules(named.protocol);
  const host = values.host === undefined ? undefined : await readHost(values.host, named.protocol);
  const known = new Map([...listRules(rules, host), ...launchRules()]);
  if (values.explain !== undefined) {
    terminal.out(explainRule(values.explain, known));
    return 0;
  }
  if (positionals.length === 1 && positionals[0] === "rules") {
    terminal.out(printRules(known));
    return 0;
  }
  if (positionals.length === 2 && positionals.every((file) => file === "-"))
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot read both directions from standard input",
      {},
      "Give a file for one of them",
    );
  if (positionals.length < 1 || positionals.length > 2)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to judge: give one recording, or one for each direction",
      {},
      "See wirewright lint --help",
    );
  const profile = oneOf("--profile", values.profile ?? "wire", ["wire", "strict"]);
  const format = oneOf("--format", values.format ?? "text", lintFormats);
  const failOn = oneOf("--fail-on", values["fail-on"] ?? "error", [...order, "never"]);
  const severities = readSeverities(values.severity ?? [], known);
  const protocol = await readProtocol(named.protocol, {
    ...named,
    ...schemaOf(values),
    modules: false,
  });
  const names = namesOf(positionals);
  const recording = await openRecordingFiles(positionals, protocol);
  const page = format === "html" ? new RecordingPage(protocol) : undefined;
  const report = await judgeRecording(recording, protocol, {
    name: names.join(" "),
    profile,
    rules,
    host,
    severities,
    viewer: page,
    onProgress: progressOf(terminal),
  }).finally(() => terminal.progress(""));
  if (page !== undefined) {
    const file = names.map((name) => basename(name)).join(" ");
    terminal.out(page.print({ ...report, file }, known, recording));
  } else if (format === "sarif") {
    const [file] = positionals.length === 1 && positionals[0] !== "-" ? names : [];
    const tool = { version: toolVersion(), homepage: toolHomepage() };
    terminal.out(printSarifReport(report, { tool, folder: process.cwd(), file, rules: known }));
  } else if (format === "json") terminal.out(printJsonReport(report));
  else if (format === "text")
    terminal.out(
      printTextReport(report, {
        paint: (severity, text) => paint(terminal, colours[severity], text),
        isFull: values.all === true,
      }),
    );
  else if (report.findings.length > 0) terminal.out(printGithubReport(report));
  const isFound =
    failOn !== "never" &&
    order.slice(0, order.indexOf(failOn) + 1).some((each) => report.counts[each] > 0);
  return isFound ? 1 : 0;
}

/** Shows the progress of judging a long recording. */
function progressOf(terminal: Terminal): (messages: number, bytes: number) => void {
  let shown = 0;
  return (messages, bytes) => {
    const megabytes = Math.floor(bytes / 16e6) * 16;
    if (megabytes === shown) return;
    shown = megabytes;
    terminal.progress(`${megabytes} MB, ${messages} messages`);
  };
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

function readSeverities(
  given: readonly string[],
  known: ReadonlyMap<string, LintRule>,
): ReadonlyMap<string, LintSeverity | "off"> {
  return new Map(
    given.map((text) => {
      const [rule = "", severity = ""] = text.split("=");
      if (!known.has(rule)) throw unknownRule(rule, known.keys(), "lint");
      return [rule, oneOf("--severity", severity, [...order, "off"])];
    }),
  );
}

/** Rules for configurations, which belong to no protocol. */
function launchRules(): readonly (readonly [string, LintRule])[] {
  return Object.entries(configurationRules).map(([id, rule]) => [id, { id, ...rule }]);
}

function printRules(known: ReadonlyMap<string, LintRule>): string {
  const rows = [...known.values()].map(({ id, severity, docs }) => [id, severity, docs]);
  const width = Math.max(...rows.map(([id = ""]) => id.length));
  return [["RULE", "SEVERITY", "WHAT IT FINDS"], ...rows]
    .map(
      ([id = "", severity = "", docs = ""]) =>
        `${id.padEnd(width)}  ${severity.padEnd(8)}  ${docs}`,
    )
    .join("\n");
}

/** Which readers fail on what a rule of framing finds, and which do not. */
function explainReaders(id: string): readonly string[] {
  const { rules, readers } = readFramingRules();
  const habit = rules.find((rule) => rule.id === id)?.bytes;
  if (typeof habit !== "string") return [];
  const tried = readers.filter(
    ({ fails, reads }) => Object.hasOwn(fails, habit) || reads.includes(habit),
  );
  if (tried.length === 0) return [];
  const rows = tried.map(({ name, version = "", role, fails }) => [
    `${name} ${version}`.trimEnd(),
    role,
    fails[habit] ?? "reads it",
  ]);
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return [
    "",
    "What readers do:",
    ...rows.map(
      ([name = "", role = "", does = ""]) => `  ${name.padEnd(width)}  ${role.padEnd(8)}  ${does}`,
    ),
  ];
}

function explainRule(id: string, known: ReadonlyMap<string, LintRule>): string {
  const rule = known.get(id);
  if (rule === undefined) throw unknownRule(id, known.keys(), "lint");
  const { severity, docs, source = [] } = rule;
  return [
    `${id} (${severity})`,
    "",
    docs,
    ...(source.length === 0
      ? []
      : ["", "Stated by the specification at:", ...source.map((each) => `  ${each}`)]),
    ...explainReaders(id),
    "",
    `Give it another severity with --severity ${id}=info, or turn it off with --severity ${id}=off.`,
  ].join("\n");
}
