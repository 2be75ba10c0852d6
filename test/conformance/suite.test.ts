import assert from "node:assert/strict";
import { test } from "node:test";
import { languages, openSuite, runSuite, type CheckResult } from "../../conformance/index.js";
import type { Transport } from "../../generated/dap/connection.js";
import { fromRoot } from "../../tools/shared/paths.js";
import { mutants, mutated } from "../support/mutant-adapters.js";
import { referenceAdapter } from "../support/reference-adapter.js";

const language = {
  ...languages().get("python")!,
  extension: "steps",
  launch: { program: "${program}" },
};

const suite = await openSuite({
  target: {},
  language: "python",
  own: { language, folder: fromRoot("test/fixtures/conformance") },
  timeoutMs: 2_000,
});

async function resultsOf(open: () => Transport): Promise<readonly CheckResult[]> {
  const { checks } = await runSuite({ ...suite, target: { open } }, { parallel: 8 });
  return checks;
}

const failed = (results: readonly CheckResult[]): readonly string[] =>
  results.filter(({ status }) => status === "fail").map(({ check }) => check);

test("the reference adapter fails no check, and none is blocked", async () => {
  const results = await resultsOf(referenceAdapter);
  const others = results.filter(({ status }) => status === "fail" || status === "blocked");
  assert.deepEqual(others, []);
  const passed = results.filter(({ status }) => status === "pass");
  assert.ok(passed.length >= 60, `${passed.length} passed`);
});

for (const mutant of mutants) {
  test(`a mutant of the reference adapter fails ${mutant.check} only`, async () => {
    const results = await resultsOf(() => mutated(referenceAdapter(), mutant));
    assert.deepEqual(failed(results), [mutant.check]);
    const { expected, actual } = results.find(({ check }) => check === mutant.check)!;
    assert.ok(expected !== undefined && actual !== undefined && expected !== "");
  });
}
