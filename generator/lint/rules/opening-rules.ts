import { ruleFamily } from "./rule-family.js";

export const openingRules = ruleFamily({
  rules: {
    "opening.early": {
      severity: "warning",
      docs: "A message before the opening request was answered.",
    },
  },
  checkMessage({ kind, name }, { protocol, isOpen, isOneSided }, report) {
    const opening = protocol.conversation?.opening;
    if (opening === undefined || isOpen || isOneSided || kind === "response") return;
    if (kind === "request" && name === opening) return;
    report("opening.early", "", `It comes before the response to "${opening}"`);
  },
});
