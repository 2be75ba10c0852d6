import * as option from "../../runtime/base/check-options.js";
import { checkArguments, comparison } from "../base/check-arguments.js";
import { diffSeverities, type Finding, type DiffSeverity, type ProtocolDiff } from "./finding.js";
import { rules } from "./compare/rules.js";
import { isAtLeast, severityOf } from "./verdicts.js";

/** Determines which peers and code count when findings are judged. */
export interface Selection {
  /**
   * The only pair of versions that counts for severities, such as `new-client/old-adapter`.
   * Default: both pairs.
   */
  readonly pair?: string;
  /**
   * The only role that counts for severities. It moves to the new version, so its sessions with old
   * peers and its code count. Default: both roles.
   */
  readonly side?: string;
  /**
   * Severities that replace the default severities, by rule. `off` drops the findings of a rule.
   */
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
}

const checks: option.OptionChecks<Selection> = {
  pair: option.text,
  side: option.text,
  severity: option.recordOf(option.oneOf(...diffSeverities, "off"), rules),
};

/**
 * Judges the findings of a comparison for selected peers and code. Severities depend only on their
 * verdicts.
 */
export function selectFindings(diff: ProtocolDiff, selection: Selection): ProtocolDiff {
  option.checkOptions("selectFindings", selection, checks);
  checkArguments("selectFindings", { diff: [diff, comparison] });
  const { pair, side, severity = {} } = selection;
  const { pairs, roles } = diff;
  const known = { pair: option.oneOf(...pairs), side: option.oneOf(...roles) };
  option.checkOptions("selectFindings", { pair, side }, known);
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
    const own = severity[finding.rule];
    if (own === "off") return [];
    const found = own ?? severityOf(rules.get(finding.rule)!, wire, source);
    return [
      { ...finding, severity: found, group: finding.group.replace(/^(\S+) \S+/, `$1 ${found}`) },
    ];
  });
  return { ...diff, findings };
}

/**
 * Keeps only the verdicts and examples for a role that moves to the new version: for its sessions
 * with old peers, and for its code.
 */
export function onlyFor(diff: ProtocolDiff, side: string): ProtocolDiff {
  const pairs = diff.pairs.filter((pair) => pair.split("/").includes(`new-${side}`));
  const findings = diff.findings.map((finding): Finding => ({
    ...finding,
    wire: Object.fromEntries(pairs.map((pair) => [pair, finding.wire[pair]!])),
    source: { [side]: finding.source[side]! },
    witnesses: finding.witnesses.filter(({ pair }) => pairs.includes(pair)),
    code: finding.code.filter((each) => each.role === side),
  }));
  return { ...diff, side, findings };
}

/** The findings that are at least as severe as the given severity. */
export function findingsFrom(
  findings: readonly Finding[],
  severity: DiffSeverity,
): readonly Finding[] {
  return findings.filter((finding) => isAtLeast(finding.severity, severity));
}
