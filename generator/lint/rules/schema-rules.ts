import { describeIssue, wireTolerances, type ValidationIssue } from "../../../runtime/index.js";
import { ruleFamily } from "./rule-family.js";

/** Issues of one message that are listed. */
const maxIssues = 20;

const tolerances = {
  strict: [],
  wire: wireTolerances.filter((each) => each !== "unknown-field"),
} as const;

export const schemaRules = ruleFamily({
  rules: {
    "schema.issue": {
      severity: "error",
      docs: "Something in a message that a reader cannot use.",
    },
    "schema.deviation": {
      severity: "warning",
      docs: "Something that tolerant readers go on with, and strict ones reject.",
    },
  },
  checkMessage({ fields }, { profile, judged }, report) {
    const result = judged.validate(fields, { tolerate: tolerances[profile], maxIssues });
    if (!result.ok) {
      for (const issue of result.issues) report("schema.issue", issue.path, sentenceOf(issue));
      return;
    }
    for (const deviation of result.deviations) {
      const effect = `readers that tolerate "${deviation.rule}" go on, others reject the message`;
      report("schema.deviation", deviation.path, `${sentenceOf(deviation)}; ${effect}`);
    }
  },
});

/** An issue without its place: findings have one of their own. */
function sentenceOf(issue: ValidationIssue): string {
  const sentence = describeIssue(issue);
  const place = `\`${issue.path}\`: `;
  return sentence.startsWith(place) ? sentence.slice(place.length) : sentence;
}
