import { diffSeverities, type DiffSeverity, type Finding, type ProtocolDiff } from "../finding.js";
import type { RangeComparison, RangePair } from "../version-range.js";
import { groupFindings, subjectText, type FindingGroup } from "./diff-report.js";
import {
  markdownCode,
  markdownCodeCell,
  markdownText,
} from "../../generator/print/markdown-text.js";
import { countText } from "../../generator/base/plural.js";
import { visible } from "../../generator/base/visible-text.js";
import { colours, type Colour } from "./report-text.js";
import {
  joinMarkup,
  markup,
  type Markup,
  type MarkupPart,
} from "../../generator/print/html-text.js";
import { pageStyle, rangeStyle, reportPage } from "./report-html-page.js";

import { printReport } from "../../generator/print/json-text.js";
import { reportVersion } from "./report-json.js";

/** A cell in the version matrix, with the findings for a pair of versions. */
export interface RangeCell {
  readonly diff: ProtocolDiff;
  /** Findings that have not been accepted. */
  readonly findings: readonly Finding[];
}

/** One line in a cell of the version matrix, which describes a decision. */
interface CellLine {
  readonly severity: DiffSeverity;
  readonly rule: string;
  readonly subject: string;
}

/** Returns a line for each decision, worst first. */
function cellLines({ findings }: RangeCell): readonly CellLine[] {
  return groupFindings(findings).map((group) => ({
    severity: group.severity,
    rule: group.rule,
    subject: groupText(group),
  }));
}

function groupText({ first, findings }: FindingGroup): string {
  if (findings.length === 1) return subjectText(first);
  const places = findings.slice(0, 3).map(({ at }) => at);
  const more = findings.length > 3 ? `, … ${findings.length - 3} more` : "";
  return `${findings.length} × ${first.message}: ${places.join(", ")}${more}`;
}

/** Formats the counts for a pair, such as `1 breaking · 3 lossy`. */
function countsText({ counts }: Pick<RangePair, "counts">): string {
  const parts = diffSeverities.flatMap((severity) =>
    counts[severity] > 0 ? [`${counts[severity]} ${severity}`] : [],
  );
  return parts.length === 0 ? "no change" : parts.join(" · ");
}

function filledCells(
  pairs: readonly RangePair[],
  cells: readonly RangeCell[],
): readonly { readonly pair: RangePair; readonly cell: RangeCell }[] {
  return pairs.flatMap((pair, index) => {
    const cell = cells[index];
    return cell === undefined || cell.findings.length === 0 ? [] : [{ pair, cell }];
  });
}

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
      `${visible(range.protocol)}: ${countText(range.versions.length, "version")}, ${countText(range.pairs.length, "pair")}`,
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
  const pairById = new Map(pairs.map((pair) => [idOf(pair), pair]));
  const head = ["", ...versions.slice(1)].map((text) => ({ text: print(text) }));
  const rows = versions.slice(0, -1).map((before): Row => [
    { text: print(before) },
    ...versions.slice(1).map((after): Cell => {
      const pair = pairById.get(idOf({ before, after }));
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

/** @param cells Cells with each pair's findings, if these were requested. */
export function reportRangeJson(range: RangeComparison, cells: readonly RangeCell[]): string {
  const pairs = range.pairs.map((pair, index) => {
    const cell = cells[index];
    return cell === undefined ? pair : { ...pair, findings: cell.findings };
  });
  return printReport("range", reportVersion, { ...range, pairs });
}

/**
 * Renders a page with a matrix of all version pairs. Each cell links to its findings. The page has
 * no scripts.
 */
export function reportRangeHtml(range: RangeComparison, cells: readonly RangeCell[]): string {
  const { protocol, versions, pairs, reused } = range;
  const title = `${protocol} ${versions[0] ?? ""} to ${versions.at(-1) ?? ""}`;
  const sections = filledCells(pairs, cells).map(({ pair, cell }) => sectionHtml(pair, cell));
  const names = reused.map(
    ({ at, before, after }) =>
      markup`<p><code>${at}</code> was <code>${before.type}</code> in ${before.version} and is <code>${after.type}</code> in ${after.version}.</p>`,
  );
  const body = markup`<main class="range">
<h1>${title}</h1>
<p>Each row is an old version, and each column is a new version. Cells show the worst severity and the number of findings that have it.</p>
<div class="matrix">${matrixHtml(range)}</div>
${joinMarkup(names, "\n")}
${joinMarkup(sections, "\n")}
</main>`;
  return reportPage(title, pageStyle + rangeStyle, body);
}

function matrixHtml(range: RangeComparison): Markup {
  const [[, ...versions] = [], ...rows] = table(range, (version) => version);
  const head = versions.map(({ text }) => markup`<th scope="col">${text}</th>`);
  const body = rows.map(
    ([before, ...cells]) =>
      markup`<tr><th scope="row">${before!.text}</th>${cells.map((cell) => markup`<td>${cellHtml(cell)}</td>`)}</tr>`,
  );
  return markup`<table><thead><tr><td></td>${head}</tr></thead><tbody>
${joinMarkup(body, "\n")}
</tbody></table>`;
}

function cellHtml({ text, pair }: Cell): MarkupPart {
  if (pair === undefined) return "";
  return pair.worst === "none"
    ? markup`<span class="same">${text}</span>`
    : markup`<a class="${pair.worst}" href="#${idOf(pair)}">${text}</a>`;
}

function sectionHtml(pair: RangePair, cell: RangeCell): Markup {
  const items = cellLines(cell).map(
    ({ severity, rule, subject }) =>
      markup`<li><span class="badge ${severity}">${severity}</span> <span class="subject">${subject}</span> <code>${rule}</code></li>`,
  );
  return markup`<section id="${idOf(pair)}"><h2>${pair.before} → ${pair.after}</h2>
<p>${countsText(pair)}${pair.worseThanSteps ? "; worse than any single step between the two" : ""}</p>
<ul>
${joinMarkup(items, "\n")}
</ul></section>`;
}

function idOf({ before, after }: Pick<RangePair, "before" | "after">): string {
  return `${before}..${after}`;
}
