import { countText } from "../../generator/base/plural.js";
import { printReport } from "../../generator/print/json-text.js";
import {
  printAnnotations,
  severityCounts,
  severityLevels,
} from "../../generator/print/printed-finding.js";
import { visible } from "../../generator/base/visible-text.js";
import { type FindingGroup, type Unjudged } from "./kept-findings.js";
import type { Severity } from "../../generator/base/severity.js";
import { type LogSummary, logTexts } from "../read/log/log-summary.js";
import { gaps } from "./knowledge.js";
import type { LintFinding } from "./rules.js";

/** Formats of a report. */
export const lintFormats = ["text", "json", "html", "github", "sarif"] as const;

/** The findings from a recording, with the context that reports need. */
export interface LintReport {
  readonly file: string;
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  /** Number of messages. */
  readonly messages: number;
  readonly roles: readonly [string, string];
  /** Name of the host that the recording was checked against. */
  readonly host?: string;
  /** Number of findings of each severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  readonly findings: readonly LintFinding[];
  /** All findings, grouped by text, with errors first. */
  readonly groups: readonly FindingGroup[];
  /** For each rule, the number of findings left out of groups because there are too many groups. */
  readonly ungrouped?: Readonly<Record<string, number>>;
  /**
   * For each rule, the number of findings that were counted but not listed because there are too
   * many.
   */
  readonly unlisted?: Readonly<Record<string, number>>;
  /** The sessions in the recording, if there are several. */
  readonly sessions?: readonly ReportedSession[];
  /** The contents of the log, and the meaning of its words. Absent for other recordings. */
  readonly log?: LogSummary;
  /** The first texts that are not part of the session. */
  readonly texts?: readonly OtherText[];
  /** Possible findings that were left out because too little is known about their session. */
  readonly unjudged?: readonly Unjudged[];
}

/** Text in a recording that is not part of the session. */
export interface OtherText {
  readonly line: number;
  readonly text: string;
}

/** A session in a recording. */
export interface ReportedSession {
  readonly session: number;
  readonly messages: number;
  /** Line of the recording on which the session begins. */
  readonly line?: number;
}

export interface TextOptions {
  /** Colours a string to match a severity. */
  readonly paint: (severity: Severity, text: string) => string;
  /** Whether to list every finding. By default, equal findings are combined into one line. */
  readonly isFull?: boolean;
}

/** Prints a human-readable report. */
export function printTextReport(
  report: LintReport,
  { paint, isFull = false }: TextOptions,
): string {
  const { file, protocol, version, profile, messages, counts, findings, groups } = report;
  const head = `${visible(file)}   ${visible(`${protocol} ${version}, ${profile} profile`)}   ${countText(messages, "message")}   ${severityCounts(counts)}`;
  const listed: readonly FindingGroup[] = isFull ? findings.map(groupOfOne) : groups;
  const width = Math.max(0, ...listed.map(({ first }) => first.rule.length));
  const lines = listed.map((group) => {
    const { severity, rule } = group.first;
    return `${paint(severity, severity.padEnd(7))}  ${visible(rule).padEnd(width)}  ${placeOf(group)}\n  ${textOf(group)}`;
  });
  const more = [
    ...logTexts(report.log).map((text) => paint("info", text)),
    ...(isFull ? textLines(report) : []),
    ...sessionsText(report.sessions).map((text) => paint("info", text)),
    ...unlistedText(isFull ? report.unlisted : report.ungrouped),
    ...unjudgedTexts(report.unjudged).map((text) => paint("info", text)),
  ];
  return [head, ...lines, ...more].join("\n");
}

function groupOfOne(finding: LintFinding): FindingGroup {
  return { first: finding, last: finding, count: 1, pointer: finding.pointer, isVaried: false };
}

/**
 * Returns the location of a group of findings: `#3 client: request 2 next /command` or, for several
 * findings, `281 × #3 … #601 adapter: … /seq`.
 */
function placeOf({ first, last, count, pointer }: FindingGroup): string {
  const path =
    pointer === undefined || pointer === ""
      ? ""
      : ` ${visible(count === 1 ? first.pointer : pointer)}`;
  const from = first.from === undefined ? "" : ` ${visible(first.from)}:`;
  if (count === 1) return `${numberOf(first)}${from} ${visible(first.label)}${path}`;
  const labels = first.label === last.label ? first.label : `${first.label} … ${last.label}`;
  return `${count} × ${numberOf(first)} … ${numberOf(last)}${from} ${visible(labels)}${path}`;
}

