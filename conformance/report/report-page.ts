import { escapeCharacters as escaped } from "@wirewright/runtime/internal/spellings/character-references.js";
import type { CheckResult } from "../run/run-suite.js";
import { specificationLink } from "../specification.js";
import {
  countsText,
  groupNames,
  groupsOf,
  labelOf,
  statuses,
  type AdapterResults,
} from "./adapter-results.js";
import { recordingsOf, scoreOf } from "./report-text.js";

/** Returns the address of the page that shows a recording, or undefined if there is none. */
export type RecordingLink = (results: AdapterResults, recording: string) => string | undefined;

/**
 * Creates a report's pages: `index.html`, and one page per adapter. The pages do not load any other
 * files.
 */
export function reportPages(
  all: readonly AdapterResults[],
  linkOf: RecordingLink,
): ReadonlyMap<string, string> {
  return new Map([
    ["index.html", indexPage(all)],
    ...all.map(
      (results) =>
        [pageName(results.adapter.name), adapterPage(results, linkOf)] as [string, string],
    ),
  ]);
}

/** Returns the file name of an adapter's page. The adapter's name may contain any characters. */
export const pageName = (name: string): string => `${name.replace(/[^\w.-]/g, "_")}.html`;

/** Returns the file name of the page that shows a recording. */
export const recordingPageName = (results: AdapterResults, recording: string): string =>
  `recordings/${pageName(`${results.adapter.name}-${recording}`)}`;

const statusOf = (results: AdapterResults, check: string): CheckResult["status"] | undefined =>
  results.checks.find((result) => result.check === check)?.status;

function indexPage(all: readonly AdapterResults[]): string {
  const heads = all.map(
    (results) =>
      `<th scope="col"><a href="${pageName(results.adapter.name)}">${escaped(labelOf(results))}</a></th>`,
  );
  const body = [...groupsOf(all[0]?.checks ?? [])].map(([group, checks]) => {
    const scores = all.map(
      (results) => `<td>${scoreOf(groupsOf(results.checks).get(group) ?? [])}</td>`,
    );
    const rows = checks.map(({ check, title, level }) => {
      const cells = all.map((results) => {
        const status = statusOf(results, check) ?? "not-applicable";
        return `<td class="${status}"><a href="${pageName(results.adapter.name)}#${check}" title="${statuses[status].word}">${statuses[status].mark}</a></td>`;
      });
      const seen = all.map((results) => statusOf(results, check));
      return `<tr data-text="${escaped(`${check} ${title} ${level}`.toLowerCase())}" data-status="${[...new Set(seen)].join(" ")}"><th scope="row"><code>${check}</code> ${escaped(title)} <small>${level}</small></th>${cells.join("")}</tr>`;
    });
    return `<tbody><tr class="group"><th scope="rowgroup">${escaped(groupNames[group] ?? group)}</th>${scores.join("")}</tr>${rows.join("")}</tbody>`;
  });
  return page(
    "Debug Adapter Protocol: conformance",
    `${legend}${filters}<div class="scroll" tabindex="0" role="region" aria-label="Results"><table><thead><tr><th scope="col">Check</th>${heads.join("")}</tr></thead>${body.join("")}</table></div>`,
  );
}

function adapterPage(results: AdapterResults, linkOf: RecordingLink): string {
  const { adapter, counts, run } = results;
  const facts = [
    adapter.source,
    adapter.released === undefined ? undefined : `released ${adapter.released}`,
    adapter.target,
    run === undefined ? undefined : `tested ${run.date}, suite ${run.suite}, ${run.platform}`,
  ]
    .filter((fact) => fact !== undefined && fact !== "")
    .map((fact) => `<li>${escaped(fact!)}</li>`);
  const groups = [...groupsOf(results.checks)].map(
    ([group, checks]) =>
      `<h2>${escaped(groupNames[group] ?? group)} <small>${scoreOf(checks)}</small></h2>${checks.map((result) => verdict(result, results, linkOf)).join("")}`,
  );
  return page(
    labelOf(results),
    `<p><a href="index.html">All adapters</a></p><ul>${facts.join("")}</ul><p>${countsText(counts)}</p>${filters}${groups.join("")}`,
  );
}

