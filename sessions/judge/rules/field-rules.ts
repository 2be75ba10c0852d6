import { pointerOf } from "../state/part-path.js";
import { ruleFamily } from "./rule-family.js";

export const fieldRules = ruleFamily({
  rules: {
    "field.deprecated": {
      severity: "info",
      docs: "The property is deprecated.",
    },
    "field.capability": {
      severity: "warning",
      docs: "A property requires a capability that the other side has not announced.",
      isOneCause: true,
    },
  },
  checkMessage({ definition, fields, from }, { noted, capabilities }, report) {
    if (definition === undefined || !noted.holds(definition)) return;
    noted.visit(definition, fields, {
      property: ({ deprecated, gate: needed }, path) => {
        if (deprecated !== undefined)
          report("field.deprecated", pointerOf(path), deprecated || "The property is deprecated");
        if (
          needed !== undefined &&
          needed.role !== from &&
          !capabilities.has(needed.role, needed.capability)
        )
          report(
            "field.capability",
            pointerOf(path),
            `The ${needed.role} has not announced ${needed.capability}`,
            { gap: capabilities.gapOf(needed.role, needed.capability) },
          );
      },
    });
  },
});
