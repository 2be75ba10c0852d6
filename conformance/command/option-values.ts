import { checkFormat, InputError } from "wirewright";
import { pointerStep } from "@wirewright/runtime/internal/base/json-pointer.js";
import { nearestText } from "@wirewright/runtime/internal/base/nearest-text.js";
import type { Check } from "../checks.js";
import { readJsonFile } from "../run/adapter-entry.js";

/** @throws TypeError if the value is not a whole number of at least 1. */
export function positive(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new TypeError(`${name} requires a number of at least 1, not "${text}"`);
}

/**
 * Reads the checks that are expected to fail, along with the reasons.
 *
 * @throws InputError if a check does not exist or a reason is missing.
 */
export function readReasons(
  path: string,
  checks: readonly Check[],
): Readonly<Record<string, string>> {
  const file = readJsonFile(path);
  checkFormat(
    file,
    "conformance-expected",
    "ERR_CONFIG",
    "Give the reason for each check id as a string",
  );
  const { $schema: _schema, ...reasons } = file.value as Readonly<Record<string, string>>;
  const ids = checks.map(({ id }) => id);
  for (const check of Object.keys(reasons)) {
    if (ids.includes(check)) continue;
    const guess = nearestText(check, ids);
    throw new InputError(
      "ERR_CONFIG",
      `Cannot find the check "${check}"`,
      file.locate(pointerStep(check)),
      guess === undefined ? "--list prints the checks" : `Did you mean "${guess}"?`,
    );
  }
  return reasons;
}
