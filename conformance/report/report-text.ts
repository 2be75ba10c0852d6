import type { CheckResult, SuiteResult } from "../run/run-suite.js";

/** Counts of the scored checks, and of the others. */
export function countsOf(
  results: readonly CheckResult[],
): Readonly<Record<CheckResult["status"], number>> {
  const scored = results.filter(({ level }) => level !== "info");
  const count = (status: CheckResult["status"]): number =>
    scored.filter((each) => each.status === status).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    blocked: count("blocked"),
    "not-applicable": count("not-applicable"),
  };
}

const marks = { pass: "✓", fail: "✗", blocked: "?", "not-applicable": "–" } as const;

/** A run as text: the groups in lines, then the failures. */
export function reportText(name: string, { checks }: SuiteResult): string {
  const names = [...new Set(checks.map(groupOf))];
  const groups = names.map(
    (group) => [group, checks.filter((each) => groupOf(each) === group)] as const,
  );
  const lines = groups.map(
    ([group, members]) =>
      `${group.padEnd(7)}${members.map(({ check, status }) => `${marks[status]}${check.split("-")[1]}`).join(" ")}`,
  );
  const { pass, fail, blocked, "not-applicable": none } = countsOf(checks);
  return [
    name,
    ...lines,
    "",
    ...checks
      .filter(({ status }) => status === "fail" || status === "blocked")
      .flatMap(failureLines),
    `${pass} passed, ${fail} failed, ${blocked} blocked, ${none} not applicable (✓ ✗ ? –)`,
    "",
  ].join("\n");
}

function failureLines(result: CheckResult): readonly string[] {
  const { check, title, level, stated, status, expected, actual, text, message } = result;
  const times = (result.failures ?? 1) > 1 ? `, ${result.failures} times` : "";
  return [
    `${marks[status]} ${check} ${title} (${level}, ${stated})`,
    `    in ${result.case}${message === undefined ? "" : `, message ${message}`}${times}`,
    ...(status === "fail"
      ? [`    expected: ${expected}`, `    actual:   ${actual}`]
      : [`    ${text}`]),
  ];
}

function groupOf({ check }: CheckResult): string {
  return check.split("-", 1)[0]!;
}
