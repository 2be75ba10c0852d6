import { groupOf, shapeOf } from "./finding-shape.js";
import { lintRules, type LintFinding } from "./rules.js";

/** Findings from one rule that share the same text and location. */
export interface FindingGroup {
  readonly first: LintFinding;
  readonly last: LintFinding;
  readonly count: number;
  /**
   * JSON Pointer, with `*` for array indexes. Undefined if the findings are at different locations.
   */
  readonly pointer: string | undefined;
  /** Whether the message values differ between the findings in the group. */
  readonly isVaried: boolean;
}

/**
 * Maximum number of groups. Beyond this limit, a finding that fits no existing group is only
 * counted toward its rule.
 */
const maxGroups = 1_000;

type WrittenGroup = { -readonly [Key in keyof FindingGroup]: FindingGroup[Key] };

/** Maximum number of findings in the cache of recent findings. */
const maxLatest = 1_000;

/** Groups findings by their text and counts them. */
export class FindingGroups {
  readonly #groups = new Map<string, WrittenGroup>();
  /** For each rule, the number of findings that do not belong to a group. */
  readonly #others = new Map<string, number>();

  /**
   * Caches the groups of recent findings by their exact text, because most findings repeat an
   * earlier one.
   */
  readonly #latest = new Map<string, { group: WrittenGroup; pointer: string }>();

  add(finding: LintFinding): void {
    const { rule, severity, outcome = "", from = "", message } = finding;
    const words = [rule, severity, outcome, from, finding.pointer, message].join("\n");
    const latest = this.#latest.get(words);
    const key = latest === undefined ? keyOfFinding(finding) : "";
    const group = latest?.group ?? this.#groups.get(key);
    const pointer = latest?.pointer ?? shapeOf(finding.pointer);
    if (latest === undefined && group !== undefined) {
      if (this.#latest.size === maxLatest) this.#latest.clear();
      this.#latest.set(words, { group, pointer });
    }
    if (group !== undefined) {
      group.count++;
      group.last = finding;
      if (group.pointer !== pointer) group.pointer = undefined;
      group.isVaried ||= group.first.message !== finding.message;
    } else if (this.#groups.size < maxGroups)
      this.#groups.set(key, { first: finding, last: finding, count: 1, pointer, isVaried: false });
    else this.#others.set(finding.rule, (this.#others.get(finding.rule) ?? 0) + 1);
  }

  /**
   * The groups, starting with those that contain errors. Within a severity, groups are in order of
   * first occurrence.
   */
  get list(): readonly FindingGroup[] {
    const groups = [...this.#groups.values()];
    return (["error", "warning", "info"] as const).flatMap((severity) =>
      groups.filter(({ first }) => first.severity === severity),
    );
  }

  get others(): ReadonlyMap<string, number> {
    return this.#others;
  }
}

/**
 * Returns the key of a finding's group. Some rules group all findings with the same cause, wherever
 * they occur.
 */
export function keyOfFinding(finding: LintFinding): string {
  const { rule, severity, outcome = "", from = "", message } = finding;
  return lintRules.get(rule)?.isOneCause === true
    ? [rule, severity, outcome, from, message].join("\n")
    : groupOf(finding);
}
