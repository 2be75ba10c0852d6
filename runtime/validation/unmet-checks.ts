import { pointerStep } from "../base/json-pointer.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { CheckFinding, CheckRule, Rule } from "./rule.js";
import type { ValidationIssue } from "./findings.js";
import { expectedText } from "./expected-text.js";
import { linkRule } from "./link-rule.js";
import {
  compilePattern,
  firstRepetition,
  hasField,
  hasItems,
  hasSize,
  isMultiple,
  otherNames,
  presentNames,
  unevaluatedParts,
} from "./value-checks.js";
import { startWalk, visit } from "./walk.js";

const expressions = /* @__PURE__ */ new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  let expression = expressions.get(text);
  if (expression === undefined) expressions.set(text, (expression = compilePattern(text)));
  return expression;
}

/** Returns whether a value satisfies a rule in the strict profile. */
export function meets(rule: Rule, value: unknown): boolean {
  return firstIssue(rule, value) === undefined;
}

function firstIssue(rule: Rule, value: unknown): ValidationIssue | undefined {
  const walk = startWalk([], 1);
  visit(walk, linkRule(rule), value, 0);
  return walk.issues[0];
}

/**
 * Finds the conditions that a value does not satisfy. Returns issues, and parts to be validated
 * with other rules.
 */
export function findUnmetChecks(
  checks: readonly CheckRule[],
  value: unknown,
): readonly CheckFinding[] {
  return checks.flatMap((check) => findingsOf(check, value));
}

function findingsOf(check: CheckRule, value: unknown): readonly CheckFinding[] {
  if ("also" in check) return [whole(check.also, value)];
  if ("not" in check)
    return fault(!meets(check.not, value), value, `a value that is not ${expectedBy(check.not)}`);
  if ("oneOf" in check) {
    const { length } = check.oneOf.filter((rule) => meets(rule, value));
    return fault(
      length === 1,
      value,
      `a value of exactly one of ${check.oneOf.length} types, not of ${length}`,
    );
  }
  if ("if" in check) return [whole(meets(check.if, value) ? check.then : check.else, value)];
  if ("dependent" in check)
    return hasField(value, check.dependent) ? [whole(check.rule, value)] : [];
  if ("unevaluated" in check)
    return unevaluatedParts(value, check.parts, check.evaluated, meets).map((key) =>
      part(check.unevaluated, key, (value as AnyFields)[key]),
    );
  if (typeof value === "string") return findingsOfText(check, value);
  if (typeof value === "number") return findingsOfNumber(check, value);
  if (Array.isArray(value)) return findingsOfList(check, value);
  return isObject(value) ? findingsOfObject(check, value) : [];
}

function findingsOfText(check: CheckRule, value: string): readonly CheckFinding[] {
  if ("pattern" in check)
    return fault(
      patternOf(check.pattern).test(value),
      value,
      `a string that matches ${check.pattern}`,
    );
  return [];
}

function findingsOfNumber(check: CheckRule, value: number): readonly CheckFinding[] {
  if ("above" in check)
    return fault(value > check.above, value, `more than ${check.above}`, "out-of-range");
  if ("below" in check)
    return fault(value < check.below, value, `less than ${check.below}`, "out-of-range");
  if ("multiple" in check)
    return fault(
      isMultiple(value, check.multiple),
      value,
      `a multiple of ${check.multiple}`,
      "out-of-range",
    );
  return [];
}

function findingsOfList(check: CheckRule, value: readonly unknown[]): readonly CheckFinding[] {
  if ("unique" in check) {
    const found = firstRepetition(value);
    if (found === undefined) return [];
    const [index, earlier] = found;
    return fault(false, value[index], `no duplicate of item ${earlier}`, "wrong-value", index);
  }
  if ("first" in check)
    return value.map((item, index) => part(check.first[index] ?? check.rest, String(index), item));
  if ("contains" in check) {
    const [least, most] = check.count;
    const bounds = `${least === 0 ? "" : ` at least ${least}`}${most === Infinity ? "" : ` at most ${most}`}`;
    return fault(
      hasItems(value, (item) => meets(check.contains, item), least, most),
      value,
      `an array with${bounds} of: ${expectedBy(check.contains)}`,
      "wrong-size",
    );
  }
  return [];
}

function findingsOfObject(check: CheckRule, value: AnyFields): readonly CheckFinding[] {
  if ("size" in check) {
    const [least, most] = check.size;
    const bounds = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    return fault(
      hasSize(value, least, most),
      value,
      `an object with ${bounds} ${bounds === "at least 1" ? "property" : "properties"}`,
      "wrong-size",
    );
  }
  if ("matching" in check)
    return presentNames(value)
      .filter((name) => patternOf(check.matching).test(name))
      .map((name) => part(check.rule, name, value[name]));
  if ("others" in check)
    return otherNames(value, check.names, check.patterns.map(patternOf)).map((name) =>
      isNever(check.others)
        ? unknownFieldIssue(name, value[name])
        : part(check.others, name, value[name]),
    );
  if ("names" in check)
    return presentNames(value).flatMap((name) => {
      const issue = firstIssue(check.names, name);
      if (issue === undefined) return [];
      const expected = `a name that is ${issue.expected}`;
      return [{ pointer: pointerStep(name), code: "unknown-field", expected, received: name }];
    });
  return [];
}

/** Creates the finding which states that the whole value has to be validated with another rule. */
function whole(rule: Rule, value: unknown): CheckFinding {
  return { pointer: "", value, rule };
}

function part(rule: Rule, key: string, value: unknown): CheckFinding {
  return { pointer: pointerStep(key), value, rule };
}

function isNever(rule: Rule): boolean {
  return typeof rule === "object" && "anyOf" in rule && rule.anyOf.length === 0;
}

function unknownFieldIssue(name: string, received: unknown): ValidationIssue {
  const code = "unknown-field";
  return { pointer: pointerStep(name), code, expected: "no such field", received, rule: code };
}

function fault(
  isMet: boolean,
  received: unknown,
  expected: string,
  code: "out-of-range" | "wrong-size" | "wrong-value" = "wrong-value",
  item?: number,
): readonly CheckFinding[] {
  const pointer = item === undefined ? "" : `/${item}`;
  return isMet ? [] : [{ pointer, code, expected, received }];
}

function expectedBy(rule: Rule): string {
  return expectedText(linkRule(rule));
}
