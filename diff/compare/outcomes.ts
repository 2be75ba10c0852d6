/**
 * The possible effects of a change on a message, from worst to mildest.
 *
 * - `rejected`: the reader cannot use the message
 * - `degraded`: the reader continues, but with an error or without part of the message
 * - `different`: the reader takes the message to mean something else
 * - `lost`: the reader ignores part of the message
 * - `unknown`: the effect depends on the reader
 * - `ok`: the reader understands the message
 */
export const verdicts = ["rejected", "degraded", "different", "lost", "unknown", "ok"] as const;
/** The effect of a change on a message: one of `verdicts`. */
export type Verdict = (typeof verdicts)[number];

/**
 * How a reader treats unexpected values.
 *
 * - `strict`: treats all objects, enums and unions as closed
 * - `schema`: follows the schema exactly
 * - `tolerant`: drops only the part with an unknown value or alternative, and does not enforce
 *   ranges
 */
export const readerPolicies = ["strict", "schema", "tolerant"] as const;
/** How a reader treats unexpected values: one of `readerPolicies`. */
export type ReaderPolicy = (typeof readerPolicies)[number];

interface Outcome {
  /** A sentence that describes the effect, without the final period. */
  readonly docs: string;
  /** The verdict for each kind of reader. */
  readonly verdicts: Readonly<Record<ReaderPolicy, Verdict>>;
}

/** The possible effects on a value that one version writes and the other reads. */
export const readOutcomes = {
  ok: {
    docs: "every reader understands the message",
    verdicts: { strict: "ok", schema: "ok", tolerant: "ok" },
  },
  strict: {
    docs: "a reader that treats every list and object as closed rejects the message",
    verdicts: { strict: "rejected", schema: "ok", tolerant: "ok" },
  },
  lost: {
    docs: "part of the message is ignored; a reader that treats every list and object as closed rejects the message",
    verdicts: { strict: "rejected", schema: "lost", tolerant: "lost" },
  },
  degraded: {
    docs: "a validating reader rejects the message; a tolerant reader uses the valid parts",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  },
  typed: {
    docs: "a validating reader rejects the message, as does a reader in a language that distinguishes integers from other numbers",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  },
  ranged: {
    docs: "a reader that enforces bounds rejects the message, although bounds are meant for writers",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "ok" },
  },
  undetermined: {
    docs: "a reader that checks patterns may reject the message; patterns cannot be compared",
    verdicts: { strict: "unknown", schema: "unknown", tolerant: "ok" },
  },
  different: {
    docs: "the reader takes the message to mean something else",
    verdicts: { strict: "different", schema: "different", tolerant: "different" },
  },
  broken: {
    docs: "no reader can use the message",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "rejected" },
  },
} as const satisfies Readonly<Record<string, Outcome>>;

/** Id of one of the `readOutcomes`. */
export type ReadOutcome = keyof typeof readOutcomes;

/** The verdicts that can be limited, from mildest to worst. */
const order = ["ok", "lost", "degraded", "rejected"] as const satisfies readonly Verdict[];

export type Limit = (typeof order)[number];

/** Which version writes a value, and which one reads it. */
export type Direction = "oldToNew" | "newToOld";

/**
 * The worst effect that a change can have on a value in each direction. For example, a change to
 * one alternative in a union has a limited effect, because other alternatives may accept the value.
 */
export type Limits = Readonly<Record<Direction, Limit>>;

export const unlimited: Limits = { oldToNew: "rejected", newToOld: "rejected" };

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
  const limit = (direction: Direction): Limit =>
    order[choose(order.indexOf(one[direction]), order.indexOf(other[direction]))]!;
  return { oldToNew: limit("oldToNew"), newToOld: limit("newToOld") };
}

/**
 * Limits a verdict. `different` and `unknown` are left as they are: a different meaning matters in
 * every alternative, and an unknown effect cannot be compared with a limit.
 */
export function limitVerdict(verdict: Verdict, limit: Limit): Verdict {
  const rank = (order as readonly Verdict[]).indexOf(verdict);
  return rank > order.indexOf(limit) ? limit : verdict;
}
