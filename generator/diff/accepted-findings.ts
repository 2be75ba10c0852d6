import type { Finding, DiffSeverity } from "./finding.js";
import { isAtLeast } from "./verdicts.js";

/** A finding that somebody decided to accept. */
export interface Acceptance {
  readonly rule: string;
  readonly at: string;
  readonly reason: string;
  /** Last day on which it counts, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** The findings of a comparison, separated by acceptance. */
export interface Judgement {
  /** Findings that count. */
  readonly findings: readonly Finding[];
  readonly accepted: readonly Finding[];
  /** Acceptances without a finding. */
  readonly stale: readonly Acceptance[];
  /** Expired acceptances. Their findings count again. */
  readonly expired: readonly Acceptance[];
}

/**
 * Separates accepted findings. A finding is accepted if its rule and place equal those of an
 * acceptance.
 *
 * @param today `YYYY-MM-DD`.
 */
export function judgeFindings(
  findings: readonly Finding[],
  acceptances: readonly Acceptance[],
  today: string,
): Judgement {
  const expired = acceptances.filter((each) => isExpired(each, today));
  const valid = new Set(acceptances.filter((each) => !isExpired(each, today)).map(keyOf));
  const found = new Set(findings.map(keyOf));
  return {
    findings: findings.filter((finding) => !valid.has(keyOf(finding))),
    accepted: findings.filter((finding) => valid.has(keyOf(finding))),
    stale: acceptances.filter((each) => !found.has(keyOf(each))),
    expired,
  };
}

/**
 * Adds acceptances of all findings that are at least as severe as this. Existing acceptances stay
 * unchanged, including those of other versions. An expired one is replaced if its finding occurs
 * again.
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
  const found = new Set(accepted.map(keyOf));
  const kept = existing.filter((each) => !isExpired(each, today) || !found.has(keyOf(each)));
  const known = new Set(kept.map(keyOf));
  return [...kept, ...accepted.filter((each) => !known.has(keyOf(each)))];
}

function keyOf({ rule, at }: Pick<Acceptance, "rule" | "at">): string {
  return `${rule} ${at}`;
}

function isExpired({ until }: Acceptance, today: string): boolean {
  return until !== undefined && until < today;
}
