import { joinMarkup, markup, trustedMarkup, type Markup } from "../print/html-text.js";
import type { LintedMessage } from "./lint-session.js";
import type { LintReport } from "./report.js";
import type { LintFinding } from "./rules.js";

/** Of longer recordings, the page shows only messages with findings. */
const shownMessages = 5_000;

/**
 * The session as a page of its own: a sequence chart with latencies, and under each message what was found.
 * There is no script in it, and nothing is loaded.
 */
export function printHtmlReport(report: LintReport): string {
  const { file, protocol, version, profile, host, messages, roles, counts, findings, session } =
    report;
  const byMessage = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    const own = byMessage.get(numberOf(finding)) ?? [];
    byMessage.set(numberOf(finding), own);
    own.push(finding);
  }
  const isLong = messages > shownMessages;
  const shown = isLong ? session.filter((message) => byMessage.has(numberOf(message))) : session;
  const summary = `${protocol} ${version}, ${profile} profile${host === undefined ? "" : `, ${host}`} · ${messages} messages · ${counts.error} errors, ${counts.warning} warnings, ${counts.info} notes`;
  const rows = shown.map((message) => row(message, roles, byMessage.get(numberOf(message)) ?? []));
  // Findings before any message, or about bytes that are no message.
  const numbers = new Set(shown.map(numberOf));
  const loose = findings.filter((finding) => !numbers.has(numberOf(finding)));
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${file}</title>
<style>${trustedMarkup(style)}</style>
</head>
<body>
<h1>${file}</h1>
<p>${summary}${isLong ? "; those with findings are shown" : ""}</p>
${loose.length === 0 ? "" : markup`<ul>${loose.map(item)}</ul>\n`}<table>
<thead><tr><th>#</th><th>time</th><th>${roles[0]}</th><th></th><th>${roles[1]}</th></tr></thead>
<tbody>
${joinMarkup(rows, "\n")}
</tbody>
</table>
</body>
</html>`;
  return page.toString();
}

const style = `
body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse}
th{text-align:left;font-weight:600;padding:0 .6em}
td{padding:.1em .6em;vertical-align:top}
td.n,td.t{color:#888;text-align:right;font-variant-numeric:tabular-nums}
td.l{border-left:2px solid #bbb;padding:0;width:1px}
td.m{min-width:24em}
.line{display:flex;align-items:center;gap:.5em}
.line::after,.left::before{content:"";flex:1;border-top:1px solid #888}
.left::after{display:none}
.right .head::after{content:" ▶"}
.left .head::before{content:"◀ "}
.response{color:#555}.event{font-style:italic}.failed{color:#b00020}
ul{margin:.1em 0 .4em;padding-left:1.2em}
li.error{color:#b00020}li.warning{color:#8a5a00}li.info{color:#555}
code{font-size:.92em}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}.response,li.info{color:#aaa}.failed,li.error{color:#ff6b7d}li.warning{color:#e0b060}}
`.trim();

/** Number of a message; after that of its session, where there are several. */
function numberOf({ session, index }: Pick<LintedMessage, "session" | "index">): string {
  return session === undefined ? String(index) : `${session}.${index}`;
}

function row(
  message: LintedMessage,
  roles: readonly [string, string],
  findings: readonly LintFinding[],
): Markup {
  const { from, kind, label, hasFailed, time, latency } = message;
  const number = numberOf(message);
  const side = from === roles[0] ? "right" : "left";
  const at = time === undefined ? "" : `${(time / 1_000).toFixed(3)} s`;
  const after = latency === undefined ? "" : markup` <small>after ${latency.toFixed(1)} ms</small>`;
  const head = markup`<span class="head ${kind}${hasFailed ? " failed" : ""}">${label}${hasFailed ? " failed" : ""}${after}</span>`;
  const list = findings.length === 0 ? "" : markup`<ul>${findings.map(item)}</ul>`;
  return markup`<tr id="m${number}"><td class="n">${number}</td><td class="t">${at}</td><td class="l"></td><td class="m"><div class="line ${side}">${head}</div>${list}</td><td class="l"></td></tr>`;
}

function item({ severity, rule, pointer, text }: LintFinding): Markup {
  const place = pointer === "" ? "" : markup` <code>${pointer}</code>`;
  return markup`<li class="${severity}"><b>${rule}</b>${place} ${text}</li>`;
}
