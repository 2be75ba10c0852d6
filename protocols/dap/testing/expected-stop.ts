import { option } from "@wirewright/runtime";
import type { ProgramEnd } from "../session/debug-session.js";

/** The expected location of a stop. A property that is absent or undefined matches any value. */
export interface ExpectedStop {
  /** The path of the source, or a regular expression that matches it. */
  readonly path?: string | RegExp | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The reason for the stop, such as `breakpoint`, `step` or `exception`. */
  readonly reason?: string | undefined;
  /** Name of the top frame. */
  readonly name?: string | RegExp | undefined;
}

const textOrPattern: option.OptionCheck = (value) =>
  typeof value === "string" || value instanceof RegExp ? undefined : "a string or a RegExp";

export const stopChecks = (): option.OptionChecks<ExpectedStop> => ({
  path: textOrPattern,
  line: option.count,
  column: option.count,
  reason: option.text,
  name: textOrPattern,
});

/** Describes a location as ` at a.c:3 (breakpoint)`, omitting unknown parts. */
export function describe({ path, line, column, reason, name }: ExpectedStop): string {
  const location = [path, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
  const inside = name === undefined ? "" : ` in ${String(name)}`;
  return `${location === "" ? "" : ` at ${location}`}${inside}${reason === undefined ? "" : ` (${reason})`}`;
}

export function endOf({ reason, exitCode, error }: ProgramEnd): string {
  const code = exitCode === undefined ? "" : `, exit code ${exitCode}`;
  return ` (${reason}${code}${error === undefined ? "" : `, ${error.message}`})`;
}

export function isAsExpected(key: keyof ExpectedStop, actual: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(String(actual));
  return key === "path" ? plainPath(actual) === plainPath(expected) : actual === expected;
}

/** On Windows, the same path can be written in several ways. */
function plainPath(path: unknown): string {
  const text = String(path).replaceAll("\\", "/");
  return /^[A-Za-z]:\//.test(text) ? text.toLowerCase() : text;
}
