import { existsSync, readFileSync } from "node:fs";
import type { LintFinding } from "wirewright";

/**
 * How strictly a behaviour is required: `must` only if the sentence says "must" or "required", or
 * the schema requires it. Checks with `info` are not scored.
 */
export type Level = "must" | "should" | "info";

/** One expected behaviour of an adapter. */
export interface Check {
  readonly id: string;
  /** How a passing adapter behaves, as a sentence. */
  readonly title: string;
  readonly level: Level;
  /** The schema definition or overview section that requires the behaviour. */
  readonly stated: string;
  /**
   * The sentence there that requires it, or a part of it. Absent if the schema itself requires it, or
   * if it is common practice.
   */
  readonly sentence?: string;
  /** The capability that the check requires. If the check passes, the capability works. */
  readonly gate?: string;
  /**
   * Ids of `wirewright lint` rules. The check fails if any of these rules has a finding about the
   * adapter in any session.
   */
  readonly rules?: readonly string[];
  /**
   * Message names, for a check with rules. The check passes only if at least one of these messages
   * occurs.
   */
  readonly seen?: readonly string[];
}

/**
 * Returns a function that finds the check that fails because of a lint finding. A missing id, or
 * the id 0, fails the check on sequence numbers.
 */
export function checkByRule(checks: readonly Check[]): (finding: LintFinding) => Check | undefined {
  const byRule = new Map(
    checks.flatMap((check) => (check.rules ?? []).map((rule) => [rule, check])),
  );
  return ({ rule, pointer }) =>
    byRule.get(pointer === "/seq" && rule === "schema.deviation" ? "number.order" : rule);
}

const levels: readonly string[] = ["must", "should", "info"];

/** What `stated` says about a check without a sentence. Its level is `info`. */
export const commonPractice = "no sentence: common practice";

/** In the package, the tables are next to the compiled modules. In the repository, they are here. */
const tables = ["../checks/", "../../conformance/checks/"]
  .map((path) => new URL(path, import.meta.url))
  .find(existsSync)!;

/**
 * Reads a table of checks. Its columns are id, level, title and location, followed by additional
 * columns. An indented line after a check is its sentence.
 *
 * @throws Error if a line has too few columns or an unknown level.
 */
function readTable(
  name: string,
  more: (columns: readonly string[]) => Partial<Check>,
): readonly Check[] {
  return readFileSync(new URL(`${name}.txt`, tables), "utf8")
    .trim()
    .split(/\n(?! )/)
    .map((lines) => {
      const [line = "", sentence] = lines.split("\n").map((each) => each.trim());
      const [id = "", level = "", title = "", stated = "", ...rest] = line
        .split("|")
        .map((cell) => cell.trim());
      if (!levels.includes(level) || stated === "") throw new Error(`not a check: ${line}`);
      return { id, title, level: level as Level, stated, sentence, ...more(rest) };
    });
}

const words = (cell: string | undefined): readonly string[] =>
  cell === undefined || cell === "" ? [] : cell.split(" ");

/** The additional columns of checks decided by lint rules: rules, and message names. */
const ruleColumns = ([rules, seen]: readonly string[]): Partial<Check> => ({
  rules: words(rules),
  seen: words(seen),
});

/** Checks judged by cases. The last column names the required capability. */
export const caseChecks: readonly Check[] = readTable("adapter-cases", ([gate]) => ({ gate }));

/**
 * Checks decided by lint rules in every session that the suite runs. A check applies to an adapter
 * if at least one of its messages occurs.
 */
export const ruleChecks: readonly Check[] = readTable("adapter-rules", ruleColumns);

export const checks: readonly Check[] = [...caseChecks, ...ruleChecks];

/**
 * Client checks decided by lint rules or scenarios. A check with message names passes only if at
 * least one of these messages occurs.
 */
export const clientChecks: readonly Check[] = readTable("clients", ruleColumns);
