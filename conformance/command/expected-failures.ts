import type { Check } from "../checks/check.js";
import { readObject } from "../project/adapter-entry.js";

/** Checks that are expected to fail, with reasons. @throws TypeError if a check does not exist, or a reason is missing */
export function readReasons(
  path: string,
  checks: readonly Check[],
): Readonly<Record<string, string>> {
  const reasons = readObject(path);
  for (const [check, reason] of Object.entries(reasons)) {
    if (!checks.some(({ id }) => id === check))
      throw new TypeError(`${path}: there is no check "${check}": see --list`);
    if (typeof reason !== "string" || reason.trim() === "")
      throw new TypeError(`${path}: ${check} has no reason`);
  }
  return reasons as Readonly<Record<string, string>>;
}
