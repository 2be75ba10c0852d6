import { diffSeverities, type Finding, type DiffSeverity } from "../finding.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";

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
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    const isListed = (finding: Finding): boolean =>
      (severity === "lossy" || severity === "safe") && listed.test(finding.rule);
    const sections = sectionsOf(own.filter(isListed));
    const groups = groupFindings(own.filter((finding) => !isListed(finding)));
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
  const sections = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { rule, reason, wire, source } = finding;
    const key = JSON.stringify([rule, reason, wire, source]);
    const own = sections.get(key);
    if (own === undefined) sections.set(key, [finding]);
    else own.push(finding);
  }
  return [...sections.values()].map((own): OutlineEntry => ({
    kind: "types",
    rule: own[0]!.rule,
    first: own[0]!,
    count: own.length,
    types: typesOf(own),
  }));
}

function typesOf(findings: readonly Finding[]): readonly TypeEntry[] {
  const types = new Map<string, Finding[]>();
  for (const finding of findings) {
    const own = types.get(finding.owner);
    if (own === undefined) types.set(finding.owner, [finding]);
    else own.push(finding);
  }
  return [...types].map(([owner, own]) => ({
    owner,
    sign: /removed/.test(own[0]!.rule) ? "-" : "+",
    findings: own,
  }));
}

/** Returns the name of the added or removed part, without the name of its type. */
export function partText({ at, owner, gate }: Finding): string {
  const part = at.slice(owner.length).replace(/^\./, "");
  return gate === undefined ? part : `${part} [${gate.role}.${gate.capability}]`;
}
