import { countText } from "../../../generator/base/plural.js";
import { visible } from "../../../generator/base/visible-text.js";
import { durationText, sizeText, timeText } from "../../../generator/print/amount-text.js";
import { printReport } from "../../../generator/print/json-text.js";
import { markdownCodeCell, markdownText } from "../../../generator/print/markdown-text.js";
import { alignColumns } from "../../judge/batch/batch-report.js";
import type { NameStats, RecordingStats } from "./session-stats.js";
import { exceededText, type ExceededLimit } from "./stats-limits.js";

/** Output formats for a statistics report. */
export const statsFormats = ["text", "json", "markdown"] as const;

/** The counts and times for recordings, by request and event. */
export interface StatsReport {
  readonly protocol: string;
  readonly version: string;
  readonly recordings: readonly RecordingStats[];
  readonly exceeded: readonly ExceededLimit[];
}

/** Version of the JSON report format, which is described in `schema/formats/stats-report.schema.json`. */
const reportVersion = 1;

/** Prints a machine-readable report in JSON. */
export function printJsonStats(report: StatsReport): string {
  return printReport("stats", reportVersion, report);
}

const columns = [
  "count",
  "failed",
  "open",
  "median",
  "95 %",
  "max",
  "bytes",
  "first",
  "last",
] as const;

/**
 * Prints a human-readable report.
 *
 * @param bold Makes headings bold.
 */
export function printTextStats(report: StatsReport, bold: (text: string) => string): string {
  const { protocol, version, recordings, exceeded } = report;
  const isOne = recordings.length === 1;
  const heads = recordings.map((recording) =>
    [
      visible(recording.file),
      visible(`${protocol} ${version}`),
      countText(recording.messages, "message"),
      sizeText(recording.bytes),
      ...spanText(recording),
      ...(recording.faults === 0 ? [] : [countText(recording.faults, "fault")]),
    ].join("   "),
  );
  const rows = rowsOf(recordings).map(({ row, file }) => [
    visible(row.kind),
    visible(row.name),
    visible(row.from),
    ...cellsOf(row),
    ...(isOne ? [] : [visible(file)]),
  ]);
  const head = ["kind", "name", "from", ...columns, ...(isOne ? [] : ["file"])];
  const [first, ...lines] = alignColumns([head, ...rows], columns.length);
  return [...heads, "", bold(first!), ...lines, ...exceeded.map(lineOf)].join("\n");

  function lineOf(each: ExceededLimit): string {
    return visible(`${isOne ? "" : `${each.file}: `}${exceededText(each)}`);
  }
}

/** Prints the report as Markdown for a web page or a comment. */
export function printMarkdownStats({ recordings, exceeded }: StatsReport): string {
  const isOne = recordings.length === 1;
  const head = ["kind", "name", "from", ...columns, ...(isOne ? [] : ["file"])];
  const rule = head.map((name) => (name === "kind" || isText(name) ? "---" : "---:"));
  const rows = rowsOf(recordings).map(({ row, file }) => [
    row.kind,
    markdownCodeCell(row.name),
    row.from,
    ...cellsOf(row),
    ...(isOne ? [] : [markdownCodeCell(file)]),
  ]);
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const over = exceeded.map(
    (each) => `- ${markdownText(`${isOne ? "" : `${each.file}: `}${exceededText(each)}`)}`,
  );
  return [...lines, ...(over.length === 0 ? [] : ["", ...over])].join("\n");
}

function isText(column: string): boolean {
  return column === "name" || column === "from" || column === "file";
}

/** Collects the rows for all recordings. Rows with the same name follow one another. */
function rowsOf(
  recordings: readonly RecordingStats[],
): readonly { readonly row: NameStats; readonly file: string }[] {
  const groups = new Map<string, { row: NameStats; file: string }[]>();
  for (const { file, names } of recordings)
    for (const row of names) {
      const key = `${row.kind} ${row.from} ${row.name}`;
      groups.set(key, [...(groups.get(key) ?? []), { row, file }]);
    }
  const counted = [...groups.values()].map((group) => ({
    group,
    kind: group[0]!.row.kind,
    count: group.reduce((sum, { row }) => sum + row.count, 0),
  }));
  return counted
    .sort((a, b) => Number(a.kind === "event") - Number(b.kind === "event") || b.count - a.count)
    .flatMap(({ group }) => group);
}

function cellsOf({ kind, count, failures, open, latency, bytes, ...row }: NameStats): string[] {
  const isEvent = kind === "event";
  return [
    String(count),
    isEvent ? "" : String(failures),
    isEvent ? "" : String(open),
    latency === undefined ? "" : durationText(latency.median),
    latency === undefined ? "" : durationText(latency.p95),
    latency === undefined ? "" : durationText(latency.max),
    sizeText(bytes),
    row.first === undefined ? "" : timeText(row.first),
    row.last === undefined ? "" : timeText(row.last),
  ];
}

function spanText({ first, last }: RecordingStats): readonly string[] {
  return first === undefined || last === undefined
    ? []
    : [`${timeText(first)} to ${timeText(last)} s`];
}
