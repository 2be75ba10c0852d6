import { specificationLink } from "../specification.js";
import {
  countsText,
  groupNames,
  groupsOf,
  isScored,
  labelOf,
  type AdapterResults,
} from "./adapter-results.js";
import { scoreOf } from "./report-text.js";

/** Formats results as Markdown: a table of scores by group, followed by each adapter's failures. */
export function reportMarkdown(all: readonly AdapterResults[]): string {
  return [scoreTable(all), ...all.map(failureTable)].join("\n");
}

/**
 * Creates a table of groups by adapter. Each cell shows how many scored checks pass, and how many
 * apply.
 */
export function scoreTable(all: readonly AdapterResults[]): string {
  const groups = [...groupsOf(all[0]?.checks ?? []).keys()];
  const rows = groups.map((group) => [
    groupNames[group] ?? group,
    ...all.map((results) => scoreOf(groupsOf(results.checks).get(group) ?? [])),
  ]);
  const total = ["All", ...all.map((results) => scoreOf(results.checks))].map((text) => ({
    markdown: `**${text}**`,
  }));
  return table(["", ...all.map(labelOf)], [...rows, total]);
}

/** Formats an adapter's failures as a table, with the counts. */
export function failureTable(results: AdapterResults): string {
  const failures = results.checks.filter(
    ({ status }) => status !== "pass" && status !== "not-applicable",
  );
  const rows = failures.map((result) => {
    const { check, title, level, stated, sentence, status, expected, actual, text } = result;
    return [
      `\`${check}\``,
      `${title} (${level})`,
      basisOf(stated, sentence),
      status === "fail" ? (expected ?? "") : "",
      status === "fail" ? (actual ?? "") : `${status}: ${text}`,
    ];
  });
  return [
    `## ${labelOf(results)}\n`,
    `${countsText(results.counts)}. Checks with the level info do not count.\n`,
    rows.length === 0
      ? ""
      : table(["check", "expected behaviour", "stated in", "expected", "actual"], rows),
  ].join("\n");
}

/**
 * A table cell: either Markdown, or text from an adapter, in which only code spans count as markup.
 */
type Cell = string | { readonly markdown: string };

export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellOf).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

function cellOf(cell: Cell): string {
  if (typeof cell !== "string") return cell.markdown;
  return cell
    .replace(/\s+/g, " ")
    .split(/(`[^`]*`)/)
    .map((part, index) => part.replace(index % 2 === 0 ? /[\\|<>[\]*_]/g : /\|/g, "\\$&"))
    .join("");
}

/** Quotes the sentence on which a check is based, with a link to it. */
export function basisOf(stated: string, sentence: string | undefined): Cell {
  const link = specificationLink(stated);
  const place = link === undefined ? cellOf(stated) : `[${stated}](${link})`;
  return { markdown: sentence === undefined ? place : `“${cellOf(sentence)}” ${place}` };
}

/**
 * Creates the JSON that a badge service reads: the score, the adapter's version and the date of the
 * run. The badge is red if a check with the level `must` fails.
 */
export function reportBadge(results: AdapterResults): object {
  const applied = results.checks.filter(isScored);
  const passed = applied.filter(({ status }) => status === "pass").length;
  const share = applied.length === 0 ? 0 : passed / applied.length;
  const failsMust = applied.some(({ level, status }) => level === "must" && status === "fail");
  const facts = [`${passed}/${applied.length}`, results.adapter.version, results.run?.date];
  return {
    schemaVersion: 1,
    label: "DAP conformance",
    message: facts.filter((fact) => fact !== undefined && fact !== "").join(", "),
    color: failsMust
      ? "red"
      : share === 1
        ? "brightgreen"
        : share >= 0.9
          ? "green"
          : share >= 0.75
            ? "yellow"
            : "red",
  };
}
