/** Fills the benchmarks page with the saved figures: a table and a bar chart for each caption. */
import { existsSync, readFileSync } from "node:fs";
import { xml } from "../../generator/print/html-text.js";
import { fromRoot } from "../../test/support/paths.js";
import { tableLines } from "../../test/support/table.js";
import {
  columnsOf,
  formatNumbers,
  formatTimes,
  shown,
  spreadText,
  type Results,
  type Row,
  type Versions,
} from "./comparison.js";

const page = "docs/benchmarks.md";
const marked = /<!-- bench: ([\w-]+)\/(.+?) -->[^]*?<!-- \/bench -->/g;

/**
 * Renders the page and its charts, by path. A section of the page begins with
 * `<!-- bench: NAME/CAPTION -->` and ends with `<!-- /bench -->`.
 */
export function renderFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const text = readFileSync(fromRoot(page), "utf8").replace(
    marked,
    (_section, name: string, caption: string) => {
      const [start, end] = [`<!-- bench: ${name}/${caption} -->`, "<!-- /bench -->"];
      const results = readResults(name);
      const rows = rowsOf(results, caption);
      if (rows.length === 0)
        return `${start}\n\nNot measured yet: \`npm run bench ${name}\`.\n\n${end}`;
      const chart = `benchmarks/${name}-${caption.replaceAll(/\W+/g, "-").toLowerCase()}.svg`;
      files.set(`docs/${chart}`, drawBars(caption, rows));
      const table = tableLines(...shown(rows)).join("\n");
      const nodes = Object.keys(results).filter((node) => results[node]![caption] !== undefined);
      const measured = `Node ${nodes.join(", ")}. ${spreadText(rows)}`.trim();
      return [start, `![${caption}](${chart})`, table, measured, end].join("\n\n");
    },
  );
  return files.set(page, text);
}

function readResults(name: string): Results {
  const path = fromRoot(`tools/bench/results/${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : {};
}

/** Returns a table's rows, each once for each version of Node. */
function rowsOf(results: Results, caption: string): Versions {
  const tables = Object.values(results).map((tables) => tables[caption] ?? []);
  const works = new Set(tables.flatMap((rows) => rows.map(({ work }) => work)));
  return [...works].map((work) =>
    tables.flatMap((table) => table.filter((row) => row.work === work)),
  );
}

const left = 250;
const longest = 360;
const barHeight = 12;
/** The longest ratio that is drawn to scale. Without a limit, one bar would hide all others. */
const greatestRatio = 5;

const style = `text { font: 12px system-ui, sans-serif; fill: #24292f; }
    .title { font-weight: 600; font-size: 14px; } .value { font-size: 10px; }
    .c0 { fill: #0969da; } .c1 { fill: #bc4c00; } .c2 { fill: #1a7f37; }
    .c3 { fill: #8250df; } .c4 { fill: #6e7781; } .c5 { fill: #bf8700; }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }`;

/**
 * Draws the newest version's figures as SVG that is readable on light and on dark pages: a bar for
 * each competitor's ratio, or for each figure that was counted.
 */
function drawBars(caption: string, rows: Versions): string {
  const columns = columnsOf(rows).filter((column) => column !== "files");
  const newest = rows.map((versions) => versions.at(-1)!);
  const isCompared = newest[0]!.ratios !== undefined;
  const valueOf = ({ figures, ratios }: Row, column: string): number =>
    (isCompared ? ratios![column] : figures[column]) ?? 0;
  const greatest = Math.min(
    isCompared ? greatestRatio : Infinity,
    Math.max(...newest.flatMap((row) => columns.map((column) => valueOf(row, column)))),
  );
  const lines: string[] = [];
  let top = 24;
  columns.forEach((column, index) => {
    top += 18;
    lines.push(
      `<rect class="c${index}" x="12" y="${top - 10}" width="12" height="12"/>`,
      `<text x="30" y="${top}">${xml(column)}</text>`,
    );
  });
  for (const row of newest) {
    top += 14;
    const middle = top + (columns.length * barHeight) / 2 + 4;
    if (newest.length > 1)
      lines.push(`<text x="${left - 8}" y="${middle}" text-anchor="end">${xml(row.work)}</text>`);
    columns.forEach((column, index) => {
      const value = valueOf(row, column);
      const width = Math.max(1, Math.round((Math.min(value, greatest) / greatest) * longest));
      const label =
        isCompared && index === 0 ? formatTimes([row.figures[column]!]) : formatNumbers([value]);
      const text = `${value > greatest ? "… " : ""}${label}${isCompared && index > 0 ? " ×" : ""}`;
      lines.push(
        `<rect class="c${index}" x="${left}" y="${top}" width="${width}" height="${barHeight - 2}"/>`,
        `<text class="value" x="${left + width + 6}" y="${top + 9}">${xml(text)}</text>`,
      );
      top += barHeight;
    });
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${top + 12}" role="img">
<title>${xml(caption)}</title>
<style>${style}</style>
<text class="title" x="12" y="22">${xml(caption)}</text>
${lines.join("\n")}
</svg>
`;
}
