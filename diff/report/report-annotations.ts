import { xml } from "../../generator/print/html-text.js";
import { workflowCommand } from "../../generator/print/workflow-command.js";
import type { Finding, FindingPlace, DiffSeverity } from "../finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { judgedText, subjectText } from "./finding-text.js";
import type { DiffReport } from "./report-text.js";
import { isAtLeast } from "../verdicts.js";

/** Describes a group's changes and their effects in a few sentences. */
export function groupText(
  subject: string,
  { reason, ...judged }: Pick<Finding, "reason" | "wire" | "source">,
): string {
  return `${subject}. ${reason} ${judgedText(judged)}.`;
}

function groupSubject({ first, findings }: FindingGroup): string {
  return findings.length === 1 ? subjectText(first) : `${findings.length} × ${first.message}`;
}

const commands = {
  breaking: "error",
  risky: "warning",
  lossy: "notice",
  safe: "notice",
  doc: "notice",
} as const satisfies Readonly<Record<DiffSeverity, string>>;

/**
 * Converts a location to one in the working folder. For a file at a given revision, such as
 * `HEAD:schema.json`, the line is left out, because it may be different in the working folder.
 */
export function inFolder(place: Partial<FindingPlace>): {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
} {
  const [, file] = /^[^:/\\]{2,}:(?!\/\/)(.+)$/s.exec(place.file ?? "") ?? [];
  const { file: own, line, column } = place;
  return file === undefined ? { file: own, line, column } : { file };
}

/** Renders a report as workflow commands, which GitHub Actions shows next to the changed lines. */
export function reportGithub({ findings }: DiffReport, from: DiffSeverity): string {
  return groupFindings(findings)
    .filter(({ severity }) => isAtLeast(severity, from))
    .map((group) => {
      const { first } = group;
      const { file, line, column } = inFolder(first.after ?? first.before ?? {});
      return workflowCommand(
        commands[group.severity],
        { file, line, col: column, title: group.rule },
        groupText(groupSubject(group), { ...group, reason: first.reason }),
      );
    })
    .join("\n");
}

/**
 * Renders a report as JUnit XML, with a test case for each decision. A case fails if its findings
 * are at least as severe as `failOn`.
 */
export function reportJunit({ diff, findings }: DiffReport, failOn: DiffSeverity): string {
  const groups = groupFindings(findings);
  const failures = groups.filter(({ severity }) => isAtLeast(severity, failOn)).length;
  const suite = xml(`${diff.protocol} ${diff.before} to ${diff.after}`);
  const cases = groups.map((group) => {
    const { first } = group;
    const name = xml(
      group.findings.length === 1 ? first.at : `${group.findings.length} × ${first.message}`,
    );
    const head = `    <testcase classname="${xml(group.rule)}" name="${name}"`;
    return isAtLeast(group.severity, failOn)
      ? `${head}>\n      <failure type="${group.severity}" message="${xml(first.reason)}">${xml(groupText(groupSubject(group), { ...group, reason: first.reason }))}</failure>\n    </testcase>`
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
