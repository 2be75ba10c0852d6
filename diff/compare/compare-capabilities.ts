import type { Gate } from "../../generator/model/types.js";
import { changeOfFact, type ChangeDetails } from "./change.js";
import type { Scope } from "./comparison.js";
import { fails, ruleFamily, type DiffRule } from "./rule-family.js";

export const gateRules = ruleFamily({
  "gate.added": {
    title: "Capability required",
    reason:
      "Older peers use the feature without checking {after}. Newer peers do not use the feature with older peers.",
    oldToNew: "degraded",
    newToOld: "lost",
    wayOut: "Keep answering peers that use the feature without checking the capability.",
    mirror: "gate.removed",
  },
  "gate.removed": {
    title: "Capability no longer required",
    reason:
      "Newer peers use the feature without checking whether an older peer announced {before}.",
    oldToNew: "lost",
    newToOld: "degraded",
    wayOut: "Keep announcing the capability, and keep checking it.",
  },
  "gate.changed": {
    title: "Different capability required",
    reason: "Older peers check {before}, whereas newer peers check {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Announce both capabilities.",
  },
  "gate.sender-added": {
    title: "Sender capability required",
    reason:
      "An older sender does not announce {after}, so a newer peer may not offer it the message.",
    oldToNew: "lost",
    wayOut: "Keep offering the message to peers that do not announce the capability.",
    mirror: "gate.sender-removed",
  },
  "gate.sender-removed": {
    title: "Sender capability no longer required",
    reason:
      "A newer sender need not announce {before}, so an older peer may not offer it the message.",
    newToOld: "lost",
    wayOut: "Keep announcing the capability.",
  },
  "gate.sender-changed": {
    title: "Different sender capability required",
    reason: "Older senders announce {before}, whereas newer senders announce {after}.",
    oldToNew: "lost",
    newToOld: "lost",
    wayOut: "Announce both capabilities.",
  },
});

export const capabilityRules = ruleFamily({
  "capability.added": {
    title: "Capability added",
    reason: "Older peers do not announce the capability, so the feature counts as unsupported.",
    mirror: "capability.removed",
  },
  "capability.removed": {
    title: "Capability removed",
    reason: "Peers of different versions do not use the feature that the capability announces.",
    oldToNew: "lost",
    newToOld: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    wayOut: "Keep announcing the capability for as long as older peers check it.",
  },
});

/**
 * Returns the rule for a change in the required capability, and a description of the change.
 * Returns undefined if the requirement is the same.
 *
 * @param announcer Prefix of the rules if the sender of the message announces the capability.
 */
export function compareGates(
  before: Gate | undefined,
  after: Gate | undefined,
  announcer: "" | "sender-" = "",
): { readonly rule: DiffRule; readonly details: ChangeDetails } | undefined {
  const fact = changeOfFact(gateText(before), gateText(after));
  if (fact === undefined) return undefined;
  const { kind, ...details } = fact;
  return { rule: gateRules[`gate.${announcer}${kind}`], details };
}

/** Reports any change in the capability that a property requires. */
export function reportGates(scope: Scope, before: Gate | undefined, after: Gate | undefined): void {
  const changed = compareGates(before, after);
  if (changed !== undefined) scope.report(changed.rule, changed.details);
}

function gateText(gate: Gate | undefined): string {
  return gate === undefined ? "" : `${gate.role}.${gate.capability}`;
}
