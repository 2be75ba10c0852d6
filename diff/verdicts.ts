import {
  readOutcomes,
  verdicts,
  type ReaderPolicy,
  type ReadOutcome,
  type Verdict,
} from "./compare/outcomes.js";
import type { DiffRule, SourceVerdict } from "./compare/rule-family.js";
import { diffSeverities, type DiffSeverity } from "./finding.js";

const severityOfVerdict: Readonly<Record<Verdict, DiffSeverity>> = {
  rejected: "breaking",
  degraded: "risky",
  different: "risky",
  lost: "lossy",
  unknown: "risky",
  ok: "safe",
};

/** Returns the verdict that a given outcome implies for one kind of reader. */
export function verdictOf(outcome: ReadOutcome, policy: ReaderPolicy): Verdict {
  return readOutcomes[outcome].verdicts[policy];
}

/**
 * Returns whether an example message can prove an outcome. It can if a reader that validates
 * against the schema rejects the message or, under the `strict` policy, if only a reader that
 * accepts no unknown parts does. Schemas describe neither capabilities nor envelopes, so no example
 * can prove a rejection that is due to either.
 */
export function isProvable(rule: DiffRule, outcome: ReadOutcome, policy: ReaderPolicy): boolean {
  if (rule.area === "gate" || rule.area === "wire") return false;
  return (
    verdictOf(outcome, "schema") === "rejected" ||
    (policy === "strict" && verdictOf(outcome, "strict") === "rejected")
  );
}

export function worstVerdict(given: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => given.includes(verdict)) ?? "ok";
}

export function worstSeverity(given: readonly DiffSeverity[]): DiffSeverity {
  return diffSeverities.find((severity) => given.includes(severity)) ?? "doc";
}

/** Returns whether `severity` is at least as bad as `limit`. */
export function isAtLeast(severity: DiffSeverity, limit: DiffSeverity): boolean {
  return diffSeverities.indexOf(severity) <= diffSeverities.indexOf(limit);
}

/**
 * Returns the severity of a change, based on its worst verdict on messages. If code no longer
 * compiles, the severity is at least `risky`.
 */
export function severityOf(
  rule: DiffRule,
  wire: readonly Verdict[],
  source: readonly SourceVerdict[],
): DiffSeverity {
  if (rule.area === "doc" || rule.area === "deprecated") return "doc";
  const severity = severityOfVerdict[worstVerdict(wire)];
  const compiles = source.every((verdict) => verdict.compiles);
  return compiles ? severity : worstSeverity([severity, "risky"]);
}
