import type { ObjectSource, ResponseRule } from "./rule.js";

/** The rule of a request's failures: the rule of all failures, plus the name of the request. */
export function failureRuleOf({ success, failure: { rule, name } }: ResponseRule): ObjectSource {
  if (name === undefined || typeof success === "function") return rule;
  return { bases: [rule], required: { [name]: success.required![name]! } };
}
