import type { Verdict } from "../session/verdict.js";
import type { CaseResult } from "./run-case.js";

const repetitions = [1, 2] as const;

/** How many of a check's failing cases run again before the check counts as inconclusive. */
const maxCases = 3;

/**
 * How many cases run again that were blocked for the same reason. If they stay blocked, so do the
 * others, for example because the adapter never starts a program.
 */
const maxBlocked = 2;

/**
 * Runs cases again, alone and twice, until each failure is certain. A verdict that differs between
 * the runs is inconclusive. A check that was blocked at first takes the verdict of the repetitions,
 * unless they fail or differ.
 *
 * @param runAgain Runs a case on its own.
 */
export async function confirm(
  results: readonly CaseResult[],
  runAgain: (name: string, repetition: number) => Promise<CaseResult>,
): Promise<readonly CaseResult[]> {
  const repeated = new Map<string, readonly CaseResult[]>();
  const repeat = async (name: string): Promise<readonly CaseResult[]> => {
    let again = repeated.get(name);
    if (again === undefined) {
      const runs: CaseResult[] = [];
      for (const repetition of repetitions) runs.push(await runAgain(name, repetition));
      repeated.set(name, (again = runs));
    }
    return again;
  };
  const stayed = new Map<string, number>();
  const verdicts = results.flatMap((result) => [...result.verdicts]);
  const doubtful = verdicts.filter(isDoubtful);
  const settled = new Map<string, Verdict>();
  const casesOf = new Map<string, Set<string>>();
  for (const { check, case: name } of doubtful)
    casesOf.set(check, (casesOf.get(check) ?? new Set()).add(name));
  // A check that fails in many cases needs no case of its own: one that runs again anyway will do.
  for (const [check, names] of [...casesOf].sort(
    ([a, { size }], [b, other]) => size - other.size || (a < b ? -1 : 1),
  )) {
    let tried = 0;
    let isCertain = false;
    const isNew = (name: string): number => (repeated.has(name) ? 0 : 1);
    for (const name of [...names].sort().sort((a, b) => isNew(a) - isNew(b))) {
      const first = verdictOf(verdicts, check, name)!;
      const reason = first.status === "blocked" ? first.text!.replace(/\d+/g, "") : "";
      if (!repeated.has(name) && (stayed.get(reason) ?? 0) >= maxBlocked) continue;
      const again =
        isCertain || tried++ >= maxCases
          ? []
          : (await repeat(name)).map((result) => verdictOf(result.verdicts, check, name));
      const verdict: Verdict = isCertain ? first : settledVerdict(first, again);
      isCertain ||= verdict.status === "fail";
      if (verdict.status === "blocked") stayed.set(reason, (stayed.get(reason) ?? 0) + 1);
      settled.set(`${check} ${name}`, verdict);
    }
  }
  return results.map((result) => ({
    ...result,
    // Checks judged by lint rules also apply to the messages of the repetitions.
    seen: new Set([result, ...(repeated.get(result.name) ?? [])].flatMap(({ seen }) => [...seen])),
    verdicts: result.verdicts.map(
      (verdict) =>
        (isDoubtful(verdict) ? settled.get(`${verdict.check} ${verdict.case}`) : undefined) ??
        verdict,
    ),
  }));
}

const isDoubtful = ({ status, blockedOn }: Verdict): boolean =>
  status === "fail" || (status === "blocked" && blockedOn === undefined);

/** Returns the verdict that decides a check in a case. */
function verdictOf(verdicts: readonly Verdict[], check: string, name: string): Verdict | undefined {
  const all = verdicts.filter((verdict) => verdict.check === check && verdict.case === name);
  return all.find(({ status }) => status === "fail") ?? all[0];
}

/** A check that is judged by lint rules has no verdict in a run without findings. */
function settledVerdict(first: Verdict, again: readonly (Verdict | undefined)[]): Verdict {
  const statuses = again.map((verdict) => verdict?.status ?? "pass");
  const [second] = statuses;
  if (statuses.length === repetitions.length) {
    if (statuses.every((status) => status === first.status)) return first;
    const isAgreed = statuses.every((status) => status === second);
    if (first.status === "blocked" && isAgreed && second !== "fail")
      return again[0] ?? { check: first.check, case: first.case, status: "pass" };
  }
  const differsIn = statuses.findIndex((status) => status !== first.status) + 1;
  return {
    ...first,
    status: "inconclusive",
    text:
      differsIn === 0
        ? "the verdict differs between runs of other cases"
        : `${first.status} at first, then ${statuses.join(" and ")} when the case ran again alone`,
    ...(differsIn === 0 ? {} : { differsIn }),
  };
}
