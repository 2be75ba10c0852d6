import { Coverage } from "./coverage.js";
import { InputRunner } from "./input-runner.js";
import { type Finding } from "./outcome.js";
import { instrumentedFolder } from "./instrumented-copy.js";
import { modulesOf } from "./modules.js";
import { countNativeWork } from "./native-work.js";
import { targets } from "./targets/index.js";

let coverage: Coverage | undefined;

/**
 * Returns the thread's coverage object. There is only one per thread, because instrumented modules
 * are loaded only once.
 */
function installedCoverage(): Coverage {
  if (coverage === undefined) {
    coverage = new Coverage();
    coverage.install();
    countNativeWork(coverage.work);
  }
  return coverage;
}

/**
 * Runs one of a target's inputs with all salts in the instrumented copy, which must be up to date.
 * Returns the findings.
 * @param isMinimised Whether to look for a smaller input with the same finding.
 */
export async function checkInput(
  name: string,
  input: Uint8Array,
  isMinimised = false,
): Promise<readonly Finding[]> {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`Cannot find the target "${name}"`);
  const counts = installedCoverage();
  const checks = await target.open(modulesOf(instrumentedFolder));
  const runner = new InputRunner(target, checks, counts);
  const findings = await runner.runAll(input);
  if (!isMinimised) return findings;
  const smaller: Finding[] = [];
  for (const finding of findings)
    smaller.push({ ...finding, ...(await runner.minimise(input, finding.salt, finding.key)) });
  return smaller;
}
