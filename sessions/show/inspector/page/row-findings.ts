import {
  severities,
  type PageData,
  type PageFinding,
  type PageSeverity,
  type UnlistedFindings,
} from "../page-data.js";

const noFindings: readonly PageFinding[] = [];

/** The findings in a recording, by row. */
export class RowFindings {
  readonly all: PageFinding[] = [];
  readonly unlisted: readonly UnlistedFindings[];
  readonly #most: number;
  readonly #byRow = new Map<number, PageFinding[]>();
  /** Number of unlisted findings, by row. */
  readonly #unlistedByRow = new Map<number, UnlistedFindings[]>();
  readonly #counts: Record<PageSeverity, number>;
  /** Rules whose findings are hidden. */
  #muted: ReadonlySet<string> = new Set();

  /** @param most Maximum number of findings to list. Any others are only counted for their rows. */
  constructor({ findings, unlisted, counts }: PageData, most: number) {
    this.unlisted = unlisted;
    this.#most = most;
    for (const finding of findings) this.#add(finding);
    for (const group of unlisted) this.#addUnlisted(group);
    this.#counts = { ...counts };
  }

  /** Number of findings by severity, excluding those of hidden rules. */
  get counts(): Readonly<Record<PageSeverity, number>> {
    if (this.#muted.size === 0) return this.#counts;
    const counts = { ...this.#counts };
    for (const { rule, severity } of this.all) if (this.#muted.has(rule)) counts[severity]--;
    for (const { rule, severity, count } of this.unlisted)
      if (this.#muted.has(rule)) counts[severity] -= count;
    return counts;
  }

  /** Hides the findings of the given rules. */
  mute(rules: readonly string[]): void {
    if (rules.length > 0 || this.#muted.size > 0) this.#muted = new Set(rules);
  }

  isMuted(rule: string): boolean {
    return this.#muted.has(rule);
  }

  of(row: number): readonly PageFinding[] {
    const findings = this.#byRow.get(row) ?? noFindings;
    if (this.#muted.size === 0 || findings.length === 0) return findings;
    return findings.filter(({ rule }) => !this.#muted.has(rule));
  }

  /** Returns the groups to which a row's unlisted findings belong. */
  unlistedOf(row: number): readonly UnlistedFindings[] {
    const groups = this.#unlistedByRow.get(row) ?? [];
    return this.#muted.size === 0 ? groups : groups.filter(({ rule }) => !this.#muted.has(rule));
  }

  /** Returns whether a row has a finding with the given severity. */
  hasSeverity(row: number, severity: PageSeverity): boolean {
    const is = (each: { readonly severity: PageSeverity }): boolean => each.severity === severity;
    return this.of(row).some(is) || this.unlistedOf(row).some(is);
  }

  /** Returns the highest severity among a row's findings. */
  worstOf(row: number): PageSeverity | undefined {
    if (!this.#byRow.has(row) && !this.#unlistedByRow.has(row)) return undefined;
    return severities.find((each) => this.hasSeverity(row, each));
  }

  add(finding: PageFinding): void {
    this.#counts[finding.severity]++;
    this.#add(finding);
  }

  /** Drops a row's findings. Called when the page drops the row. */
  forget(row: number): void {
    this.#byRow.delete(row);
  }

  #add(finding: PageFinding): void {
    if (this.all.length < this.#most) this.all.push(finding);
    if (finding.row < 0) return;
    const findings = this.#byRow.get(finding.row);
    if (findings === undefined) this.#byRow.set(finding.row, [finding]);
    else findings.push(finding);
  }

  #addUnlisted(group: UnlistedFindings): void {
    for (const row of rowsOf(group)) {
      const groups = this.#unlistedByRow.get(row);
      if (groups === undefined) this.#unlistedByRow.set(row, [group]);
      else groups.push(group);
    }
  }
}

/** Decodes the rows of the findings that the page does not list. */
export function rowsOf({ rows }: UnlistedFindings): readonly number[] {
  let row = 0;
  return rows.map((step) => (row += step));
}
