import type { NumericType, StringType, Type } from "../../generator/model/types.js";
import { FoundChanges, type Site } from "./change.js";
import type { TypeComparison } from "./compare-types.js";
import { compiles, ruleFamily } from "./rule-family.js";
import { reportTypes, typeRules } from "./type-changes.js";
import { typeText } from "./type-text.js";

export const constraintRules = ruleFamily({
  "constraint.tightened": {
    title: "Bounds tightened",
    reason:
      "Older writers may exceed the new bounds. Bounds are meant for writers; readers should not enforce them.",
    oldToNew: "ranged",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.loosened",
  },
  "constraint.loosened": {
    title: "Bounds loosened",
    reason:
      "Newer writers may exceed the old bounds. Bounds are meant for writers; readers should not enforce them.",
    oldToNew: "ok",
    newToOld: "ranged",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.tightened",
  },
  "constraint.changed": {
    title: "Bounds moved",
    reason:
      "Each version allows values outside the other version's bounds. Bounds are meant for writers; readers should not enforce them.",
    oldToNew: "ranged",
    newToOld: "ranged",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.changed",
  },
  "constraint.pattern-added": {
    title: "Pattern added",
    reason:
      "Older writers may send strings that do not match the new pattern. Patterns are meant for writers; readers should not enforce them.",
    oldToNew: "undetermined",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.pattern-removed",
  },
  "constraint.pattern-removed": {
    title: "Pattern removed",
    reason:
      "Newer writers may send strings that do not match the old pattern. Patterns are meant for writers; readers should not enforce them.",
    oldToNew: "ok",
    newToOld: "undetermined",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.pattern-added",
  },
  "constraint.pattern-changed": {
    title: "Pattern changed",
    reason:
      "Patterns are not compared. They are meant for writers; readers should not enforce them.",
    oldToNew: "undetermined",
    newToOld: "undetermined",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.pattern-changed",
  },
  "constraint.format-changed": {
    title: "Named format changed",
    reason: "The format describes what the value means; it is not checked.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "constraint.format-changed",
  },
});

export function compareStrings(
  types: TypeComparison,
  found: FoundChanges,
  old: StringType,
  now: StringType,
  site: Site,
): void {
  const changed = compareBounds(types, found, old, now, site, {
    least: [old.minLength ?? 0, now.minLength ?? 0],
    most: [old.maxLength, now.maxLength],
  });
  if (!changed && old.format !== now.format)
    reportTypes(types, found, constraintRules["constraint.format-changed"], site, old, now);
}

export function compareNumbers(
  types: TypeComparison,
  found: FoundChanges,
  old: NumericType,
  now: NumericType,
  site: Site,
): void {
  const bounds = new FoundChanges();
  const changed = compareBounds(types, bounds, { ...old, kind: now.kind }, now, site, {
    least: [old.minimum, now.minimum],
    most: [old.maximum, now.maximum],
  });
  if (old.kind === now.kind) {
    if (!changed && old.format !== now.format)
      reportTypes(types, found, constraintRules["constraint.format-changed"], site, old, now);
    found.add(bounds);
    return;
  }
  const becomesInteger = now.kind === "integer";
  const rule = typeRules[becomesInteger ? "type.number-to-int" : "type.int-to-number"];
  const { forward, backward } = types.byReaders;
  const fraction = becomesInteger
    ? forward.counterexample(old, { ...old, kind: "integer" })
    : backward.counterexample(now, { ...now, kind: "integer" });
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
  const [before, after] = isOne && changed ? [typeText(old), typeText(now)] : [old.kind, now.kind];
  found.report(rule, site, {
    change: `${before} → ${after}`,
    old: before,
    new: after,
    decision: `${old.kind} → ${now.kind}`,
    ...(becomesInteger ? { oldToNew: () => fraction } : { newToOld: () => fraction }),
  });
  if (!isOne) found.add(bounds);
}

/**
 * Compares string patterns as text. It does not work out whether one pattern accepts everything
 * that the other one does.
 */
export function comparePatterns(found: FoundChanges, old: Type, now: Type, site: Site): void {
  const [before, after] = [patternsOf(old), patternsOf(now)];
  if (before === after) return;
  const what = before === "" ? "added" : after === "" ? "removed" : "changed";
  const change = [before, after]
    .map((pattern) => (pattern === "" ? "no pattern" : `pattern ${pattern}`))
    .join(" → ");
  found.report(constraintRules[`constraint.pattern-${what}`], site, {
    change,
    old: before,
    new: after,
    decision: `${before} → ${after}`,
  });
}

/** Returns the patterns that occur in a type's alternatives, in alphabetical order. */
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
  { byReaders }: TypeComparison,
  found: FoundChanges,
  old: Type,
  now: Type,
  site: Site,
  { least, most }: Bounds,
): boolean {
  const [oldLeast = -Infinity, newLeast = -Infinity] = least;
  const [oldMost = Infinity, newMost = Infinity] = most;
  const tightened = newLeast > oldLeast || newMost < oldMost;
  const loosened = newLeast < oldLeast || newMost > oldMost;
  if (!tightened && !loosened) return false;
  const id = !tightened
    ? "constraint.loosened"
    : loosened
      ? "constraint.changed"
      : "constraint.tightened";
  const [before, after] = [typeText(old), typeText(now)];
  found.report(constraintRules[id], site, {
    change: `${before} → ${after}`,
    old: before,
    new: after,
    decision: `${before} → ${after}`,
    oldToNew: () => byReaders.forward.counterexample(old, withoutParts(now)),
    newToOld: () => byReaders.backward.counterexample(now, withoutParts(old)),
  });
  return true;
}

function withoutParts(type: Type): Type {
  return type.kind === "array" ? { ...type, items: { kind: "any" } } : type;
}
