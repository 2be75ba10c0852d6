import { checkArguments, comparison } from "../base/check-arguments.js";
import * as option from "../../runtime/base/check-options.js";
import { diffSeverities, type Finding, type DiffSeverity, type ProtocolDiff } from "./finding.js";
import { rules } from "./compare/rules.js";
import { isAtLeast, severityOf } from "./verdicts.js";

/** Selects findings, and sets their severities. */
export interface Selection {
  /** Only this pairing of versions, such as `new-client/old-adapter`. */
  readonly pair?: string;
  /**
   * Only findings that affect this role if it has the new version: its pairing with an old peer,
   * and its own code.
   */
  readonly side?: string;
  /** Severities by rule, instead of those of the verdicts; `off` drops the findings of a rule. */
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
}

const checks: option.OptionChecks<Selection> = {
  pair: option.text,
  side: option.text,
  severity: option.recordOf(option.oneOf(...diffSeverities, "off"), rules),
};

/** A comparison from one point of view: severities follow the verdicts that count. */
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
 * Only findings that affect a role that adopts the new version: its pairing with old peers, and its
 * code.
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

/** Findings that are at least as severe as this. */
export function findingsFrom(
  findings: readonly Finding[],
  severity: DiffSeverity,
): readonly Finding[] {
  return findings.filter((finding) => isAtLeast(finding.severity, severity));
}
