import type { Acceptance, Judgement } from "../accepted-findings.js";
import { diffSeverities, type Finding, type FindingPlace, type DiffSeverity } from "../finding.js";
import { uncomparedTexts } from "../unstated-facts.js";
import { noteTexts } from "../notes.js";
import { adviceText, placesText } from "../advice.js";
import { isAtLeast } from "../verdicts.js";
import {
  adviceOf,
  bumpText,
  byOwner,
  countLevels,
  groupFindings,
  listedText,
  needsAdvice,
  outlineOf,
  pairText,
  partText,
  sightingText,
  subjectText,
  verdictsText,
  type DiffReport,
  type FindingGroup,
} from "./diff-report.js";
import { visible } from "../../generator/base/visible-text.js";

export type Colour = "red" | "green" | "yellow" | "cyan" | "dim" | "bold";

interface TextOptions {
  readonly paint: (colour: Colour, text: string) => string;
  /** Whether to list each finding in a group separately. */
  readonly expand: boolean;
  /** Lowest severity to show. */
  readonly lowest: DiffSeverity;
  readonly width: number;
  /** Returns a finding's location. Called only for findings that are shown individually. */
  readonly locate: (finding: Finding) => FindingPlace | undefined;
}

/** The colour of each severity. */
export const colours: Readonly<Record<DiffSeverity | "none", Colour>> = {
  breaking: "red",
  risky: "yellow",
  lossy: "cyan",
  safe: "green",
  doc: "dim",
  none: "dim",
};

/** Renders a report for the terminal, with an entry for each decision. */
export function reportText(report: DiffReport, options: TextOptions): string {
  const { diff, bump, findings } = report;
  const { paint } = options;
  const { sides, ways } = adviceOf(report);
  const uncompared = uncomparedTexts(diff);
  return [
    headline(report, groupFindings(findings), paint),
    ...(needsAdvice(report) ? [""] : []),
    ...(needsAdvice(report) ? sides : []).flatMap((advice) => {
      const { text, tasks } = adviceText(advice, diff);
      return [visible(text), ...tasks.map((task) => `  ${visible(`- ${task}`)}`)];
    }),
    ...outlineOf(findings)
      .filter(({ severity }) => isAtLeast(severity, options.lowest))
      .flatMap(({ severity, groups }) => [
        "",
        paint("bold", paint(colours[severity], severity)),
        ...groups.flatMap((group) =>
          group.isListed === true ? listedLines(group, options) : groupLines(group, options),
        ),
      ]),
    ...(ways.length === 0 ? [] : ["", paint("bold", "alternatives")]),
    ...ways.map((way) => `  ${visible(`${placesText(way.findings)}: ${way.text}`)}`),
    ...noteTexts(diff.notes).flatMap((text) => ["", visible(text)]),
    ...(uncompared.length === 0 ? [] : ["", ...uncompared.map(visible)]),
    "",
    bumpText(bump),
    ...judgementLines(report),
  ].join("\n");
}

function listedLines(group: FindingGroup, options: TextOptions): readonly string[] {
  if (options.expand)
    return byOwner(group).flatMap(([, , ofType]) =>
      ofType.flatMap((finding) => findingLines(finding, options)),
    );
  return [
    `  ${visible(listedText(group, " · "))}   ${options.paint("dim", group.rule)}`,
    ...byOwner(group).flatMap(([owner, sign, ofType]) => [
      `      ${visible(`${owner}: ${sign} ${ofType.map(partText).join(", ")}`)}`,
      ...seenLines(ofType, options).map((line) => `    ${line}`),
    ]),
  ];
}

function headline(
  { diff, seenIn, compiled }: DiffReport,
  groups: readonly FindingGroup[],
  paint: TextOptions["paint"],
): string {
  const head = paint("bold", visible(`${diff.protocol} ${diff.before} → ${diff.after}`));
  if (groups.length === 0) {
    const quiet =
      compiled !== undefined
        ? `${compiled} compiles as before`
        : seenIn === undefined
          ? "no change"
          : `${seenIn} is not affected by any change`;
    return `${head}   ${visible(quiet)}`;
  }
  const counts = countLevels(groups);
  const parts = diffSeverities
    .filter((severity) => counts[severity].findings > 0 || severity === "breaking")
    .map((severity) => {
      const { findings, groups: groupCount } = counts[severity];
      const text = `${findings} ${severity}${groupCount < findings ? ` (${groupCount} group${groupCount === 1 ? "" : "s"})` : ""}`;
      return findings === 0 ? text : paint(colours[severity], text);
    });
  return `${head}   ${parts.join(" · ")}`;
}

