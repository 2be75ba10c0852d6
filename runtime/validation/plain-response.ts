import { isObject } from "../protocol/message-fields.js";
import { failureRuleOf } from "./failure-rule.js";
import type { Validation, ValidateOptions } from "./findings.js";
import { unreadable } from "./issues.js";
import { plainNode, type PlainRuleNode } from "./plain-node.js";
import { validatePlain } from "./plain-validator.js";
import type { ResponseRule } from "./rule.js";

/** Creates the validator for a response whose success and failure have plain rules. */
export function createPlainResponseValidator<Type>(
  rule: () => ResponseRule,
): (value: unknown, options?: ValidateOptions) => Validation<Type> {
  let success: PlainRuleNode | undefined;
  let failure: PlainRuleNode;
  let failsBy = "";
  let byPresence = false;
  return (value, options) => {
    if (success === undefined) {
      const linked = rule();
      failsBy = linked.failure.by;
      byPresence = linked.failure.byPresence === true;
      failure = plainNode(failureRuleOf(linked));
      success = plainNode(linked.success);
    }
    let node = success;
    try {
      if (isObject(value) && (byPresence ? value[failsBy] !== undefined : value[failsBy] === false))
        node = failure;
    } catch {
      return { ok: false, issues: [unreadable("")] };
    }
    return validatePlain(node, value, options);
  };
}
