import { hashSource, markup, type Markup, trustedMarkup } from "../../generator/print/html-text.js";

/**
 * Renders a page that loads nothing.
 *
 * @param script A script that may run. Default: none.
 */
export function reportPage(title: string, style: string, body: Markup, script?: string): string {
  const scripts = script === undefined ? "" : `; script-src ${hashSource(script)}`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${trustedMarkup(scripts)}">
<title>${title}</title>
<style>${trustedMarkup(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.toString();
}

/**
 * The HTML report's style sheet, which follows the reader's preference for a light or dark colour
 * scheme. To stay readable, text always uses one of these colours and is never transparent.
 */
export const pageStyle = `
:root { color-scheme: light dark; --back: #ffffff; --soft: #f3f4f6; --line: #d5d8dd;
  --text: #1c1e21; --dim: #5a5f66; --link: #0b57b0;
  --breaking: #b3151f; --risky: #7a4f00; --lossy: #07607f; --safe: #116328; --doc: #5a5f66; }
@media (prefers-color-scheme: dark) {
  :root { --back: #15171a; --soft: #22262b; --line: #3a4048;
    --text: #e6e8ea; --dim: #a9b0b8; --link: #8ab8ff;
    --breaking: #ff8f88; --risky: #e3b341; --lossy: #6cc3e6; --safe: #56d364; --doc: #a9b0b8; } }
* { box-sizing: border-box }
html { scroll-padding-top: 5rem }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text) }
header, main, body > .advice, form > div { max-width: 72rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 1rem }
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere } h1 span { font-variant-numeric: tabular-nums }
.bump { margin: .2rem 0 .8rem; color: var(--dim) }
.advice { overflow-wrap: anywhere } .advice ul { margin: .2rem 0; padding-left: 1.4rem }
h2 { font-size: 1rem; margin: .2rem 0 .4rem } h3 { font-size: .95rem; margin: 0 } .effects p { margin: .2rem 0 }
.advice .effects { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: .6rem; list-style: none; padding: 0; margin: 0 }
.effects > li { border: 1px solid var(--line); border-top: 4px solid var(--safe); border-radius: .4rem; padding: .5rem .8rem }
.effects > .risky { border-top-color: var(--risky) } .effects > .lossy { border-top-color: var(--lossy) } .effects > .breaking { border-top-color: var(--breaking) }
form { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: .7rem 0; margin: .6rem 0 1rem }
form > div, .chips { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center } .chips { gap: .4rem }
.chip { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; cursor: pointer }
.chip input { margin: 0 .3rem 0 0 }
.chip.breaking b, .badge.breaking { color: var(--breaking) } .chip.risky b, .badge.risky { color: var(--risky) }
.chip.lossy b, .badge.lossy { color: var(--lossy) } .chip.safe b, .badge.safe { color: var(--safe) } .chip.doc b, .badge.doc { color: var(--doc) }
input[type=search], select, button { font: inherit; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--back); color: var(--text); max-width: 100% }
input[type=search] { flex: 1 1 9rem; min-width: 0 } select { flex: 0 1 13rem; width: 13rem } input::placeholder { color: var(--dim) } output { color: var(--dim) }
a { color: var(--link) }
.group { border: 1px solid var(--line); border-left: 4px solid var(--doc); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem }
.group.breaking { border-left-color: var(--breaking) } .group.risky { border-left-color: var(--risky) }
.group.lossy { border-left-color: var(--lossy) } .group.safe { border-left-color: var(--safe) }
summary { cursor: pointer; overflow-wrap: anywhere } summary code { color: var(--dim); margin-left: .4rem }
.badge { font-weight: 600; font-size: .8rem; text-transform: uppercase; letter-spacing: .04em }
.verdicts { margin-left: .2rem } .verdict { display: inline-block; font-size: .85rem; margin-left: .4rem } .verdict.rejected { color: var(--breaking) }
.verdict.degraded, .verdict.different { color: var(--risky) } .verdict.lost { color: var(--lossy) } .verdict.ok, .verdict.unknown { color: var(--dim) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem } th { text-align: left; color: var(--dim) }
td, th { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; vertical-align: top; overflow-wrap: anywhere; min-width: 7rem }
code, pre { font: .9em ui-monospace, monospace } small { color: var(--dim); display: block }
.witness { margin: .6rem 0 } figcaption { font-size: .85rem; color: var(--dim) }
pre { margin: .2rem 0; padding: .6rem .8rem; background: var(--soft); border-radius: .4rem; overflow: auto; max-height: 24rem }
pre.excerpt { font-size: .8rem; padding: .3rem .5rem; max-height: 14rem; max-width: 26rem; white-space: pre-wrap; overflow-wrap: anywhere }
.note { color: var(--dim); margin: .6rem auto }
[hidden] { display: none !important }
@media (max-width: 40rem) { form { position: static } pre.excerpt { max-width: 70vw } }
`;

/** Additional styles for the version range page. */
export const rangeStyle = `
main.range { max-width: none; padding-top: 1rem } .matrix { overflow-x: auto; margin-bottom: 1.5rem }
.matrix table { width: auto; white-space: nowrap; font-variant-numeric: tabular-nums } .matrix th, .matrix td { padding: .2rem .7rem .2rem 0; min-width: 0 }
.matrix th[scope=row] { position: sticky; left: 0; background: var(--back) }
a.breaking { color: var(--breaking) } a.risky { color: var(--risky) } a.lossy { color: var(--lossy) } a.safe { color: var(--safe) } a.doc, .same { color: var(--doc) }
section { max-width: 72rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem } h2 { font-size: 1.1rem; margin: .8rem 0 0 }
section p { margin: 0; color: var(--dim) } section:target h2 { text-decoration: underline } ul { padding-left: 1.2rem } li { overflow-wrap: anywhere } li code { color: var(--dim) }
`;

/**
 * Script that filters by severity, text and pairing. The filters are stored in the URL, as in
 * `#severity=risky&find=stopped`. The script loads nothing and executes nothing from the report.
 */
export const pageScript = `
const groups = [...document.querySelectorAll(".group")];
const form = document.getElementById("filters");
const search = document.getElementById("search");
const pair = document.getElementById("pair");
const expand = document.getElementById("expand");
const none = document.getElementById("none");
const boxes = [...form.querySelectorAll("[name=severity]")];
const usual = boxes.filter((box) => box.defaultChecked).map((box) => box.value).join();
function chosen() {
  return boxes.filter((box) => box.checked).map((box) => box.value);
}
function filter() {
  const severities = new Set(chosen());
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const group of groups) {
    const { severity, text, pairs } = group.dataset;
    group.hidden = !severities.has(severity) || !words.every((word) => text.includes(word)) ||
      (pair.value !== "" && !pairs.split(" ").includes(pair.value));
    if (!group.hidden) shown++;
  }
  document.getElementById("count").value = shown + " of " + groups.length;
  none.hidden = shown > 0 || groups.length === 0;
}
none.querySelector("button").addEventListener("click", () => {
  for (const box of boxes) box.checked = true;
  search.value = pair.value = "";
  filter();
  writeLink();
});
function writeLink() {
  const link = new URLSearchParams();
  if (chosen().join() !== usual) link.set("severity", chosen().join());
  if (search.value !== "") link.set("find", search.value);
  if (pair.value !== "") link.set("pair", pair.value);
  const hash = link.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : "#" + hash);
}
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const severities = link.has("severity") ? link.get("severity").split(",") : usual.split(",");
  for (const box of boxes) box.checked = severities.includes(box.value);
  search.value = link.get("find") ?? "";
  pair.value = link.get("pair") ?? "";
  if (pair.selectedIndex < 0) pair.value = "";
  filter();
}
form.addEventListener("input", () => { filter(); writeLink(); });
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", readLink);
expand.addEventListener("click", () => {
  const open = groups.some((group) => !group.hidden && !group.open);
  for (const group of groups) if (!group.hidden) group.open = open;
  expand.textContent = open ? "Collapse all" : "Expand all";
});
readLink();
`;
