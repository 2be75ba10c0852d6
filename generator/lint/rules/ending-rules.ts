import { ruleFamily } from "./rule-family.js";

/** Signals by which a system ends a program that has made a mistake. */
const crashes = /\bSIG(?:ABRT|BUS|FPE|ILL|SEGV|SYS|TRAP)\b/;

/** As `wirewright tap` says it. */
const failed = /^exited with (?!0$)-?\d+$/;

export const endingRules = ruleFamily({
  rules: {
    "exit.signal": {
      severity: "error",
      docs: "The program of a side crashed: a signal has ended it.",
    },
    "exit.code": {
      severity: "warning",
      docs: "The program of a side ended with an error code.",
    },
  },
  checkOther({ ended }, report) {
    if (ended === undefined) return;
    if (crashes.test(ended)) report("exit.signal", "", `It ${ended}`);
    else if (failed.test(ended)) report("exit.code", "", `It ${ended}`);
  },
});
