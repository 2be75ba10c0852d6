import type { Capabilities } from "../../generated/dap/types.js";
import { cases } from "../cases/cases.js";
import type { Level } from "../checks/check.js";
import { checks } from "../checks/checks.js";
import { ruleChecks } from "../checks/rule-checks.js";
import type { Verdict } from "../session/verdict.js";
import { readCapabilities, runCase, type CaseResult, type Suite } from "./run-case.js";

/** The result of a check in a run. */
export interface CheckResult extends Omit<Verdict, "case"> {
  readonly title: string;
  readonly level: Level;
  readonly stated: string;
  /** The case that decided it; absent if none did. */
  readonly case?: string;
  /** How many times it failed. */
  readonly failures?: number;
}

export interface SuiteResult {
  readonly capabilities: Capabilities;
  readonly checks: readonly CheckResult[];
}

export interface RunOptions {
  /** Cases at a time. Default: 1. */
  readonly parallel?: number;
  /** Names of the cases to run. Default: all. */
  readonly only?: readonly string[];
  /** Called after each case. */
  readonly onCase?: (name: string, done: number, all: number) => void;
}

/** Runs all cases, and judges all checks. @throws Error if the adapter does not start or answer. */
export async function runSuite(suite: Suite, options: RunOptions = {}): Promise<SuiteResult> {
  const { parallel = 1, only, onCase } = options;
  const capabilities = await readCapabilities(suite);
  const waiting = cases.filter(({ name }) => only?.includes(name) ?? true);
  const all = waiting.length;
  const results: CaseResult[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.push(await runCase(next, suite, capabilities));
      onCase?.(next.name, results.length, all);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { capabilities, checks: summarise(results) };
}

/** One failure decides; then a pass, then what blocked it. */
const weights = ["fail", "pass", "blocked", "not-applicable"] as const;

function summarise(results: readonly CaseResult[]): readonly CheckResult[] {
  const seen = new Set(results.flatMap((each) => [...each.seen]));
  const rules = new Map(ruleChecks.map(({ id, seen: names = [] }) => [id, names]));
  return checks.map(({ id, title, level, stated }) => {
    const head = { check: id, title, level, stated };
    const verdicts = results.flatMap((each) => each.verdicts).filter(({ check }) => check === id);
    for (const status of weights) {
      const found = verdicts.filter((each) => each.status === status);
      if (found.length === 0) continue;
      // Cases may run at the same time: the name decides which is shown.
      const first = found.reduce((best, each) => (each.case < best.case ? each : best));
      return { ...head, ...first, ...(status === "fail" ? { failures: found.length } : {}) };
    }
    const names = rules.get(id);
    const isSeen = names?.length === 0 ? seen.size > 0 : names?.some((name) => seen.has(name));
    return isSeen === true
      ? { ...head, status: "pass" }
      : { ...head, status: "not-applicable", text: "nothing to judge has occurred" };
  });
}
