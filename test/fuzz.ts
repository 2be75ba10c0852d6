/**
 * Tries more inputs than the tests do: `npm run fuzz -- [NAME…] [--runs N] [--seed S]`. A failure
 * prints the smallest input that fails, and the seed, which is random unless it is given.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { fromRoot } from "./support/paths.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "10000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
const names = positionals.length === 0 ? ["properties"] : positionals;
console.log(`${names.join(", ")}: ${values.runs} runs, seed ${values.seed}`);
const { status } = spawnSync(process.execPath, [fromRoot("build/test/run.js"), ...names], {
  stdio: "inherit",
  env: { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: values.seed },
});
process.exitCode = status ?? 1;
