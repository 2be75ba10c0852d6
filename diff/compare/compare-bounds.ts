import type { NumericType, StringType, Type } from "../../generator/model/types.js";
import { kindOfChange, FoundChanges } from "./change.js";
import type { Scope } from "./comparison.js";
import { ruleFamily } from "./rule-family.js";
import { reportTypes, typeRules } from "./type-changes.js";
import { typeText } from "./type-text.js";

export const constraintRules = ruleFamily({
  "constraint.tightened": {
    title: "Bounds tightened",
    reason:
      "Older writers may exceed the new bounds. Bounds are meant for writers; readers should not enforce them.",
    oldToNew: "ranged",
    wayOut: "Make readers accept values outside the bounds.",
    mirror: "constraint.loosened",
  },
  "constraint.loosened": {
    title: "Bounds loosened",
    reason:
      "Newer writers may exceed the old bounds. Bounds are meant for writers; readers should not enforce them.",
    newToOld: "ranged",
    wayOut: "Stay within the old bounds when sending values to older peers.",
  },
  "constraint.changed": {
    title: "Bounds moved",
    reason:
      "Each version allows values outside the other version's bounds. Bounds are meant for writers; readers should not enforce them.",
    oldToNew: "ranged",
    newToOld: "ranged",
    wayOut: "Make readers accept values outside the bounds.",
  },
  "constraint.pattern-added": {
    title: "Pattern added",
    reason:
      "Older writers may send strings that do not match the new pattern. Patterns are meant for writers; readers should not enforce them.",
    oldToNew: "undetermined",
    wayOut: "Make readers accept strings that do not match the pattern.",
    mirror: "constraint.pattern-removed",
  },
  "constraint.pattern-removed": {
    title: "Pattern removed",
    reason:
      "Newer writers may send strings that do not match the old pattern. Patterns are meant for writers; readers should not enforce them.",
    newToOld: "undetermined",
    wayOut: "Send only strings that match the old pattern to older peers.",
  },
  "constraint.pattern-changed": {
    title: "Pattern changed",
    reason:
      "Patterns are not compared. They are meant for writers; readers should not enforce them.",
    oldToNew: "undetermined",
    newToOld: "undetermined",
    wayOut: "Make readers accept strings that do not match the pattern.",
  },
  "constraint.format-changed": {
    title: "Named format changed",
    reason: "The format describes what the value means; it is not checked.",
  },
});

export function compareStrings(scope: Scope, before: StringType, after: StringType): void {
  const changed = compareBounds(scope, before, after, {
    least: [before.minLength ?? 0, after.minLength ?? 0],
    most: [before.maxLength, after.maxLength],
  });
  if (!changed && before.format !== after.format)
    reportTypes(scope, constraintRules["constraint.format-changed"], before, after);
}

export function compareNumbers(scope: Scope, before: NumericType, after: NumericType): void {
  const { types, found } = scope;
  const bounds = new FoundChanges();
  const changed = compareBounds(scope.into(bounds), { ...before, kind: after.kind }, after, {
    least: [before.minimum, after.minimum],
    most: [before.maximum, after.maximum],
  });
  if (before.kind === after.kind) {
    if (!changed && before.format !== after.format)
      reportTypes(scope, constraintRules["constraint.format-changed"], before, after);
    found.add(bounds);
    return;
  }
  const becomesInteger = after.kind === "integer";
  const rule = typeRules[becomesInteger ? "type.number-to-int" : "type.int-to-number"];
  const { oldToNew, newToOld } = types.byReaders;
  const fraction = becomesInteger
    ? oldToNew.counterexample(before, { ...before, kind: "integer" })
    : newToOld.counterexample(after, { ...after, kind: "integer" });
  // If the bounds leave no room for fractions, only the bounds have changed.
  if (fraction === undefined) {
    found.add(bounds);
    return;
  }
  // If the bounds and the type change in the same direction, report a single change. If a version
  // does not state the bounds or the integer type, report two.
  const unstated = [types.before, types.after].flatMap(({ protocol }) => protocol.unstated ?? []);
  const isOne =
    bounds.changes.every(
      ({ rule: each }) => each[becomesInteger ? "newToOld" : "oldToNew"] === "ok",
    ) &&
    !unstated.includes("integers") &&
    !unstated.includes("ranges");
  const [beforeText, afterText] =
    isOne && changed ? [typeText(before), typeText(after)] : [before.kind, after.kind];
  scope.report(rule, {
    change: `${beforeText} → ${afterText}`,
    before: beforeText,
    after: afterText,
    decision: `${before.kind} → ${after.kind}`,
    ...(becomesInteger ? { oldToNew: () => fraction } : { newToOld: () => fraction }),
  });
  if (!isOne) found.add(bounds);
}

/**
 * Compares string patterns as text. It does not work out whether one pattern accepts everything
 * that the other one does.
 */
export function comparePatterns(scope: Scope, before: Type, after: Type): void {
  const [beforePattern, afterPattern] = [patternsOf(before), patternsOf(after)];
  if (beforePattern === afterPattern) return;
  const change = [beforePattern, afterPattern]
    .map((pattern) => (pattern === "" ? "no pattern" : `pattern ${pattern}`))
    .join(" → ");
  scope.report(constraintRules[`constraint.pattern-${kindOfChange(beforePattern, afterPattern)}`], {
    change,
    before: beforePattern,
    after: afterPattern,
    decision: `${beforePattern} → ${afterPattern}`,
  });
}

function patternsOf(type: Type): string {
  const members = type.kind === "union" ? type.members : [type];
  const patterns = members.flatMap((each) =>
    each.kind === "string" && each.pattern !== undefined ? [each.pattern] : [],
  );
  return [...new Set(patterns)].sort().join(" or ");
}

/** The lower and upper bounds in both versions. */
interface Bounds {
  readonly least: Ends;
  readonly most: Ends;
}

type Ends = readonly [before: number | undefined, after: number | undefined];

/** Compares lower and upper bounds, and returns whether they differ. */
export function compareBounds(
  scope: Scope,
  before: Type,
  after: Type,
  { least, most }: Bounds,
): boolean {
  const { byReaders } = scope.types;
  const [leastBefore = -Infinity, leastAfter = -Infinity] = least;
  const [mostBefore = Infinity, mostAfter = Infinity] = most;
  const tightened = leastAfter > leastBefore || mostAfter < mostBefore;
  const loosened = leastAfter < leastBefore || mostAfter > mostBefore;
  if (!tightened && !loosened) return false;
  const id = !tightened
    ? "constraint.loosened"
    : loosened
      ? "constraint.changed"
      : "constraint.tightened";
  const [beforeText, afterText] = [typeText(before), typeText(after)];
  scope.report(constraintRules[id], {
    change: `${beforeText} → ${afterText}`,
    before: beforeText,
    after: afterText,
    decision: `${beforeText} → ${afterText}`,
    oldToNew: () => byReaders.oldToNew.counterexample(before, withoutParts(after)),
    newToOld: () => byReaders.newToOld.counterexample(after, withoutParts(before)),
  });
  return true;
}

function withoutParts(type: Type): Type {
  return type.kind === "array" ? { ...type, items: { kind: "any" } } : type;
}
