import {
  joinMarkup,
  markup,
  type Markup,
  markupLines,
  type MarkupPart,
  trustedMarkup,
} from "../../generator/print/html-text.js";
import { uncomparedTexts } from "../unstated-facts.js";
import { noteTexts } from "../notes.js";
import { adviceText, placesText, type SideAdvice, type Task } from "../advice.js";
import { diffSeverities, type Finding, type FindingPlace } from "../finding.js";
import {
  adviceOf,
  bumpText,
  countLevels,
  groupFindings,
  needsAdvice,
  pairText,
  sourceText,
  subjectText,
  type DiffReport,
  type FindingGroup,
} from "./diff-report.js";
import { pageScript, pageStyle, reportPage } from "./report-html-page.js";
import { rules } from "../compare/rules.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import type { Json } from "../../generator/model/types.js";
import { isJsonObject, type JsonFile } from "../../generator/read/source/json-text.js";

const signs: Readonly<Record<string, string>> = {
  rejected: "✗",
  degraded: "◐",
  different: "≈",
  lost: "◌",
  unknown: "?",
  ok: "✓",
};

interface HtmlOptions {
  /** URL of the page that lists the rules. */
  readonly rulesPage: string;
  /** Returns a few lines around a finding, from both the old schema and the new one. */
  readonly excerptsOf: (finding: Finding) => readonly [old: string, now: string];
}

/** Maximum number of findings in a group for which the page shows schema excerpts. */
const maxExcerpts = 12;

/**
 * Renders a report as a self-contained page. It lists entries by severity, shows both versions of
 * each change, and includes filters and example messages for breaking changes. Without scripts, it
 * shows everything.
 */
export function reportHtml(report: DiffReport, options: HtmlOptions): string {
  const { diff, bump, findings } = report;
  const groups = groupFindings(findings);
  const sections = groups.map((group) => groupHtml(group, options));
  const { sides, ways } = needsAdvice(report) ? adviceOf(report) : { sides: [], ways: [] };
  const title = `${diff.protocol} ${diff.before} → ${diff.after}`;
  const notes = noteTexts(diff.notes).map((text) => markup`<p class="note">${text}.</p>`);
  const uncompared = uncomparedTexts(diff).map((text) => markup`<p class="note">${text}</p>`);
  const body = markup`<header>
<h1>${diff.protocol} <span>${diff.before}</span> → <span>${diff.after}</span></h1>
<p class="bump">${bumpText(bump)}</p>
</header>
${effectsHtml(report, sides)}
${filtersHtml(groups, diff.pairs)}
<main>
${groups.length === 0 ? markup`<p>No change.</p>` : joinMarkup(sections, "\n")}
<p id="none" hidden>The filters hide all changes. <button type="button">Show all</button></p>
${alternativesHtml(ways)}
${joinMarkup([...notes, ...uncompared], "\n")}
</main>
<script>${trustedMarkup(pageScript)}</script>`;
  return reportPage(title, pageStyle, body, pageScript);
}

/** The answer that most readers came for: what the new version means for each side. */
function effectsHtml({ diff }: DiffReport, sides: readonly SideAdvice[]): Markup {
  if (sides.length === 0) return markup``;
  const effects = sides.map((advice) => {
    const { side, effect, tasks } = adviceText(advice, diff, { all: true });
    return markup`<li class="${severityOf(advice)}"><h3>${side}</h3><p>${upperFirst(effect)}</p>${listHtml(tasks.map((task) => markup`<li>${task}</li>`))}</li>`;
  });
  return markup`<section class="advice" aria-label="Effects on each side"><h2>Effects on each side</h2>
<ul class="effects">
${joinMarkup(effects, "\n")}
</ul></section>`;
}

