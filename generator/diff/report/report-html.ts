import { html, htmlLines } from "../../print/html-text.js";
import { levels, type Finding, type FindingPlace } from "../finding.js";
import { countLevels, groupFindings, type FindingGroup } from "./group-findings.js";
import { pageScript, pageStyle } from "./report-html-page.js";
import { bumpText, pairText, sourceText, subjectText, type DiffReport } from "./report-text.js";
import { rules } from "../compare/rules.js";

const signs: Readonly<Record<string, string>> = {
  rejected: "✗",
  degraded: "◐",
  different: "≈",
  lost: "◌",
  unknown: "?",
  ok: "✓",
};

/**
 * A page that needs nothing but itself: entries by level, both sides of each change, filters, and the messages
 * that prove what breaks. Without scripts it shows everything.
 */
export function reportHtml({ diff, bump, judgement }: DiffReport): string {
  const groups = groupFindings(judgement.open);
  const counts = countLevels(groups);
  const title = `${diff.protocol} ${diff.before} → ${diff.after}`;
  const chips = levels.map(
    (level) =>
      `<label class="chip ${level}"><input type="checkbox" name="level" value="${level}" ${level === "doc" ? "" : "checked"}>` +
      `<b>${counts[level].findings}</b> ${level}</label>`,
  );
  const pairs = diff.pairs.map(
    (pair) => `<option value="${html(pair)}">only what hurts ${html(pairText(pair))}</option>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${html(diff.protocol)} <span>${html(diff.before)}</span> → <span>${html(diff.after)}</span></h1>
<p class="bump">${html(bumpText(bump))}</p>
<form id="filters">
<div class="chips">${chips.join("")}</div>
<input type="search" id="search" placeholder="Filter by name, rule or message" aria-label="Filter">
<select id="pair" aria-label="Versions that meet"><option value="">all versions that meet</option>${pairs.join("")}</select>
<button type="button" id="expand">Expand all</button>
<output id="count"></output>
</form>
</header>
<main>
${groups.length === 0 ? "<p>No change.</p>" : groups.map((group) => groupHtml(group)).join("\n")}
</main>
${diff.notes.map(({ before, after }) => `<p class="note">Renamed: ${html(before)} → ${html(after)}; only code notices.</p>`).join("\n")}
<script>${pageScript}</script>
</body>
</html>
`;
}

function groupHtml(group: FindingGroup): string {
  const { first } = group;
  const count = group.findings.length;
  const isDoc = group.level === "doc";
  const subject =
    count === 1
      ? html(subjectText(first))
      : `<b>${count} ×</b> ${html(isDoc || group.id.startsWith("capability.") ? rules.get(group.id)!.title : first.change)}`;
  const words = group.findings.flatMap(({ at, messages }) => [at, ...messages]);
  const hurts = Object.entries(group.wire).flatMap(([pair, verdict]) =>
    verdict === "ok" ? [] : [pair],
  );
  return `<details class="group ${group.level}" data-level="${group.level}" data-pairs="${html(hurts.join(" "))}" data-text="${html([group.id, first.change, ...words].join(" ").toLowerCase())}">
<summary><span class="badge ${group.level}">${group.level}</span> <span class="subject">${subject}</span> <code>${html(group.id)}</code>${isDoc ? "" : ` <span class="verdicts">${verdictsHtml(group)}</span>`}</summary>
<p>${html(first.reason)}</p>
${isDoc ? "" : sourceHtml(first)}
<table><thead><tr><th>where</th><th>old</th><th>new</th><th>messages</th></tr></thead><tbody>
${group.findings.map(rowHtml).join("\n")}
</tbody></table>
${witnessesHtml(group)}
</details>`;
}

function verdictsHtml({ wire }: FindingGroup): string {
  return Object.entries(wire)
    .map(
      ([pair, verdict]) =>
        `<span class="verdict ${verdict}" title="${html(pairText(pair))}: ${verdict}">${signs[verdict]} ${html(pairText(pair))}</span>`,
    )
    .join(" ");
}

function sourceHtml(finding: Finding): string {
  const items = Object.entries(finding.source).map(
    ([role, verdict]) => `${html(role)} code: ${html(sourceText(verdict) || "compiles")}`,
  );
  const gate =
    finding.gate === undefined
      ? ""
      : ` Behind <code>${html(`${finding.gate.role}.${finding.gate.flag}`)}</code>.`;
  return `<p class="source">Read by ${html(finding.receivers.join(" and "))}; ${items.join("; ")}.${gate}</p>`;
}

function rowHtml(finding: Finding): string {
  const [old, now] = sides(finding);
  const { messages } = finding;
  const shown = messages.slice(0, 3).join(", ");
  const more = messages.length > 3 ? ` and ${messages.length - 3} more` : "";
  return `<tr><td><code>${html(finding.at)}</code></td><td>${sideHtml(old, finding.before)}</td><td>${sideHtml(now, finding.after)}</td><td title="${html(messages.join(", "))}">${html(shown + more)}</td></tr>`;
}

/** What a change says of either version. */
function sides({ change }: Finding): readonly [old: string, now: string] {
  const arrow = change.indexOf(" → ");
  if (arrow >= 0) return [change.slice(0, arrow), change.slice(arrow + 3)];
  if (change.startsWith("+ ")) return ["", change.slice(2)];
  return change.startsWith("- ") ? [change.slice(2), ""] : ["", change];
}

function sideHtml(text: string, place: FindingPlace | undefined): string {
  const where =
    place?.line === undefined
      ? ""
      : `<small title="${html(place.pointer)}">${html(place.file ?? "")}:${place.line}:${place.column ?? 1}</small>`;
  return text === "" ? where || "—" : `<code>${html(text)}</code> ${where}`;
}

function witnessesHtml(group: FindingGroup): string {
  const shown = group.findings.find(({ witnesses }) => witnesses.length > 0);
  if (shown === undefined) return "";
  return shown.witnesses
    .map(
      ({ pair, sender, message }) =>
        `<figure class="witness"><figcaption>${html(pairText(pair))}: the ${html(sender)} may send this, and a peer that validates rejects it</figcaption><pre>${htmlLines(JSON.stringify(message, null, 2))}</pre></figure>`,
    )
    .join("\n");
}
