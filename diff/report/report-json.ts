import { printReport } from "../../generator/print/json-text.js";
import { adviceText, type Task } from "../advice.js";
import { adviceOf, groupFindings, type DiffReport } from "./diff-report.js";

/** Version of the JSON report format, as described by `schema/formats/diff-report.schema.json`. */
export const reportVersion = 1;

/** Renders a report as JSON for other programs to read. */
export function reportJson(report: DiffReport): string {
  const { diff, bump, findings, accepted, stale, expired } = report;
  const { sides, ways } = adviceOf(report);
  const { findings: _all, ...rest } = diff;
  return printReport("diff", reportVersion, {
    ...rest,
    bump,
    sides: sides.map((advice) => {
      const { role, peer, moves, pair, tasks } = advice;
      const { text } = adviceText(advice, diff, { all: true });
      return { role, peer, moves, pair, text, tasks: tasks.map(named) };
    }),
    waysOut: ways.map(named),
    groups: groupFindings(findings).map(({ rule, severity, first, findings }) => ({
      group: first.group,
      rule,
      severity,
      count: findings.length,
    })),
    findings,
    accepted: accepted.map(({ rule, at }) => ({ rule, at })),
    stale,
    expired,
  });
}

function named({ text, findings }: Task): object {
  return { text, findings: findings.map(({ rule, at }) => ({ rule, at })) };
}

/** Renders an error as a report. */
export function reportErrorJson(error: {
  readonly code: string;
  readonly message: string;
  readonly place: object;
  readonly hint: string | undefined;
}): string {
  const { code, message, place, hint } = error;
  return printReport("error", reportVersion, { error: { code, message, place, hint } });
}