function groupLines(group: FindingGroup, options: TextOptions): readonly string[] {
  const { paint, expand, width } = options;
  const { first } = group;
  const count = group.findings.length;
  if (count === 1) return findingLines(first, options);
  const what = group.severity === "doc" || isFlag(group) ? "" : ` ${visible(first.message)}`;
  const head = `  ${count} ×${what === "" ? ` ${group.rule}` : what}`;
  const verdict = isQuiet(group) ? "" : `   ${verdictText(group)}`;
  const lines = [
    `${head}${what === "" ? "" : `   ${paint("dim", group.rule)}`}${verdict}`,
    ...(expand
      ? group.findings.map(
          (finding) => `      ${visible(finding.at)}${placeText(finding, options)}`,
        )
      : [
          paint(
            "dim",
            `      ${listText(
              group.findings.map(({ at }) => visible(at)),
              width - 6,
            )}`,
          ),
        ]),
  ];
  const proven = group.findings.find(({ witnesses }) => witnesses.length > 0);
  return [
    ...lines,
    ...(proven === undefined ? [] : witnessLines(proven, options)),
    ...seenLines(group.findings, options),
  ];
}

function findingLines(finding: Finding, options: TextOptions): readonly string[] {
  const { paint } = options;
  const gate =
    finding.gate === undefined ? "" : visible(` [${finding.gate.role}.${finding.gate.capability}]`);
  return [
    `  ${visible(subjectText(finding))}${gate}   ${paint("dim", finding.rule)}${placeText(finding, options)}`,
    ...(isQuiet(finding)
      ? []
      : [verdictText(finding), visible(finding.reason)]
          .filter((text) => text !== "")
          .map((text) => `      ${text}`)),
    ...witnessLines(finding, options),
    ...seenLines([finding], options),
  ];
}

function isFlag(group: FindingGroup): boolean {
  return group.rule.startsWith("capability.");
}

/** Returns whether to leave out the verdicts, because neither side notices the change. */
function isQuiet({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "doc" || severity === "safe";
}

function verdictText(finding: Pick<Finding, "wire" | "source">): string {
  return visible(verdictsText(finding, " · "));
}

function placeText(finding: Finding, { paint, locate }: TextOptions): string {
  const { file, line, column, pointer = "" } = locate(finding) ?? {};
  if (pointer === "") return "";
  const text =
    file === undefined || line === undefined ? pointer : `${file}:${line}:${column ?? 1}`;
  return `   ${paint("dim", visible(text))}`;
}

function witnessLines(finding: Finding, { paint, width }: TextOptions): readonly string[] {
  if (!isAtLeast(finding.severity, "risky")) return [];
  return finding.witnesses.map(({ pair, sender, message }) => {
    const text = `      ${visible(`${pairText(pair)}: ${sender} sends ${JSON.stringify(message)}`)}`;
    return paint("dim", shortLine(text, width));
  });
}

/** Lists the first few affected locations, followed by the number of locations left out. */
function seenLines(findings: readonly Finding[], { width }: TextOptions): readonly string[] {
  const places = [...new Set(findings.flatMap(({ seen = [] }) => seen.map(sightingText)))];
  return places.length === 0 ? [] : [`      seen in ${listText(places, width - 14)}`];
}

function shortLine(line: string, width: number): string {
  return line.length > Math.max(width, 80) * 3 ? `${line.slice(0, width * 3 - 1)}…` : line;
}

function listText(names: readonly string[], width: number): string {
  let text = names[0]!;
  for (const [index, name] of names.entries()) {
    if (index === 0) continue;
    const rest = `, … ${names.length - index} more`;
    if (text.length + name.length + 2 + rest.length > width) return `${text}${rest}`;
    text += `, ${name}`;
  }
  return text;
}

function judgementLines({ accepted, stale, expired }: Judgement): readonly string[] {
  const name = ({ rule, at }: Acceptance): string => visible(`${rule} ${at}`);
  return [
    ...(accepted.length === 0 ? [] : ["", `${accepted.length} accepted`]),
    ...stale.map((each) => `stale: ${name(each)} is accepted but no longer occurs`),
    ...expired.map(
      (each) => `expired: ${name(each)} was accepted until ${visible(each.until ?? "")}`,
    ),
  ];
}
