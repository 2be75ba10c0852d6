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
  checkMessage({ kind, name }, { protocol, isOpen, extent, isLate, isOneSided, early }, report) {
    const opening = protocol.conversation?.opening;
    if (opening === undefined || isOpen || isOneSided || kind === "response") return;
    const text = `It comes before the response to "${opening}"`;
    if (kind === "request" && name === opening) {
      if (isLate) report("opening.late", "", `Nothing is sent before "${opening}"`);
      else for (const each of early) report("opening.early", "", text, each);
      return;
    }
    // A recording that begins in the middle does not say what came first.
    if (extent !== "whole") return;
    report("opening.early", "", text);
  },
});
