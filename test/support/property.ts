/** Properties that must hold for all inputs, as tests. */
import { test } from "node:test";
import fc from "fast-check";

const { FUZZ_MINUTES, FUZZ_RUNS, FUZZ_SEED } = process.env;

/**
 * Declares a test of a property. `npm test` always tries the same inputs, `npm run fuzz` others. A
 * failure prints the seed, and the smallest input for which the property still fails. With
 * `FUZZ_MINUTES`, each property tries inputs for that long, and prints the slowest.
 */
export function property<Input>(
  name: string,
  input: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  numRuns = 200,
): void {
  test(name, async (context) => {
    let inputs = 0;
    let slowest: { readonly ms: number; readonly value?: Input } = { ms: 0 };
    const timed = async (value: Input): Promise<void> => {
      const start = performance.now();
      await check(value);
      const ms = performance.now() - start;
      inputs++;
      if (ms > slowest.ms) slowest = { ms, value };
    };
    const minutes = Number(FUZZ_MINUTES ?? 0);
    await fc.assert(fc.asyncProperty(input, timed), {
      numRuns: minutes > 0 ? Number.MAX_SAFE_INTEGER : Number(FUZZ_RUNS ?? numRuns),
      seed: Number(FUZZ_SEED ?? 1),
      includeErrorInReport: true,
      ...(minutes > 0 && { interruptAfterTimeLimit: minutes * 60_000 }),
    });
    if (minutes > 0)
      context.diagnostic(
        `${inputs} inputs; the slowest took ${slowest.ms.toFixed(0)} ms: ${fc.stringify(slowest.value).slice(0, 500)}`,
      );
  });
}
