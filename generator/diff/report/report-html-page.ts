/** Style of the HTML report: light or dark, as the reader's system has it. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --back: Canvas; --soft: #8881;
  --breaking: #c11c27; --risky: #855600; --lossy: #08698a; --safe: #136c2e; --doc: #5f5f5f; }
@media (prefers-color-scheme: dark) {
  :root { --breaking: #ff8f88; --risky: #e3b341; --lossy: #6cc3e6; --safe: #56d364; --doc: #b0b0b0; } }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--back) }
header { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: 1rem max(1rem, calc(50vw - 36rem)) }
h1 { margin: 0; font-size: 1.4rem } h1 span { font-variant-numeric: tabular-nums }
.bump { margin: .2rem 0 .8rem; opacity: .8 }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
.chips { display: flex; flex-wrap: wrap; gap: .4rem }
.chip { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; cursor: pointer }
.chip input { margin: 0 .3rem 0 0; accent-color: currentColor }
.chip.breaking b, .badge.breaking { color: var(--breaking) } .chip.risky b, .badge.risky { color: var(--risky) }
.chip.lossy b, .badge.lossy { color: var(--lossy) } .chip.safe b, .badge.safe { color: var(--safe) } .chip.doc b, .badge.doc { color: var(--doc) }
input[type=search], select, button { font: inherit; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: transparent; color: inherit }
input[type=search] { flex: 1 1 14rem } output { opacity: .7 }
main, .note { max-width: 72rem; margin: 1rem auto; padding: 0 1rem }
.group { border: 1px solid var(--line); border-left: 4px solid var(--doc); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem }
.group.breaking { border-left-color: var(--breaking) } .group.risky { border-left-color: var(--risky) }
.group.lossy { border-left-color: var(--lossy) } .group.safe { border-left-color: var(--safe) }
summary { cursor: pointer; overflow-wrap: anywhere } summary code { opacity: .7; margin-left: .4rem }
.badge { font-weight: 600; font-size: .8rem; text-transform: uppercase; letter-spacing: .04em }
.verdict { font-size: .85rem; white-space: nowrap; margin-left: .5rem } .verdict.rejected { color: var(--breaking) }
.verdict.degraded, .verdict.different { color: var(--risky) } .verdict.lost { color: var(--lossy) } .verdict.ok { opacity: .6 }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem } th { text-align: left; opacity: .7 }
td, th { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; vertical-align: top; overflow-wrap: anywhere }
code, pre { font: .9em ui-monospace, monospace } small { opacity: .65; display: block }
.witness { margin: .6rem 0 } figcaption { font-size: .85rem; opacity: .8 }
pre { margin: .2rem 0; padding: .6rem .8rem; background: var(--soft); border-radius: .4rem; overflow: auto; max-height: 24rem }
[hidden] { display: none !important }
`;

/** What the page of a range adds to it. */
export const rangeStyle = `
.range { max-width: none } .matrix { overflow-x: auto; margin-bottom: 1.5rem }
.matrix table { width: auto; white-space: nowrap; font-variant-numeric: tabular-nums } .matrix th, .matrix td { padding: .2rem .7rem .2rem 0 }
.matrix th[scope=row] { position: sticky; left: 0; background: var(--back) }
a.breaking { color: var(--breaking) } a.risky { color: var(--risky) } a.lossy { color: var(--lossy) } a.safe { color: var(--safe) } a.doc, .same { color: var(--doc) }
section { max-width: 72rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem } h2 { font-size: 1.1rem; margin: .8rem 0 0 }
section p { margin: 0 } section:target h2 { text-decoration: underline } ul { padding-left: 1.2rem } li { overflow-wrap: anywhere }
`;

/** Filters by level, text and meeting; nothing is fetched, and nothing in the report is run. */
export const pageScript = `
const groups = [...document.querySelectorAll(".group")];
const form = document.getElementById("filters");
const search = document.getElementById("search");
const pair = document.getElementById("pair");
const expand = document.getElementById("expand");
function filter() {
  const levels = new Set([...form.querySelectorAll("[name=level]:checked")].map((box) => box.value));
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const group of groups) {
    const { level, text, pairs } = group.dataset;
    group.hidden = !levels.has(level) || !words.every((word) => text.includes(word)) ||
      (pair.value !== "" && !pairs.split(" ").includes(pair.value));
    if (!group.hidden) shown++;
  }
  document.getElementById("count").value = shown + " of " + groups.length;
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
expand.addEventListener("click", () => {
  const open = groups.some((group) => !group.hidden && !group.open);
  for (const group of groups) if (!group.hidden) group.open = open;
  expand.textContent = open ? "Collapse all" : "Expand all";
});
filter();
`;
