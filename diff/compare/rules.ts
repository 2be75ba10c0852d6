import { payloadRules } from "./compare-payloads.js";
import { capabilityRules, gateRules } from "./compare-capabilities.js";
import { constraintRules } from "./compare-bounds.js";
import { conditionRules, keyRules } from "./compare-conditions.js";
import { enumRules } from "./compare-enums.js";
import { messagePartRules, messageRules } from "./compare-messages.js";
import { definitionRules } from "./compare-definitions.js";
import { textRules } from "./compare-texts.js";
import { defaultRules, objectRules, propertyRules, unionRules } from "./compare-types.js";
import { varianceRules } from "./compare-variance.js";
import { wireRules } from "./compare-wire.js";
import { fails, ruleFamily, type DiffRule } from "./rule-family.js";
import { typeRules } from "./type-changes.js";

/** The rule for errors that a compiler finds in users' code. */
const codeRules = ruleFamily({
  "code.error": {
    title: "Your code no longer compiles",
    reason: "The code compiles with the types of {before}, but not with those of {after}.",
    producer: fails("type"),
    consumer: fails("type"),
  },
});

const allRules = {
  ...messageRules,
  ...messagePartRules,
  ...wireRules,
  ...payloadRules,
  ...propertyRules,
  ...typeRules,
  ...enumRules,
  ...unionRules,
  ...varianceRules,
  ...objectRules,
  ...keyRules,
  ...constraintRules,
  ...conditionRules,
  ...defaultRules,
  ...gateRules,
  ...capabilityRules,
  ...definitionRules,
  ...textRules,
  ...codeRules,
};

/** The ids of the rules. */
export type DiffRuleId = keyof typeof allRules;

/** All rules by id, in the order in which the rule catalogue lists them. */
export const rules: ReadonlyMap<string, DiffRule<DiffRuleId>> = new Map(Object.entries(allRules));
