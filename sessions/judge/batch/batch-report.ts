import { countText } from "../../../generator/base/plural.js";
import { visible } from "../../../generator/base/visible-text.js";
import { printReport } from "../../../generator/print/json-text.js";
import {
  printAnnotations,
  severityCounts,
  severityLevels,
} from "../../../generator/print/printed-finding.js";
import type { Severity } from "../../../generator/base/severity.js";
import type { BatchFinding, BatchFindings, BatchRow } from "./batch-findings.js";

/** Output formats for a report about many recordings. */
export const batchFormats = ["text", "json", "github"] as const;

/** Maximum number of new findings listed in the text report. */
const listed = 50;

/** The contents of a report about many recordings. */
export interface BatchReport {
  readonly protocol: string;
  readonly version: string;
  readonly profile: string;
  readonly all: BatchFindings;
  readonly findings: readonly BatchFinding[];
  /** Whether the findings were checked against a baseline. */
  readonly hasBaseline: boolean;
}

/** Prints a human-readable report: a table by adapter and rule, followed by the new findings. */
export function printBatchText(
  report: BatchReport,
  paint: (severity: Severity, text: string) => string,
): string {
  const { protocol, version, profile, all, findings, hasBaseline } = report;
  const { counts, recordings, messages, skipped } = all;
  const head = [
    countText(recordings, "recording"),
    visible(`${protocol} ${version}, ${profile} profile`),
    countText(messages, "message"),
    severityCounts(counts),
  ].join("   ");
  const notes = [
    ...(skipped === 0 ? [] : [`${countText(skipped, "file")} without messages`]),
    ...[...all.unlisted].map(([rule, count]) => `… and ${count} more of ${visible(rule)}`),
  ];
  const fresh = findings.filter(({ isNew }) => isNew);
  const news = hasBaseline
    ? [
        "",
        fresh.length === 0 ? "No new findings" : `New, not in the baseline: ${fresh.length}`,
        ...fresh.slice(0, listed).map((each) => freshText(each, paint)),
        ...(fresh.length > listed ? [`… and ${fresh.length - listed} more`] : []),
      ]
    : [];
  const rows = all.rows(findings);
  return [
    head,
    ...(rows.length === 0 ? [] : tableText(rows, hasBaseline, paint)),
    ...notes,
    ...news,
  ].join("\n");
}

function tableText(
  rows: readonly BatchRow[],
  hasBaseline: boolean,
  paint: (severity: Severity, text: string) => string,
): readonly string[] {
  const cells = rows.map((row) => [
    row.severity,
    row.adapter === "" ? "-" : visible(row.adapter),
    visible(row.rule),
    String(row.findings),
    String(row.recordings),
    ...(hasBaseline ? [String(row.fresh)] : []),
    visible(row.file),
  ]);
  const head = [
    "severity",
    "adapter",
    "rule",
    "findings",
    "recordings",
    ...(hasBaseline ? ["new"] : []),
    "first in",
  ];
  const [first, ...lines] = alignColumns([head, ...cells], hasBaseline ? 3 : 2);
  return [
    first!,
    ...rows.map(({ severity }, at) => {
      const text = lines[at]!;
      return paint(severity, text.slice(0, severity.length)) + text.slice(severity.length);
    }),
  ];
}

/**
 * Aligns the columns of a text table: amounts to the right, the three columns before them and those
 * after them to the left.
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  amounts: number,
): readonly string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at < 3 || at >= 3 + amounts ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
      )
      .join("  ")
      .trimEnd(),
  );
}

function freshText(
  { first, adapter, file, count }: BatchFinding,
  paint: (severity: Severity, text: string) => string,
): string {
  const { severity, rule, session, index, label, pointer, message } = first;
  const number = session === undefined ? `#${index}` : `#${session}.${index}`;
  const times = count === 1 ? "" : `${count} × `;
  const place = `${visible(file)} ${number} ${visible(label)}${pointer === "" ? "" : ` ${visible(pointer)}`}`;
  const owner = adapter === "" ? "" : `${visible(adapter)}: `;
  return `${paint(severity, severity)}  ${visible(rule)}  ${times}${owner}${place}\n  ${visible(message)}`;
}

/** Version of the JSON report format, which is described in `schema/formats/lint-batch.schema.json`. */
const reportVersion = 1;

/** Prints a machine-readable report in JSON. */
export function printBatchJson(report: BatchReport): string {
  const { protocol, version, profile, all, findings, hasBaseline } = report;
  const { counts, recordings, messages, skipped, errors, unlisted } = all;
  return printReport("lint-batch", reportVersion, {
    protocol,
    version,
    profile,
    recordings,
    messages,
    skipped,
    counts,
    errors: errors.map(({ file, error }) => ({ file, code: error.code, message: error.message })),
    rows: all
      .rows(findings)
      .map(({ fresh, ...row }) => ({ ...row, ...(hasBaseline ? { new: fresh } : {}) })),
    findings: findings.map(({ isNew, first, ...finding }) => ({
      ...finding,
      ...(hasBaseline ? { new: isNew } : {}),
      first,
    })),
    ...(unlisted.size === 0 ? {} : { unlisted: Object.fromEntries(unlisted) }),
  });
}

/** Prints the new findings as GitHub annotations, one for each rule and adapter. */
export function printBatchGithub({ findings }: BatchReport): string {
  const shown = new Set<string>();
  const annotations = findings
    .filter(({ isNew, adapter, first: { rule } }) => {
      const key = `${adapter} ${rule}`;
      if (!isNew || shown.has(key)) return false;
      return shown.add(key);
    })
    .map(
      ({
        file,
        adapter,
        count,
        first: { severity, rule, label, pointer, index, line, message },
      }) => {
        const owner = adapter === "" ? "" : `${adapter}, `;
        const place = `${owner}message ${index}, ${label}${pointer === "" ? "" : ` ${pointer}`}`;
        const more = count === 1 ? "" : ` (${count} times)`;
        return {
          rule,
          level: severityLevels[severity],
          text: `${place}: ${message}${more}`,
          place: { file, line },
        };
      },
    );
  return printAnnotations(annotations);
}
