import type { LintFinding } from "../judge/rules.js";

/** Maximum number of times to show equal findings. */
const mostTimes = 3;

/** Maximum number of distinct findings to count. */
const mostKinds = 10_000;

type Omitted = Pick<LintFinding, "severity" | "rule" | "label"> & { readonly count: number };

/**
 * Counts equal findings. Findings are equal if they have the same rule, message name and JSON
 * Pointer, apart from ids and array indexes.
 */
export class RepeatedFindings {
  readonly #counts = new Map<string, { readonly first: LintFinding; count: number }>();

  /** Counts a finding and returns whether to show it. */
  isNews(finding: LintFinding): boolean {
    const { rule, label, pointer } = finding;
    const key = JSON.stringify([
      rule,
      label.replaceAll(/\d+/g, "0"),
      pointer.replaceAll(/\d+/g, "*"),
    ]);
    const known = this.#counts.get(key);
    if (known !== undefined) return ++known.count <= mostTimes;
    if (this.#counts.size < mostKinds) this.#counts.set(key, { first: finding, count: 1 });
    return true;
  }

  /**
   * The findings that occurred too often to be shown every time, each with the number of times it
   * was omitted.
   */
  get omitted(): readonly Omitted[] {
    return [...this.#counts.values()].flatMap(({ first: { severity, rule, label }, count }) =>
      count > mostTimes ? [{ severity, rule, label, count: count - mostTimes }] : [],
    );
  }
}
