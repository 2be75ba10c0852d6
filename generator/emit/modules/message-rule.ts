import type { Protocol } from "../../model/protocol.js";
import { validationRulesOf } from "../../model/validation-rules.js";
import { object, toEntries, type Replace } from "../printer/literal.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { printConditions } from "./envelope-conditions.js";
import { printRule, ruleNames } from "./rules.js";
import { runtime } from "./package-names.js";

/**
 * Emits `message-rule.ts`: the rule for any message, which selects the rule of the message's
 * definition.
 */
export function emitMessageRule(protocol: Protocol, file: SourceFile): void {
  const rules = validationRulesOf(protocol);
  const { message, otherResponse } = rules;
  const names = ruleNames(rules);
  const replace: Replace = (value) => {
    if (value !== undefined && value === otherResponse) return "responseRule";
    const name = names.get(value);
    return name === undefined ? undefined : file.importFromAll("rules", name, "./rules.js");
  };
  if (otherResponse !== undefined) {
    const head = `const responseRule = (): ${file.importType("ResponseRule", runtime)} => `;
    printRule(head, object(toEntries(otherResponse(), replace)), file);
  }
  const head = `export const messageRule = (): ${file.importType("MessageRule", runtime)} => `;
  const arms = message.arms.map((arm) => {
    const { when, name, ...rest } = arm;
    const nameOf = name === undefined ? [] : [["nameOf", `(fields) => ${read(name)}`] as const];
    return object([...toEntries({ when, name }, replace), ...nameOf, ...toEntries(rest, replace)]);
  });
  const armOf = message.arms.reduceRight(
    (others, { when }, index) =>
      `${printConditions(when, read).join(" && ")} ? ${index} : ${others}`,
    "-1",
  );
  printRule(
    head,
    object([
      ["armOf", `(fields) => ${armOf}`],
      ["arms", arms],
    ]),
    file,
  );
}

/**
 * Returns the code that reads a field of a message. It uses brackets, because the message's type
 * has no named properties.
 */
function read(field: string): string {
  return `fields[${quote(field)}]`;
}
