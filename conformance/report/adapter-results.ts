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
  /** The protocol version against which the messages were judged. */
  readonly protocol: string;
  /** How many scored checks have each status. */
  readonly counts: Counts;
  /** Reasons for expected failures, by check. */
  readonly expected: Readonly<Record<string, string>>;
}

export type Counts = Readonly<
  Record<Exclude<CheckResult["status"], "inconclusive">, number> & {
    /** Absent in results of earlier versions. */
    inconclusive?: number;
  }
>;

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

export function adapterResults(
  name: string,
  entry: AdapterEntry,
  protocol: string,
  result: SuiteResult,
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
    protocol,
    counts: countsOf(result.checks),
    expected: entry.expected ?? {},
    ...result,
  };
}

/**
 * Compares results with expectations. `failed` contains the scored checks that unexpectedly fail or
 * are blocked, and `stale` contains the expected failures that do not occur. A check that is
 * blocked by an expected failure counts as expected, too.
 */
export function unexpectedOf({ checks, expected }: Pick<AdapterResults, "checks" | "expected">): {
  readonly failed: readonly CheckResult[];
  readonly stale: readonly string[];
} {
  const isBad = ({ status }: CheckResult): boolean => status === "fail" || status === "blocked";
  // An expected failure that is inconclusive may still occur.
  const bad = new Set(
    checks
      .filter((result) => isBad(result) || result.status === "inconclusive")
      .map(({ check }) => check),
  );
  const isExpected = (check = ""): boolean => Object.hasOwn(expected, check);
  return {
    failed: checks.filter(
      (result) =>
        isBad(result) &&
        result.level !== "info" &&
        !isExpected(result.check) &&
        !(result.status === "blocked" && isExpected(result.blockedOn)),
    ),
    stale: Object.keys(expected).filter((check) => !bad.has(check)),
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
