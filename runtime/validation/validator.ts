import {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
} from "./findings.js";
import { emptyList, reportUnreadable } from "./issues.js";
import { linkRule } from "./link-rule.js";
import type { RuleNode } from "./rule-node.js";
import type { Rule, RuleHolder } from "./rule.js";
import { walkValue } from "./walk.js";

/** Validates a value. Returns the typed value or the issues. Never throws. */
export interface Validator<Type> {
  (value: unknown, options?: ValidateOptions): Validation<Type>;
}

/** Default for the `maxIssues` option. */
const defaultMaxIssues = 100;

/**
 * Creates a validator.
 *
 * @param isValid A fast check. If it accepts a value, the rule is needed only to find unknown fields.
 * It may throw what a value's getters or proxies throw.
 */
export function createValidator<Type>(
  rule: Rule,
  isValid?: (value: unknown) => boolean,
): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => {
    const tolerated = toleratedBy(options);
    const listsUnknownFields = tolerated.includes("unknown-field");
    const verdict = isValid && accepts(isValid, value);
    if (verdict === true && !listsUnknownFields)
      return { ok: true, value: value as Type, deviations: emptyList };
    const maxIssues = options?.maxIssues ?? defaultMaxIssues;
    node ??= linkRule(rule);
    const findings = walkValue(node, value, tolerated, listsUnknownFields, maxIssues);
    const { issues, deviations } = findings;
    // If there is no issue now, a getter or proxy returned different values this time.
    if (verdict === false && issues.length + deviations.length === 0)
      reportUnreadable(findings, "");
    return findings.issues.length === 0
      ? { ok: true, value: value as Type, deviations }
      : { ok: false, issues: findings.issues };
  };
}

/** The validator of a definition. The rules of other definitions refer to it. */
export interface DefinitionValidator<Type> extends Validator<Type>, RuleHolder {}

/** Creates the validator of a definition. */
export function defineValidator<Type>(
  isValid: (value: unknown) => boolean,
  rule: () => Rule,
): DefinitionValidator<Type> {
  return Object.assign(createValidator<Type>(rule, isValid), { rule });
}

function accepts(isValid: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return isValid(value);
  } catch {
    return false; // A getter or proxy threw.
  }
}

function toleratedBy(options: ValidateOptions | undefined): readonly Tolerance[] {
  if (options === undefined) return emptyList;
  return options.tolerate ?? (options.profile === "wire" ? wireTolerances : emptyList);
}