function severityOf({
  breaks,
  degrades,
  means,
  undetermined,
  unnoticed,
  tasks,
}: SideAdvice): string {
  if (breaks.length > 0) return "breaking";
  const risks = [...degrades, ...means, ...undetermined, ...tasks];
  return risks.length > 0 ? "risky" : unnoticed.length > 0 ? "lossy" : "safe";
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function alternativesHtml(ways: readonly Task[]): Markup {
  const out = ways.map(
    (way) => markup`<li><code>${placesText(way.findings, { all: true })}</code>: ${way.text}</li>`,
  );
  return out.length === 0
    ? markup``
    : markup`<section class="advice" aria-label="Alternatives"><details><summary>Alternatives</summary>${listHtml(out)}</details></section>`;
}

function listHtml(items: readonly Markup[]): MarkupPart {
  return items.length === 0 ? "" : markup`<ul>${joinMarkup(items, "\n")}</ul>`;
}

function filtersHtml(groups: readonly FindingGroup[], pairs: readonly string[]): Markup {
  const counts = countLevels(groups);
  const chips = diffSeverities.map(
    (severity) =>
      markup`<label class="chip ${severity}"><input type="checkbox" name="severity" value="${severity}" ${severity === "doc" ? "" : "checked"}><b>${counts[severity].findings}</b> ${severity}</label>`,
  );
  const options = pairs.map(
    (pair) => markup`<option value="${pair}">only problems for ${pairText(pair)}</option>`,
  );
  return markup`<form id="filters" role="search"><div>
<div class="chips">${chips}</div>
<input type="search" id="search" placeholder="Name, rule or message" aria-label="Filter">
<select id="pair" aria-label="Version pairing"><option value="">all version pairings</option>${options}</select>
<button type="button" id="expand">Expand all</button>
<output id="count"></output>
</div></form>`;
}

function groupHtml(group: FindingGroup, { rulesPage, excerptsOf }: HtmlOptions): Markup {
  const { rule, severity, first, findings } = group;
  const isDoc = severity === "doc";
  const words = findings.flatMap(({ at, messages }) => [at, ...messages]);
  const hurts = Object.entries(group.wire).flatMap(([pair, verdict]) =>
    verdict === "ok" ? [] : [pair],
  );
  const rows = findings.map((finding, index) =>
    rowHtml(finding, index < maxExcerpts ? excerptsOf(finding) : ["", ""]),
  );
  const verdicts = isDoc ? "" : markup` <span class="verdicts">${verdictsHtml(group)}</span>`;
  return markup`<details class="group ${severity}"${severity === "breaking" ? " open" : ""} data-severity="${severity}" data-pairs="${hurts.join(" ")}" data-text="${[rule, first.message, ...words].join(" ").toLowerCase()}">
<summary><span class="badge ${severity}">${severity}</span> <span class="subject">${groupSubject(group)}</span> <code>${rule}</code>${verdicts}</summary>
<p>${first.reason} <a href="${`${rulesPage}#:~:text=${encodeURIComponent(rule)}`}">The rule ${rule}</a></p>
${isDoc ? "" : sourceHtml(first)}
<div class="scroll" tabindex="0"><table><thead><tr><th>where</th><th>old</th><th>new</th><th>messages</th></tr></thead><tbody>
${joinMarkup(rows, "\n")}
</tbody></table></div>
${witnessesHtml(group)}
</details>`;
}

function groupSubject({ severity, rule, first, findings }: FindingGroup): MarkupPart {
  if (findings.length === 1) return subjectText(first);
  const change =
    severity === "doc" || rule.startsWith("capability.") ? rules.get(rule)!.title : first.message;
  return markup`<b>${findings.length} ×</b> ${change}`;
}

function verdictsHtml({ wire }: FindingGroup): Markup {
  const verdicts = Object.entries(wire).map(
    ([pair, verdict]) =>
      markup`<span class="verdict ${verdict}" title="${pairText(pair)}: ${verdict}">${signs[verdict]!} ${pairText(pair)}</span>`,
  );
  return joinMarkup(verdicts, " ");
}

function sourceHtml(finding: Finding): Markup {
  const items = Object.entries(finding.source).map(
    ([role, verdict]) => markup`${role} code: ${sourceText(verdict) || "compiles"}`,
  );
  const { gate } = finding;
  const requirement =
    gate === undefined ? "" : markup` Requires <code>${gate.role}.${gate.capability}</code>.`;
  return markup`<p class="source">Read by ${finding.receivers.join(" and ")}; ${joinMarkup(items, "; ")}.${requirement}</p>`;
}

function rowHtml(finding: Finding, [schemaBefore, schemaAfter]: readonly [string, string]): Markup {
  const [beforeText, afterText] = sides(finding);
  const { messages } = finding;
  return markup`<tr><td><code>${finding.at}</code></td><td>${sideHtml(beforeText, finding.before, schemaBefore)}</td><td>${sideHtml(afterText, finding.after, schemaAfter)}</td><td>${messagesHtml(messages)}</td></tr>`;
}

function messagesHtml(messages: readonly string[]): MarkupPart {
  const all = messages.join(", ");
  return messages.length <= 3
    ? all
    : markup`<details><summary>${messages.length} messages</summary>${all}</details>`;
}

function sides({ message: change }: Finding): readonly [old: string, now: string] {
  const arrow = change.indexOf(" → ");
  if (arrow >= 0) return [change.slice(0, arrow), change.slice(arrow + 3)];
  if (change.startsWith("+ ")) return ["", change.slice(2)];
  return change.startsWith("- ") ? [change.slice(2), ""] : ["", change];
}

function sideHtml(text: string, place: FindingPlace | undefined, schema: string): MarkupPart {
  const { pointer = "", file = "", line, column = 1 } = place ?? {};
  const at = line === undefined ? `${file} ${pointer}` : `${file}:${line}:${column}`;
  if (text === "" && pointer === "") return "—";
  return markup`${text === "" ? "" : markup`<code>${text}</code>`}${pointer === "" ? "" : markup`<small title="${pointer}">${at}</small>`}${schema === "" ? "" : markup`<pre class="excerpt" tabindex="0">${markupLines(schema)}</pre>`}`;
}

function witnessesHtml(group: FindingGroup): Markup {
  const { witnesses = [] } = group.findings.find((each) => each.witnesses.length > 0) ?? {};
  const figures = witnesses.map(
    ({ pair, sender, message }) =>
      markup`<figure class="witness"><figcaption>${pairText(pair)}: the ${sender} may send this, but a validating peer rejects it</figcaption><pre tabindex="0">${markupLines(JSON.stringify(message, null, 2))}</pre></figure>`,
  );
  return joinMarkup(figures, "\n");
}

const maxLines = 14;
const maxColumns = 100;
const maxParts = 12;
const maxDepth = 3;

/**
 * Prints the first lines of the part of a schema at a JSON Pointer. Returns an empty string if
 * there is no such part.
 */
export function schemaExcerpt({ value }: JsonFile, pointer = ""): string {
  const part = pointer === "" ? undefined : (partOf(value, pointer) as Json | undefined);
  if (part === undefined) return "";
  const lines = JSON.stringify(shortened(part, 0), null, 2).split("\n");
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 1), "…"] : lines;
  return shown
    .map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns - 1)}…` : line))
    .join("\n");
}

/** Shortens a value by removing deeply nested parts and truncating long arrays and strings. */
function shortened(value: Json, depth: number): Json {
  if (typeof value === "string")
    return value.length > maxColumns ? `${value.slice(0, maxColumns)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return "…";
  if (!isJsonObject(value)) {
    const items = value.slice(0, maxParts).map((item: Json) => shortened(item, depth + 1));
    return value.length > maxParts ? [...items, "…"] : items;
  }
  const entries = Object.entries(value);
  const parts = entries
    .slice(0, maxParts)
    .map(([key, part]): [string, Json] => [key.slice(0, maxColumns), shortened(part, depth + 1)]);
  return Object.fromEntries(entries.length > maxParts ? [...parts, ["…", "…"]] : parts);
}
