import { visible } from "../../generator/base/visible-text.js";
import type { Judgement } from "../accepted-findings.js";
import { adviseSides, groupBy, waysOutOf, type SideAdvice, type Task } from "../advice.js";
import type { Verdict } from "../compare/outcomes.js";
import type { SourceVerdict } from "../compare/rule-family.js";
import { rules } from "../compare/rules.js";
import {
  diffSeverities,
  type DiffSeverity,
  type Finding,
  type ProtocolDiff,
  type Sighting,
} from "../finding.js";
import { isAtLeast } from "../verdicts.js";
import type { BumpAdvice } from "../version-bump.js";

/** The contents of a report. */
export interface DiffReport extends Judgement {
  /** The comparison, including accepted findings. */
  readonly diff: ProtocolDiff;
  readonly bump: BumpAdvice;
  /** The name of the recording, if the report is limited to findings that affect it. */
  readonly seenIn?: string;
  /** The name of users' code, if the report is limited to its new compiler errors. */
  readonly compiled?: string;
}

/** Advice for the authors of both sides, and for the protocol's author. */
export function adviceOf({ diff, findings, compiled }: DiffReport): {
  readonly sides: readonly SideAdvice[];
  readonly ways: readonly Task[];
} {
  return {
    // The errors in some code say nothing about messages, nor about a side's other code.
    sides: compiled === undefined ? adviseSides(diff, findings) : [],
    ways: waysOutOf(
      diff,
      findings.filter(({ severity }) => isAtLeast(severity, "risky")),
    ),
  };
}

/** Returns whether findings go beyond the documentation, so that reports include advice. */
export function needsAdvice({ findings, compiled }: DiffReport): boolean {
  return compiled === undefined && findings.some(({ severity }) => severity !== "doc");
}

/**
 * The findings that result from one decision. They all have the same rule and severity, so a milder
 * finding never hides a severe one.
 */
export interface FindingGroup {
  readonly rule: string;
  readonly severity: DiffSeverity;
  readonly first: Finding;
  readonly findings: readonly Finding[];
  /** The verdicts, which all findings of the group have in common. */
  readonly wire: Readonly<Record<string, Verdict>>;
  readonly source: Readonly<Record<string, SourceVerdict>>;
  /** Whether reports list the findings by type, below the reason that they share. */
  readonly isListed?: boolean;
}

/**
 * Groups findings by decision. The groups are sorted by severity, then by the order of the rule
 * catalogue, then by size (largest first).
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = groupBy(findings, ({ group }) => group);
  const order = [...rules.keys()];
  return [...groups.values()]
    .map(summarise)
    .sort(
      (a, b) =>
        diffSeverities.indexOf(a.severity) - diffSeverities.indexOf(b.severity) ||
        order.indexOf(a.rule) - order.indexOf(b.rule) ||
        b.findings.length - a.findings.length,
    );
}

function summarise(findings: readonly [Finding, ...Finding[]]): FindingGroup {
  const [first] = findings;
  const { rule, severity, wire, source } = first;
  return { rule, severity, first, findings, wire, source };
}

/** Counts findings and groups by severity. */
export function countLevels(
  groups: readonly FindingGroup[],
): Readonly<Record<DiffSeverity, { readonly findings: number; readonly groups: number }>> {
  const count = (severity: DiffSeverity): { findings: number; groups: number } => {
    const ofSeverity = groups.filter((group) => group.severity === severity);
    return {
      findings: ofSeverity.reduce((sum, group) => sum + group.findings.length, 0),
      groups: ofSeverity.length,
    };
  };
  return Object.fromEntries(
    diffSeverities.map((severity) => [severity, count(severity)]),
  ) as ReturnType<typeof countLevels>;
}

/** The findings with the same severity. */
interface OutlineSection {
  readonly severity: DiffSeverity;
  readonly groups: readonly FindingGroup[];
}

/**
 * Matches rules whose findings need no explanation beyond the name of the added or removed part.
 */
const listed =
  /^(prop\.(added|removed)-(optional|closed)|capability\.(added|removed)|enum\.open-value-(added|removed))$/;

/**
 * Groups findings by severity. Lossy and safe additions and removals are grouped by the reason and
 * the verdicts that they share, and are listed by type.
 */
