import assert from "node:assert/strict";
import { root } from "./paths.js";
import { runCommand } from "./run-command.js";

export const hostile = [
  "test/fixtures/hostile-pair/before.json",
  "test/fixtures/hostile-pair/after.json",
  "--protocol",
  "test/fixtures/elementary",
];
export const cases: Readonly<Record<string, readonly string[]>> = {
  "1.40-1.71": ["dap@1.40.0", "dap@1.71.0"],
  "1.70-1.71": ["dap@1.70.0", "dap@1.71.0"],
  hostile,
};

export function report(args: readonly string[], status: number): string {
  const outcome = runCommand(root, ["diff", ...args]);
  assert.deepEqual([outcome.status, outcome.stderr], [status, ""]);
  return outcome.stdout;
}
