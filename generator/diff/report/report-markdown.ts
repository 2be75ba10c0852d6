import { markdownCode, markdownText } from "../../print/markdown-text.js";
import { uncomparedTexts } from "../uncompared-facts.js";
import { levels, type Level } from "../finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { bumpText, judgedText, pairText, subjectText, type DiffReport } from "./report-text.js";

const headings: Readonly<Record<Level, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  lossy: "Lossy",
  safe: "Safe",
  doc: "Documentation",
};

/** A changelog entry in Markdown, one item per decision. */
export function reportMarkdown({ diff, bump, judgement }: DiffReport): string {
  const groups = groupFindings(judgement.open);
  const lines = [`## ${markdownText(`${diff.protocol} ${diff.before} → ${diff.after}`)}`];
  if (groups.length === 0) lines.push("", "No change.");
  for (const level of levels) {
    const own = groups.filter((group) => group.level === level);
    if (own.length === 0) continue;
    lines.push("", `### ${headings[level]}`, "");
    for (const group of own) lines.push(...itemLines(group));
  }
  const uncompared = uncomparedTexts(diff);
  if (uncompared.length > 0) lines.push("", ...uncompared.map(markdownText));
  lines.push("", `Needed ${bumpText(bump)}.`, "");
  return lines.join("\n");
}

function itemLines(group: FindingGroup): readonly string[] {
  const { first } = group;
  const count = group.findings.length;
  const subject = markdownCode(count === 1 ? subjectText(first) : first.change);
  const places = group.findings.map(({ at }) => markdownCode(at)).join(", ");
  if (group.level === "doc") return [`- \`${group.id}\`: ${places}`];
  const head =
    count === 1
      ? `- ${subject} (\`${group.id}\`)`
      : `- ${count} × ${group.id.startsWith("capability.") ? "" : `${subject} `}(\`${group.id}\`): ${places}`;
  if (group.level === "safe") return [head];
  return [
    head,
    `  ${markdownText(`${first.reason} ${judgedText(group)}.`)}`,
    ...first.witnesses.map(
      ({ pair, sender, message }) =>
        `  - ${markdownText(`${pairText(pair)}: the ${sender} sends`)} ${markdownCode(JSON.stringify(message))}`,
    ),
  ];
}
