import { markdownCode, markdownCodeCell, markdownText } from "../../print/markdown-text.js";
import { visible } from "../../base/visible-text.js";
import type { Colour } from "./report-text.js";
import type { Level } from "../finding.js";
import type { RangeComparison, RangePair } from "../version-range.js";

const colours: Readonly<Record<Level | "none", Colour>> = {
  breaking: "red",
  risky: "yellow",
  lossy: "cyan",
  safe: "green",
  doc: "dim",
  none: "dim",
};

/** The matrix of all pairs, names with two meanings, and what came when. */
export function reportRangeText(
  range: RangeComparison,
  paint: (colour: Colour, text: string) => string,
  expand: boolean,
): string {
  const cell = (text: string, width: number, pair?: RangePair): string =>
    pair === undefined
      ? text.padEnd(width)
      : paint(colours[pair.worst], text) + " ".repeat(width - text.length);
  const lines = table(range, visible).map((row) =>
    row
      .map(({ text, width, pair }) => cell(text, width, pair))
      .join("  ")
      .trimEnd(),
  );
  return [
    paint(
      "bold",
      `${visible(range.protocol)}: ${range.versions.length} versions, ${range.pairs.length} pair${range.pairs.length === 1 ? "" : "s"}`,
    ),
    "old down, new across: the worst level, and how many findings have it",
    "",
    ...lines,
    "",
    ...reusedLines(range, visible, visible),
    "",
    ...(expand
      ? range.since.map(
          ({ at, version, until }) =>
            `${visible(version).padEnd(10)} ${visible(at)}${until === undefined ? "" : `   until ${visible(until)}`}`,
        )
      : [sinceSummary(range)]),
  ].join("\n");
}

/** The same as Markdown. */
export function reportRangeMarkdown(range: RangeComparison): string {
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
    "| since | what |",
    "| --- | --- |",
    ...range.since
      .filter(({ version }) => version !== range.versions[0])
      .map(({ at, version }) => `| ${markdownText(version)} | ${markdownCodeCell(at)} |`),
    "",
  ].join("\n");
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly pair?: RangePair;
}

/** @param print How a version is printed. */
function table(
  { versions, pairs }: RangeComparison,
  print: (text: string) => string,
): readonly (readonly Cell[])[] {
  const width = Math.max(12, ...versions.map((version) => print(version).length));
  const head = ["", ...versions.slice(1)].map((text) => ({ text: print(text), width }));
  const rows = versions.slice(0, -1).map((before): readonly Cell[] => [
    { text: print(before), width },
    ...versions.slice(1).map((after): Cell => {
      const pair = pairs.find((each) => each.before === before && each.after === after);
      if (pair === undefined) return { text: "", width };
      const text = pair.worst === "none" ? "same" : `${pair.worst} ${pair.counts[pair.worst]}`;
      return { text, width, pair };
    }),
  ]);
  return [head, ...rows];
}

/**
 * @param print How a version is printed.
 * @param printName How a name or a type is.
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
        `${print(before)} to ${print(after)} is ${worst}, though no step between them is`,
    );
  const names = reused.map(
    ({ at, before, after }) =>
      `${printName(at)} was ${printName(before.type)} in ${print(before.version)} and is ${printName(after.type)} in ${print(after.version)}`,
  );
  return names.length > 0
    ? [...worse, ...names]
    : [...worse, "No name went away and came back as something else."];
}

function sinceSummary({ since, versions }: RangeComparison): string {
  const counts = versions.slice(1).map((version) => {
    const count = since.filter((each) => each.version === version).length;
    return `${visible(version)} brought ${count}`;
  });
  return `Messages, properties and values: ${counts.join(", ")} (--expand lists them).`;
}
