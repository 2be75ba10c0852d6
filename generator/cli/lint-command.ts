import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError } from "../input-error.js";
import { readHost, type HostTable } from "../lint/host-table.js";
import { LintSession, type LintedMessage, type LintProfile } from "../lint/lint-session.js";
import { isOneSided, readRecording, type RecordingFile } from "../lint/recording.js";
import {
  countFindings,
  printGithubReport,
  printJsonReport,
  printTextReport,
  type LintReport,
} from "../lint/report.js";
import { printHtmlReport } from "../lint/report-html.js";
import { lintRules, type LintFinding, type LintSeverity } from "../lint/rules.js";
import type { Protocol } from "../model/protocol.js";
import { bundledProtocols, defaultProtocol } from "../read/bundled.js";
import { readProtocol } from "../read/read-protocol.js";
import { oneOf, unknownRule } from "./option-values.js";
import { paint, type Terminal } from "./terminal.js";

/** The text of `--help`. */
export const lintHelp = (): string => `Usage: wirewright lint FILE [FILE] [options]
       wirewright lint rules

Judges a recorded session: whether its messages are what the schema says, and whether they go together.

  FILE                 a recording of wirewright tap, framed bytes of one direction or of both, lines with a
                       JSON message each, or the log of nvim-dap or of the official library; "-" for
                       standard input. Two files are the two directions.

Options:
  --protocol NAME      ${bundledProtocols().join(", ")}, or the path of a protocol.json
                       (default: ${defaultProtocol()})
  --version VERSION    bundled version to judge by
  --profile PROFILE    "wire" (default): what no reader can use is an error, what tolerant readers go on with
                       a warning; "strict": the schema to the letter
  --host NAME          judge by what a host of the other side makes of it, too: visual-studio, or the path of
                       a file as schema/host.schema.json describes it
  --format FORMAT      text (default), json, html (the session as a chart), github
  --severity RULE=S    error, warning, info or off; may be given several times
  --fail-on SEVERITY   error (default), warning, info or never
  --help               show this text

Exit status: 0 nothing of that severity was found, 1 something was, 2 the call or the recording is wrong.`;

const options = {
  protocol: { type: "string" },
  version: { type: "string" },
  profile: { type: "string" },
  host: { type: "string" },
  format: { type: "string" },
  severity: { type: "string", multiple: true },
  "fail-on": { type: "string" },
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
  if (positionals.length === 1 && positionals[0] === "rules") {
    for (const { id, severity, docs } of lintRules.values())
      terminal.out(`${id.padEnd(20)}  ${severity.padEnd(7)}  ${docs}`);
    return 0;
  }
  if (positionals.length < 1 || positionals.length > 2)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell what to judge: give one recording, or one for each direction",
      {},
      "See wirewright lint --help",
    );
  const profile = oneOf("--profile", values.profile ?? "wire", ["wire", "strict"]);
  const format = oneOf("--format", values.format ?? "text", ["text", "json", "html", "github"]);
  const failOn = oneOf("--fail-on", values["fail-on"] ?? "error", [...order, "never"]);
  const name = values.protocol ?? defaultProtocol();
  const host = values.host === undefined ? undefined : await readHost(values.host, name);
  const severities = readSeverities(values.severity ?? [], host);
  const protocol = await readProtocol(
    name,
    values.version === undefined ? {} : { version: values.version },
  );
  if (protocol.notations !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot judge recordings of the ${protocol.title}: its messages are no JSON`,
    );
  const report = judge(positionals.map(readFile), protocol, profile, severities, host);
  if (format === "html") terminal.out(printHtmlReport(report));
  else if (format === "json") terminal.out(printJsonReport(report));
  else if (format === "text")
    terminal.out(
      printTextReport(report, (severity, text) => paint(terminal, colours[severity], text)),
    );
  else if (report.findings.length > 0) terminal.out(printGithubReport(report));
  const counts = countFindings(report.findings);
  const isFound =
    failOn !== "never" &&
    order.slice(0, order.indexOf(failOn) + 1).some((each) => counts[each] > 0);
  return isFound ? 1 : 0;
}

const colours = { error: "red", warning: "yellow", info: "dim" } as const;

/** Judges the sessions of a recording. */
function judge(
  files: readonly RecordingFile[],
  protocol: Protocol,
  profile: LintProfile,
  severities: ReadonlyMap<string, LintSeverity | "off">,
  host: HostTable | undefined,
): LintReport {
  const findings: LintFinding[] = [];
  const shown: LintedMessage[] = [];
  const sessions = new Map<number | undefined, LintSession>();
  const keep = (finding: LintFinding): void => {
    const severity = severities.get(finding.rule) ?? finding.severity;
    if (severity !== "off") findings.push({ ...finding, severity });
  };
  const entries = readRecording(files, protocol);
  const oneSided = isOneSided(entries);
  for (const entry of entries) {
    let session = sessions.get(entry.session);
    if (session === undefined)
      sessions.set(
        entry.session,
        (session = new LintSession(protocol, {
          profile,
          isOneSided: oneSided,
          host,
          onFinding: keep,
          onMessage: (message) => shown.push(message),
        })),
      );
    session.push(entry);
  }
  let messages = 0;
  for (const session of sessions.values()) {
    session.end();
    messages += session.messages;
  }
  return {
    file: files.map(({ name }) => name).join(" "),
    protocol: protocol.name,
    version: protocol.version,
    profile,
    messages,
    roles: protocol.roles,
    session: shown,
    ...(host === undefined ? {} : { host: host.title }),
    findings,
  };
}

function readSeverities(
  given: readonly string[],
  host: HostTable | undefined,
): ReadonlyMap<string, LintSeverity | "off"> {
  const known = new Set([...lintRules.keys(), ...(host?.rules ?? []).map(({ id }) => id)]);
  return new Map(
    given.map((text) => {
      const [rule = "", severity = ""] = text.split("=");
      if (!known.has(rule)) throw unknownRule(rule, known);
      return [rule, oneOf("--severity", severity, [...order, "off"])];
    }),
  );
}

function readFile(name: string): RecordingFile {
  try {
    return { name: name === "-" ? "<stdin>" : name, bytes: readFileSync(name === "-" ? 0 : name) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      "ERR_READ",
      `Cannot read the recording: ${code === "ENOENT" ? "there is no such file" : message}`,
      { file: name },
    );
  }
}
