import { InputError } from "wirewright";
import { pointerStep } from "@wirewright/runtime/internal/base/json-pointer.js";
import { nearestText as nearest } from "@wirewright/runtime/internal/base/nearest-text.js";
import type { Check } from "../checks/check.js";
import { readReasonsFile } from "../project/adapter-entry.js";

/**
 * Reads the checks that are expected to fail, along with the reasons.
 *
 * @throws InputError if a check does not exist or a reason is missing.
 */
export function readReasons(
  path: string,
  checks: readonly Check[],
): Readonly<Record<string, string>> {
  const file = readReasonsFile(path);
  const { $schema: _schema, ...reasons } = file.value as Readonly<Record<string, string>>;
  const known = checks.map(({ id }) => id);
  for (const check of Object.keys(reasons)) {
    if (known.includes(check)) continue;
    const guess = nearest(check, known);
    throw new InputError(
      "ERR_CONFIG",
      `Cannot find the check "${check}"`,
      file.locate(pointerStep(check)),
      guess === undefined ? "--list prints the checks" : `Did you mean "${guess}"?`,
    );
  }
  return reasons;
}
