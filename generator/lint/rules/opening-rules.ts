import { ruleFamily } from "./rule-family.js";

export const openingRules = ruleFamily({
  rules: {
    "opening.early": {
      severity: "warning",
      docs: "A message before the opening request was answered.",
    },
    "opening.late": {
      severity: "error",
      docs: "The opening request comes after another message of its side.",
    },
  },
  checkMessage({ kind, name }, { protocol, isOpen, isWhole, isLate }, report) {
    const opening = protocol.conversation?.opening;
    if (opening === undefined || isOpen || kind === "response") return;
    if (kind === "request" && name === opening) {
      if (isLate) report("opening.late", "", `Nothing is sent before "${opening}"`);
      return;
    }
    // A recording that begins in the middle does not say what came first.
    if (!isWhole) return;
    report("opening.early", "", `It comes before the response to "${opening}"`);
  },
});
