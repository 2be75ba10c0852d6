import { markdownCode, markdownText } from "../../generator/print/markdown-text.js";
import { uncomparedTexts } from "../unstated-facts.js";
import { noteTexts } from "../notes.js";
import { diffSeverities, type DiffSeverity } from "../finding.js";
import { adviceText, placesText } from "../advice.js";
import {
  adviceOf,
  bumpText,
  byOwner,
  countLevels,
  groupFindings,
  listedText,
  needsAdvice,
  outlineOf,
  pairText,
  partText,
  subjectText,
  verdictsText,
  type DiffReport,
  type FindingGroup,
} from "./diff-report.js";

const headings: Readonly<Record<DiffSeverity, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  lossy: "Lossy",
  safe: "Safe",
  doc: "Documentation",
};

/** Renders a report as a Markdown changelog entry, with an item for each decision. */
export function reportMarkdown(report: DiffReport): string {
  const { diff, bump, findings } = report;
  const groups = groupFindings(findings);
  const uncompared = uncomparedTexts(diff);
  return [
    `## ${markdownText(`${diff.protocol} ${diff.before} → ${diff.after}`)}`,
    "",
    groups.length === 0 ? "No change." : countsLine(groups),
    ...outlineOf(findings).flatMap(({ severity, groups }) => [
      "",
      `### ${headings[severity]}`,
      "",
      ...groups.flatMap((group) =>
        group.isListed === true ? listedLines(group) : itemLines(group),
      ),
    ]),
    ...(needsAdvice(report) ? adviceLines(report) : []),
    ...noteTexts(diff.notes).flatMap((text) => ["", markdownText(`${text}.`)]),
    ...(uncompared.length === 0 ? [] : ["", ...uncompared.map(markdownText)]),
    "",
    `Required ${bumpText(bump)}.`,
    "",
  ].join("\n");
}

/** Formats the number of findings by severity, such as `**0** breaking · **2** lossy`. */
function countsLine(groups: readonly FindingGroup[]): string {
  const counts = countLevels(groups);
  return diffSeverities
    .filter((severity) => counts[severity].findings > 0 || severity === "breaking")
    .map((severity) => `**${counts[severity].findings}** ${severity}`)
    .join(" · ");
}

function adviceLines(report: DiffReport): readonly string[] {
  const { sides, ways } = adviceOf(report);
  const effects = sides.flatMap((advice) => {
    const { text, tasks } = adviceText(advice, report.diff, { all: true });
    const items = tasks.map((task) => `- ${markdownText(task)}`);
    return ["", markdownText(text), ...(items.length === 0 ? [] : ["", ...items])];
  });
  const alternatives = ways.map(
    (way) =>
      `- ${placesText(way.findings, { all: true, write: markdownCode })}: ${markdownText(way.text)}`,
  );
  return [
    ...folded("Effects on each side", effects),
    ...(alternatives.length === 0 ? [] : folded("Alternatives", ["", ...alternatives])),
  ];
}

function folded(summary: string, lines: readonly string[]): readonly string[] {
  return ["", "<details>", `<summary>${summary}</summary>`, ...lines, "", "</details>"];
}

function listedLines(group: FindingGroup): readonly string[] {
  const end = group.severity === "safe" ? "" : ".";
  return [
    `- ${markdownText(`${listedText(group)}${end}`)} (\`${group.rule}\`)`,
    ...byOwner(group).map(
      ([owner, sign, ofType]) =>
        `  - ${markdownCode(owner)}: ${sign} ${ofType.map((each) => markdownCode(partText(each))).join(", ")}`,
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
    `  ${markdownText([first.reason, verdictsText(group)].filter(Boolean).join(" ").replace(/\.?$/, "."))}`,
    ...first.witnesses.map(
      ({ pair, sender, message }) =>
        `  - ${markdownText(`${pairText(pair)}: the ${sender} sends`)} ${markdownCode(JSON.stringify(message))}`,
    ),
  ];
}
