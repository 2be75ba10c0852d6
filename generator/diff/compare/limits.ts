import type { Verdict } from "./outcomes.js";

/** Verdicts that can be limited, the mildest first. */
const order = ["ok", "lost", "degraded", "rejected"] as const satisfies readonly Verdict[];

export type Limit = (typeof order)[number];

/**
 * The worst possible effect of a change on a value, in each direction. `forward`: the old version
 * writes the value, and the new version reads it. For example, a change of one alternative in a
 * union has a limited effect, because other alternatives may accept the value.
 */
export interface Limits {
  readonly forward: Limit;
  readonly backward: Limit;
}

export const unlimited: Limits = { forward: "rejected", backward: "rejected" };

/** Combines two limits that both apply: the milder limit counts. */
export function tighter(one: Limits, other: Limits): Limits {
  return combine(one, other, Math.min);
}

/** Combines the limits of two alternatives: the worse effect of the two is possible. */
export function wider(one: Limits, other: Limits): Limits {
  return combine(one, other, Math.max);
}

function combine(
  one: Limits,
  other: Limits,
  choose: (...ranks: readonly number[]) => number,
): Limits {
  const way = (name: keyof Limits): Limit =>
    order[choose(order.indexOf(one[name]), order.indexOf(other[name]))]!;
  return { forward: way("forward"), backward: way("backward") };
}

/**
 * Limits a verdict. The verdicts `different` and `unknown` stay the same: another meaning matters
 * in every alternative, and an unknown effect cannot be compared with a limit.
 */
export function limitVerdict(verdict: Verdict, limit: Limit): Verdict {
  const rank = (order as readonly Verdict[]).indexOf(verdict);
  return rank > order.indexOf(limit) ? limit : verdict;
}
