import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Transport } from "@wirewright/dap/connection";
import {
  reportText,
  runSuite,
  unexpectedOf,
  type AdapterResults,
  type CheckResult,
} from "../../conformance/index.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { variable } from "../support/reference/message-changes.js";
import { mutants } from "../support/reference/mutants.js";
import { mutated, type Mutant } from "../support/reference/mutated-transport.js";
import { referenceAdapter } from "../support/reference/reference-adapter.js";
import {
  referenceResults,
  referenceSuite,
  stepsLanguage,
} from "../support/reference/reference-suite.js";

async function resultsOf(
  only: readonly string[],
  mutant: Mutant,
  language = stepsLanguage(),
): Promise<ReadonlyMap<string, CheckResult>> {
  const change = (transport: Transport): Transport => mutated(transport, mutant);
  const adapter = { mistake: mutant.check, change };
  return referenceResults(await referenceSuite(language), () => adapter, { only });
}

test("checks that a language's programs cannot exercise are not applicable", async () => {
  const only = ["condition", "hit-condition", "logpoint", "condition-invalid", "whole-run"];
  const found = await resultsOf(only, { check: "none" }, stepsLanguage("markdown"));
  const statuses = ["bp-08", "bp-09", "bp-10", "bp-21", "bp-28", "end-01", "end-08"].map(
    (check) => `${check} ${found.get(check)?.status}`,
  );
  assert.deepEqual(statuses, [
    "bp-08 not-applicable",
    "bp-09 not-applicable",
    "bp-10 pass",
    "bp-21 not-applicable",
    "bp-28 not-applicable",
    "end-01 pass",
    "end-08 not-applicable",
  ]);
  assert.equal(found.get("end-08")?.text, "mock-debug's programs have no exit code");
});

test("a server that ends after one session has no next client", async () => {
  const open = () => {
    const adapter = referenceAdapter({ isServer: true });
    let clients = 0;
    const connect = async (): Promise<Transport> => {
      if (++clients > 1) throw new Error("connection refused");
      return adapter.connect();
    };
    return { ...adapter, connect };
  };
  const suite = { ...(await referenceSuite()), target: { open } };
  const { checks } = await runSuite(suite, { only: ["next-client"] });
  const { status, text } = checks.find(({ check }) => check === "end-07")!;
  assert.deepEqual([status, text], ["not-applicable", "the adapter ends after one session"]);
});

test("a hover expression counts as free of side effects if the variable keeps its value, whatever that value is", async () => {
  const send = variable("total", { value: "10" });
  const found = await resultsOf(["evaluate-hover"], { check: "none", send });
  assert.equal(found.get("evl-06")?.status, "pass");
});

test("a program that lacks a mark required by the cases is refused", () =>
  withFolder(async (folder) => {
    cpSync(fromRoot("test/fixtures/conformance"), folder, { recursive: true });
    writeFiles(folder, { "loop.steps": "step @bp first\nstep @bp loop\nstep @bp next\n" });
    const open = () => referenceSuite(undefined, { own: { language: stepsLanguage(), folder } });
    await assert.rejects(open, {
      name: "InputError",
      code: "ERR_CONFIG",
      message: 'Cannot use the program "loop": it has no line with the mark "@line blank"',
      place: { file: join(folder, "loop.steps") },
      hint: /"@line blank" to the same line as in fixtures\/python/,
    });
    rmSync(join(folder, "loop.steps"));
    await open();
  }));

const refusing: Mutant = {
  check: "none",
  send: (message) =>
    message["command"] === "setVariable"
      ? { ...message, success: false, message: "not now", body: {} }
      : message,
};

test("a check blocked by another check's failure is listed under it, and is not unexpected as well", async () => {
  const found = await resultsOf(["set-variable"], refusing);
  const { status, blockedOn } = found.get("var-05")!;
  assert.deepEqual(
    [found.get("init-07")?.status, status, blockedOn],
    ["fail", "blocked", "init-07"],
  );
  const checks = [...found.values()].filter((each) => each.status !== "pass");
  const unexpected = (expected: AdapterResults["expected"]): readonly string[] =>
    unexpectedOf({ checks, expected }).failed.map(({ check }) => check);
  assert.deepEqual(unexpected({}), ["init-07"]);
  assert.deepEqual(unexpected({ "init-07": "known" }), []);
  const text = reportText([
    {
      report: "conformance",
      reportVersion: 1,
      adapter: { name: "one", language: "own", target: "none" },
      protocol: "1.71.0",
      counts: { pass: 0, fail: 1, inconclusive: 0, blocked: 1, "not-applicable": 0 },
      expected: {},
      capabilities: {},
      uses: {},
      checks,
    },
  ]);
  assert.match(text, /\n {4}blocked because init-07 failed\n/);
  assert.match(text, /\n {4}unexpected: init-07\n$/);
});

test("the evidence for a missing stop is the message that shows it, not the first message", async () => {
  const mutant = mutants.find(({ check }) => check === "bp-27")!;
  const found = await resultsOf(["breakpoint-other-source"], mutant);
  const { status, actual, message } = found.get("bp-27")!;
  assert.deepEqual([status, actual], ["fail", "no stopped event: the program has ended"]);
  assert.ok(message! > 8, `message ${message}`);
});
