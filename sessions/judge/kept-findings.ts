import type { Severity } from "../../generator/base/severity.js";
import { type LintFinding, lintRules } from "./rules.js";
import { groupOf, shapeOf } from "./finding-shape.js";
import type { Gap } from "./knowledge.js";

/** Maximum number of findings to keep for each rule. */
const maxOfRule = 10_000;

/** Maximum total number of characters in all kept findings. */
const maxCharacters = 16 * 1024 * 1024;

/** Approximate size of a finding in characters, excluding its strings. */
const findingCharacters = 200;

/** Keeps findings up to a limit, but counts all of them. */
export class KeptFindings {
  readonly list: LintFinding[] = [];
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  /** For each rule, the number of findings that were counted but not kept. */
  readonly unlisted = new Map<string, number>();
  /** All findings, grouped by text. */
  readonly groups = new FindingGroups();
  readonly #listed = new Map<string, number>();
  #characters = 0;

  /** Counts a finding. Returns whether it was also kept. */
  add(finding: LintFinding): boolean {
    const { rule, severity, label, pointer, message } = finding;
    this.counts[severity]++;
    this.groups.add(finding);
    const listed = this.#listed.get(rule) ?? 0;
    const characters = findingCharacters + label.length + pointer.length + message.length;
    if (listed >= maxOfRule || this.#characters + characters > maxCharacters) {
      this.unlisted.set(rule, (this.unlisted.get(rule) ?? 0) + 1);
      return false;
    }
    this.#listed.set(rule, listed + 1);
    this.#characters += characters;
    this.list.push(finding);
    return true;
  }
}

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

/** Groups findings and counts them. */
export class FindingGroups {
  readonly #keyOf: (finding: LintFinding) => string;
  readonly #groups = new Map<string, WrittenGroup>();
  /** For each rule, the number of findings that do not belong to a group. */
  readonly ungrouped = new Map<string, number>();

  /** @param keyOf Returns the key that findings of a group share. Default: by text. */
  constructor(keyOf = keyOfFinding) {
    this.#keyOf = keyOf;
  }

  /** Adds a finding to its group. Returns the group's number of findings, or 0 without a group. */
  add(finding: LintFinding): number {
    const key = this.#keyOf(finding);
    const pointer = shapeOf(finding.pointer);
    const group = this.#groups.get(key);
    if (group !== undefined) {
      group.last = finding;
      if (group.pointer !== pointer) group.pointer = undefined;
      group.isVaried ||= group.first.message !== finding.message;
      return ++group.count;
    }
    if (this.#groups.size === maxGroups) {
      this.ungrouped.set(finding.rule, (this.ungrouped.get(finding.rule) ?? 0) + 1);
      return 0;
    }
    this.#groups.set(key, { first: finding, last: finding, count: 1, pointer, isVaried: false });
    return 1;
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

/** Possible findings from a rule that were left out because a fact about the session is unknown. */
export interface Unjudged {
  readonly rule: string;
  /** Why the fact is unknown. */
  readonly gap: Gap;
  readonly count: number;
}

/** Counts unjudged findings. */
export class UnjudgedCounts {
  readonly list: { -readonly [Key in keyof Unjudged]: Unjudged[Key] }[] = [];

  add(rule: string, gap: Gap, count = 1): void {
    const counted = this.list.find((each) => each.rule === rule && each.gap === gap);
    if (counted === undefined) this.list.push({ rule, gap, count });
    else counted.count += count;
  }
}
