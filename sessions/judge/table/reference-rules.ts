import { oncePer } from "../../../generator/model/once.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { RuleTable } from "./rule-table.js";

/**
 * Creates rules for a protocol that has no session rules. They find references that became invalid
 * when the program resumed.
 */
export const referenceRules = oncePer(({ references = [], roles }: Protocol): RuleTable => {
  const expiring = references.filter(({ expires }) => expires === true).map(({ name }) => name);
  return {
    entities: Object.fromEntries(
      expiring.map((name) => [
        name,
        { begins: [{ from: roles[1], reference: name }], expires: true as const },
      ]),
    ),
    rules: expiring.map((name) => ({
      id: "reference.expired",
      severity: "warning" as const,
      docs: "The reference was returned before the program continued, so it may now refer to a different object.",
      says: `The ${roles[1]} returned {value} before the program continued`,
      from: roles[0],
      reference: name,
      test: { "": { past: name } },
    })),
  };
});
