import { isCrash } from "../state/knowledge.js";
import { ruleFamily } from "./rule-family.js";

/** In the words of `wirewright tap`. */
const failed = /^exited with (?!0$)-?\d+$/;

export const endingRules = ruleFamily({
  rules: {
    "exit.signal": {
      severity: "error",
      docs: "The program of a side crashed: a signal has ended it, or its exit code says so.",
    },
    "exit.code": {
      severity: "warning",
      docs: "The program of a side ended with an error code.",
    },
  },
  checkOther({ ended }, report) {
    if (ended === undefined) return;
    if (isCrash(ended)) report("exit.signal", "", `It ${ended}`);
    else if (failed.test(ended)) report("exit.code", "", `It ${ended}`);
  },
});
