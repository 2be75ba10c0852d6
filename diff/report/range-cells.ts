import { diffSeverities, type Finding, type DiffSeverity, type ProtocolDiff } from "../finding.js";
import type { RangePair } from "../version-range.js";
import { groupFindings, type FindingGroup } from "./group-findings.js";
import { subjectText } from "./finding-text.js";

/** A cell in the version matrix, with the findings for a pair of versions. */
export interface RangeCell {
  readonly diff: ProtocolDiff;
  /** Findings that have not been accepted. */
  readonly findings: readonly Finding[];
}

/** One line in a cell of the version matrix, which describes a decision. */
interface CellLine {
  readonly severity: DiffSeverity;
  readonly rule: string;
  readonly subject: string;
}

/** Returns a line for each decision, worst first. */
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

/** Formats the counts for a pair, such as `1 breaking · 3 lossy`. */
export function countsText({ counts }: Pick<RangePair, "counts">): string {
  const parts = diffSeverities.flatMap((severity) =>
    counts[severity] > 0 ? [`${counts[severity]} ${severity}`] : [],
  );
  return parts.length === 0 ? "no change" : parts.join(" · ");
}

/** Returns the pairs of versions that have findings, each with its cell. */
export function filledCells(
  pairs: readonly RangePair[],
  cells: readonly RangeCell[],
): readonly { readonly pair: RangePair; readonly cell: RangeCell }[] {
  return pairs.flatMap((pair, index) => {
    const cell = cells[index];
    return cell === undefined || cell.findings.length === 0 ? [] : [{ pair, cell }];
  });
}
