import { xml } from "../../print/html-text.js";
import { printJson } from "../../print/json-text.js";
import { workflowCommand } from "../../print/workflow-command.js";
import { visible } from "../../base/visible-text.js";
import type { Finding, Level } from "../finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { judgedText, subjectText, type DiffReport } from "./report-text.js";
import { rules } from "../compare/rules.js";
import { isAtLeast } from "../verdicts.js";

/** A few sentences on what changed, and what it does. */
function groupText(
  subject: string,
  { reason, ...judged }: Pick<Finding, "reason" | "wire" | "source">,
): string {
  return `${subject}. ${reason} ${judgedText(judged)}.`;
}

function groupSubject({ first, findings }: FindingGroup): string {
  return findings.length === 1 ? subjectText(first) : `${findings.length} × ${first.change}`;
}

const commands = {
  breaking: "error",
  risky: "warning",
  lossy: "notice",
  safe: "notice",
  doc: "notice",
} as const satisfies Readonly<Record<Level, string>>;

/** Workflow commands, as GitHub Actions shows them beside the lines of a change. */
export function reportGithub({ judgement }: DiffReport, from: Level): string {
  return groupFindings(judgement.open)
    .filter(({ level }) => isAtLeast(level, from))
    .map((group) => {
      const { first } = group;
      const { file, line, column } = first.after ?? first.before ?? {};
      return workflowCommand(
        commands[group.level],
        { file, line, col: column, title: group.id },
        groupText(groupSubject(group), { ...group, reason: first.reason }),
      );
    })
    .join("\n");
}

const sarifLevels: Readonly<Record<Level, string>> = {
  breaking: "error",
  risky: "warning",
  lossy: "note",
  safe: "none",
  doc: "none",
};

/** SARIF 2.1.0, for code scanning. */
export function reportSarif({ diff, judgement }: DiffReport, toolVersion: string): string {
  const used = new Set(judgement.open.map(({ id }) => id));
  const ids = [...rules.keys()].filter((id) => used.has(id));
  const results = judgement.open.map((finding) => {
    const { file, line, column } = finding.after ?? finding.before ?? {};
    return {
      ruleId: finding.id,
      ruleIndex: ids.indexOf(finding.id),
      level: sarifLevels[finding.level],
      message: { text: visible(groupText(subjectText(finding), finding)) },
      locations:
        file === undefined
          ? []
          : [
              {
                physicalLocation: {
                  artifactLocation: { uri: uriOf(file) },
                  ...(line === undefined
                    ? {}
                    : { region: { startLine: line, startColumn: column ?? 1 } }),
                },
                logicalLocations: [{ fullyQualifiedName: visible(finding.at) }],
              },
            ],
      partialFingerprints: { place: `${finding.id} ${finding.at}` },
    };
  });
  return printJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "wirewright",
            semanticVersion: toolVersion,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: rules.get(id)!.title },
              help: { text: `wirewright diff explain ${id}` },
            })),
          },
        },
        automationDetails: { id: `${diff.protocol}/${diff.before}/${diff.after}` },
        results,
      },
    ],
  });
}

/** A file as a URI: what stands in its name is no scheme, no query and no fragment. */
function uriOf(file: string): string {
  if (URL.canParse(file) && /^https:/i.test(file)) return new URL(file).href;
  return file
    .replaceAll("\\", "/")
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

/** JUnit XML: a case per decision, which fails at a level or above it. */
export function reportJunit({ diff, judgement }: DiffReport, failOn: Level): string {
  const groups = groupFindings(judgement.open);
  const failures = groups.filter(({ level }) => isAtLeast(level, failOn)).length;
  const suite = xml(`${diff.protocol} ${diff.before} to ${diff.after}`);
  const cases = groups.map((group) => {
    const { first } = group;
    const name = xml(
      group.findings.length === 1 ? first.at : `${group.findings.length} × ${first.change}`,
    );
    const head = `    <testcase classname="${xml(group.id)}" name="${name}"`;
    return isAtLeast(group.level, failOn)
      ? `${head}>\n      <failure type="${group.level}" message="${xml(first.reason)}">${xml(groupText(groupSubject(group), { ...group, reason: first.reason }))}</failure>\n    </testcase>`
      : `${head}/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${groups.length}" failures="${failures}">`,
    `  <testsuite name="${suite}" tests="${groups.length}" failures="${failures}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}
