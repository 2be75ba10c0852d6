import { createValidator, type Rule } from "../../runtime/index.js";
import type {
  Tolerance,
  ValidateOptions,
  ValidationIssue,
} from "../../runtime/validation/findings.js";

/** Returns the issues in a value, or its tolerated deviations if it is valid. */
export function found(
  rule: Rule,
  value: unknown,
  options?: ValidateOptions,
): readonly ValidationIssue[] {
  const result = createValidator(rule)(value, options);
  return result.ok ? result.deviations : result.issues;
}

/**
 * Returns the issues as pointers and codes, or the tolerated deviations as pointers and tolerances.
 */
export function places(rule: Rule, value: unknown, options?: ValidateOptions): readonly string[] {
  const result = createValidator(rule)(value, options);
  return result.ok
    ? result.deviations.map(({ pointer, rule }) => `${pointer} lets pass ${rule}`)
    : result.issues.map(({ pointer, code }) => `${pointer} ${code}`);
}

export const tolerating = (...tolerate: Tolerance[]): ValidateOptions => ({ tolerate });
