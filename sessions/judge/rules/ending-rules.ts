import { isCrash } from "../state/knowledge.js";
import { ruleFamily } from "./rule-family.js";

/** Matches a `wirewright tap` entry that reports a failed program's exit. */
const failed = /^exited with (?!0$)-?\d+$/;

export const endingRules = ruleFamily({
  rules: {
    "exit.signal": {
      severity: "error",
      docs: "A side's process crashed: it was terminated by a signal, or its exit code indicates a crash.",
    },
    "exit.code": {
      severity: "warning",
      docs: "A side's process ended with an error code.",
    },
  },
  checkOther({ ended }, report) {
    if (ended === undefined) return;
    if (isCrash(ended)) report("exit.signal", "", `The process ${ended}`);
    else if (failed.test(ended)) report("exit.code", "", `The process ${ended}`);
  },
});
