import type { Finding, DiffSeverity } from "./finding.js";
import { isAtLeast } from "./verdicts.js";

/** A decision to accept a finding. */
export interface Acceptance {
  readonly rule: string;
  readonly at: string;
  readonly reason: string;
  /** The last day on which the acceptance applies, as `YYYY-MM-DD`. */
  readonly until?: string;
}

/** A comparison's findings, split into those that have been accepted and the rest. */
export interface Judgement {
  /** Findings that have not been accepted. */
  readonly findings: readonly Finding[];
  readonly accepted: readonly Finding[];
  /** Acceptances whose findings no longer turn up in the comparison. */
  readonly stale: readonly Acceptance[];
  /** Acceptances that have expired, which means that their findings are reported again. */
  readonly expired: readonly Acceptance[];
}

/**
 * Splits findings into those that have been accepted and the rest. An acceptance covers every
 * finding with the same rule and location.
 * @param today The current day, as `YYYY-MM-DD`.
 */
export function judgeFindings(
  findings: readonly Finding[],
  acceptances: readonly Acceptance[],
  today: string,
): Judgement {
  const expired = acceptances.filter((each) => isExpired(each, today));
  const valid = new Set(acceptances.filter((each) => !isExpired(each, today)).map(keyOf));
  const reported = new Set(findings.map(keyOf));
  return {
    findings: findings.filter((finding) => !valid.has(keyOf(finding))),
    accepted: findings.filter((finding) => valid.has(keyOf(finding))),
    stale: acceptances.filter((each) => !reported.has(keyOf(each))),
    expired,
  };
}

/**
 * Accepts all findings that are at least as severe as `severity`. Existing acceptances are kept,
 * including those for other versions, but an expired one is replaced if its finding turns up again.
 */
export function acceptFindings(
  findings: readonly Finding[],
  severity: DiffSeverity,
  existing: readonly Acceptance[],
  today: string,
): readonly Acceptance[] {
  const accepted = findings
    .filter((finding) => isAtLeast(finding.severity, severity))
    .map(({ rule, at }): Acceptance => ({ rule, at, reason: "accepted without a reason" }));
  const reported = new Set(accepted.map(keyOf));
  const lasting = existing.filter((each) => !isExpired(each, today) || !reported.has(keyOf(each)));
  const acceptedBefore = new Set(lasting.map(keyOf));
  return [...lasting, ...accepted.filter((each) => !acceptedBefore.has(keyOf(each)))];
}

function keyOf({ rule, at }: Pick<Acceptance, "rule" | "at">): string {
  return `${rule} ${at}`;
}

function isExpired({ until }: Acceptance, today: string): boolean {
  return until !== undefined && until < today;
}
