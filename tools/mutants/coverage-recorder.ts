import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The environment variable that names the folder for each process's coverage. It is set only while
 * coverage is being measured.
 */
export const coverageVariable = "WIREWRIGHT_MUTANT_COVERAGE";

/** The environment variable that holds the name of the current test. Child processes inherit it. */
const testVariable = "WIREWRIGHT_MUTANT_TEST";

/**
 * The mutants that each test has reached. The test "" stands for the time during which files are
 * loaded.
 */
export interface CoverageRecord {
  readonly test: string;
  readonly mutants: readonly string[];
}

/** Records which mutants are reached. Returns a function to call at the start of each test. */
export function recordCoverage(): (test: string) => void {
  const folder = process.env[coverageVariable]!;
  const reached = new Set<string>();
  let isExiting = false;
  let current = process.env[testVariable] ?? "";
  Object.assign(globalThis, {
    coverMutants(ids: ArrayLike<string>) {
      for (let at = 0; at < ids.length; at++) reached.add(ids[at]!);
      // Other exit listeners may reach mutants after ours has written the file, so write it again.
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
