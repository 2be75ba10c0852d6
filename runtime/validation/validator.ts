import { isObject, type AnyFields } from "../protocol/message-fields.js";
import { issuesOfFaults, reportUnreadable, walkValue } from "./explain.js";
import {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
} from "./findings.js";
import { emptyList } from "./issues.js";
import { hasOnlyKnownFields } from "./known-fields.js";
import { linkRule, type RuleNode } from "./rule-node.js";
import type { MessageRule, Rule } from "./rule.js";
import { isDecidedByMask, ruleOfValue } from "./walk.js";

/** Default of `maxIssues`. */
const defaultMaxIssues = 100;

/** Validates a value. Returns the typed value or the issues. Never throws. */
export type Validator<Type> = (value: unknown, options?: ValidateOptions) => Validation<Type>;

/** Creates the validator of a rule. */
export function createValidator<Type>(rule: Rule): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => validateBy((node ??= linkRule(rule)), value, options, undefined);
}

/**
 * Creates a validator of messages, which selects the rule by kind and name.
 *
 * @param isValid A fast check. The rule is needed only if it returns false, or to find unknown
 *   fields.
 */
export function createMessageValidator<Type>(
  isValid: (value: unknown) => boolean,
  rule: () => MessageRule,
): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => {
    const valid = isValid(value);
    if (valid && options === undefined) return passed(value as Type);
    return validateBy((node ??= linkRule(rule)), value, options, valid);
  };
}

/**
 * Validates in steps, each of which usually ends it: a check without explanations, the issues of
 * what it found, and a walk along the whole value.
 *
 * @param verdict What a fast check has returned, if there is one.
 */
function validateBy<Type>(
  node: RuleNode,
  value: unknown,
  options: ValidateOptions | undefined,
  verdict: boolean | undefined,
): Validation<Type> {
  const tolerated = toleratedBy(options);
  const listUnknownFields = mustListUnknownFields(tolerated);
  if (verdict === true && !listUnknownFields) return passed(value as Type);
  const maxIssues = options?.maxIssues ?? defaultMaxIssues;
  let refused = verdict === false;
  try {
    node = ruleOfValue(node, value);
    const faults = verdict === true ? 0 : faultsOf(node, value);
    if (faults === 0 && !refused) {
      if (!listUnknownFields || hasOnlyKnownFields(node, value)) return passed(value as Type);
    } else if (faults !== undefined && faults !== 0) {
      refused = true;
      const issues =
        tolerated.length === 0
          ? issuesOfFaults(node, value as AnyFields, faults, maxIssues)
          : listUnknownFields
            ? walkValue(node, value, tolerated, false, maxIssues).issues
            : emptyList;
      if (issues.length > 0) return { ok: false, issues };
    }
  } catch {
    // The walk below reads the same value again and reports the exception.
  }
  const found = walkValue(node, value, tolerated, listUnknownFields, maxIssues);
  // A getter or proxy returned different values on two reads.
  if (refused && found.issues.length === 0 && found.deviations.length === 0)
    reportUnreadable(found, "");
  const { issues, deviations } = found;
  return issues.length === 0
    ? { ok: true, message: value as Type, deviations }
    : { ok: false, issues };
}

/** The fault mask of a value; undefined if it does not decide. */
function faultsOf(node: RuleNode, value: unknown): number | undefined {
  return isDecidedByMask(node, false) && isObject(value) ? node.faults!(value, 0) : undefined;
}

function passed<Type>(message: Type): Validation<Type> {
  return { ok: true, message, deviations: emptyList };
}

function mustListUnknownFields(tolerated: readonly Tolerance[]): boolean {
  return tolerated === wireTolerances || tolerated.includes("unknown-field");
}

function toleratedBy(options: ValidateOptions | undefined): readonly Tolerance[] {
  if (options === undefined) return emptyList;
  return options.tolerate ?? (options.profile === "wire" ? wireTolerances : emptyList);
}
