import { FindingGroups } from "./finding-groups.js";
import type { Severity } from "../../generator/base/severity.js";
import type { LintFinding } from "./rules.js";

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
