/**
 * Tries more inputs than the tests do: `npm run fuzz -- [NAME…] [--runs N] [--minutes N] [--seed S]`.
 * With `--minutes`, each property tries inputs for that long, and prints the slowest. A failure prints
 * the smallest input that fails, and the seed, which is random unless it is given.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { fromRoot } from "./support/paths.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "10000" },
    minutes: { type: "string" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
const names = positionals.length === 0 ? ["properties"] : positionals;
const { runs, minutes, seed } = values;
const length = minutes === undefined ? `${runs} runs` : `${minutes} minutes a property`;
console.log(`${names.join(", ")}: ${length}, seed ${seed}`);
const { status } = spawnSync(process.execPath, [fromRoot("build/test/run.js"), ...names], {
  stdio: "inherit",
  env: {
    ...process.env,
    FUZZ_RUNS: runs,
    FUZZ_SEED: seed,
    ...(minutes !== undefined && { FUZZ_MINUTES: minutes }),
  },
});
process.exitCode = status ?? 1;
