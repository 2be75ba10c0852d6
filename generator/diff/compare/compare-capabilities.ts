import type { Gate } from "../../model/types.js";
import type { ChangeDetails, FoundChanges, Site } from "./change.js";
import { compiles, fails, ruleFamily, type DiffRule } from "./rule-family.js";

export const gateRules = ruleFamily({
  "gate.added": {
    title: "Capability required",
    reason:
      "Older peers use it without asking for {after}; newer ones do not use it with older peers.",
    oldToNew: "degraded",
    newToOld: "lost",
    producer: compiles,
    consumer: compiles,
    mirror: "gate.removed",
  },
  "gate.removed": {
    title: "Capability no longer required",
    reason: "Newer peers use it without asking whether an older one announced {before}.",
    oldToNew: "lost",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "gate.added",
  },
  "gate.changed": {
    title: "Another capability required",
    reason: "Older peers look at {before}, newer ones at {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "gate.changed",
  },
});

export const capabilityRules = ruleFamily({
  "capability.added": {
    title: "Capability added",
    reason: "An older peer does not announce it, which means no.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "capability.removed",
  },
  "capability.removed": {
    title: "Capability removed",
    reason: "What it announced is never used between peers of different versions.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("gone", "direct-use"),
    mirror: "capability.added",
  },
});

/** The rule for another capability that something needs, and the change in words. Undefined if it is the same. */
export function compareGates(
  before: Gate | undefined,
  after: Gate | undefined,
): { readonly rule: DiffRule; readonly details: ChangeDetails } | undefined {
  const [old, now] = [gateText(before), gateText(after)];
  if (old === now) return undefined;
  const id = old === "" ? "gate.added" : now === "" ? "gate.removed" : "gate.changed";
  const change = `${old || "none"} → ${now || "none"}`;
  return { rule: gateRules[id], details: { change, old, new: now } };
}

/** Reports that a property needs another capability. */
export function reportGates(
  found: FoundChanges,
  before: Gate | undefined,
  after: Gate | undefined,
  site: Site,
): void {
  const changed = compareGates(before, after);
  if (changed !== undefined) found.report(changed.rule, site, changed.details);
}

function gateText(gate: Gate | undefined): string {
  return gate === undefined ? "" : `${gate.role}.${gate.flag}`;
}
