/** Properties that must hold for all inputs, as tests. */
import { test } from "node:test";
import fc from "fast-check";

const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/**
 * Declares a test of a property. `npm test` always tries the same inputs, `npm run fuzz` others. A
 * failure prints the seed, and the smallest input for which the property still fails.
 */
export function property<Input>(
  name: string,
  input: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  numRuns = 200,
): void {
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(input, async (value) => void (await check(value))),
      {
        numRuns: FUZZ_RUNS === undefined ? numRuns : Number(FUZZ_RUNS),
        seed: FUZZ_SEED === undefined ? 1 : Number(FUZZ_SEED),
      },
    );
  });
}
