import type { Json } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import { compiles, ruleFamily } from "./rule-family.js";

export const defaultRules = ruleFamily({
  "default.added": {
    title: "Default specified",
    reason: "The meaning of an absent value was not defined before.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "default.removed",
  },
  "default.changed": {
    title: "Default changed",
    reason: "An absent value means {before} to one version and {after} to the other.",
    oldToNew: "different",
    newToOld: "different",
    producer: compiles,
    consumer: compiles,
    mirror: "default.changed",
  },
  "default.removed": {
    title: "Default no longer specified",
    reason: "The meaning of an absent value is no longer defined.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "default.added",
  },
});

/**
 * Compares the default values of a property. A default value is the meaning of an absent property.
 */
export function compareDefaults(
  found: FoundChanges,
  before: Json | undefined,
  after: Json | undefined,
  site: Site,
): void {
  const [old, now] = [before, after].map((value) => JSON.stringify(value) ?? "");
  if (old === now) return;
  const id =
    before === undefined
      ? "default.added"
      : after === undefined
        ? "default.removed"
        : "default.changed";
  found.report(defaultRules[id], site, {
    change: `default ${old || "none"} → ${now || "none"}`,
    old: old!,
    new: now!,
    decision: `default ${old} ${now}`,
  });
}
