import { isObject } from "../protocol/message-fields.js";
import { issuesOfFaults, walkValue } from "./explain.js";
import type { Tolerance, ValidateOptions, Validation } from "./findings.js";
import { kindIssue, reportUnreadable } from "./issues.js";
import { hasOnlyKnownFields } from "./known-fields.js";
import { linkRule, numberedRule } from "./link-rule.js";
import type { MessageNode, RuleNode } from "./rule-node.js";
import { kinds } from "./rule-kinds.js";
import type { MessageRule, Rule } from "./rule.js";
import { maxIssuesOf, mustListUnknownFields, passed, toleratedBy } from "./validate-options.js";
import { isDecidedByMask, ruleOfValue } from "./walk.js";

/** Validates a value. Returns the typed value or the issues. Never throws. */
export type Validator<Type> = (value: unknown, options?: ValidateOptions) => Validation<Type>;

/** Creates the validator for a rule. */
export function createValidator<Type>(rule: Rule): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => validateBy((node ??= linkRule(rule)), value, options);
}

/**
 * Creates a validator for messages that selects the rule by kind and name. The rule is needed only
 * for values that are invalid or have unknown fields.
 *
 * @param verdictOf A fast check. Returns 0 for a valid message. For an invalid message, it returns
 * the number of the message's definition, negated if the envelope is invalid, or 1 if there is no
 * number. Numbers count the rule's known names, starting with 2.
 * @param hasOnlyKnown Whether a valid message definitely has no unknown fields.
 */
export function createMessageValidator<Type>(
  verdictOf: (value: unknown) => number,
  hasOnlyKnown: (value: unknown) => boolean,
  rule: () => MessageRule,
): Validator<Type> {
  let node: MessageNode | undefined;
  return (value, options) => {
    const verdict = verdictOf(value);
    if (verdict !== 0) return explainRefusal((node ??= linkRule(rule)), value, options, verdict);
    if (options === undefined) return passed(value as Type);
    const tolerated = toleratedBy(options);
    return !mustListUnknownFields(tolerated) || hasOnlyKnown(value)
      ? passed(value as Type)
      : walkWhole((node ??= linkRule(rule)), value, tolerated, true, maxIssuesOf(options), false);
  };
}

/**
 * Validates a value in up to three steps: a fast check that explains nothing, the issues found by
 * that check, and a walk through the whole value. One step is usually enough.
 */
function validateBy<Type>(
  node: RuleNode,
  value: unknown,
  options: ValidateOptions | undefined,
): Validation<Type> {
  const tolerated = toleratedBy(options);
  const listUnknownFields = mustListUnknownFields(tolerated);
  const maxIssues = maxIssuesOf(options);
  let refused = false;
  try {
    node = ruleOfValue(node, value);
    if (isDecidedByMask(node, false) && isObject(value)) {
      const faults = node.faults(value, 0);
      if (faults !== 0) {
        refused = true;
        const issues = issuesOfFaults(node, value, faults, tolerated, maxIssues);
        if (issues.length > 0) return { ok: false, issues };
      } else if (!listUnknownFields || hasOnlyKnownFields(node, value))
        return passed(value as Type);
    }
  } catch {
    // Ignore the exception: the walk reads the value again and reports it.
  }
  return walkWhole(node, value, tolerated, listUnknownFields, maxIssues, refused);
}

/**
 * Explains why a message was rejected, unless its deviations are tolerated.
 *
 * @param verdict The result of the fast check.
 */
function explainRefusal<Type>(
  rule: MessageNode,
  value: unknown,
  options: ValidateOptions | undefined,
  verdict: number,
): Validation<Type> {
  const tolerated = toleratedBy(options);
  const maxIssues = maxIssuesOf(options);
  try {
    const node = verdict === 1 ? ruleOfValue(rule, value) : numberedRule(rule, Math.abs(verdict));
    if (node.kind === kinds.message && isObject(value))
      return { ok: false, issues: [kindIssue(node.arms, value, "")] };
    if (isDecidedByMask(node, false) && isObject(value)) {
      // A verdict above 1 means that the envelope is valid, so only the payload is wrong.
      const faults = verdict > 1 && node.payload >= 0 ? 1 << node.payload : node.faults(value, 0);
      const issues = issuesOfFaults(node, value, faults, tolerated, maxIssues);
      if (issues.length > 0) return { ok: false, issues };
    }
  } catch {
    // Ignore the exception: the walk reads the value again and reports it.
  }
  return walkWhole(rule, value, tolerated, mustListUnknownFields(tolerated), maxIssues, true);
}

/**
 * Walks through a whole value.
 *
 * @param refused Whether the schema definitely rejects the value.
 */
function walkWhole<Type>(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  listUnknownFields: boolean,
  maxIssues: number,
  refused: boolean,
): Validation<Type> {
  const found = walkValue(node, value, tolerated, listUnknownFields, maxIssues);
  // If there is no fault now, a getter or proxy returned different values this time.
  if (refused && found.issues.length === 0 && found.deviations.length === 0)
    reportUnreadable(found, "");
  const { issues, deviations } = found;
  return issues.length === 0
    ? { ok: true, value: value as Type, deviations }
    : { ok: false, issues };
}
