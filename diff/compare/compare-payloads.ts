import type { Payload } from "../../generator/model/protocol.js";
import type { Json } from "../../generator/model/types.js";
import { compareTypes } from "./compare-types.js";
import type { Scope } from "./comparison.js";
import type { VersionsOfPayload } from "./definition-pairs.js";
import { fails, ruleFamily, waysOut } from "./rule-family.js";
import type { Side } from "./side.js";
import { smallestValue } from "./side.js";
import { typeText } from "./type-text.js";

export const payloadRules = ruleFamily({
  "body.added-optional": {
    title: "Optional payload added",
    reason: "An older reader ignores the payload.",
    newToOld: "lost",
    heldBack: true,
    mirror: "body.removed-optional",
  },
  "body.added-required": {
    title: "Required payload added",
    reason: "Older writers omit parts that newer readers require.",
    oldToNew: "broken",
    newToOld: "lost",
    producer: fails("missing"),
    heldBack: true,
    wayOut: waysOut.optional,
    mirror: "body.removed",
  },
  "body.removed": {
    title: "Required payload removed",
    reason: "Newer writers omit parts that older readers require.",
    oldToNew: "lost",
    newToOld: "broken",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed"),
    heldBack: true,
    wayOut: waysOut.keepSending,
  },
  "body.removed-optional": {
    title: "Optional payload removed",
    reason: "A newer reader ignores the payload.",
    oldToNew: "lost",
    producer: fails("excess", "direct-use"),
    consumer: fails("removed", "direct-use"),
    heldBack: true,
  },
  "body.became-required": {
    title: "Payload became required",
    reason: "Older writers may omit the payload, but newer readers require it.",
    oldToNew: "broken",
    producer: fails("missing"),
    wayOut: waysOut.optional,
    mirror: "body.became-optional",
  },
  "body.became-optional": {
    title: "Payload became optional",
    reason: "Newer writers may omit the payload, but older readers require it.",
    newToOld: "broken",
    consumer: fails("type"),
    wayOut: "Keep the payload required, and send an empty payload if there is nothing to report.",
  },
});

export function comparePayloads(scope: Scope, { field, before, after }: VersionsOfPayload): void {
  const { types, site } = scope;
  const label = `.${field}`;
  // If only one version has the payload, use the whole message as the example.
  const message = scope.at({ label, steps: [] });
  const messageWith = (side: Side, payload: Payload | undefined) => (): Json | undefined =>
    smallestMessage(side, site.owner, field, payload);
  if (before === undefined || after === undefined) {
    const payload = before ?? after;
    if (payload === undefined) return;
    const isAdded = after !== undefined;
    const added = payload.required ? "body.added-required" : "body.added-optional";
    const removed = payload.required ? "body.removed" : "body.removed-optional";
    message.report(payloadRules[isAdded ? added : removed], {
      change: `${isAdded ? "+" : "-"} ${field}${payload.required ? "" : "?"}: ${typeText(payload.type)}`,
      before: field,
      after: field,
      oldToNew: messageWith(types.before, before),
      newToOld: messageWith(types.after, after),
    });
    return;
  }
  if (
    before.required !== after.required &&
    !(isAsRequired(types.before, before) && isAsRequired(types.after, after))
  )
    message.report(payloadRules[after.required ? "body.became-required" : "body.became-optional"], {
      change: after.required ? "optional → required" : "required → optional",
      oldToNew: messageWith(types.before, undefined),
      newToOld: messageWith(types.after, undefined),
    });
  const steps = [{ kind: "field", name: field }] as const;
  compareTypes(scope.at({ label, steps }), before.type, after.type);
}

/**
 * Returns whether a payload is required because one of its properties is, or optional because none
 * is. In either case, a change is reported for the property rather than for the payload.
 */
function isAsRequired(side: Side, { type, required }: Payload): boolean {
  const resolved = side.resolve(type);
  return (
    resolved.kind === "object" &&
    side.propertiesOf(resolved).some((property) => property.required) === required
  );
}

/**
 * Returns the smallest message that matches a definition, including the payload if one is given.
 */
function smallestMessage(
  side: Side,
  definition: string,
  field: string,
  payload: Payload | undefined,
): Json | undefined {
  const message = smallestValue(side, { kind: "reference", name: definition });
  if (payload === undefined) return message;
  return { ...(message as object), [field]: smallestValue(side, payload.type) ?? null };
}
