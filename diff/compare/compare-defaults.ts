import type { Json } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import { compiles, ruleFamily } from "./rule-family.js";

export const defaultRules = ruleFamily({
  "default.added": {
    title: "Default specified",
    reason: "Previously, the schema did not define what an absent value means.",
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
    reason: "The schema no longer defines what an absent value means.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "default.added",
  },
});

/**
 * Compares a property's default values. The default states what it means for the property to be
 * absent.
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
