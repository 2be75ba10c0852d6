import type { Finding, DiffSeverity } from "./finding.js";
import { isAtLeast } from "./verdicts.js";

/** A decision to accept a finding. */
export interface Acceptance {
  readonly rule: string;
  readonly at: string;
  readonly reason: string;
  /** Last day on which the acceptance is valid, as `YYYY-MM-DD`. */
  readonly until?: string;
}

/** The findings of a comparison, divided into accepted and other findings. */
export interface Judgement {
  /** Findings that are not accepted. */
  readonly findings: readonly Finding[];
  readonly accepted: readonly Finding[];
  /** Acceptances of findings that the comparison did not find. */
  readonly stale: readonly Acceptance[];
  /** Expired acceptances. Their findings are no longer accepted. */
  readonly expired: readonly Acceptance[];
}

/**
 * Divides findings into accepted and other findings. An acceptance applies to all findings with its
 * rule and its location.
 * @param today The current day, as `YYYY-MM-DD`.
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
 * Adds acceptances for all findings that are at least this severe. Keeps existing acceptances,
 * including those for other versions. Replaces an expired acceptance if its finding occurs again.
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
