import { joinMarkup, markup, trustedMarkup, type Markup } from "../../generator/print/html-text.js";
import type { RangeComparison, RangePair } from "../version-range.js";
import { cellLines, countsText, filledCells, type RangeCell } from "./range-cells.js";
import { pageStyle, rangeStyle } from "./report-html-page.js";

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
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${trustedMarkup(pageStyle)}${trustedMarkup(rangeStyle)}</style>
</head>
<body>
<main class="range">
<h1>${title}</h1>
<p>Each row is an old version, and each column is a new version. Cells show the worst severity and the number of findings that have it.</p>
<div class="matrix">${matrixHtml(range)}</div>
${joinMarkup(names, "\n")}
${joinMarkup(sections, "\n")}
</main>
</body>
</html>
`.toString();
}

function matrixHtml({ versions, pairs }: RangeComparison): Markup {
  const byName = new Map(pairs.map((pair) => [idOf(pair), pair]));
  const head = versions.slice(1).map((version) => markup`<th scope="col">${version}</th>`);
  const rows = versions.slice(0, -1).map((before) => {
    const row = versions.slice(1).map((after) => {
      const pair = byName.get(idOf({ before, after }));
      return pair === undefined ? markup`<td></td>` : markup`<td>${linkHtml(pair)}</td>`;
    });
    return markup`<tr><th scope="row">${before}</th>${row}</tr>`;
  });
  return markup`<table><thead><tr><td></td>${head}</tr></thead><tbody>
${joinMarkup(rows, "\n")}
</tbody></table>`;
}

function linkHtml(pair: RangePair): Markup {
  if (pair.worst === "none") return markup`<span class="same">same</span>`;
  return markup`<a class="${pair.worst}" href="#${idOf(pair)}">${pair.worst} ${pair.counts[pair.worst]}</a>`;
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
