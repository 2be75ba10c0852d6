import { gaps, type Gap } from "./state/knowledge.js";

/** Possible findings from a rule that were left out because a fact about the session is unknown. */
export interface Unjudged {
  readonly rule: string;
  /** Why the fact is unknown. */
  readonly gap: Gap;
  readonly count: number;
}

/** Counts unjudged findings. */
export class UnjudgedCounts {
  readonly #counts: { rule: string; gap: Gap; count: number }[] = [];

  add(rule: string, gap: Gap, count = 1): void {
    const known = this.#counts.find((each) => each.rule === rule && each.gap === gap);
    if (known === undefined) this.#counts.push({ rule, gap, count });
    else known.count += count;
  }

  get list(): readonly Unjudged[] {
    return [...this.#counts];
  }
}

/**
 * Prints a line for each reason why facts are unknown, with the number of possible findings by
 * rule.
 */
export function unjudgedTexts(unjudged: readonly Unjudged[] = []): readonly string[] {
  return [...new Set(unjudged.map(({ gap }) => gap))].map((gap) => {
    const own = unjudged.filter((each) => each.gap === gap);
    const rules = own.map(({ rule, count }) => `${count} × ${rule}`);
    return `cannot be judged, because ${gaps[gap]}: ${rules.join(", ")}`;
  });
}
