import type { LintFinding, LintSeverity } from "./rules.js";

/** Findings of one rule that are kept at most. */
const mostOfRule = 10_000;

/** Characters that kept findings may take, all together. */
const mostCharacters = 16 * 1024 * 1024;

/** Characters that a finding takes besides its texts, about. */
const findingCharacters = 200;

/** Findings, as far as there is room for them. All of them are counted. */
export class KeptFindings {
  readonly list: LintFinding[] = [];
  readonly counts: Record<LintSeverity, number> = { error: 0, warning: 0, info: 0 };
  /** Findings that are counted only, by rule. */
  readonly unlisted = new Map<string, number>();
  readonly #listed = new Map<string, number>();
  #characters = 0;

  /** Returns whether it is kept. */
  add(finding: LintFinding): boolean {
    const { rule, severity, label, pointer, text } = finding;
    this.counts[severity]++;
    const listed = this.#listed.get(rule) ?? 0;
    const characters = findingCharacters + label.length + pointer.length + text.length;
    if (listed >= mostOfRule || this.#characters + characters > mostCharacters) {
      this.unlisted.set(rule, (this.unlisted.get(rule) ?? 0) + 1);
      return false;
    }
    this.#listed.set(rule, listed + 1);
    this.#characters += characters;
    this.list.push(finding);
    return true;
  }
}
