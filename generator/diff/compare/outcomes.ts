/**
 * The effect on a message, the worst first.
 *
 * - `rejected`: the reader cannot use it
 * - `degraded`: the reader continues, with an error or without a part
 * - `different`: it is read with another meaning
 * - `lost`: it is read, but a part of it is ignored
 * - `unknown`: it depends on the reader
 * - `ok`: it is read and understood
 */
export const verdicts = ["rejected", "degraded", "different", "lost", "unknown", "ok"] as const;
/** The effect of a reader on a value: one of `verdicts`. */
export type Verdict = (typeof verdicts)[number];

/**
 * How a reader treats unexpected values.
 *
 * - `strict`: closed objects, enums and unions
 * - `schema`: as the schema states
 * - `tolerant`: unknown values and alternatives only lose their own part, ranges are not enforced
 */
export const readerPolicies = ["strict", "schema", "tolerant"] as const;
/** How a reader treats unexpected values: one of `readerPolicies`. */
export type ReaderPolicy = (typeof readerPolicies)[number];

interface Outcome {
  /** The effect, as a sentence without its period. */
  readonly docs: string;
  /** The verdict of each kind of reader. */
  readonly verdicts: Readonly<Record<ReaderPolicy, Verdict>>;
}

/** The possible effects on a value that is written by one version and read by the other. */
export const readOutcomes = {
  ok: {
    docs: "every reader understands it",
    verdicts: { strict: "ok", schema: "ok", tolerant: "ok" },
  },
  strict: {
    docs: "a reader that treats every list and object as closed rejects it",
    verdicts: { strict: "rejected", schema: "ok", tolerant: "ok" },
  },
  lost: {
    docs: "part of it is ignored; a reader that treats every list and object as closed rejects it",
    verdicts: { strict: "rejected", schema: "lost", tolerant: "lost" },
  },
  degraded: {
    docs: "a validating reader rejects it; a tolerant reader uses the valid parts",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  },
  typed: {
    docs: "a validating reader rejects it, as does a reader in a language that distinguishes integers from other numbers",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "degraded" },
  },
  ranged: {
    docs: "a reader that enforces bounds rejects it, although bounds are for writers",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "ok" },
  },
  undetermined: {
    docs: "a reader that checks patterns may reject it; patterns cannot be compared",
    verdicts: { strict: "unknown", schema: "unknown", tolerant: "ok" },
  },
  different: {
    docs: "it is read with another meaning",
    verdicts: { strict: "different", schema: "different", tolerant: "different" },
  },
  broken: {
    docs: "no reader can use it",
    verdicts: { strict: "rejected", schema: "rejected", tolerant: "rejected" },
  },
} as const satisfies Readonly<Record<string, Outcome>>;

/** The ids of `readOutcomes`. */
export type ReadOutcome = keyof typeof readOutcomes;
