import type { Verdict } from "../compare/outcomes.js";
import type { SourceVerdict } from "../compare/rule-family.js";
import { rules } from "../compare/rules.js";
import { diffSeverities, type DiffSeverity, type Finding } from "../finding.js";
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
  const groups = groupBy(findings, ({ group }) => group);
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

function groupBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): ReadonlyMap<string, readonly [Finding, ...Finding[]]> {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const group = groups.get(keyOf(finding));
    if (group === undefined) groups.set(keyOf(finding), [finding]);
    else group.push(finding);
  }
  return groups;
}

function summarise(findings: readonly [Finding, ...Finding[]]): FindingGroup {
  const [first] = findings;
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
    const ofSeverity = groups.filter((group) => group.severity === severity);
    return {
      findings: ofSeverity.reduce((sum, group) => sum + group.findings.length, 0),
      groups: ofSeverity.length,
    };
  };
  return Object.fromEntries(
    diffSeverities.map((severity) => [severity, count(severity)]),
  ) as ReturnType<typeof countLevels>;
}

/**
 * An entry in the list of findings with the same severity: either a single decision, or several
 * additions or removals that take up one line per type.
 */
export type OutlineEntry =
  | { readonly kind: "group"; readonly group: FindingGroup }
  | {
      readonly kind: "types";
      readonly rule: string;
      /** The first finding. All findings in the entry have the same reason and verdicts. */
      readonly first: Finding;
      readonly count: number;
      readonly types: readonly TypeEntry[];
    };

/** All additions to a type, or all removals from it. */
interface TypeEntry {
  readonly owner: string;
  readonly sign: "+" | "-";
  readonly findings: readonly Finding[];
}

interface OutlineSection {
  readonly severity: DiffSeverity;
  readonly entries: readonly OutlineEntry[];
}

/**
 * Groups findings by severity. Lossy and safe additions and removals are listed by type, below the
 * reason that they share.
 */
export function outlineOf(findings: readonly Finding[]): readonly OutlineSection[] {
  return diffSeverities.flatMap((severity): readonly OutlineSection[] => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    if (ofSeverity.length === 0) return [];
    const isListed = (finding: Finding): boolean =>
      (severity === "lossy" || severity === "safe") && listed.test(finding.rule);
    const sections = sectionsOf(ofSeverity.filter(isListed));
    const groups = groupFindings(ofSeverity.filter((finding) => !isListed(finding)));
    return [
      {
        severity,
        entries: [
          ...groups
            .filter(({ rule }) => rule.startsWith("message."))
            .map((group): OutlineEntry => ({ kind: "group", group })),
          ...sections,
          ...groups
            .filter(({ rule }) => !rule.startsWith("message."))
            .map((group): OutlineEntry => ({ kind: "group", group })),
        ],
      },
    ];
  });
}

/**
 * Matches rules whose findings need no explanation beyond the name of the added or removed part.
 */
const listed =
  /^(prop\.(added|removed)-(optional|closed)|capability\.(added|removed)|enum\.open-value-(added|removed))$/;

function sectionsOf(findings: readonly Finding[]): readonly OutlineEntry[] {
  const sections = groupBy(findings, ({ rule, reason, wire, source }) =>
    JSON.stringify([rule, reason, wire, source]),
  );
  return [...sections.values()].map((section): OutlineEntry => ({
    kind: "types",
    rule: section[0].rule,
    first: section[0],
    count: section.length,
    types: typesOf(section),
  }));
}

function typesOf(findings: readonly Finding[]): readonly TypeEntry[] {
  return [...groupBy(findings, ({ owner }) => owner)].map(([owner, ofType]) => ({
    owner,
    sign: /removed/.test(ofType[0].rule) ? "-" : "+",
    findings: ofType,
  }));
}

/** Returns the name of the added or removed part, without the name of its type. */
export function partText({ at, owner, gate }: Finding): string {
  const part = at.slice(owner.length).replace(/^\./, "");
  return gate === undefined ? part : `${part} [${gate.role}.${gate.capability}]`;
}
