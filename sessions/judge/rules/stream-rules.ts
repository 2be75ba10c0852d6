import { ruleFamily } from "./rule-family.js";

export const streamRules = ruleFamily({
  rules: {
    "stream.noise": {
      severity: "warning",
      docs: "The stream contains bytes that do not belong to a message. Strict readers stop there.",
    },
    "stream.fault": {
      severity: "error",
      docs: "A frame cannot be read, and its message is lost.",
    },
  },
  checkOther({ fault }, report) {
    if (fault === undefined) return;
    report(fault.code === "ERR_NOISE" ? "stream.noise" : "stream.fault", "", fault.message);
  },
});
