import { anyOf, type FileCoverage } from "./coverage.js";
import { activeVariable } from "./instrument.js";
import type { Mutant } from "./mutant.js";
import { runTestFile } from "./test-process.js";

export type Verdict = "killed" | "timed out" | "survived" | "not covered";

export interface Judgement {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

interface Part {
  readonly file: string;
  /** Names of all tests in the file that can be used. */
  readonly names: readonly string[];
  readonly ms: number;
}

export interface JudgeLimits {
  /**
   * Time limit in milliseconds for one mutant's tests, based on their duration without the mutant.
   * Once it has passed, no further tests are run for the mutant.
   */
  readonly mutantMs: number;
  /**
   * A run is stopped after five times its normal duration plus this many milliseconds, because the
   * mutant may have caused an endless loop.
   */
  readonly graceMs: number;
}

/** Runs the tests that reach a mutant, fastest files first, until one of them fails. */
export async function judgeMutant(
  root: string,
  mutant: Mutant,
  coverage: readonly FileCoverage[],
  { mutantMs, graceMs }: JudgeLimits,
): Promise<Judgement> {
  const parts = coverage.flatMap((file) => partOf(file, mutant) ?? []).sort((a, b) => a.ms - b.ms);
  if (parts.length === 0) return { mutant, verdict: "not covered" };
  let spent = 0;
  for (const { file, names, ms } of parts) {
    if (spent >= mutantMs) break;
    spent += ms;
    const outcome = await runTestFile({
      root,
      file,
      patterns: [`^${anyOf(names)}$`],
      env: { [activeVariable]: mutant.id },
      timeoutMs: 5 * ms + graceMs,
    });
    if (outcome === "failed") return { mutant, verdict: "killed" };
    if (outcome === "timed out") return { mutant, verdict: "timed out" };
  }
  return { mutant, verdict: "survived" };
}

function partOf(coverage: FileCoverage, { id }: Mutant): Part | undefined {
  const onLoad = coverage.onLoad.has(id);
  const tests = [...coverage.tests].filter(([, { mutants }]) => onLoad || mutants.has(id));
  if (tests.length === 0) return undefined;
  return {
    file: coverage.file,
    names: tests.map(([name]) => name),
    ms: tests.reduce((sum, [, { ms }]) => sum + ms, coverage.loadMs),
  };
}

/**
 * Runs a task for each item with limited concurrency. Returns the results in the order of the
 * items.
 */
export async function runPool<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await task(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
