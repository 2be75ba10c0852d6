import { severities, type Severity } from "../../../generator/base/severity.js";
import type { LintFinding } from "../rules.js";
import type { InputError } from "../../../generator/base/input-error.js";
import type { FileVerdict } from "./judge-file.js";

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

type Written<Row> = { -readonly [Key in keyof Row]: Row[Key] };

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
  readonly #found = new Map<string, Written<Omit<BatchFinding, "isNew">>>();
  /** Number of recordings, keyed by severity, adapter and rule. */
  readonly #recordings = new Map<string, number>();

  /**
   * Adds a file that cannot be read.
   *
   * @param isNamed Whether the user named the file itself rather than its folder.
   */
  fail(file: string, error: InputError, isNamed: boolean): void {
    if (error.code === "ERR_JSON" && !isNamed) this.skipped++;
    else this.errors.push({ file, error });
  }

  add({ file, messages, counts, groups, others }: FileVerdict): void {
    this.recordings++;
    this.messages += messages;
    for (const severity of severities) this.counts[severity] += counts[severity];
    for (const [rule, count] of others) this.#countOnly(rule, count);
    const keys = new Set(groups.map(({ adapter, first }) => rowKey(first, adapter)));
    for (const key of keys) this.#recordings.set(key, (this.#recordings.get(key) ?? 0) + 1);
    for (const { fingerprint, adapter, count, first } of groups) {
      const equal = this.#found.get(fingerprint);
      if (equal !== undefined) {
        equal.count += count;
        equal.recordings++;
      } else if (this.#found.size === maxFindings) this.#countOnly(first.rule, count);
      else
        this.#found.set(fingerprint, { fingerprint, adapter, count, recordings: 1, file, first });
    }
  }

  /** Returns all findings, sorted by severity (highest first), adapter, rule and file. */
  list(baseline: ReadonlySet<string> | undefined): readonly BatchFinding[] {
    return [...this.#found.values()]
      .map(({ first, ...finding }) => ({
        ...finding,
        isNew: baseline?.has(finding.fingerprint) !== true,
        first,
      }))
      .sort(
        (a, b) =>
          severities.indexOf(a.first.severity) - severities.indexOf(b.first.severity) ||
          compare(a.adapter, b.adapter) ||
          compare(a.first.rule, b.first.rule) ||
          compare(a.file, b.file) ||
          a.first.index - b.first.index ||
          compare(a.fingerprint, b.fingerprint),
      );
  }

  /** Returns the rows of the findings table, one for each adapter and rule. */
  rows(findings: readonly BatchFinding[]): readonly BatchRow[] {
    const rows = new Map<string, Written<BatchRow>>();
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
