import type { Change } from "./change.js";
import { fails, ruleFamily } from "./rule-family.js";
import type { DefinitionPairs } from "./definition-pairs.js";
import type { Side, Versions } from "./side.js";

export const definitionRules = ruleFamily({
  "definition.added": {
    title: "Unused type added",
    reason: "Only code can use {after}.",
    mirror: "definition.removed",
  },
  "definition.removed": {
    title: "Unused type removed",
    reason: "Code that imports {before} no longer compiles.",
    producer: fails("removed", "direct-use"),
    consumer: fails("removed", "direct-use"),
  },
});

/**
 * Returns the definitions that both versions have but no message contains at the same location in
 * both, for example because the schema leaves a value open. They matter for code, because a package
 * exports them.
 */
export function typesForCode(before: Side, after: Side, pairs: DefinitionPairs): readonly string[] {
  return [...before.definitions.keys()].filter(
    (name) =>
      after.definitions.has(name) &&
      !pairs.has(name) &&
      !before.containsMessage(name) &&
      !after.containsMessage(name),
  );
}

/**
 * Reports definitions outside messages that exist in only one version.
 *
 * @param pairs The pairs that have been compared, including renamed definitions.
 */
export function compareUnsent(
  { before, after }: Versions,
  pairs: DefinitionPairs,
): readonly Change[] {
  const compared = new Set([...pairs].flatMap((pair) => [pair.before, pair.after]));
  const onlyIn = (side: Side, other: Side, what: "added" | "removed"): readonly Change[] =>
    side
      .unsent()
      .filter(
        (name) =>
          !other.definitions.has(name) &&
          !compared.has(name) &&
          !side.isAlternative(side.definitions.get(name)!),
      )
      .map((name) => ({
        rule: definitionRules[`definition.${what}`],
        site: {
          owner: name,
          label: "",
          steps: [],
          [what === "added" ? "after" : "before"]: side.definitions.get(name)?.pointer,
        },
        change: `${what === "added" ? "+" : "-"} ${name}`,
        before: name,
        after: name,
      }));
  return [...onlyIn(before, after, "removed"), ...onlyIn(after, before, "added")];
}
