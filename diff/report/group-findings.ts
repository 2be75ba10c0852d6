import type { Verdict } from "../compare/outcomes.js";
import type { SourceVerdict } from "../compare/rule-family.js";
import { rules } from "../compare/rules.js";
import { diffSeverities, type Finding, type DiffSeverity } from "../finding.js";
import { worstVerdict } from "../verdicts.js";

/**
 * The findings that result from one decision. They all have the same rule and severity, so a milder
 * finding never hides a severe one.
 */
export interface FindingGroup {
  readonly rule: string;
  readonly severity: DiffSeverity;
  readonly first: Finding;
  readonly findings: readonly Finding[];
  /** The worst verdicts among the group's findings. */
  readonly wire: Readonly<Record<string, Verdict>>;
  readonly source: Readonly<Record<string, SourceVerdict>>;
}

/**
 * Groups findings by decision. The groups are sorted by severity, then by the order of the rule
 * catalogue, then by size (largest first).
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.group);
    if (group === undefined) groups.set(finding.group, [finding]);
    else group.push(finding);
  }
  const order = [...rules.keys()];
  return [...groups.values()]
    .map(summarise)
    .sort(
      (a, b) =>
        diffSeverities.indexOf(a.severity) - diffSeverities.indexOf(b.severity) ||
        order.indexOf(a.rule) - order.indexOf(b.rule) ||
        b.findings.length - a.findings.length,
    );
}

function summarise(findings: readonly Finding[]): FindingGroup {
  const [first] = findings as [Finding];
  const { rule, severity } = first;
  const wire = Object.keys(first.wire).map((pair): [string, Verdict] => [
    pair,
    worstVerdict(findings.map((finding) => finding.wire[pair]!)),
  ]);
  const source = Object.keys(first.source).map((role): [string, SourceVerdict] => {
    const all = findings.map((finding) => finding.source[role]!);
    return [role, all.find(({ compiles }) => !compiles) ?? all[0]!];
  });
  return {
    rule,
    severity,
    first,
    findings,
    wire: Object.fromEntries(wire),
    source: Object.fromEntries(source),
  };
}

/** Counts findings and groups by severity. */
export function countLevels(
  groups: readonly FindingGroup[],
): Readonly<Record<DiffSeverity, { readonly findings: number; readonly groups: number }>> {
  const count = (severity: DiffSeverity): { findings: number; groups: number } => {
    const own = groups.filter((group) => group.severity === severity);
    return {
      findings: own.reduce((sum, group) => sum + group.findings.length, 0),
      groups: own.length,
    };
  };
  return Object.fromEntries(
    diffSeverities.map((severity) => [severity, count(severity)]),
  ) as ReturnType<typeof countLevels>;
}