function textOf({ first, isVaried }: FindingGroup): string {
  return `${visible(first.message)}${isVaried ? ", and similar findings" : ""}`;
}

function numberOf({ session, index }: LintFinding): string {
  return session === undefined ? `#${index}` : `#${session}.${index}`;
}

/** Version of the JSON report format described by `schema/formats/lint-report.schema.json`. */
const reportVersion = 1;

/** Prints a machine-readable report. */
export function printJsonReport(report: LintReport): string {
  const { groups: _groups, ungrouped: _ungrouped, texts: _texts, ...rest } = report;
  return printReport("lint", reportVersion, rest);
}

/**
 * Prints GitHub workflow commands, which GitHub shows next to the recording. Prints only one
 * command per rule, because GitHub shows only a few.
 */
export function printGithubReport({ file, groups, ungrouped }: LintReport): string {
  const byRule = new Map<string, FindingGroup[]>();
  for (const group of groups) {
    const groupsOfRule = byRule.get(group.first.rule) ?? [];
    byRule.set(group.first.rule, groupsOfRule);
    groupsOfRule.push(group);
  }
  const annotations = [...byRule].map(([rule, [group, ...others]]) => {
    const { severity, index, label, pointer, line } = group!.first;
    const about = `message ${index}, ${label}${pointer === "" ? "" : ` ${pointer}`}`;
    const more = others.reduce((sum, { count }) => sum + count, group!.count - 1);
    const rest = more === 0 ? "" : ` (and ${more} more from ${rule})`;
    const text = `${about}: ${group!.first.message}${rest}`;
    return { rule, level: severityLevels[severity], text, place: { file, line } };
  });
  const unlisted = unlistedText(ungrouped).map((text) => ({
    level: "note" as const,
    text,
    place: { file },
  }));
  return printAnnotations([...annotations, ...unlisted]);
}

/** Lists the texts that are not part of the session. */
function textLines({ texts = [], log }: LintReport): readonly string[] {
  const count = texts.reduce((sum, { text }) => sum + text.split("\n").length, 0);
  const rest = (log?.otherLines ?? 0) - count;
  return [
    ...texts.flatMap(({ line, text }) =>
      text.split("\n").map((each, index) => visible(`line ${line + index}: ${each}`)),
    ),
    ...(rest > 0 ? [`… and ${rest} more lines of other text`] : []),
  ];
}

/** Maximum number of sessions listed in a text report. */
const maxSessions = 10;

/** Prints a line that lists the sessions, if the recording contains several. */
function sessionsText(sessions: readonly ReportedSession[] = []): readonly string[] {
  if (sessions.length === 0) return [];
  const listed = sessions
    .slice(0, maxSessions)
    .map(
      ({ session, messages, line }) =>
        `${session} (${countText(messages, "message")}${line === undefined ? "" : ` from line ${line}`})`,
    );
  const rest = sessions.length > maxSessions ? ", …" : "";
  return [`${sessions.length} sessions, each checked separately: ${listed.join(", ")}${rest}`];
}

/** Prints a line that states, for each rule, how many findings were counted but not listed. */
function unlistedText(unlisted: Readonly<Record<string, number>> = {}): readonly string[] {
  const rules = Object.entries(unlisted);
  if (rules.length === 0) return [];
  const all = rules.reduce((sum, [, count]) => sum + count, 0);
  const texts = rules.map(([rule, count]) => `${count} ${visible(rule)}`);
  return [`… and ${all} more: ${texts.join(", ")}`];
}

/**
 * Prints a line for each reason why facts are unknown, with the number of possible findings by
 * rule.
 */
function unjudgedTexts(unjudged: readonly Unjudged[] = []): readonly string[] {
  return [...new Set(unjudged.map(({ gap }) => gap))].map((gap) => {
    const ofGap = unjudged.filter((each) => each.gap === gap);
    const rules = ofGap.map(({ rule, count }) => `${count} × ${rule}`);
    return `cannot be judged, because ${gaps[gap]}: ${rules.join(", ")}`;
  });
}
