import { readFileSync } from "node:fs";
import { checks } from "../../../conformance/checks.js";
import { inTodaysTerms } from "../../../conformance/published/published-pages.js";
import { groupNames, groupsOf, labelOf } from "../../../conformance/report/adapter-results.js";
import { scoreOf } from "../../../conformance/report/report-text.js";
import { markup } from "../../../generator/print/html-text.js";
import { fromRoot } from "../../../test/support/paths.js";
import { base, newestBase } from "../pages/addresses.js";
import { readAdapterResults } from "../protocol/read-conformance.js";

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

/** Draws the scores of `docs/conformance.md` as squares, with a row for each adapter. */
function conformanceMatrix(): string {
  const adapters = readAdapterResults().map((results) => inTodaysTerms(results, checks));
  const groups = [...groupsOf(adapters[0]!.checks).keys()];
  const drawn = adapters.map((results) => {
    const cells = groups.map((group) => {
      const score = scoreOf(groupsOf(results.checks).get(group) ?? []);
      const [passed, applied] = score.split("/").map(Number);
      const level =
        applied === undefined
          ? "none"
          : passed === applied
            ? "all"
            : passed! / applied < 0.8
              ? "some"
              : "most";
      return markup`<i class="${level}" title="${groupNames[group] ?? group}: ${score}"></i>`;
    });
    return markup`<li><span>${labelOf(results)}</span><span class="cells" aria-hidden="true">${cells}</span><b>${scoreOf(results.checks)}</b></li>`;
  });
  return `<ol class="matrix">${drawn.map((row) => row.toString()).join("")}</ol>\n\n<p class="legend"><i class="all"></i> all checks pass <i class="most"></i> most <i class="some"></i> less than 80 % <i class="none"></i> does not apply</p>`;
}
