import { valueText } from "../../session/remembered.js";
import { ruleFamily } from "./rule-family.js";

export const referenceRules = ruleFamily({
  rules: {
    "reference.expired": {
      severity: "warning",
      docs: "A reference from before the program ran on: it may mean something else.",
    },
  },
  checkMessage(message, { references }, report) {
    for (const { value, pointer } of references.expiredIn(message))
      report("reference.expired", pointer, `${valueText(value)} was given before the last stop`);
  },
});
