import { markdownCode, markdownText } from "../../generator/print/markdown-text.js";
import { uncomparedTexts } from "../unstated-facts.js";
import { noteTexts } from "../notes.js";
import { diffSeverities, type Finding, type DiffSeverity, type ProtocolDiff } from "../finding.js";
import { adviceText, adviseSides, placesText, waysOutOf } from "../advice.js";
import { rules } from "../compare/rules.js";
import { isAtLeast } from "../verdicts.js";
import {
  countLevels,
  type FindingGroup,
  groupFindings,
  type OutlineEntry,
  outlineOf,
  partText,
} from "./group-findings.js";
import { bumpText, verdictsText, pairText, subjectText } from "./finding-text.js";
import type { DiffReport } from "./report-text.js";

const headings: Readonly<Record<DiffSeverity, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  lossy: "Lossy",
  safe: "Safe",
  doc: "Documentation",
};

/** Renders a report as a Markdown changelog entry, with an item for each decision. */
export function reportMarkdown({ diff, bump, findings }: DiffReport): string {
  const groups = groupFindings(findings);
  const lines = [`## ${markdownText(`${diff.protocol} ${diff.before} → ${diff.after}`)}`];
  lines.push("", groups.length === 0 ? "No change." : countsLine(groups));
  for (const { severity, entries } of outlineOf(findings)) {
    lines.push("", `### ${headings[severity]}`, "");
    for (const entry of entries)
      lines.push(...(entry.kind === "group" ? itemLines(entry.group) : typeLines(entry)));
  }
  lines.push(...adviceLines(diff, findings));
  for (const text of noteTexts(diff.notes)) lines.push("", markdownText(`${text}.`));
  const uncompared = uncomparedTexts(diff);
  if (uncompared.length > 0) lines.push("", ...uncompared.map(markdownText));
  lines.push("", `Required ${bumpText(bump)}.`, "");
  return lines.join("\n");
}

/** Formats the number of findings by severity, such as `**0** breaking · **2** lossy`. */
function countsLine(groups: readonly FindingGroup[]): string {
  const counts = countLevels(groups);
  return diffSeverities
    .filter((severity) => counts[severity].findings > 0 || severity === "breaking")
    .map((severity) => `**${counts[severity].findings}** ${severity}`)
    .join(" · ");
}

/** Renders a collapsed section with a paragraph about each side, followed by its tasks. */
function adviceLines(diff: ProtocolDiff, findings: readonly Finding[]): readonly string[] {
  if (findings.every(({ severity }) => severity === "doc")) return [];
  const sides = adviseSides(diff, findings).flatMap((advice) => {
    const { text, tasks } = adviceText(advice, diff, { all: true });
    return [
      "",
      markdownText(text),
      ...(tasks.length === 0 ? [] : ["", ...tasks.map((task) => `- ${markdownText(task)}`)]),
    ];
  });
  const ways = waysOutOf(
    diff,
    findings.filter(({ severity }) => isAtLeast(severity, "risky")),
  ).map(
    (way) =>
      `- ${placesText(way.findings, { all: true, write: markdownCode })}: ${markdownText(way.text)}`,
  );
  return [
    ...folded("Effects on each side", sides),
    ...(ways.length === 0 ? [] : folded("Alternatives", ["", ...ways])),
  ];
}

function folded(summary: string, lines: readonly string[]): readonly string[] {
  return ["", "<details>", `<summary>${summary}</summary>`, ...lines, "", "</details>"];
}

/** Renders the reason that additions or removals share, followed by an item for each type. */
function typeLines({
  rule,
  first,
  count,
  types,
}: OutlineEntry & { readonly kind: "types" }): readonly string[] {
  const head =
    first.severity === "safe"
      ? `${count} × ${rules.get(rule)!.title.toLowerCase()}`
      : `${first.reason} ${verdictsText(first)}.`;
  return [
    `- ${markdownText(head)} (\`${rule}\`)`,
    ...types.map(
      ({ owner, sign, findings }) =>
        `  - ${markdownCode(owner)}: ${sign} ${findings.map((each) => markdownCode(partText(each))).join(", ")}`,
    ),
  ];
}

function itemLines(group: FindingGroup): readonly string[] {
  const { first } = group;
  const count = group.findings.length;
  const subject = markdownCode(count === 1 ? subjectText(first) : first.message);
  const places = group.findings.map(({ at }) => markdownCode(at)).join(", ");
  if (group.severity === "doc") return [`- \`${group.rule}\`: ${places}`];
  const head =
    count === 1
      ? `- ${subject} (\`${group.rule}\`)`
      : `- ${count} × ${group.rule.startsWith("capability.") ? "" : `${subject} `}(\`${group.rule}\`): ${places}`;
  if (group.severity === "safe") return [head];
  return [
    head,
    `  ${markdownText(`${first.reason} ${verdictsText(group)}.`)}`,
    ...first.witnesses.map(
      ({ pair, sender, message }) =>
        `  - ${markdownText(`${pairText(pair)}: the ${sender} sends`)} ${markdownCode(JSON.stringify(message))}`,
    ),
  ];
}
