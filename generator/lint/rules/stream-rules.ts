import { ruleFamily } from "./rule-family.js";

export const streamRules = ruleFamily({
  rules: {
    "stream.noise": {
      severity: "warning",
      docs: "Bytes that belong to no message: strict readers stop there.",
    },
    "stream.fault": {
      severity: "error",
      docs: "A frame that cannot be read: its message is lost.",
    },
  },
  checkOther({ fault }, report) {
    if (fault === undefined) return;
    report(fault.code === "ERR_NOISE" ? "stream.noise" : "stream.fault", "", fault.message);
  },
});
