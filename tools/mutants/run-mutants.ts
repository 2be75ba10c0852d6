import { join } from "node:path";
import { CoverageCache } from "./coverage-cache.js";
import { measureCoverage, type CoverageLimits } from "./coverage.js";
import { keyOf, staleEntries, type EquivalentMutant } from "./equivalent.js";
import { instrument } from "./instrument.js";
import { judgeMutant, runPool, type Judgement, type JudgeLimits } from "./judge.js";
import { sampleMutants, type Mutant } from "./mutant.js";
import { ScratchTree } from "./scratch-tree.js";
import { findTestFiles } from "./test-files.js";
import { endTestFiles } from "./test-process.js";

export interface MutantRun {
  /** The project root. `build/` contains the compiled tests. */
  readonly root: string;
  /** Paths relative to the root. */
  readonly files: readonly string[];
  /** Runs only a random sample of the mutants. By default, all of them run. */
  readonly sample?: { readonly count: number; readonly seed: number };
  readonly isChosen?: (mutant: Mutant) => boolean;
  /** Whether to use a test file. By default, all files are used. */
  readonly isJudge?: (file: string) => boolean;
  /** Equivalent mutants, which count as neither killed nor survived. */
  readonly equivalent: readonly EquivalentMutant[];
  readonly limits: CoverageLimits & JudgeLimits;
  readonly atOnce: number;
  readonly onProgress?: (text: string) => void;
}

export interface MutantReport {
  readonly judgements: readonly Judgement[];
  /** How many equivalent mutants the sample contains. They are not run. */
  readonly equivalent: number;
  /** Entries for equivalent mutants whose code no longer exists. */
  readonly stale: readonly EquivalentMutant[];
  /** Tests that were not used, and why. */
  readonly leftOut: readonly string[];
}

/** Runs the mutants in the given files against the tests that reach them. */
export async function runMutants(run: MutantRun): Promise<MutantReport> {
  const { root, files, onProgress = () => {} } = run;
  const instrumented = await instrument(root, files);
  const known = new Set(run.equivalent.map(keyOf));
  const { count, seed } = run.sample ?? { count: Infinity, seed: 1 };
  const sample = sampleMutants(instrumented.mutants, count, seed).filter(
    run.isChosen ?? (() => true),
  );
  const judged = sample.filter((mutant) => !known.has(keyOf(mutant)));
  const tree = new ScratchTree(root, instrumented.files);
  try {
    const tests = findTestFiles(tree.root, files);
    const judges = tests.judges.filter(run.isJudge ?? (() => true));
    onProgress(`${instrumented.mutants.length} mutants, ${judges.length} test files`);
    const cache = new CoverageCache(join(root, "build/mutants-coverage"), tree.root, run.limits);
    const coverage = await runPool(judges, run.atOnce, (file) =>
      cache.get(file, async () => {
        const found = await measureCoverage(tree.root, file, run.limits);
        onProgress(`${file}: ${found.tests.size} tests`);
        return found;
      }),
    );
    let done = 0;
    const judgements = await runPool(judged, run.atOnce, async (mutant) => {
      const judgement = await judgeMutant(tree.root, mutant, coverage, run.limits);
      if (++done % 25 === 0) onProgress(`${done} of ${judged.length} mutants`);
      return judgement;
    });
    return {
      judgements,
      equivalent: sample.length - judged.length,
      stale: staleEntries(run.equivalent, files, instrumented.mutants),
      leftOut: [...tests.leftOut, ...coverage.flatMap(({ leftOut }) => leftOut)],
    };
  } finally {
    endTestFiles();
    tree.remove();
  }
}
