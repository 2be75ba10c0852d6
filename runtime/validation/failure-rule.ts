import type { ObjectSource, ResponseRule } from "./rule.js";

/**
 * Creates the rule for the failures of a request, from the rule for all failures and the name of
 * the request.
 */
export function failureRuleOf({ success, failure: { rule, name } }: ResponseRule): ObjectSource {
  if (name === undefined || typeof success === "function") return rule;
  return { bases: [rule], required: { [name]: success.required![name]! } };
}
