import { printJunit } from "../../generator/print/junit-report.js";
import { fingerprintOf, printSarif, type SarifTool } from "../../generator/print/sarif-log.js";
import { printAnnotations, type PrintedFinding } from "../../generator/print/printed-finding.js";
import { visible } from "../../generator/base/visible-text.js";
import { rules } from "../compare/rules.js";
import type { DiffSeverity, Finding, FindingPlace } from "../finding.js";
import { isAtLeast } from "../verdicts.js";
import {
  groupFindings,
  subjectText,
  verdictsText,
  type DiffReport,
  type FindingGroup,
} from "./diff-report.js";

const levels: Readonly<Record<DiffSeverity, PrintedFinding["level"]>> = {
  breaking: "error",
  risky: "warning",
  lossy: "note",
  safe: "none",
  doc: "none",
};

/** Describes a finding for other programs. A group is described by its first finding. */
function printed(report: DiffReport, finding: Finding, group?: FindingGroup): PrintedFinding {
  const { rule, at, reason, severity } = finding;
  const isOne = group === undefined || group.findings.length === 1;
  const several = `${group?.findings.length} × ${finding.message}`;
  const verdicts = verdictsText(group ?? finding);
  return {
    rule,
    level: levels[severity],
    subject: isOne ? at : several,
    text: `${isOne ? subjectText(finding) : several}. ${reason}${verdicts === "" ? "" : ` ${verdicts}.`}`,
    place: inFolder(finding.after ?? finding.before ?? {}),
    // Unique among findings, and the same in every comparison of the protocol.
    fingerprint: fingerprintOf([report.diff.protocol, rule, at]),
  };
}

/**
 * Converts a location to one in the working folder. For a file at a given revision, such as
 * `HEAD:schema.json`, the line is left out, because it may be different in the working folder.
 */
function inFolder({ file: name, line, column }: Partial<FindingPlace>): PrintedFinding["place"] {
  const [, file = name] = /^[^:/\\]{2,}:(?!\/\/)(.+)$/s.exec(name ?? "") ?? [];
  if (file === undefined) return undefined;
  return file === name ? { file, line, column } : { file };
}

/** Prints workflow commands, which GitHub Actions shows next to the changed lines. */
export function reportGithub(reports: readonly DiffReport[], lowest: DiffSeverity): string {
  return printAnnotations(
    reports.flatMap((report) =>
      groupFindings(report.findings)
        .filter(({ severity }) => isAtLeast(severity, lowest))
        .map((group) => printed(report, group.first, group)),
    ),
  );
}

/**
 * Prints JUnit XML, with a test case for each decision. A case fails if its findings are at least as
 * severe as `failOn`.
 */
export function reportJunit(reports: readonly DiffReport[], failOn: DiffSeverity): string {
  return printJunit(
    reports.map((report) => ({
      name: `${report.diff.protocol} ${report.diff.before} to ${report.diff.after}`,
      cases: groupFindings(report.findings).map((group) => {
        const { subject, text } = printed(report, group.first, group);
        const { severity, rule, first } = group;
        return {
          rule,
          name: subject,
          failure: isAtLeast(severity, failOn)
            ? { type: severity, message: first.reason, text }
            : undefined,
        };
      }),
    })),
  );
}

/** Prints SARIF 2.1.0 for code scanning. Paths are relative to `folder`. */
export function reportSarif(
  reports: readonly DiffReport[],
  tool: SarifTool,
  folder: string,
): string {
  return printSarif(
    ...reports.map((report) => {
      const { diff, findings } = report;
      const used = new Set(findings.map(({ rule }) => rule));
      return {
        tool,
        folder,
        id: `${diff.protocol}/${diff.before}/${diff.after}`,
        rules: new Map(
          [...rules.values()]
            .filter(({ id }) => used.has(id))
            .map(({ id, title }) => [id, { title, help: `wirewright diff explain ${id}` }]),
        ),
        results: findings.map((finding) => {
          const { text, subject, ...rest } = printed(report, finding);
          return { ...rest, text: visible(text), subject: visible(subject) };
        }),
      };
    }),
  );
}
