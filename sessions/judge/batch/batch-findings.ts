import type { Severity } from "../../../generator/base/severity.js";
import type { LintFinding } from "../rules.js";
import type { InputError } from "../../../generator/base/input-error.js";
import type { BatchGroup, FileVerdict } from "./judge-files.js";

/**
 * Maximum number of distinct findings to keep. Any findings beyond that are only counted, by rule.
 */
const maxFindings = 100_000;

/** Identical findings about the same adapter, possibly from several recordings. */
export interface BatchFinding {
  readonly fingerprint: string;
  readonly adapter: string;
  readonly count: number;
  readonly recordings: number;
  /** Whether the finding is missing from the baseline. Always true if there is no baseline. */
  readonly isNew: boolean;
  /** The first recording, in alphabetical order, that has this finding. */
  readonly file: string;
  readonly first: LintFinding;
}

/** A rule's findings in the recordings of one adapter. */
export interface BatchRow {
  readonly severity: Severity;
  readonly adapter: string;
  readonly rule: string;
  readonly findings: number;
  readonly recordings: number;
  /** Number of distinct findings that are not in the baseline. */
  readonly fresh: number;
  /** A recording with this finding. */
  readonly file: string;
}

interface Counted {
  readonly group: BatchGroup;
  count: number;
  recordings: number;
  readonly file: string;
}

/** Collects findings from many recordings, whose verdicts are added in alphabetical order. */
export class BatchFindings {
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  messages = 0;
  recordings = 0;
  /** Number of files skipped: those in the given folders that contain no messages. */
  skipped = 0;
  readonly errors: { readonly file: string; readonly error: InputError }[] = [];
  /** Number of unlisted findings, by rule. */
  readonly unlisted = new Map<string, number>();
  readonly #found = new Map<string, Counted>();
  /** Number of recordings, keyed by severity, adapter and rule. */
  readonly #recordings = new Map<string, number>();

  /** @param isNamed Whether the user named the file itself rather than its folder. */
  add(verdict: FileVerdict, isNamed: boolean): void {
    const { file, error } = verdict;
    if (error !== undefined) {
      if (error.code === "ERR_JSON" && !isNamed) this.skipped++;
      else this.errors.push({ file, error });
      return;
    }
    this.recordings++;
    this.messages += verdict.messages;
    for (const severity of ["error", "warning", "info"] as const)
      this.counts[severity] += verdict.counts[severity];
    for (const [rule, count] of verdict.others) this.#countOnly(rule, count);
    const keys = new Set(verdict.groups.map(({ adapter, first }) => rowKey(first, adapter)));
    for (const key of keys) this.#recordings.set(key, (this.#recordings.get(key) ?? 0) + 1);
    for (const group of verdict.groups) {
      const known = this.#found.get(group.fingerprint);
      if (known === undefined) {
        if (this.#found.size === maxFindings) this.#countOnly(group.first.rule, group.count);
        else
          this.#found.set(group.fingerprint, {
            group,
            count: group.count,
            recordings: 1,
            file,
          });
        continue;
      }
      known.count += group.count;
      known.recordings++;
    }
  }

  /** Returns all findings, sorted by severity (highest first), adapter, rule and file. */
  list(baseline: ReadonlySet<string> | undefined): readonly BatchFinding[] {
    return [...this.#found.values()]
      .map(({ group, count, recordings, file }) => ({
        fingerprint: group.fingerprint,
        adapter: group.adapter,
        count,
        recordings,
        file,
        isNew: baseline === undefined || !baseline.has(group.fingerprint),
        first: group.first,
      }))
      .sort(
        (a, b) =>
          rank(a.first.severity) - rank(b.first.severity) ||
          compare(a.adapter, b.adapter) ||
          compare(a.first.rule, b.first.rule) ||
          compare(a.file, b.file) ||
          a.first.index - b.first.index ||
          compare(a.fingerprint, b.fingerprint),
      );
  }

  /** Returns the rows of the findings table, one for each adapter and rule. */
  rows(findings: readonly BatchFinding[]): readonly BatchRow[] {
    const rows = new Map<string, { -readonly [Key in keyof BatchRow]: BatchRow[Key] }>();
    for (const { first, adapter, count, isNew, file } of findings) {
      const { severity, rule } = first;
      const key = rowKey(first, adapter);
      const row = rows.get(key);
      if (row === undefined) {
        const recordings = this.#recordings.get(key) ?? 0;
        const fresh = isNew ? 1 : 0;
        rows.set(key, { severity, adapter, rule, findings: count, recordings, fresh, file });
        continue;
      }
      row.findings += count;
      row.fresh += isNew ? 1 : 0;
      if (file < row.file) row.file = file;
    }
    return [...rows.values()];
  }

  #countOnly(rule: string, count: number): void {
    this.unlisted.set(rule, (this.unlisted.get(rule) ?? 0) + count);
  }
}

function rowKey({ severity, rule }: LintFinding, adapter: string): string {
  return JSON.stringify([severity, adapter, rule]);
}

function rank(severity: Severity): number {
  return ["error", "warning", "info"].indexOf(severity);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
