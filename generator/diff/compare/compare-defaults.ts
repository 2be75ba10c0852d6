import type { Json } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import { compiles, ruleFamily } from "./rule-family.js";

export const defaultRules = ruleFamily({
  "default.added": {
    title: "Default stated",
    reason: "What an absent value means was not said before.",
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
    title: "Default no longer stated",
    reason: "What an absent value means is not said any more.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "default.added",
  },
});

/** Compares the meanings of an absent value. */
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
