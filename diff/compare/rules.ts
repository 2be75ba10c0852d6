import { payloadRules } from "./compare-payloads.js";
import { capabilityRules, gateRules, senderGateRules } from "./compare-capabilities.js";
import { constraintRules } from "./compare-bounds.js";
import { conditionRules } from "./compare-conditions.js";
import { defaultRules } from "./compare-defaults.js";
import { enumRules } from "./compare-enums.js";
import { keyRules } from "./compare-keys.js";
import { messagePartRules } from "./compare-message-parts.js";
import { messageRules } from "./compare-messages.js";
import { objectRules } from "./compare-objects.js";
import { propertyRules } from "./property-rules.js";
import { definitionRules } from "./compare-unsent.js";
import { textRules } from "./compare-texts.js";
import { unionRules } from "./compare-unions.js";
import { varianceRules } from "./compare-variance.js";
import { wireRules } from "./compare-wire.js";
import type { DiffRule } from "./rule-family.js";
import { typeRules } from "./type-changes.js";

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
  ...senderGateRules,
  ...capabilityRules,
  ...definitionRules,
  ...textRules,
};

/** The ids of the rules. */
export type DiffRuleId = keyof typeof allRules;

/** All rules by id, in the order in which the rule catalogue lists them. */
export const rules: ReadonlyMap<string, DiffRule<DiffRuleId, DiffRuleId>> = new Map(
  Object.entries(allRules),
);
