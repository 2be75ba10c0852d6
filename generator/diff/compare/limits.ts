import type { Verdict } from "./outcomes.js";

/** Verdicts on values that are not understood, the mildest first. */
const order = ["ok", "lost", "degraded", "rejected"] as const satisfies readonly Verdict[];

export type Limit = (typeof order)[number];

/**
 * The worst possible effect on a value that one version writes and the other reads: `forward` if
 * the new version reads it. The other alternatives of a union limit the effect of a change in one
 * of them.
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

/** A verdict within a limit. Another meaning counts in any alternative. */
export function limitVerdict(verdict: Verdict, limit: Limit): Verdict {
  const rank = (order as readonly Verdict[]).indexOf(verdict);
  return rank > order.indexOf(limit) ? limit : verdict;
}
