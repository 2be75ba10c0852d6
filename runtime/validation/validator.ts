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

/** Most issues to report, unless told otherwise. */
const defaultMaxIssues = 100;

/** Answers whether a value is of a type, and what is wrong otherwise. Never throws. */
export type Validator<Type> = (value: unknown, options?: ValidateOptions) => Validation<Type>;

/** The validator of a rule. */
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
      // The walk comes across the same place, and reports it.
    }
    return explain(target, value, tolerated, options, faults !== undefined);
  };
}

/**
 * The validator of messages, whose types are found by kind and name.
 *
 * @param isValid The rule as a function; the rule itself is walked only if it says no.
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

/** @param refused Whether something was found wrong before. */
function explain<Type>(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  options: ValidateOptions | undefined,
  refused: boolean,
): Validation<Type> {
  const maxIssues = options?.maxIssues ?? defaultMaxIssues;
  const found = walkValue(node, value, tolerated, mustListUnknownFields(tolerated), maxIssues);
  // It says something else each time it is read.
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
