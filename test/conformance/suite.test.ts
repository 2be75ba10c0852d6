import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checks,
  languages,
  openSuite,
  runSuite,
  type CheckResult,
} from "../../conformance/index.js";
import { fromRoot } from "../../tools/shared/paths.js";
import { mutants } from "../support/reference/mutants.js";
import { mutated, type Mutant } from "../support/reference/mutated-transport.js";
import { referenceAdapter } from "../support/reference/reference-adapter.js";

const language = {
  ...languages().get("python")!,
  extension: "steps",
  run: ["sleep", "60"],
  launch: { program: "${program}" },
};

const suite = await openSuite({
  target: {},
  language: "python",
  own: { language, folder: fromRoot("test/fixtures/conformance") },
  terminal: { terminal: true },
  attach: { arguments: { program: "${program}", pid: "${pid}" } },
  timeoutMs: 4_000,
});

async function resultsOf(mutant?: Mutant, isServer = false): Promise<readonly CheckResult[]> {
  const open = () =>
    referenceAdapter({
      isServer: mutant?.isServer ?? isServer,
      ...(mutant === undefined
        ? {}
        : { mistake: mutant.check, change: (transport) => mutated(transport, mutant) }),
    });
  return (await runSuite({ ...suite, target: { open } }, { parallel: 12 })).checks;
}

const namesOf = (
  results: readonly CheckResult[],
  status: CheckResult["status"],
): readonly string[] => results.filter((each) => each.status === status).map(({ check }) => check);

test("the reference adapter passes every check, on standard streams or as a server", async () => {
  const [alone, served] = [await resultsOf(), await resultsOf(undefined, true)];
  const others = [...alone, ...served].filter(
    ({ status }) => status === "fail" || status === "blocked",
  );
  assert.deepEqual(others, []);
  const passed = new Set([...namesOf(alone, "pass"), ...namesOf(served, "pass")]);
  assert.deepEqual(
    checks.map(({ id }) => id).filter((id) => !passed.has(id)),
    [],
  );
});

test("messages that overtake each other are numbered well, as threads write at the same time", async () => {
  const results = await resultsOf({
    check: "base-02",
    keepsNumbers: true,
    send: (message, state) => {
      if (message["event"] === "module") {
        state["late"] = message;
        return [];
      }
      const { late } = state;
      delete state["late"];
      return late === undefined ? message : [message, late];
    },
  });
  assert.deepEqual(namesOf(results, "fail"), []);
});

test("each check has a mutant", () => {
  const ids = checks.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  assert.deepEqual(mutants.map(({ check }) => check).toSorted(), ids.toSorted());
});

describe("mutants", { concurrency: 4 }, () => {
  for (const mutant of mutants)
    test(`a mutant of the reference adapter fails ${mutant.check} only`, async () => {
      const results = await resultsOf(mutant);
      assert.deepEqual(namesOf(results, "fail"), [mutant.check]);
      const { expected, actual } = results.find(({ check }) => check === mutant.check)!;
      assert.ok(expected !== undefined && actual !== undefined && expected !== "");
    });
});
