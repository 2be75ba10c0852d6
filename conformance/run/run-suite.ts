import type { Capabilities } from "@wirewright/dap/types";
import { cases } from "../cases/cases.js";
import { checks, type Check, type Level } from "../checks.js";
import type { Verdict } from "../session/verdict.js";
import { Pace } from "../session/pace.js";
import { attribute } from "./attribute.js";
import { confirm } from "./confirm.js";
import { probeEnvironment } from "./environment.js";
import type { Suite } from "../session/suite.js";
import { readCapabilities, runCase, type CaseResult } from "./run-case.js";

/** A check's result in a run. */
export interface CheckResult extends Omit<Verdict, "case"> {
  readonly title: string;
  readonly level: Level;
  readonly stated: string;
  /** The sentence that requires the behaviour. */
  readonly sentence?: string;
  /** Name of the case that determined the result; absent if none did. */
  readonly case?: string;
  /** The number of failures across all cases. */
  readonly failures?: number;
}

/** The result for a capability that the adapter announces. */
export interface CapabilityResult {
  /**
   * The combined result of the capability's checks:
   *
   * - `working`: the checks pass
   * - `failing`: a check fails, or the request was refused
   * - `untried`: no check was applicable
   */
  readonly status: "working" | "failing" | "untried";
  /** Ids of the checks that determined the status. */
  readonly checks: readonly string[];
}

export interface SuiteResult {
  readonly capabilities: Capabilities;
  /** Results for the announced capabilities, by name. */
  readonly uses: Readonly<Record<string, CapabilityResult>>;
  readonly checks: readonly CheckResult[];
}

export interface RunOptions {
  /** Number of cases to run at the same time. Default: 1. */
  readonly parallel?: number;
  /** Names of the cases to run. Default: all cases. */
  readonly only?: readonly string[];
  /** Called after each case. */
  readonly onCase?: (name: string, done: number, all: number) => void;
}

/**
 * Runs all cases and judges all checks. Before a failure counts, its case runs again, alone.
 *
 * @throws Error if the adapter does not start or does not answer.
 */
export async function runSuite(suite: Suite, options: RunOptions = {}): Promise<SuiteResult> {
  const { parallel = 1, only, onCase } = options;
  const pace = new Pace(suite.timeoutMs);
  const capabilities = await readCapabilities(suite, pace);
  const environment = await probeEnvironment(suite, capabilities);
  const facts = { capabilities, pace, environment };
  const waiting = cases.filter(({ name }) => only?.includes(name) ?? true);
  const count = waiting.length;
  const first: CaseResult[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      first.push(await runCase(next, suite, facts));
      onCase?.(next.name, first.length, count);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const results = await confirm(attribute(first), (name, repetition) =>
    runCase(
      cases.find((each) => each.name === name)!,
      suite,
      // A case that runs alone need not be as slow as it was among others.
      { ...facts, pace: new Pace(suite.timeoutMs) },
      `${name}-again-${repetition}`,
    ),
  );
  const verdicts = results.flatMap(({ verdicts }) => verdicts);
  const judged = summarise(checks, verdicts, new Set(results.flatMap(({ seen }) => [...seen])));
  return { capabilities, uses: usesOf(capabilities, judged, results), checks: judged };
}

/** Determines the result for each announced capability, based on the checks that require it. */
function usesOf(
  capabilities: Capabilities,
  judged: readonly CheckResult[],
  results: readonly CaseResult[],
): Readonly<Record<string, CapabilityResult>> {
  const announced = Object.entries(capabilities)
    .filter(([, value]) => value === true || (Array.isArray(value) && value.length > 0))
    .map(([name]) => name)
    .sort();
  const refusalsCount = judged.some(
    ({ check, status }) => check === "init-07" && status === "fail",
  );
  return Object.fromEntries(
    announced.map((name) => {
      const gated = new Set(checks.filter(({ gate }) => gate === name).map(({ id }) => id));
      const scored = judged.filter(
        ({ check, level, status }) =>
          gated.has(check) && level !== "info" && (status === "pass" || status === "fail"),
      );
      const failed = scored.filter(({ status }) => status === "fail");
      const served = results.flatMap(({ served }) => served.get(name) ?? []);
      const status =
        failed.length > 0 || (served.includes(false) && refusalsCount)
          ? "failing"
          : scored.length > 0 || served.length > 0
            ? "working"
            : "untried";
      const deciding = failed.length > 0 ? failed : scored;
      return [name, { status, checks: deciding.map(({ check }) => check) }];
    }),
  );
}

/** Statuses in order of precedence. */
const weights = ["fail", "inconclusive", "pass", "blocked", "not-applicable"] as const;

/**
 * Combines verdicts into one result per check.
 *
 * @param seen Names of the messages in all sessions. A check judged by lint rules passes without a
 * verdict if its messages occurred.
 */
export function summarise(
  all: readonly Check[],
  verdicts: readonly Verdict[],
  seen: ReadonlySet<string>,
): readonly CheckResult[] {
  return all.map(({ id, title, level, stated, sentence, rules, seen: names = [] }) => {
    const head = { check: id, title, level, stated, sentence };
    for (const status of weights) {
      const candidates = verdicts.filter(
        (verdict) => verdict.check === id && verdict.status === status,
      );
      if (candidates.length === 0) continue;
      // Do not rely on the order of cases, because they may run at the same time. Prefer a blocked
      // result that was not caused by a failed check, then the case whose name comes first.
      const keyOf = ({ blockedOn, case: name }: Verdict): string =>
        `${blockedOn === undefined ? 0 : 1} ${name}`;
      const first = candidates.reduce((best, verdict) =>
        keyOf(verdict) < keyOf(best) ? verdict : best,
      );
      return { ...head, ...first, ...(status === "fail" && { failures: candidates.length }) };
    }
    const isSeen = names.length === 0 ? seen.size > 0 : names.some((name) => seen.has(name));
    return rules !== undefined && isSeen
      ? { ...head, status: "pass" }
      : {
          ...head,
          status: "not-applicable",
          text: "no message relevant to this check was seen",
        };
  });
}
