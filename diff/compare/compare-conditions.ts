import type { Type } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compareKeys, withoutKeys } from "./compare-keys.js";
import { conditionsOf, conditionsText } from "./condition-texts.js";
import { compiles, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";

export const conditionRules = ruleFamily({
  "condition.added": {
    title: "Condition added",
    reason:
      "Older writers may send values that violate the new condition. The comparison does not determine which ones.",
    oldToNew: "undetermined",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.removed",
  },
  "condition.removed": {
    title: "Condition removed",
    reason:
      "Newer writers may send values that violate the old condition. The comparison does not determine which ones.",
    oldToNew: "ok",
    newToOld: "undetermined",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.added",
  },
  "condition.changed": {
    title: "Condition changed",
    reason:
      "The conditions are not compared, so it is unknown whether they accept the same values.",
    oldToNew: "undetermined",
    newToOld: "undetermined",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.changed",
  },
});

/**
 * Compares the conditions that are not covered by kinds, properties and bounds, such as `not` and
 * the types of unnamed properties.
 */
export function compareConditions(
  types: Comparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
): void {
  const [was, is] = [conditioned(types.before, old), conditioned(types.after, now)];
  compareKeys(types, found, was, is, site);
  reportConditions(found, was, is, site);
}

/**
 * Returns the types whose conditions apply to a type as a whole: the type itself, and any
 * alternatives that are not compared separately.
 */
function conditioned(side: Side, type: Type): readonly Type[] {
  const types = new Set<Type>();
  const others = side.membersOf(type).filter(({ resolved }) => resolved.kind !== "null");
  const isAlone = others.length === 1;
  const add = (each: Type): void => {
    const resolved = side.resolve(each);
    if (types.has(resolved)) return;
    types.add(each).add(resolved);
    if (resolved.kind !== "union") return;
    for (const member of resolved.members) {
      const { kind } = side.resolve(member);
      const isCompared = isAlone
        ? member.kind === "reference"
        : kind === "object" || kind === "map";
      if (!isCompared) add(member);
    }
  };
  add(type);
  return [...types];
}

/** Reports any difference between the conditions on the old and new types. */
export function reportConditions(
  found: FoundChanges,
  old: readonly Type[],
  now: readonly Type[],
  site: Site,
): void {
  const [was, is] = [old, now].map((types) => conditionsOf(...types.map(withoutKeys)));
  if (was === is) return;
  const what = was === "" ? "added" : is === "" ? "removed" : "changed";
  const texts = [old, now].map(
    (types) => conditionsText(...types.map(withoutKeys)) || "no condition",
  );
  const change = texts.join(" → ");
  found.report(conditionRules[`condition.${what}`], site, {
    change,
    old: texts[0]!,
    new: texts[1]!,
    decision: change,
  });
}
