/** Fills marked sections of pages with figures from `tools/bench/results`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../../test/support/paths.js";
import { readResults, type Results } from "../results.js";
import { charts } from "./charts.js";
import { show } from "./views.js";

/** Pages that contain figures. */
export const pages: readonly string[] = [
  "README.md",
  "docs/benchmarks.md",
  "docs/benchmarks/bundles.md",
  "docs/platforms.md",
];

const marked = /(<!-- figures: (.+?) -->)[^]*?(<!-- \/figures -->)/g;

/**
 * Fills the marked sections of a page. A section begins with `<!-- figures: NAME -->` and ends with
 * `<!-- /figures -->`. The name is that of a view, or `FILE/TABLE` for a whole table. If the
 * opening mark ends its line, the content becomes a separate paragraph.
 */
export function fillPage(text: string, results: ReadonlyMap<string, Results>): string {
  return text.replace(marked, (whole, start: string, name: string, end: string) => {
    const content = show(name, results);
    const isBlock = whole.startsWith(`${start}\n`);
    return isBlock ? `${start}\n\n${content}\n\n${end}` : `${start}${content}${end}`;
  });
}

/** Renders all pages and charts from the stored results. Returns their contents by path. */
export function renderFiles(): ReadonlyMap<string, string> {
  const results = readResults();
  const filled = pages.map((path): [string, string] => [
    path,
    fillPage(readFileSync(fromRoot(path), "utf8"), results),
  ]);
  const drawn = Object.entries(charts).map(([path, draw]): [string, string] => [
    path,
    draw(results),
  ]);
  return new Map([...filled, ...drawn]);
}

export function writeFigures(): void {
  for (const [path, text] of renderFiles()) writeFileSync(fromRoot(path), text);
}
