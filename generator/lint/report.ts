import { printJson } from "../print/json-text.js";
import { workflowCommand } from "../print/workflow-command.js";
import { visible } from "../base/visible-text.js";
import type { LintedMessage } from "./lint-session.js";
import type { LintFinding, LintSeverity } from "./rules.js";

/** Forms that a report can have. */
export const lintFormats = ["text", "json", "html", "github"] as const;

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
  /** Number of findings of each severity. */
  readonly counts: Readonly<Record<LintSeverity, number>>;
  readonly findings: readonly LintFinding[];
  /** Findings that are counted and not listed, by rule: there were too many. */
  readonly unlisted?: Readonly<Record<string, number>>;
}

const severities: readonly LintSeverity[] = ["error", "warning", "info"];

/** A report for people. `paint` colours a text by severity. */
export function printTextReport(
  report: LintReport,
  paint: (severity: LintSeverity, text: string) => string,
): string {
  const { file, protocol, version, profile, messages, counts, findings } = report;
  const summary = severities
    .filter((each) => counts[each] > 0)
    .map((each) => `${counts[each]} ${each}${counts[each] === 1 || each === "info" ? "" : "s"}`);
  const head = `${visible(file)}   ${visible(`${protocol} ${version}, ${profile} profile`)}   ${messages} messages   ${summary.join(" · ") || "no findings"}`;
  const width = Math.max(0, ...findings.map(({ rule }) => rule.length));
  const lines = findings.map(({ severity, rule, session, index, from, label, pointer, text }) => {
    const place = pointer === "" ? "" : ` ${visible(pointer)}`;
    const number = session === undefined ? index : `${session}.${index}`;
    return `${paint(severity, severity.padEnd(7))}  ${visible(rule).padEnd(width)}  #${number} ${visible(from)}: ${visible(label)}${place}\n  ${visible(text)}`;
  });
  return [head, ...lines, ...unlistedText(report)].join("\n");
}

/** A report for programs. */
export function printJsonReport(report: LintReport): string {
  const { session: _session, ...rest } = report;
  return printJson(rest);
}

/** Workflow commands that GitHub shows beside the recording. */
export function printGithubReport(report: LintReport): string {
  const { file, findings } = report;
  const commands = { error: "error", warning: "warning", info: "notice" } as const;
  const lines = findings.map(({ severity, rule, index, label, pointer, text, line }) => {
    const about = `message ${index}, ${label}${pointer === "" ? "" : ` ${pointer}`}`;
    return workflowCommand(commands[severity], { file, line, title: rule }, `${about}: ${text}`);
  });
  return [
    ...lines,
    ...unlistedText(report).map((text) => workflowCommand("notice", { file }, text)),
  ].join("\n");
}

/** A line about the findings that are not listed. */
function unlistedText({ unlisted = {} }: LintReport): readonly string[] {
  const rules = Object.entries(unlisted);
  if (rules.length === 0) return [];
  const all = rules.reduce((sum, [, count]) => sum + count, 0);
  const each = rules.map(([rule, count]) => `${count} ${visible(rule)}`);
  return [`… and ${all} more: ${each.join(", ")}`];
}
