import type { Verdict } from "../session/verdict.js";
import type { CaseResult } from "./run-case.js";

/**
 * Lists a failure that has the same reason as another check's failure under that check, so that one
 * fault counts once. For example, an adapter that never sends `terminated` fails only the check of
 * that event.
 */
export function attribute(results: readonly CaseResult[]): readonly CaseResult[] {
  const failing = new Set(
    results.flatMap(({ verdicts }) =>
      verdicts
        .filter(({ status, follows }) => status === "fail" && follows === undefined)
        .map(({ check }) => check),
    ),
  );
  const attributed = ({ follows, ...verdict }: Verdict): Verdict => {
    if (verdict.status === "fail" && follows !== undefined && failing.has(follows)) {
      const { check, case: name, actual: text } = verdict;
      return { check, case: name, status: "blocked", text, blockedOn: follows };
    }
    const { blockedOn, ...rest } = verdict;
    return blockedOn === undefined || failing.has(blockedOn) ? verdict : rest;
  };
  return results.map((result) => {
    const verdicts = result.verdicts.map(attributed);
    const blocked = new Set(
      verdicts.filter(({ status }) => status === "blocked").map(({ check }) => check),
    );
    // The first part of a check may pass before its second part is blocked.
    return {
      ...result,
      verdicts: verdicts.filter(({ check, status }) => status !== "pass" || !blocked.has(check)),
    };
  });
}
