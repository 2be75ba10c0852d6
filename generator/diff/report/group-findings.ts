import type { Verdict } from "../compare/outcomes.js";
import type { SourceVerdict } from "../compare/rule-family.js";
import { rules } from "../compare/rules.js";
import { levels, type Finding, type Level } from "../finding.js";
import { worstVerdict } from "../verdicts.js";

/**
 * Findings that need one decision. All have the same rule and level, so that a severe one is never
 * listed under a milder one.
 */
export interface FindingGroup {
  readonly id: string;
  readonly level: Level;
  readonly first: Finding;
  readonly findings: readonly Finding[];
  /** Worst verdicts of all members. */
  readonly wire: Readonly<Record<string, Verdict>>;
  readonly source: Readonly<Record<string, SourceVerdict>>;
}

/** One group per decision: the worst first, then in the order of the catalogue, larger ones first. */
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
        levels.indexOf(a.level) - levels.indexOf(b.level) ||
        order.indexOf(a.id) - order.indexOf(b.id) ||
        b.findings.length - a.findings.length,
    );
}

function summarise(findings: readonly Finding[]): FindingGroup {
  const [first] = findings as [Finding];
  const { id, level } = first;
  const wire = Object.keys(first.wire).map((pair): [string, Verdict] => [
    pair,
    worstVerdict(findings.map((finding) => finding.wire[pair]!)),
  ]);
  const source = Object.keys(first.source).map((role): [string, SourceVerdict] => {
    const all = findings.map((finding) => finding.source[role]!);
    return [role, all.find(({ compiles }) => !compiles) ?? all[0]!];
  });
  return {
    id,
    level,
    first,
    findings,
    wire: Object.fromEntries(wire),
    source: Object.fromEntries(source),
  };
}

/** How many findings and groups each level has. */
export function countLevels(
  groups: readonly FindingGroup[],
): Readonly<Record<Level, { readonly findings: number; readonly groups: number }>> {
  const count = (level: Level): { findings: number; groups: number } => {
    const own = groups.filter((group) => group.level === level);
    return {
      findings: own.reduce((sum, group) => sum + group.findings.length, 0),
      groups: own.length,
    };
  };
  return Object.fromEntries(levels.map((level) => [level, count(level)])) as ReturnType<
    typeof countLevels
  >;
}
