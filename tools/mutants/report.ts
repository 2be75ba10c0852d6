import type { Judgement, Verdict } from "./judge.js";
import type { Mutant } from "./mutant.js";
import type { MutantReport } from "./run-mutants.js";

/** Returns the percentage of mutants that a test detected, or 100 if there are no mutants. */
export function scoreOf(judgements: readonly Judgement[]): number {
  const noticed = countOf(judgements, "killed") + countOf(judgements, "timed out");
  return judgements.length === 0 ? 100 : (100 * noticed) / judgements.length;
}

/**
 * Returns 0 if the score reaches the goal and the list of equivalent mutants is up to date, and 1
 * otherwise.
 */
export function exitStatusOf(
  { judgements, stale }: Pick<MutantReport, "judgements" | "stale">,
  goal: number,
): 0 | 1 {
  return scoreOf(judgements) < goal || stale.length > 0 ? 1 : 0;
}

/** Returns the table rows: one per file, and one for the total. */
export function scoreRows(judgements: readonly Judgement[]): readonly (readonly string[])[] {
  const byFile = new Map<string, Judgement[]>();
  for (const judgement of judgements) {
    const { file } = judgement.mutant;
    byFile.set(file, [...(byFile.get(file) ?? []), judgement]);
  }
  const rows = [...byFile].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...rows, ["all", judgements] as const].map(([name, some]) => [
    name,
    ...(["killed", "timed out", "survived", "not covered"] as const).map((verdict) =>
      String(countOf(some, verdict)),
    ),
    `${scoreOf(some).toFixed(1)} %`,
  ]);
}

export const scoreHead: readonly string[] = [
  "file",
  "killed",
  "timed out",
  "survived",
  "not covered",
  "score",
];

/** Formats a mutant as a small diff. */
export function formatMutant(mutant: Mutant, note: string): string {
  const { file, line, mutator, before, after } = mutant;
  return `${file}:${line} ${mutator}, ${note}\n- ${before}\n+ ${after}`;
}

function countOf(judgements: readonly Judgement[], verdict: Verdict): number {
  return judgements.filter((each) => each.verdict === verdict).length;
}
