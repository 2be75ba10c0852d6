import { isObject } from "../protocol/message-fields.js";
import { issuesOfFaults, reportUnreadable, walkValue } from "./explain.js";
import {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
} from "./findings.js";
import { emptyList } from "./issues.js";
import { kinds, linkRule, type RuleNode } from "./rule-node.js";
import type { MessageRule, Rule } from "./rule.js";
import { isDecidedByMask, outcomeOf } from "./walk.js";

/** Default of `maxIssues`. */
const defaultMaxIssues = 100;

/** Validates a value. Returns the typed value or the issues. Never throws. */
export type Validator<Type> = (value: unknown, options?: ValidateOptions) => Validation<Type>;

/** Creates the validator of a rule. */
export function createValidator<Type>(rule: Rule): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => {
    node ??= linkRule(rule);
    const tolerated = toleratedBy(options);
    let target = node;
    let faults: number | undefined;
    try {
      if (node.kind === kinds.response) target = outcomeOf(node, value);
      if (isDecidedByMask(target, mustListUnknownFields(tolerated)) && isObject(value)) {
        faults = target.faults!(value, 0);
        if (faults === 0) return passed(value as Type);
        if (tolerated.length === 0) {
          const issues = issuesOfFaults(
            target,
            value,
            faults,
            options?.maxIssues ?? defaultMaxIssues,
          );
          if (issues.length > 0) return { ok: false, issues };
        }
      }
    } catch {
      // The walk below reads the same value again and reports the exception.
    }
    return explain(target, value, tolerated, options, faults !== undefined);
  };
}

/**
 * Creates a validator of messages, which selects the rule by kind and name.
 *
 * @param isValid A fast check. The rule is walked only if it returns false.
 */
export function createMessageValidator<Type>(
  isValid: (value: unknown) => boolean,
  rule: () => MessageRule,
): Validator<Type> {
  return (value, options) => {
    const valid = isValid(value);
    const tolerated = toleratedBy(options);
    if (valid && !mustListUnknownFields(tolerated)) return passed(value as Type);
    return explain(linkRule(rule), value, tolerated, options, !valid);
  };
}

function passed<Type>(message: Type): Validation<Type> {
  return { ok: true, message, deviations: emptyList };
}

/** @param refused Whether a fast check has failed. */
function explain<Type>(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  options: ValidateOptions | undefined,
  refused: boolean,
): Validation<Type> {
  const maxIssues = options?.maxIssues ?? defaultMaxIssues;
  const found = walkValue(node, value, tolerated, mustListUnknownFields(tolerated), maxIssues);
  // A getter or proxy returned different values on two reads.
  if (refused && found.issues.length === 0 && found.deviations.length === 0)
    reportUnreadable(found, "");
  const { issues, deviations } = found;
  return issues.length === 0
    ? { ok: true, message: value as Type, deviations }
    : { ok: false, issues };
}

function mustListUnknownFields(tolerated: readonly Tolerance[]): boolean {
  return tolerated.length > 0 && tolerated.includes("unknown-field");
}

function toleratedBy(options: ValidateOptions | undefined): readonly Tolerance[] {
  if (options === undefined) return emptyList;
  return options.tolerate ?? (options.profile === "wire" ? wireTolerances : emptyList);
}
