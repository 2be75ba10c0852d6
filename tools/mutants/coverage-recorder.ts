import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The environment variable with the folder for the coverage of each process. It is set only while
 * coverage is measured.
 */
export const coverageVariable = "WIREWRIGHT_MUTANT_COVERAGE";

/** The environment variable with the name of the current test, which child processes inherit. */
const testVariable = "WIREWRIGHT_MUTANT_TEST";

/** The mutants that a test reached. The test "" stands for the time while files are loaded. */
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
      // Other exit listeners may reach mutants after our listener has written, so write again.
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