function verdict(result: CheckResult, results: AdapterResults, linkOf: RecordingLink): string {
  const { check, title, level, stated, sentence, status, expected, actual, text, message } = result;
  const place = specificationLink(stated);
  const isDoubtful = status === "fail" || status === "inconclusive";
  const links = (isDoubtful ? recordingsOf(result) : []).flatMap(
    (recording) => linkOf(results, recording) ?? [],
  );
  const reason = results.expected[check];
  const rows = [
    ["sentence", sentence],
    ["case", result.case],
    ["expected", expected],
    ["actual", actual],
    ["why", text],
    ["expected to fail", reason],
    ["message", message === undefined ? undefined : String(message)],
  ]
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value!)}</dd>`);
  const recording = links
    .map((link, index) => {
      const text = index === 0 ? "Recording of the case" : "Recording with the other verdict";
      return `<p><a href="${escaped(link)}">${text}</a></p>`;
    })
    .join("");
  const basis = place === undefined ? escaped(stated) : `<a href="${place}">${escaped(stated)}</a>`;
  return `<details id="${check}" class="${status}" data-status="${status}" data-text="${escaped(`${check} ${title} ${level}`.toLowerCase())}"${status === "fail" ? " open" : ""}><summary><span aria-hidden="true">${statuses[status].mark}</span> <code>${check}</code> ${escaped(title)} <small>${level}, ${statuses[status].word}</small></summary><dl><dt>stated in</dt><dd>${basis}</dd>${rows.join("")}</dl>${recording}</details>`;
}

const legend = `<p>${Object.values(statuses)
  .map(({ mark, word }) => `${mark} ${word}`)
  .join(" · ")}</p>`;

const filters = `<p><label>Filter <input id="text" type="search"></label> <label>Show <select id="status"><option value="">all</option>${Object.entries(
  statuses,
)
  .map(([status, { word }]) => `<option value="${status}">${word}</option>`)
  .join("")}</select></label></p>`;

const style = `:root{color-scheme:light dark;--line:#8886;--pass:#176b2c;--fail:#b3261e;--blocked:#7a5200;--none:#5f6368}
@media(prefers-color-scheme:dark){:root{--pass:#7ddc93;--fail:#ffb4ab;--blocked:#ffc66b;--none:#b0b4ba}}
html{background:Canvas;color:CanvasText}body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}body:has(.scroll){max-width:110rem}
.scroll{overflow:auto;max-height:90vh}table{border-collapse:separate;border-spacing:0}thead th{position:sticky;top:0;background:Canvas;z-index:1}
.scroll th:first-child{position:sticky;left:0;background:Canvas;min-width:9rem}thead th:first-child{z-index:2}
@media(min-width:60rem){.scroll th:first-child{min-width:22rem}}th,td{border-bottom:1px solid var(--line);padding:.2rem .6rem;text-align:left}
td{text-align:center}.group th,.group td{font-weight:700;padding-top:1rem}td a{text-decoration:none;color:inherit;display:block}
.pass>a,.pass summary span{color:var(--pass)}.fail>a,.fail summary span{color:var(--fail)}.blocked>a,.blocked summary span,.inconclusive>a,.inconclusive summary span{color:var(--blocked)}.not-applicable>a{color:var(--none)}
details{border-bottom:1px solid var(--line);padding:.3rem 0}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.5rem 1.5rem}dd{margin:0;overflow-wrap:anywhere}
th small,summary small{opacity:.85}[hidden]{display:none!important}`;

const script = `const text=document.getElementById("text"),status=document.getElementById("status");
const filter=()=>{for(const each of document.querySelectorAll("[data-text]"))each.hidden=!each.dataset.text.includes(text.value.toLowerCase())||(status.value!==""&&!each.dataset.status.split(" ").includes(status.value))};
text.addEventListener("input",filter);status.addEventListener("change",filter);
const show=()=>{const each=document.getElementById(location.hash.slice(1));if(each?.tagName==="DETAILS")each.open=true};addEventListener("hashchange",show);show();`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
<script>${script}</script>
</body>
</html>
`;
}
