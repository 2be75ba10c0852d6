import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder that takes the coverage of each process; set while coverage is measured. */
export const coverageVariable = "WIREWRIGHT_MUTANT_COVERAGE";

/** The test that runs; processes that it starts inherit it. */
const testVariable = "WIREWRIGHT_MUTANT_TEST";

/** What a test reached; it is "" for what was reached while files loaded. */
export interface CoverageRecord {
  readonly test: string;
  readonly mutants: readonly string[];
}

/** Notes which mutants are reached. Returns what is to be called at the beginning of each test. */
export function recordCoverage(): (test: string) => void {
  const folder = process.env[coverageVariable]!;
  const reached = new Set<string>();
  let isExiting = false;
  let current = process.env[testVariable] ?? "";
  Object.assign(globalThis, {
    coverMutants(ids: ArrayLike<string>) {
      for (let at = 0; at < ids.length; at++) reached.add(ids[at]!);
      // What runs behind our own listener to the exit writes for itself.
      if (isExiting) write();
    },
  });
  const write = (): void => {
    const record: CoverageRecord = { test: current, mutants: [...reached] };
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(record));
    reached.clear();
  };
  process.on("exit", () => {
    isExiting = true;
    write();
  });
  return (test) => {
    write();
    current = test;
    process.env[testVariable] = test;
  };
}
