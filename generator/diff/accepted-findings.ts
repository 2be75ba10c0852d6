import type { Finding, Level } from "./finding.js";
import { isAtLeast } from "./verdicts.js";

/** A finding that somebody decided to accept. */
export interface Acceptance {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  /** Last day on which it counts, `YYYY-MM-DD`. */
  readonly until?: string;
}

export interface Judgement {
  /** Findings that count. */
  readonly open: readonly Finding[];
  readonly accepted: readonly Finding[];
  /** Acceptances without a finding. */
  readonly stale: readonly Acceptance[];
  /** Acceptances whose day has passed; their findings count again. */
  readonly expired: readonly Acceptance[];
}

/**
 * Takes accepted findings out: those with the very rule and place of an acceptance.
 *
 * @param today `YYYY-MM-DD`.
 */
export function judgeFindings(
  findings: readonly Finding[],
  acceptances: readonly Acceptance[],
  today: string,
): Judgement {
  const key = ({ id, at }: { readonly id: string; readonly at: string }): string => `${id} ${at}`;
  const expired = acceptances.filter(({ until }) => until !== undefined && until < today);
  const valid = new Set(acceptances.filter((each) => !expired.includes(each)).map(key));
  const found = new Set(findings.map(key));
  return {
    open: findings.filter((finding) => !valid.has(key(finding))),
    accepted: findings.filter((finding) => valid.has(key(finding))),
    stale: acceptances.filter((each) => !found.has(key(each))),
    expired,
  };
}

/** Acceptances for all findings at a level or above it; existing ones keep their reason. */
export function acceptFindings(
  findings: readonly Finding[],
  level: Level,
  existing: readonly Acceptance[],
): readonly Acceptance[] {
  const known = new Map(existing.map((each) => [`${each.id} ${each.at}`, each]));
  return findings
    .filter((finding) => isAtLeast(finding.level, level))
    .map(
      ({ id, at }) => known.get(`${id} ${at}`) ?? { id, at, reason: "accepted without a reason" },
    );
}
