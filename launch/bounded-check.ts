import { InputError } from "../generator/base/input-error.js";
import { runWithin } from "../generator/base/packages.js";

/**
 * Time limit for checking a value, in milliseconds. Only a regular expression in the schema can
 * exceed it.
 */
const maxCheckMs = 1_000;

/**
 * Checks a value against an untrusted schema.
 *
 * @throws InputError `ERR_SCHEMA` if a pattern in the schema takes too long.
 */
export function boundedCheck<Result>(schema: unknown, check: () => Result): Result {
  const result = runWithin(maxCheckMs, check);
  if (result !== undefined) return result;
  throw new InputError(
    "ERR_SCHEMA",
    `Cannot check a value within ${maxCheckMs} ms: a pattern in the schema takes exponential time${patternsIn(schema)}`,
    {},
    "Check for nested repetitions, such as (a+)+",
  );
}

/** Lists the regular expressions in a schema, for an error message. */
function patternsIn(schema: unknown): string {
  const patterns = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "pattern" && typeof value === "string") patterns.add(value.slice(0, 100));
    return value;
  });
  const shown = [...patterns].slice(0, 3).map((each) => JSON.stringify(each));
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}
