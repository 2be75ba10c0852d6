import type { Bounds, CheckRule, Rule, EvaluatedRule } from "../../runtime/validation/rule.js";
import { evaluatedParts, takesAllTexts } from "./type-checks.js";
import type { Check, Evaluated, Type } from "./types.js";

/**
 * Converts a check to runtime rules.
 *
 * @param ruleOf Returns the rule of a type.
 */
export function checkRulesOf(check: Check, ruleOf: (type: Type) => Rule): readonly CheckRule[] {
  switch (check.kind) {
    case "also":
      return [{ also: ruleOf(check.type) }];
    case "not":
      return [{ not: ruleOf(check.type) }];
    case "one-of":
      return [{ oneOf: check.types.map(ruleOf) }];
    case "if":
      return [{ if: ruleOf(check.if), then: ruleOf(check.then), else: ruleOf(check.else) }];
    case "pattern":
      return [{ pattern: check.pattern }];
    case "between":
      return [
        ...(check.above === undefined ? [] : [{ above: check.above }]),
        ...(check.below === undefined ? [] : [{ below: check.below }]),
      ];
    case "multiple":
      return [{ multiple: check.of }];
    case "unique":
      return [{ unique: true }];
    case "contains":
      return [{ contains: ruleOf(check.type), count: bounds(check.least, check.most) }];
    case "size":
      return [{ size: bounds(check.least ?? 0, check.most) }];
    case "names":
      return takesAllTexts(check.type) ? [] : [{ names: ruleOf(check.type) }];
    case "dependent":
      return [{ dependent: check.property, rule: ruleOf(check.type) }];
    case "matching":
      return [{ matching: check.pattern, rule: ruleOf(check.type) }];
    case "others":
      return [{ others: ruleOf(check.type), names: check.names, patterns: check.patterns }];
    case "unevaluated": {
      const evaluatedRule = (evaluated: Evaluated): EvaluatedRule =>
        evaluatedParts(evaluated, ruleOf);
      return [
        {
          unevaluated: ruleOf(check.type),
          parts: check.parts,
          evaluated: check.evaluated.map(evaluatedRule),
        },
      ];
    }
  }
}

export function bounds(least = -Infinity, greatest = Infinity): Bounds {
  return [least, greatest];
}
