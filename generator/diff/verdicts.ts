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

/** The verdict for a kind of reader if a message has a given outcome. */
export function verdictOf(outcome: ReadOutcome, policy: ReaderPolicy): Verdict {
  return readOutcomes[outcome].verdicts[policy];
}

/**
 * Whether an example message can prove an outcome. It can if a reader that validates with the
 * schema rejects the message. For the policy `strict`, it also can if only a reader that accepts no
 * unknown parts rejects the message. Schemas do not contain capabilities and envelopes, so no
 * example can prove a rejection because of them.
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

/** Whether `severity` is at least as bad as `limit`. */
export function isAtLeast(severity: DiffSeverity, limit: DiffSeverity): boolean {
  return diffSeverities.indexOf(severity) <= diffSeverities.indexOf(limit);
}

/**
 * The severity of a change, which depends on its worst verdict on messages. If code no longer
 * compiles, it is at least `risky`.
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
