import { readProtocol } from "../../cli/index.js";
import type { Definition } from "../../generator/model/types.js";
import { validationRulesOf } from "../../generator/model/validation-rules.js";
import { describeIssue } from "../../runtime/validation/describe-issue.js";
import { createValidator } from "../../runtime/validation/validator.js";
import { fromRoot } from "./paths.js";

const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));

/**
 * Creates a function that validates values against a definition's rule. It returns either whether a
 * value is valid, or the issues.
 */
export function validatorOf(
  definitions: readonly Definition[],
  name: string,
): (value: unknown) => boolean;
export function validatorOf(
  definitions: readonly Definition[],
  name: string,
  how: "explain",
): (value: unknown) => readonly string[];
export function validatorOf(
  definitions: readonly Definition[],
  name: string,
  how?: "explain",
): (value: unknown) => boolean | readonly string[] {
  const names = new Set(definitions.map((each) => each.name));
  const others = ticker.definitions.filter((each) => !names.has(each.name));
  const rules = validationRulesOf({ ...ticker, definitions: [...others, ...definitions] });
  const validate = createValidator(rules.definitions.get(name)!);
  return (value) => {
    const result = validate(value);
    if (how === undefined) return result.ok;
    return result.ok ? [] : result.issues.map(describeIssue);
  };
}
