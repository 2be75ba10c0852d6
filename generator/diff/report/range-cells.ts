import { diffSeverities, type Finding, type DiffSeverity, type ProtocolDiff } from "../finding.js";
import type { RangePair } from "../version-range.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { subjectText } from "./finding-text.js";

/** A cell of the version matrix. It contains the findings of a pair of versions. */
export interface RangeCell {
  readonly diff: ProtocolDiff;
  /** Findings that are not accepted. */
  readonly findings: readonly Finding[];
}

/** One line in a cell of the version matrix. It describes a decision. */
export interface CellLine {
  readonly severity: DiffSeverity;
  readonly rule: string;
  readonly subject: string;
}

/** One line for each decision, the worst first. */
export function cellLines({ findings }: RangeCell): readonly CellLine[] {
  return groupFindings(findings).map((group) => ({
    severity: group.severity,
    rule: group.rule,
    subject: groupText(group),
  }));
}

function groupText({ first, findings }: FindingGroup): string {
  if (findings.length === 1) return subjectText(first);
  const places = findings.slice(0, 3).map(({ at }) => at);
  const more = findings.length > 3 ? `, … ${findings.length - 3} more` : "";
  return `${findings.length} × ${first.message}: ${places.join(", ")}${more}`;
}

/** Prints the counts of a pair, such as `1 breaking · 3 lossy`. */
export function countsText({ counts }: Pick<RangePair, "counts">): string {
  const parts = diffSeverities.flatMap((severity) =>
    counts[severity] > 0 ? [`${counts[severity]} ${severity}`] : [],
  );
  return parts.length === 0 ? "no change" : parts.join(" · ");
}

/** The pairs of versions with findings, and the cell of each pair. */
export function filledCells(
  pairs: readonly RangePair[],
  cells: readonly RangeCell[],
): readonly { readonly pair: RangePair; readonly cell: RangeCell }[] {
  return pairs.flatMap((pair, index) => {
    const cell = cells[index];
    return cell === undefined || cell.findings.length === 0 ? [] : [{ pair, cell }];
  });
}
