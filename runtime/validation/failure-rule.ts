import type { ObjectSource, ResponseRule } from "./rule.js";

/**
 * Creates the rule for a request's failures, from the rule for all failures and the request's name.
 */
export function failureRuleOf({ success, failure: { rule, name } }: ResponseRule): ObjectSource {
  if (name === undefined || typeof success === "function") return rule;
  return { bases: [rule], required: { [name]: success.required![name]! } };
}
