import type { Protocol } from "../../model/protocol.js";
import { validationRulesOf } from "../../model/validation-rules.js";
import { object, toEntries, type Replace } from "../printer/literal.js";
import type { SourceFile } from "../printer/source-file.js";
import { printRule, ruleNames } from "./rules.js";

const runtime = "./runtime/index.js";

/** Prints `message-rule.ts`: the rule for any message, which selects the rule of its definition. */
export function emitMessageRule(protocol: Protocol, file: SourceFile): void {
  const rules = validationRulesOf(protocol);
  const { message, otherResponse } = rules;
  const names = ruleNames(rules);
  const replace: Replace = (value) => {
    if (value !== undefined && value === otherResponse) return "responseRule";
    const name = names.get(value);
    return name === undefined ? undefined : file.importValue(name, "./rules.js");
  };
  if (otherResponse !== undefined) {
    const head = `const responseRule = (): ${file.importType("ResponseRule", runtime)} => `;
    printRule(head, object(toEntries(otherResponse(), replace)), file);
  }
  const head = `export const messageRule = (): ${file.importType("MessageRule", runtime)} => `;
  printRule(head, object(toEntries(message, replace)), file);
}
