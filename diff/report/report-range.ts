import {
  markdownCode,
  markdownCodeCell,
  markdownText,
} from "../../generator/print/markdown-text.js";
import { visible } from "../../generator/base/visible-text.js";
import { cellLines, countsText, filledCells, type RangeCell } from "./range-cells.js";
import type { Colour } from "./report-text.js";
import type { DiffSeverity } from "../finding.js";
import type { RangeComparison, RangePair } from "../version-range.js";

const colours: Readonly<Record<DiffSeverity | "none", Colour>> = {
  breaking: "red",
  risky: "yellow",
  lossy: "cyan",
  safe: "green",
  doc: "dim",
  none: "dim",
};

interface RangeTextOptions {
  readonly paint: (colour: Colour, text: string) => string;
  /** Whether to list additions and removals by version, and the findings for each pair. */
  readonly expand: boolean;
  readonly width: number;
}

/**
 * Renders a matrix of all version pairs, followed by reused names, and by additions and removals by
 * version.
 */
export function reportRangeText(
  range: RangeComparison,
  cells: readonly RangeCell[],
  { paint, expand, width }: RangeTextOptions,
): string {
  const blocks = blocksOf(table(range, visible), width).map((rows) =>
    rows.map((row) => lineText(row, widthsOf(rows), paint)).join("\n"),
  );
  return [
    paint(
      "bold",
      `${visible(range.protocol)}: ${range.versions.length} versions, ${range.pairs.length} pair${range.pairs.length === 1 ? "" : "s"}`,
    ),
    "rows: old versions; columns: new versions; cells: worst severity, and number of findings that have it",
    "",
    blocks.join("\n\n"),
    "",
    ...reusedLines(range, visible, visible),
    "",
    ...(expand
      ? range.since.map(
          ({ at, version, until }) =>
            `${visible(version).padEnd(10)} ${visible(at)}${until === undefined ? "" : `   until ${visible(until)}`}`,
        )
      : [sinceSummary(range)]),
    ...filledCells(range.pairs, cells).flatMap(({ pair, cell }) => [
      "",
      `${paint("bold", visible(`${pair.before} → ${pair.after}`))}   ${countsText(pair)}`,
      ...cellLines(cell).map(
        ({ severity, rule, subject }) =>
          `  ${paint(colours[severity], severity.padEnd(8))}  ${visible(subject)}   ${paint("dim", rule)}`,
      ),
    ]),
  ].join("\n");
}

export function reportRangeMarkdown(range: RangeComparison, cells: readonly RangeCell[]): string {
  const [head = [], ...rows] = table(range, markdownText).map((row) => row.map(({ text }) => text));
  return [
    `## ${markdownText(range.protocol)} ${markdownText(range.versions[0] ?? "")} to ${markdownText(range.versions.at(-1) ?? "")}`,
    "",
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
    ...reusedLines(range, markdownText, markdownCode),
    "",
    ...filledCells(range.pairs, cells).flatMap(({ pair, cell }) => [
      "<details><summary>",
      "",
      markdownText(`${pair.before} → ${pair.after}: ${countsText(pair)}`),
      "",
      "</summary>",
      "",
      ...cellLines(cell).map(
        ({ severity, rule, subject }) => `- ${severity}: ${markdownCode(subject)} (\`${rule}\`)`,
      ),
      "",
      "</details>",
      "",
    ]),
    "| since | addition |",
    "| --- | --- |",
    ...range.since
      .filter(({ version }) => version !== range.versions[0])
      .map(({ at, version }) => `| ${markdownText(version)} | ${markdownCodeCell(at)} |`),
    "",
  ].join("\n");
}

interface Cell {
  readonly text: string;
  readonly pair?: RangePair;
}

type Row = readonly Cell[];

/** @param print Formats a version. */
function table(
  { versions, pairs }: RangeComparison,
  print: (text: string) => string,
): readonly Row[] {
  const places = new Map(versions.map((version, place) => [version, place]));
  const byPlace = new Map(
    pairs.map((pair) => [`${places.get(pair.before)} ${places.get(pair.after)}`, pair]),
  );
  const head = ["", ...versions.slice(1)].map((text) => ({ text: print(text) }));
  const rows = versions.slice(0, -1).map((before, place): Row => [
    { text: print(before) },
    ...versions.slice(1).map((_, index): Cell => {
      const pair = byPlace.get(`${place} ${index + 1}`);
      if (pair === undefined) return { text: "" };
      return {
        text: pair.worst === "none" ? "same" : `${pair.worst} ${pair.counts[pair.worst]}`,
        pair,
      };
    }),
  ]);
  return [head, ...rows];
}

/**
 * Splits a table that is too wide into several tables with fewer columns, leaving out empty rows.
 */
function blocksOf(rows: readonly Row[], width: number): readonly (readonly Row[])[] {
  const [first = 0, ...others] = widthsOf(rows);
  const perBlock = Math.max(1, Math.floor((width - first) / Math.max(1, ...others)));
  const starts = others.flatMap((_, at) => (at % perBlock === 0 ? [at + 1] : []));
  return starts.map((start) =>
    rows
      .map((row): Row => [row[0]!, ...row.slice(start, start + perBlock)])
      .filter((row, place) => place === 0 || row.slice(1).some(({ text }) => text !== "")),
  );
}

/** Minimum column width, so that tables with short version numbers line up. */
const leastWidth = 12;

/** Returns the width of each column, including the gap to the next one. */
function widthsOf([head = [], ...rows]: readonly Row[]): readonly number[] {
  return head.map(
    ({ text }, at) =>
      Math.max(leastWidth, text.length, ...rows.map((row) => row[at]!.text.length)) + 2,
  );
}

function lineText(row: Row, widths: readonly number[], paint: RangeTextOptions["paint"]): string {
  return row
    .map(({ text, pair }, at) => {
      const padding = " ".repeat(widths[at]! - text.length);
      return `${pair === undefined ? text : paint(colours[pair.worst], text)}${padding}`;
    })
    .join("")
    .trimEnd();
}

/**
 * @param print Formats a version.
 * @param printName Formats a name or a type.
 */
function reusedLines(
  { reused, pairs }: RangeComparison,
  print: (text: string) => string,
  printName: (text: string) => string,
): readonly string[] {
  const worse = pairs
    .filter(({ worseThanSteps }) => worseThanSteps)
    .map(
      ({ before, after, worst }) =>
        `${print(before)} to ${print(after)} is ${worst}, although no step between them is`,
    );
  const names = reused.map(
    ({ at, before, after }) =>
      `${printName(at)} was ${printName(before.type)} in ${print(before.version)} and is ${printName(after.type)} in ${print(after.version)}`,
  );
  return names.length > 0
    ? [...worse, ...names]
    : [...worse, "No name was removed and later reintroduced with a different meaning."];
}

function sinceSummary({ since, versions }: RangeComparison): string {
  const counts = versions.slice(1).map((version) => {
    const count = since.filter((each) => each.version === version).length;
    return `${visible(version)} added ${count}`;
  });
  return `Messages, properties and values: ${counts.join(", ")} (--expand lists them).`;
}
