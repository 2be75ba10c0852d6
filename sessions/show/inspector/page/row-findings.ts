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
    for (const each of unlisted) this.#addUnlisted(each);
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
    const found = this.#byRow.get(row) ?? noFindings;
    if (this.#muted.size === 0 || found.length === 0) return found;
    return found.filter(({ rule }) => !this.#muted.has(rule));
  }

  /** Returns the groups to which a row's unlisted findings belong. */
  unlistedOf(row: number): readonly UnlistedFindings[] {
    const found = this.#unlistedByRow.get(row) ?? [];
    return this.#muted.size === 0 ? found : found.filter(({ rule }) => !this.#muted.has(rule));
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
    const own = this.#byRow.get(finding.row);
    if (own === undefined) this.#byRow.set(finding.row, [finding]);
    else own.push(finding);
  }

  #addUnlisted(group: UnlistedFindings): void {
    for (const row of rowsOf(group)) {
      const own = this.#unlistedByRow.get(row);
      if (own === undefined) this.#unlistedByRow.set(row, [group]);
      else own.push(group);
    }
  }
}

/** Decodes the rows of the findings that the page does not list. */
export function rowsOf({ rows }: UnlistedFindings): readonly number[] {
  let row = 0;
  return rows.map((step) => (row += step));
}
