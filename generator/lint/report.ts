import type { LintedMessage } from "./lint-session.js";
import type { LintFinding, LintSeverity } from "./rules.js";

/** Findings of a recording, with what they are about. */
export interface LintReport {
  readonly file: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** Number of messages. */
  readonly messages: number;
  readonly roles: readonly [string, string];
  /** Name of the host that it was judged by. */
  readonly host?: string;
  /** The messages in words, in their order. */
  readonly session: readonly LintedMessage[];
  readonly findings: readonly LintFinding[];
}

const severities: readonly LintSeverity[] = ["error", "warning", "info"];

/** Number of findings of each severity. */
export function countFindings(findings: readonly LintFinding[]): Record<LintSeverity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/** A report for people. `paint` colours a text by severity. */
export function printTextReport(
  report: LintReport,
  paint: (severity: LintSeverity, text: string) => string,
): string {
  const { file, protocol, version, profile, messages, findings } = report;
  const counts = countFindings(findings);
  const summary = severities
    .filter((each) => counts[each] > 0)
    .map((each) => `${counts[each]} ${each}${counts[each] === 1 || each === "info" ? "" : "s"}`);
  const head = `${file}   ${protocol} ${version}, ${profile} profile   ${messages} messages   ${summary.join(" · ") || "nothing to say"}`;
  const width = Math.max(0, ...findings.map(({ rule }) => rule.length));
  const lines = findings.map(({ severity, rule, session, index, from, label, pointer, text }) => {
    const place = pointer === "" ? "" : ` ${pointer}`;
    return `${paint(severity, severity.padEnd(7))}  ${rule.padEnd(width)}  #${session === undefined ? "" : `${session}.`}${index} ${from}: ${label}${place}\n  ${text}`;
  });
  return [head, ...lines].join("\n");
}

/** A report for programs. */
export function printJsonReport(report: LintReport): string {
  const { findings, session: _session, ...head } = report;
  return JSON.stringify({ ...head, counts: countFindings(findings), findings }, null, 2);
}

/** Workflow commands that GitHub shows beside the recording. */
export function printGithubReport({ file, findings }: LintReport): string {
  const commands = { error: "error", warning: "warning", info: "notice" } as const;
  const property = (text: string): string =>
    data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return findings
    .map(({ severity, rule, index, label, pointer, text, line }) => {
      const place = line === undefined ? "" : `,line=${line}`;
      const about = `message ${index}, ${label}${pointer === "" ? "" : ` ${pointer}`}`;
      return `::${commands[severity]} file=${property(file)}${place},title=${property(rule)}::${data(`${about}: ${text}`)}`;
    })
    .join("\n");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
