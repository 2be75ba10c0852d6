import type { Verdict } from "./outcomes.js";

/** Verdicts on values that are not understood, the mildest first. */
const order = ["ok", "lost", "degraded", "rejected"] as const satisfies readonly Verdict[];

export type Limit = (typeof order)[number];

/**
 * The worst that can become of a value that is written by one version and read by the other: `forward` by the new one.
 * A change in one alternative of a union costs no more than the other alternatives leave of it.
 */
export interface Limits {
  readonly forward: Limit;
  readonly backward: Limit;
}

export const unlimited: Limits = { forward: "rejected", backward: "rejected" };

/** Both limits apply. */
export function tighter(one: Limits, other: Limits): Limits {
  return combine(one, other, Math.min);
}

/** One of the limits applies. */
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

/** A verdict within a limit. A value with another meaning has it in any alternative. */
export function limitVerdict(verdict: Verdict, limit: Limit): Verdict {
  const rank = (order as readonly Verdict[]).indexOf(verdict);
  return rank > order.indexOf(limit) ? limit : verdict;
}
