import type { Type } from "../../generator/model/types.js";
import { lastName, type ChangeDetails, type Site } from "./change.js";
import type { Scope } from "./comparison.js";
import { fails, ruleFamily, type DiffRule, waysOut } from "./rule-family.js";
import type { Side } from "./side.js";
import { typeText } from "./type-text.js";

export const typeRules = ruleFamily({
  "type.widened": {
    title: "Type accepts more values",
    reason: "Newer writers may send {after}, but older readers accept only {before}.",
    newToOld: "broken",
    consumer: fails("type"),
    wayOut: waysOut.oldForm,
    mirror: "type.narrowed",
  },
  "type.narrowed": {
    title: "Type accepts fewer values",
    reason: "Older writers may send {before}, but newer readers accept only {after}.",
    oldToNew: "broken",
    producer: fails("type"),
    wayOut: waysOut.keepReading,
  },
  "type.changed": {
    title: "Type replaced",
    reason: "One version has {before}, and the other has {after}.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("type"),
    consumer: fails("type"),
    wayOut: waysOut.otherName,
  },
  "type.number-to-int": {
    title: "Number became an integer",
    reason: "Older writers may send fractions, which peers with integer types cannot read.",
    oldToNew: "typed",
    wayOut: "Make readers accept fractions and round them.",
    mirror: "type.int-to-number",
  },
  "type.int-to-number": {
    title: "Integer became any number",
    reason: "Newer writers may send fractions, which peers with integer types cannot read.",
    newToOld: "typed",
    wayOut:
      "Make writers send whole numbers to peers that have not announced support for fractions.",
  },
  "type.null-added": {
    title: "Null allowed",
    reason: "Newer writers may send null, but older readers expect {before}.",
    newToOld: "broken",
    consumer: fails("type"),
    wayOut: "Omit the property instead of sending null.",
    mirror: "type.null-removed",
  },
  "type.null-removed": {
    title: "Null no longer allowed",
    reason: "Older writers may send null, but newer readers expect {after}.",
    oldToNew: "broken",
    producer: fails("type"),
    wayOut: "Make the new version treat null as an absent property.",
  },
  "type.array-wrapped": {
    title: "Single value became an array",
    reason: "One version has {before}, and the other has {after}.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("type"),
    consumer: fails("type"),
    wayOut: waysOut.otherName,
    mirror: "type.array-unwrapped",
  },
  "type.array-unwrapped": {
    title: "Array became a single value",
    reason: "One version has {before}, and the other has {after}.",
    oldToNew: "broken",
    newToOld: "broken",
    producer: fails("type"),
    consumer: fails("type"),
    wayOut: waysOut.otherName,
  },
  "type.literal-changed": {
    title: "Fixed value replaced",
    reason: "Each version expects its own value.",
    oldToNew: "degraded",
    newToOld: "degraded",
    producer: fails("type"),
    consumer: fails("overlap"),
    exhaustive: true,
    wayOut: waysOut.otherName,
  },
  "type.respelled": {
    title: "Same values, different type",
    reason:
      "One version has {before}, and the other has {after}. Messages stay the same where both accept the same values, but code may handle the two types differently.",
    producer: fails("type", "sometimes"),
    consumer: fails("type", "sometimes"),
  },
});

/**
 * Reports that a type was replaced with another one. If `details` lacks example values, the
 * comparison searches for some.
 */
export function reportTypes(
  scope: Scope,
  rule: DiffRule,
  before: Type,
  after: Type,
  details: Pick<ChangeDetails, "limits" | "oldToNew" | "newToOld"> = {},
): void {
  const { types, site } = scope;
  const { byReaders } = types;
  const beforeText = textOf(types.before, types.after, before, site);
  const afterText = textOf(types.after, types.before, after, site);
  scope.report(rule, {
    change: `${beforeText} → ${afterText}`,
    before: beforeText,
    after: afterText,
    decision: `${lastName(site)} ${beforeText} → ${afterText}`,
    limits: details.limits,
    oldToNew: details.oldToNew ?? (() => byReaders.oldToNew.counterexample(before, after)),
    newToOld: details.newToOld ?? (() => byReaders.newToOld.counterexample(after, before)),
  });
}

/**
 * Briefly describes a type. If a definition exists in only one version and is not an object, the
 * description shows its contents instead of its name.
 */
function textOf(side: Side, other: Side, type: Type, { owner }: Site): string {
  const name = type.kind === "object" ? side.nameOf(type) : undefined;
  if (name !== undefined && name !== owner) return name;
  if (type.kind !== "reference" || other.definitions.has(type.name)) return typeText(type);
  const target = side.typeOf(type.name);
  return typeText(target.kind === "object" ? type : target);
}

/** Reports that a type was replaced with another one, which only code can tell apart. */
export function reportRespelled(scope: Scope, before: Type, after: Type): void {
  reportTypes(scope, typeRules["type.respelled"], before, after, {
    limits: { oldToNew: "ok", newToOld: "ok" },
  });
}
