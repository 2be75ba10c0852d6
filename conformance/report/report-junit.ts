import { escapeCharacters } from "@wirewright/runtime/internal/spellings/character-references.js";
import type { CheckResult } from "../run/run-suite.js";
import { groupsOf, labelOf, type AdapterResults } from "./adapter-results.js";

/**
 * Formats results as JUnit XML, with one suite per adapter and group. Failed checks that are not
 * scored are reported as skipped.
 */
export function reportJunit(all: readonly AdapterResults[]): string {
  const suites = all.flatMap((results) =>
    [...groupsOf(results.checks)].map(([group, checks]) => suiteOf(results, group, checks)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Debug Adapter Protocol">\n${suites.join("")}</testsuites>\n`;
}

function suiteOf(results: AdapterResults, group: string, checks: readonly CheckResult[]): string {
  const cases = checks.map((result) => caseOf(result, `${results.adapter.name}.${group}`, results));
  const count = (tag: string): number =>
    cases.filter((testCase) => testCase.includes(`<${tag}`)).length;
  return `  <testsuite name="${escaped(`${labelOf(results)} ${group}`)}" tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}">\n${cases.join("")}  </testsuite>\n`;
}

function caseOf(
  result: CheckResult,
  className: string,
  { expected: reasons }: AdapterResults,
): string {
  const { check, title, level, status, expected, actual, text = "", stated, sentence } = result;
  const head = `    <testcase classname="${escaped(className)}" name="${escaped(`${check} ${title}`)}"`;
  const reason = reasons[check];
  const details = `expected: ${expected}\nactual: ${actual}\nstated: ${stated}${sentence === undefined ? "" : ` ("${sentence}")`}\ncase: ${result.case}`;
  const skipped = (why: string): string =>
    `${head}>\n      <skipped message="${escaped(why)}"/>\n    </testcase>\n`;
  if (status === "pass") return `${head}/>\n`;
  if (status === "not-applicable") return skipped(text);
  if (reason !== undefined) return skipped(`expected to fail: ${reason}`);
  if (level === "info") return skipped(`not scored: ${actual ?? text}`);
  return status === "fail"
    ? `${head}>\n      <failure message="${escaped(String(actual))}">${escaped(details)}</failure>\n    </testcase>\n`
    : `${head}>\n      <error message="${escaped(text)}"/>\n    </testcase>\n`;
}

/** Escapes text for XML, and removes characters that are not allowed in XML. */
const escaped = (text: string): string =>
  escapeCharacters(
    text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD"),
  ).replaceAll("\n", "&#10;");
