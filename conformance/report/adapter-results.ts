import { existsSync, readFileSync } from "node:fs";
import type { AdapterEntry } from "../run/adapter-entry.js";
import type { CheckResult, SuiteResult } from "../run/run-suite.js";

/** An adapter's results in JSON form, as described in `schema/formats/conformance-results.schema.json`. */
export interface AdapterResults extends SuiteResult {
  readonly report: "conformance";
  readonly reportVersion: 1;
  readonly adapter: {
    readonly name: string;
    readonly language: string;
    readonly title?: string;
    readonly version?: string;
    readonly released?: string;
    readonly source?: string;
    /** The adapter's command or address. */
    readonly target: string;
  };
  /** Absent in results of earlier suites. */
  readonly run?: SuiteRun;
  /** The protocol version against which the messages were judged. */
  readonly protocol: string;
  /** How many scored checks have each status. */
  readonly counts: Counts;
  /** Reasons for expected failures, by check. */
  readonly expected: Readonly<Record<string, string>>;
  /** How the adapter did before, if it was tested before. */
  readonly earlier?: EarlierVerdicts;
}

/** The verdicts of an earlier run, as far as they differ from today's. */
export interface EarlierVerdicts {
  /** The adapter's version in the earlier run. */
  readonly version?: string;
  /** Day of the earlier run, in UTC. */
  readonly date?: string;
  /** The earlier verdicts, by check. */
  readonly verdicts: Readonly<Record<string, CheckResult["status"]>>;
}

/** When, where and with which suite results were made. */
export interface SuiteRun {
  /** Version of the suite. */
  readonly suite: string;
  /** Day of the run, in UTC: `2026-11-28`. */
  readonly date: string;
  /** Operating system, processor and Node version: `linux x64, Node 22.1.0`. */
  readonly platform: string;
  /** Names of the cases that ran, if not all did. */
  readonly only?: readonly string[];
}

/** The package in the project, or the published one. */
const [packageFile] = ["../../../conformance/package.json", "../package.json"]
  .map((path) => new URL(path, import.meta.url))
  .filter(existsSync);

function describeRun(only: readonly string[] | undefined): SuiteRun {
  const { version } = JSON.parse(readFileSync(packageFile!, "utf8")) as { version: string };
  return {
    suite: version,
    date: new Date().toISOString().slice(0, 10),
    platform: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    only,
  };
}

export type Counts = Readonly<Record<CheckResult["status"], number>>;

/** How each status is shown. */
export const statuses = {
  pass: { mark: "✓", word: "passed" },
  fail: { mark: "✗", word: "failed" },
  inconclusive: { mark: "~", word: "inconclusive" },
  blocked: { mark: "?", word: "blocked" },
  "not-applicable": { mark: "–", word: "not applicable" },
} as const satisfies Readonly<Record<CheckResult["status"], object>>;

/** Formats counts as text: `97 passed, 2 failed, 1 inconclusive, 0 blocked, 12 not applicable`. */
export function countsText(counts: Counts): string {
  return Object.entries(statuses)
    .map(([status, { word }]) => `${counts[status as CheckResult["status"]]} ${word}`)
    .join(", ");
}

/**
 * Whether a result counts in a score. A check that is blocked by the failure of another check is
 * listed under that check and does not count again.
 */
export function isScored({ level, status, blockedOn }: CheckResult): boolean {
  return (
    level !== "info" &&
    (status === "pass" || status === "fail" || (status === "blocked" && blockedOn === undefined))
  );
}

/** How many scored checks have each status. */
export function countsOf(results: readonly CheckResult[]): Counts {
  const scored = results.filter(({ level }) => level !== "info");
  const count = (status: CheckResult["status"]): number =>
    scored.filter((result) => result.status === status).length;
  return {
    pass: count("pass"),
    fail: count("fail"),
    inconclusive: count("inconclusive"),
    blocked: count("blocked"),
    "not-applicable": count("not-applicable"),
  };
}

/** Adds what earlier results of the same adapter say differently. */
export function withEarlier(results: AdapterResults, earlier: AdapterResults): AdapterResults {
  const today = new Map(results.checks.map(({ check, status }) => [check, status]));
  const differing = earlier.checks.filter(
    ({ check, status }) => today.has(check) && today.get(check) !== status,
  );
  const verdicts = Object.fromEntries(differing.map(({ check, status }) => [check, status]));
  const { version } = earlier.adapter;
  return { ...results, earlier: { version, date: earlier.run?.date, verdicts } };
}

export function adapterResults(
  name: string,
  entry: AdapterEntry,
  protocol: string,
  result: SuiteResult,
  only?: readonly string[],
): AdapterResults {
  const { language, title, version, released, source, command = [], connect } = entry;
  return {
    report: "conformance",
    reportVersion: 1,
    adapter: {
      name,
      language,
      title,
      version,
      released,
      source,
      target: connect ?? command.join(" "),
    },
    run: describeRun(only),
    protocol,
    counts: countsOf(result.checks),
    expected: entry.expected ?? {},
    ...result,
  };
}

/**
 * Compares results with expectations. `failed` contains the scored checks that unexpectedly fail or
 * are blocked, and `stale` contains the expected failures of checks that pass or do not apply. A check that is
 * blocked by another check's failure is never unexpected.
 */
export function unexpectedOf({
  checks,
  expected,
  run,
}: Pick<AdapterResults, "checks" | "expected" | "run">): {
  readonly failed: readonly CheckResult[];
  readonly stale: readonly string[];
} {
  const isFine = ({ status }: CheckResult): boolean =>
    status === "pass" || status === "not-applicable";
  return {
    failed: checks.filter(
      (result) =>
        isScored(result) && result.status !== "pass" && !Object.hasOwn(expected, result.check),
    ),
    stale:
      run?.only === undefined
        ? checks
            .filter((result) => isFine(result) && Object.hasOwn(expected, result.check))
            .map(({ check }) => check)
        : [],
  };
}

/** Groups checks by the part of their ids that precedes the dash, in order. */
export function groupsOf(
  checks: readonly CheckResult[],
): ReadonlyMap<string, readonly CheckResult[]> {
  const groups = new Map<string, CheckResult[]>();
  for (const result of checks) {
    const group = result.check.split("-", 1)[0]!;
    groups.set(group, [...(groups.get(group) ?? []), result]);
  }
  return groups;
}

export const groupNames: Readonly<Record<string, string>> = {
  base: "Messages",
  init: "Initialization",
  launch: "Launch",
  attach: "Attach",
  bp: "Breakpoints",
  exc: "Exceptions",
  run: "Running and stepping",
  thr: "Threads",
  stk: "Stack",
  src: "Sources",
  mod: "Modules",
  var: "Variables",
  evl: "Evaluation",
  mem: "Memory",
  cxl: "Cancellation",
  prg: "Progress",
  out: "Output",
  term: "Terminal",
  chd: "Child sessions",
  end: "End",
  conf: "Configuration",
  ref: "References",
  rev: "Requests from the adapter",
  evt: "Events",
  rsp: "Responses",
};

/** Returns an adapter's title, such as "debugpy 1.8.22", or otherwise the name of its entry. */
export function labelOf({ adapter: { name, title, version } }: AdapterResults): string {
  return title === undefined ? name : `${title}${version ? ` ${version}` : ""}`;
}
