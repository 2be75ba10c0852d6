import type { DiffSeverity, Finding, ProtocolDiff } from "./finding.js";
import { rules } from "./compare/rules.js";
import { isAtLeast, severityOf } from "./verdicts.js";

/** Specifies which peers and which code to take into account when judging findings. */
export interface Selection {
  /**
   * The only pair of versions that affects severities, such as `new-client/old-adapter`. Default:
   * both pairs.
   */
  readonly pair?: string;
  /**
   * The only role that affects severities. It is assumed to be the one that moves to the new
   * version, so only its code and its sessions with old peers count. Default: both roles.
   */
  readonly side?: string;
  /** Severities by rule, which override the defaults. `off` drops all findings of a rule. */
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
}

/**
 * Reassesses the severity of each finding in a comparison, taking only the selected peers and code
 * into account.
 */
export function selectFindings(diff: ProtocolDiff, selection: Selection): ProtocolDiff {
  const { pair, side, severity = {} } = selection;
  const { pairs } = diff;
  const counts = pairs.filter(
    (name) =>
      (pair === undefined || name === pair) &&
      (side === undefined || name.split("/").includes(`new-${side}`)),
  );
  const findings = diff.findings.flatMap((finding): readonly Finding[] => {
    const wire = counts.map((name) => finding.wire[name]!);
    const source = Object.entries(finding.source).flatMap(([role, verdict]) =>
      side === undefined || role === side ? [verdict] : [],
    );
    const chosen = severity[finding.rule];
    if (chosen === "off") return [];
    const rated = chosen ?? severityOf(rules.get(finding.rule)!, wire, source);
    return [
      { ...finding, severity: rated, group: finding.group.replace(/^(\S+) \S+/, `$1 ${rated}`) },
    ];
  });
  return { ...diff, ...(counts.length < pairs.length ? { judgedPairs: counts } : {}), findings };
}

/**
 * Keeps only the verdicts and examples that concern a role moving to the new version: those for its
 * sessions with old peers, and those for its code.
 */
export function onlyFor(diff: ProtocolDiff, side: string): ProtocolDiff {
  const pairs = diff.pairs.filter((pair) => pair.split("/").includes(`new-${side}`));
  const findings = diff.findings.map((finding): Finding => ({
    ...finding,
    wire: Object.fromEntries(pairs.map((pair) => [pair, finding.wire[pair]!])),
    source: { [side]: finding.source[side]! },
    witnesses: finding.witnesses.filter(({ pair }) => pairs.includes(pair)),
  }));
  return { ...diff, side, findings };
}

/** Returns the findings that are at least as severe as `severity`. */
export function findingsFrom(
  findings: readonly Finding[],
  severity: DiffSeverity,
): readonly Finding[] {
  return findings.filter((finding) => isAtLeast(finding.severity, severity));
}
