import { createValidator, type Rule } from "../../runtime/index.js";
import type {
  Tolerance,
  ValidateOptions,
  ValidationIssue,
} from "../../runtime/validation/findings.js";

/** The issues of a value, or its tolerated deviations. */
export function found(
  rule: Rule,
  value: unknown,
  options?: ValidateOptions,
): readonly ValidationIssue[] {
  const result = createValidator(rule)(value, options);
  return result.ok ? result.deviations : result.issues;
}

/** The issues as places and codes. Tolerated deviations also have their tolerance. */
export function places(rule: Rule, value: unknown, options?: ValidateOptions): readonly string[] {
  const result = createValidator(rule)(value, options);
  return result.ok
    ? result.deviations.map(({ pointer, rule }) => `${pointer} lets pass ${rule}`)
    : result.issues.map(({ pointer, code }) => `${pointer} ${code}`);
}

export const tolerating = (...tolerate: Tolerance[]): ValidateOptions => ({ tolerate });
