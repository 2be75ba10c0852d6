import type { Change } from "./compare/change.js";
import {
  type ReaderPolicy,
  type ReadOutcome,
  readOutcomes,
  type Verdict,
  verdicts,
} from "./compare/outcomes.js";
import type { Versions } from "./compare/side.js";
import type { DiffRule, SourceVerdict } from "./compare/rule-family.js";
import { diffSeverities, type DiffSeverity } from "./finding.js";

/** Two peers in a session, one of which has the new version and the other the old version. */
export interface Pairing {
  /** The pairing's name, such as `new-client/old-adapter`. */
  readonly name: string;
  readonly newRole: string;
  readonly oldRole: string;
}

/** Returns the two ways to pair peers that have different versions. */
export function pairingsOf([first, second]: readonly [string, string]): readonly [
  Pairing,
  Pairing,
] {
  return [
    { name: `new-${first}/old-${second}`, newRole: first, oldRole: second },
    { name: `old-${first}/new-${second}`, newRole: second, oldRole: first },
  ];
}

/** Returns the effect of a change on a value that a role receives in a given pairing. */
export function outcomeOf(
  { rule, gate }: Change,
  pairing: Pairing,
  receiver: string,
  { before, after }: Versions,
): ReadOutcome {
  const isNew = receiver === pairing.newRole;
  const outcome = isNew ? rule.oldToNew : rule.newToOld;
  const reader = isNew ? after : before;
  // The message is never sent to a peer that cannot announce the capability.
  const isHeldBack =
    (outcome === "lost" || outcome === "degraded") &&
    rule.heldBack === true &&
    gate?.role === receiver &&
    !reader.canAnnounce(gate);
  return isHeldBack ? "ok" : outcome;
}

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
