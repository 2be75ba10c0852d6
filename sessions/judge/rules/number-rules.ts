import { ruleFamily } from "./rule-family.js";

export const numberRules = ruleFamily({
  rules: {
    "number.order": {
      severity: "warning",
      docs: "Message numbers from one side do not increase.",
      needs: ["own order"],
    },
  },
  checkMessage(message, { numbers }, report) {
    const number = numbers.numberOf(message);
    const last = numbers.lastOf(message.from);
    if (number !== undefined && last !== undefined && number <= last)
      report(
        "number.order",
        `/${numbers.field}`,
        number === last ? `${number} is repeated` : `${number} follows ${last}`,
      );
  },
});
