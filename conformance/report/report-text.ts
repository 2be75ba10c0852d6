import type { CheckResult } from "../run/run-suite.js";
import { specificationLink } from "../specification.js";
import {
  countsText,
  groupsOf,
  isScored,
  labelOf,
  statuses,
  unexpectedOf,
  type AdapterResults,
} from "./adapter-results.js";

export interface TextOptions {
  readonly isColoured?: boolean;
  /**
   * Folder that contains the adapter's recordings. For several adapters, it contains one folder per
   * adapter, named after that adapter. The report suggests commands for viewing these recordings.
   */
  readonly recordings?: string;
}

const colours = {
  pass: 32,
  fail: 31,
  inconclusive: 33,
  blocked: 33,
  "not-applicable": 90,
} as const;

/** Formats results as text: first a matrix that fits on a screen, then each adapter's failures. */
export function reportText(all: readonly AdapterResults[], options: TextOptions = {}): string {
  const paint = (text: string, status: CheckResult["status"]): string =>
    options.isColoured === true ? `\x1b[${colours[status]}m${text}\x1b[0m` : text;
  const parts = all.length === 1 ? gridOf(all[0]!, paint) : matrixOf(all);
  const failures = all.flatMap((results) => failuresOf(results, all.length > 1, options, paint));
  return [...parts, "", ...failures, ...all.flatMap(totalOf), ""].join("\n");
}

type Paint = (text: string, status: CheckResult["status"]) => string;

/** Creates the matrix for a single adapter, with one line per group that lists its checks. */
function gridOf(results: AdapterResults, paint: Paint): readonly string[] {
  return [
    labelOf(results),
    ...[...groupsOf(results.checks)].map(([group, members]) => {
      const cells = members.map(({ check, status }) =>
        paint(`${statuses[status].mark}${check.slice(group.length + 1)}`, status),
      );
      return `${group.padEnd(7)}${cells.join(" ")}`;
    }),
  ];
}

/**
 * Creates the matrix for several adapters, with one line per adapter. For each group, it shows how
 * many scored checks pass, and how many apply.
 */
function matrixOf(all: readonly AdapterResults[]): readonly string[] {
  const groups = [...groupsOf(all[0]!.checks).keys()];
  const width = Math.max(...all.map((results) => labelOf(results).length)) + 2;
  return [
    `${"".padEnd(width)}${groups.map((group) => group.padStart(7)).join("")}`,
    ...all.map((results) => {
      const checks = groupsOf(results.checks);
      const cells = groups.map((group) => scoreOf(checks.get(group) ?? []).padStart(7));
      return `${labelOf(results).padEnd(width)}${cells.join("")}`;
    }),
  ];
}

/**
 * Returns a score such as `7/9`: the number of scored checks that pass, and the number that apply.
 * Returns `–` if none apply.
 */
export function scoreOf(checks: readonly CheckResult[]): string {
  const applied = checks.filter(isScored);
  if (applied.length === 0) return "–";
  return `${applied.filter(({ status }) => status === "pass").length}/${applied.length}`;
}

function failuresOf(
  results: AdapterResults,
  isOneOfSeveral: boolean,
  { recordings }: TextOptions,
  paint: Paint,
): readonly string[] {
  const { stale } = unexpectedOf(results);
  const folder =
    recordings !== undefined && isOneOfSeveral
      ? `${recordings}/${results.adapter.name}`
      : recordings;
  const lines = results.checks
    .filter(({ status }) => status !== "pass" && status !== "not-applicable")
    .flatMap((result) => failureLines(result, results, folder, paint));
  const old = stale.map((check) => `${check} is expected to fail but does not: remove its entry`);
  return lines.length + old.length === 0
    ? []
    : [...(isOneOfSeveral ? [labelOf(results)] : []), ...lines, ...old, ""];
}

function failureLines(
  result: CheckResult,
  { expected: reasons }: AdapterResults,
  folder: string | undefined,
  paint: Paint,
): readonly string[] {
  const { check, title, level, stated, status, expected, actual, text, message } = result;
  const { blockedOn } = result;
  const times = (result.failures ?? 1) > 1 ? `, ${result.failures} times` : "";
  const reason = reasons[check];
  return [
    `${paint(statuses[status].mark, status)} ${check} ${title} (${level}; ${stated})`,
    ...quoteLines(result),
    `    in the case ${result.case}${message === undefined ? "" : `, message ${message}`}${times}`,
    ...(text === undefined ? [] : [`    ${text}`]),
    ...(actual === undefined ? [] : [`    expected: ${expected}`, `    actual:   ${actual}`]),
    ...(blockedOn === undefined ? [] : [`    blocked because ${blockedOn} failed`]),
    ...(reason === undefined ? [] : [`    expected to fail: ${reason}`]),
    ...(folder === undefined
      ? []
      : recordingsOf(result).map((name) => `    wirewright view ${folder}/${name}`)),
  ];
}

/** Quotes the sentence on which a check is based, with a link to it. */
function quoteLines({ stated, sentence }: CheckResult): readonly string[] {
  const link = specificationLink(stated);
  return [
    ...(sentence === undefined ? [] : [`    "${sentence}"`]),
    ...(link === undefined ? [] : [`    ${link}`]),
  ];
}

/** Returns the file names of the recordings that show a result: two for a verdict that differs. */
export function recordingsOf({
  case: name,
  connection = 1,
  differsIn,
}: CheckResult): readonly string[] {
  const suffix = `${connection > 1 ? `-${connection}` : ""}.jsonl`;
  return [
    `${name}${suffix}`,
    ...(differsIn === undefined ? [] : [`${name}-again-${differsIn}${suffix}`]),
  ];
}

/** Formats the counts, and lists the checks that cause the exit status 1. */
function totalOf(results: AdapterResults): readonly string[] {
  const { failed } = unexpectedOf(results);
  const names = failed.map(({ check, status }) =>
    status === "blocked" ? `${check} (blocked)` : check,
  );
  return [
    `${labelOf(results)}: ${countsText(results.counts)}`,
    ...(names.length === 0 ? [] : [`    unexpected: ${names.join(", ")}`]),
  ];
}
