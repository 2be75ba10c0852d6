import type { Type } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import { conditionsOf, conditionsText } from "./condition-texts.js";
import { compiles, ruleFamily } from "./rule-family.js";

export const conditionRules = ruleFamily({
  "condition.added": {
    title: "Condition added",
    reason:
      "Older writers may send values that do not meet the new condition; which ones is not worked out.",
    oldToNew: "untold",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.removed",
  },
  "condition.removed": {
    title: "Condition removed",
    reason:
      "Newer writers may send values that do not meet the old condition; which ones is not worked out.",
    oldToNew: "ok",
    newToOld: "untold",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.added",
  },
  "condition.changed": {
    title: "Condition changed",
    reason: "Whether the conditions let the same values through cannot be told.",
    oldToNew: "untold",
    newToOld: "untold",
    producer: compiles,
    consumer: compiles,
    mirror: "condition.changed",
  },
});

/** Compares what types say besides kinds, properties and bounds, such as `not`, tuples and types of unnamed properties. */
export function compareConditions(
  { before, after }: Comparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
): void {
  const [left, right] = [old, before.resolve(old)];
  const [one, two] = [now, after.resolve(now)];
  const [was, is] = [conditionsOf(left, right), conditionsOf(one, two)];
  if (was === is) return;
  const what = was === "" ? "added" : is === "" ? "removed" : "changed";
  const texts = [conditionsText(left, right), conditionsText(one, two)].map(
    (text) => text || "no condition",
  );
  const change = texts.join(" → ");
  found.report(conditionRules[`condition.${what}`], site, {
    change,
    old: texts[0]!,
    new: texts[1]!,
    decision: change,
  });
}
