import { xml } from "../../generator/print/html-text.js";
import { workflowCommand } from "../../generator/print/workflow-command.js";
import type { DiffSeverity, Finding, FindingPlace, ProtocolDiff } from "../finding.js";
import { type FindingGroup, groupFindings } from "./group-findings.js";
import { verdictsText, subjectText } from "./finding-text.js";
import type { DiffReport } from "./report-text.js";
import { isAtLeast } from "../verdicts.js";
import { createHash } from "node:crypto";
import { visible } from "../../generator/base/visible-text.js";
import { printSarif, type SarifResult, type SarifTool } from "../../generator/print/sarif-log.js";
import { rules } from "../compare/rules.js";
import { printJson } from "../../generator/print/json-text.js";

/** Describes a group's changes and their effects in a few sentences. */
function groupText(
  subject: string,
  { reason, ...verdicts }: Pick<Finding, "reason" | "wire" | "source">,
): string {
  return `${subject}. ${reason} ${verdictsText(verdicts)}.`;
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
function inFolder(place: Partial<FindingPlace>): {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
} {
  const [, file] = /^[^:/\\]{2,}:(?!\/\/)(.+)$/s.exec(place.file ?? "") ?? [];
  const { line, column } = place;
  return file === undefined ? { file: place.file, line, column } : { file };
}

/** Renders a report as workflow commands, which GitHub Actions shows next to the changed lines. */
export function reportGithub({ findings }: DiffReport, lowest: DiffSeverity): string {
  return groupFindings(findings)
    .filter(({ severity }) => isAtLeast(severity, lowest))
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

interface SarifOptions {
  readonly tool: SarifTool;
  /** The folder that paths in the report are relative to. */
  readonly folder: string;
}

const sarifLevels: Readonly<Record<DiffSeverity, SarifResult["level"]>> = {
  breaking: "error",
  risky: "warning",
  lossy: "note",
  safe: "none",
  doc: "none",
};

/** Renders a report as SARIF 2.1.0, for code scanning. */
export function reportSarif({ diff, findings }: DiffReport, options: SarifOptions): string {
  const used = new Set(findings.map(({ rule }) => rule));
  const ids = [...rules.keys()].filter((id) => used.has(id));
  return printSarif({
    ...options,
    id: `${diff.protocol}/${diff.before}/${diff.after}`,
    rules: new Map(
      ids.map((id) => [id, { title: rules.get(id)!.title, help: `wirewright diff explain ${id}` }]),
    ),
    results: findings.map((finding) => {
      const { file, line, column } = inFolder(finding.after ?? finding.before ?? {});
      return {
        rule: finding.rule,
        level: sarifLevels[finding.severity],
        text: visible(groupText(subjectText(finding), finding)),
        place: file === undefined ? undefined : { file, line, column },
        subject: visible(finding.at),
        fingerprint: fingerprintOf(diff, finding),
      };
    }),
  });
}

/**
 * Returns a finding's fingerprint. It is unique among findings, and stays the same in every
 * comparison of the protocol.
 */
function fingerprintOf({ protocol }: ProtocolDiff, { rule, at }: Finding): string {
  return createHash("sha256")
    .update(JSON.stringify([protocol, rule, at]))
    .digest("hex");
}

/** Combines the SARIF logs of several comparisons into one, with a run for each. */
export function joinSarif(logs: readonly string[]): string {
  const parsed = logs.map((log) => JSON.parse(log) as { readonly runs: readonly unknown[] });
  const head = parsed[0] ?? {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
  };
  return printJson({ ...head, runs: parsed.flatMap(({ runs }) => runs) });
}

/** Combines the JUnit documents of several comparisons into one, with a suite for each. */
export function joinJunit(documents: readonly string[]): string {
  const suites = documents.map((document) => {
    const start = document.indexOf("  <testsuite ");
    return document.slice(start, document.lastIndexOf("\n</testsuites>"));
  });
  const sum = (count: RegExp): number =>
    suites.reduce((total, suite) => total + Number(count.exec(suite)![1]), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${sum(/ tests="(\d+)"/)}" failures="${sum(/ failures="(\d+)"/)}">`,
    ...suites,
    "</testsuites>",
  ].join("\n");
}

/** Combines the annotations of several comparisons, dropping duplicates. */
export function joinAnnotations(lists: readonly string[]): string {
  return [...new Set(lists.flatMap((list) => list.split("\n")))].filter(Boolean).join("\n");
}