export function outlineOf(findings: readonly Finding[]): readonly OutlineSection[] {
  return diffSeverities.flatMap((severity): readonly OutlineSection[] => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    if (ofSeverity.length === 0) return [];
    const isListed = (finding: Finding): boolean =>
      (severity === "lossy" || severity === "safe") && listed.test(finding.rule);
    const additions = groupBy(ofSeverity.filter(isListed), ({ rule, reason, wire, source }) =>
      JSON.stringify([rule, reason, wire, source]),
    );
    const groups = groupFindings(ofSeverity.filter((finding) => !isListed(finding)));
    const isMessage = ({ rule }: FindingGroup): boolean => rule.startsWith("message.");
    return [
      {
        severity,
        groups: [
          ...groups.filter(isMessage),
          ...[...additions.values()].map((group) => ({ ...summarise(group), isListed: true })),
          ...groups.filter((group) => !isMessage(group)),
        ],
      },
    ];
  });
}

/** Returns the additions or removals in a listed group, by the type that declares them. */
export function byOwner({
  findings,
}: FindingGroup): readonly (readonly [owner: string, sign: string, readonly Finding[]])[] {
  return [...groupBy(findings, ({ owner }) => owner)].map(([owner, ofType]) => [
    owner,
    /removed/.test(ofType[0].rule) ? "-" : "+",
    ofType,
  ]);
}

/** Returns the name of the added or removed part, without the name of its type. */
export function partText({ at, owner, gate }: Finding): string {
  const part = at.slice(owner.length).replace(/^\./, "");
  return gate === undefined ? part : `${part} [${gate.role}.${gate.capability}]`;
}

/** Describes a finding by the part that has changed and how it has changed. */
export function subjectText({ rule, at, message: change }: Finding): string {
  const [, sign, rest] = /^([+-]) (.*)$/s.exec(change) ?? [];
  if (sign === undefined || rest === undefined) return `${at}: ${change}`;
  if (/^message\./.test(rule)) return rest === visible(at) ? change : `${at}: ${change}`;
  return /^(enum|union)\./.test(rule)
    ? `${sign} ${at}`
    : `${sign} ${at.slice(0, at.lastIndexOf(".") + 1)}${rest}`;
}

/** For each side whose code stops compiling, describes which code fails. */
function sourceTexts(source: Finding["source"]): readonly string[] {
  return Object.entries(source).flatMap(([role, verdict]) => {
    const text = sourceText(verdict);
    return text === "" ? [] : [`${role} code: ${text}`];
  });
}

/** Describes the effects on messages and code in one line. */
export function verdictsText(
  { wire, source }: Pick<Finding, "wire" | "source">,
  separator = "; ",
): string {
  const texts = Object.entries(wire).map(([pair, verdict]) => `${pairText(pair)}: ${verdict}`);
  return [...texts, ...sourceTexts(source)].join(separator);
}

/** Describes what the findings in a listed group have in common. */
export function listedText({ rule, first, findings }: FindingGroup, separator?: string): string {
  return first.severity === "safe"
    ? `${findings.length} × ${rules.get(rule)!.title.toLowerCase()}`
    : `${first.reason} ${verdictsText(first, separator)}`;
}

/** Spells out a pair such as `new-client/old-adapter` in words. */
export function pairText(pair: string): string {
  return pair.replaceAll("-", " ").replace("/", ", ");
}

/** Describes how code is affected. Returns an empty string if it still compiles. */
export function sourceText({ compiles, error, when, exhaustive }: SourceVerdict): string {
  const errors = {
    missing: "lacks a property",
    type: "uses a different type",
    excess: "names a part that no longer exists",
    removed: "reads a removed part",
    overlap: "compares values that cannot be equal",
  };
  const where = {
    always: "",
    "direct-use": " where it uses the part directly",
    "whole-value": " where it does not distinguish the alternatives",
    sometimes: "",
  };
  if (!compiles && when === "sometimes") return "may break, because it uses a different type";
  if (!compiles) return `breaks${where[when ?? "always"]}, because it ${errors[error ?? "type"]}`;
  return exhaustive ? "exhaustive switches break" : "";
}

/** Formats a location in a recording or in code. */
export function sightingText({ file, line, column, offset }: Sighting): string {
  const at = line === undefined ? (offset === undefined ? "" : `, byte ${offset}`) : `:${line}`;
  return visible(`${file}${at}${column === undefined ? "" : `:${column}`}`);
}

/** Describes the required version step, and whether the claimed step is large enough. */
export function bumpText(bump: BumpAdvice): string {
  const { wire, source, needed, claimed, suffices } = bump;
  const base = `version step: ${needed} (wire ${wire}, code ${source})`;
  if (claimed === undefined) return base;
  return `${base}; claimed ${claimed}, which ${suffices === true ? "suffices" : "is too small"}`;
}
