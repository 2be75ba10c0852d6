import { levels, type Level } from "./finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { bumpText, judgedText, pairText, subjectText, type DiffReport } from "./report-text.js";
import { visible } from "../visible-text.js";

const headings: Readonly<Record<Level, string>> = {
  breaking: "Breaking",
  risky: "Risky",
  lossy: "Lossy",
  safe: "Safe",
  doc: "Texts",
};

/** A changelog entry in Markdown, one item per decision. */
export function reportMarkdown({ diff, bump, judgement }: DiffReport): string {
  const groups = groupFindings(judgement.open);
  const lines = [`## ${diff.protocol} ${diff.before} → ${diff.after}`];
  if (groups.length === 0) lines.push("", "No change.");
  for (const level of levels) {
    const own = groups.filter((group) => group.level === level);
    if (own.length === 0) continue;
    lines.push("", `### ${headings[level]}`, "");
    for (const group of own) lines.push(...itemLines(group));
  }
  lines.push("", `Needed ${bumpText(bump)}.`, "");
  return lines.join("\n");
}

function itemLines(group: FindingGroup): readonly string[] {
  const { first } = group;
  const count = group.findings.length;
  const subject = code(count === 1 ? subjectText(first) : first.change);
  const places = group.findings.map(({ at }) => code(at)).join(", ");
  if (group.level === "doc") return [`- \`${group.id}\`: ${places}`];
  const head =
    count === 1
      ? `- ${subject} (\`${group.id}\`)`
      : `- ${count} × ${group.id.startsWith("capability.") ? "" : `${subject} `}(\`${group.id}\`): ${places}`;
  if (group.level === "safe") return [head];
  return [
    head,
    `  ${first.reason} ${judgedText(group)}.`,
    ...first.witnesses.map(
      ({ pair, sender, message }) =>
        `  - ${pairText(pair)}: the ${sender} sends ${code(visible(JSON.stringify(message)))}`,
    ),
  ];
}

/** Text as code, with as many back quotes as it takes. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${text.replaceAll("\n", " ")}${pad}${fence}`;
}
