import type { Type } from "../../generator/model/types.js";
import type { Comparison, Scope } from "./comparison.js";
import type { Direction, Limit, Limits, ReaderPolicy } from "./outcomes.js";
import type { ReadingName } from "./accepted-values.js";
import { fails, ruleFamily, type DiffRule, waysOut } from "./rule-family.js";
import { constraintRules } from "./compare-bounds.js";
import { reportTypes, typeRules } from "./type-changes.js";

export const varianceRules = ruleFamily({
  "union.widened": {
    title: "Alternatives accept more values",
    reason: "Newer writers may send values of {after} that older readers reject.",
    newToOld: "degraded",
    consumer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.oldForm,
    mirror: "union.narrowed",
  },
  "union.narrowed": {
    title: "Alternatives accept fewer values",
    reason: "Older writers may send values of {before} that newer readers do not recognise.",
    oldToNew: "degraded",
    producer: fails("type"),
    exhaustive: true,
    wayOut: waysOut.keepReading,
  },
  "union.split": {
    title: "Alternatives declare more properties",
    reason: "Older readers accept the values of {after}, but ignore some of their properties.",
    newToOld: "lost",
    consumer: fails("type", "sometimes"),
    mirror: "union.merged",
  },
  "union.merged": {
    title: "Alternatives declare fewer properties",
    reason: "Newer readers accept the values of {before}, but ignore some of their properties.",
    oldToNew: "lost",
    producer: fails("excess", "direct-use"),
  },
  "union.relisted": {
    title: "Strict readers accept fewer values of alternatives",
    reason: "Readers of an open list accept unknown values.",
    oldToNew: "strict",
    mirror: "union.unlisted",
  },
  "union.unlisted": {
    title: "Strict readers accept more values of alternatives",
    reason: "Readers of an open list accept unknown values.",
    newToOld: "strict",
  },
});

/** How one version's values affect readers of the other version. */
interface Difference {
  /** The worst effect on a tolerant reader. */
  readonly worst: "broken" | "degraded" | "ok";
  /**
   * Whether some values exceed bounds (`ranged`), have parts that a reader ignores (`lost`), or are
   * rejected by a strict reader (`strict`).
   */
  readonly ranged: boolean;
  readonly lost: boolean;
  readonly strict: boolean;
}

const noDifference: Difference = { worst: "ok", ranged: false, lost: false, strict: false };

/** Determines how a type's values affect readers of the other version. */
export function differenceOf(
  types: Comparison,
  direction: Direction,
  written: Type,
  read: Type,
): Difference {
  const rejects = (reading: ReadingName): boolean =>
    types.by(reading)[direction].counterexample(written, read) !== undefined;
  // A strict reader rejects everything that any other kind of reader rejects.
  if (!rejects("strict")) return noDifference;
  return {
    worst: rejects("forgiving") ? "broken" : rejects("exact") ? "degraded" : "ok",
    ranged: rejects("schema"),
    lost: rejects("attentive"),
    strict: true,
  };
}

/**
 * Returns the worst verdict that a reader with the given policy reaches on the values that make the
 * difference.
 */
function worstOf(difference: Difference, policy: ReaderPolicy): Limit {
  const { worst, ranged, lost, strict } = difference;
  if (policy === "strict") return strict ? "rejected" : "ok";
  if (policy === "schema" && (worst !== "ok" || ranged)) return "rejected";
  if (worst !== "ok") return worst === "broken" ? "rejected" : "degraded";
  return lost ? "lost" : "ok";
}

/**
 * Returns the worst effect that a change in an alternative can have, given that other alternatives
 * may accept the values.
 */
export function limitsOf(
  types: Comparison,
  [before, unionBefore]: readonly [Type, Type],
  [after, unionAfter]: readonly [Type, Type],
): Limits {
  return {
    oldToNew: worstOf(differenceOf(types, "oldToNew", before, unionAfter), types.reader),
    newToOld: worstOf(differenceOf(types, "newToOld", after, unionBefore), types.reader),
  };
}

/**
 * The rules for a change in one direction, depending on whether values break or merely degrade a
 * tolerant reader.
 */
interface RulesByDifference {
  readonly broken: DiffRule;
  readonly degraded: DiffRule;
}

const wholeTypes: Readonly<Record<Direction, RulesByDifference>> = {
  oldToNew: { broken: typeRules["type.narrowed"], degraded: varianceRules["union.narrowed"] },
  newToOld: { broken: typeRules["type.widened"], degraded: varianceRules["union.widened"] },
};

/** A rule that applies to a difference, and the kind of reader that rejects its example value. */
interface DifferenceRule {
  readonly rule: DiffRule;
  readonly shownTo: ReadingName;
}

/**
 * Returns the rules for a difference in one direction. If values break or degrade a tolerant
 * reader, only the rule for that effect applies. Otherwise, the rules for all milder effects apply.
 */
export function rulesFor(
  { worst, ranged, lost, strict }: Difference,
  direction: Direction,
  { broken, degraded }: RulesByDifference = wholeTypes[direction],
): readonly DifferenceRule[] {
  const isOldToNew = direction === "oldToNew";
  if (worst === "broken") return [{ rule: broken, shownTo: "forgiving" }];
  if (worst === "degraded") return [{ rule: degraded, shownTo: "exact" }];
  const tightened = constraintRules[isOldToNew ? "constraint.tightened" : "constraint.loosened"];
  const merged = varianceRules[isOldToNew ? "union.merged" : "union.split"];
  const relisted = varianceRules[isOldToNew ? "union.relisted" : "union.unlisted"];
  return [
    ...(ranged ? [{ rule: tightened, shownTo: "schema" } as const] : []),
    ...(lost ? [{ rule: merged, shownTo: "attentive" } as const] : []),
    ...(strict && !ranged && !lost ? [{ rule: relisted, shownTo: "strict" } as const] : []),
  ];
}

/**
 * Reports that a type accepts more values, fewer values, or different ones. Used if no rule covers
 * the change more specifically.
 *
 * @param parts The parts of the two types that changed. Default: the types as a whole.
 */
export function compareByVariance(
  scope: Scope,
  before: Type,
  after: Type,
  [partBefore, partAfter]: readonly [Type, Type] = [before, after],
): void {
  const { types } = scope;
  const oldToNew = differenceOf(types, "oldToNew", partBefore, after);
  const newToOld = differenceOf(types, "newToOld", partAfter, before);
  const example = {
    oldToNew: (reading: ReadingName) => () =>
      types.by(reading).oldToNew.counterexample(partBefore, after),
    newToOld: (reading: ReadingName) => () =>
      types.by(reading).newToOld.counterexample(partAfter, before),
  };
  if (oldToNew.worst === "broken" && newToOld.worst === "broken") {
    reportTypes(scope, typeRules["type.changed"], before, after, {
      oldToNew: example.oldToNew("forgiving"),
      newToOld: example.newToOld("forgiving"),
    });
    return;
  }
  for (const [direction, difference] of Object.entries({ oldToNew, newToOld }) as [
    Direction,
    Difference,
  ][]) {
    // If only fractions make a difference, code still compiles, because TypeScript has no integers.
    const isOfFractions =
      difference.worst === "degraded" && example[direction]("fractional")() === undefined;
    const ofFractions =
      typeRules[direction === "oldToNew" ? "type.number-to-int" : "type.int-to-number"];
    for (const { rule, shownTo } of rulesFor(difference, direction))
      reportTypes(scope, isOfFractions ? ofFractions : rule, before, after, {
        [direction]: example[direction](shownTo),
      });
  }
}
