import type { Verdict } from "./outcomes.js";

/** The verdicts that can be limited, from mildest to worst. */
const order = ["ok", "lost", "degraded", "rejected"] as const satisfies readonly Verdict[];

export type Limit = (typeof order)[number];

/**
 * The worst effect that a change can have on a value in each direction. `forward`: the old version
 * writes the value and the new version reads it. For example, a change to one alternative in a
 * union has a limited effect, because other alternatives may accept the value.
 */
export interface Limits {
  readonly forward: Limit;
  readonly backward: Limit;
}

export const unlimited: Limits = { forward: "rejected", backward: "rejected" };

/** Combines two limits that both apply, so the milder one counts. */
export function tighter(one: Limits, other: Limits): Limits {
  return combine(one, other, Math.min);
}

/** Combines the limits of two possibilities, so the worse one counts. */
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
 * Limits a verdict. `different` and `unknown` are left as they are: a different meaning matters in
 * every alternative, and an unknown effect cannot be compared with a limit.
 */
export function limitVerdict(verdict: Verdict, limit: Limit): Verdict {
  const rank = (order as readonly Verdict[]).indexOf(verdict);
  return rank > order.indexOf(limit) ? limit : verdict;
}
