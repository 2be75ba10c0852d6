import { readFileSync } from "node:fs";
import { markup } from "../../../generator/print/html-text.js";
import { fromRoot } from "../../../test/support/paths.js";
import { base, newestBase } from "../pages/addresses.js";

/** Fills in the start page's parts that come from other files: a program, and results. */
export function fillStartPage(body: string): string {
  return body
    .replaceAll(`="${newestBase}/`, `="${base}/`)
    .replace(/<!-- program: (\S+) -->/, (_, path: string) => {
      const text = readFileSync(fromRoot(path), "utf8");
      return `\`\`\`ts title="${path}"\n${text}\`\`\``;
    })
    .replace("<!-- conformance -->", conformanceMatrix());
}

/** Draws the table of adapters in `docs/conformance.md` as squares, with a row for each adapter. */
function conformanceMatrix(): string {
  const page = readFileSync(fromRoot("docs/conformance.md"), "utf8");
  const [head = [], , ...rows] = /^## Adapters\n\n((?:\|.*\n)+)/m
    .exec(page)![1]!
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("*", "")),
    );
  const total = rows.at(-1)!;
  const [, ...adapters] = head;
  const drawn = adapters.map((adapter, index) => {
    const cells = rows.slice(0, -1).map((row) => {
      const [passed, applied] = row[index + 1]!.split("/").map(Number);
      const level =
        applied === undefined
          ? "none"
          : passed === applied
            ? "all"
            : passed! / applied < 0.8
              ? "some"
              : "most";
      return markup`<i class="${level}" title="${row[0]!}: ${row[index + 1]!}"></i>`;
    });
    return markup`<li><span>${adapter}</span><span class="cells" aria-hidden="true">${cells}</span><b>${total[index + 1]!}</b></li>`;
  });
  return `<ol class="matrix">${drawn.map((row) => row.toString()).join("")}</ol>\n\n<p class="legend"><i class="all"></i> all checks pass <i class="most"></i> most <i class="some"></i> less than 80 % <i class="none"></i> does not apply</p>`;
}
