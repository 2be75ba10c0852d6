import type { Json, Type } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import { conditionsOf, conditionsText, typeText } from "./type-text.js";
import { ruleFamily, waysOut } from "./rule-family.js";
import { smallestValue, unnamedParts, type Side } from "./side.js";
import { constraintRules } from "./compare-bounds.js";
import { takesAllTexts } from "../../generator/model/type-checks.js";

export const conditionRules = ruleFamily({
  "condition.added": {
    title: "Condition added",
    reason:
      "Older writers may send values that violate the new condition. The comparison does not determine which ones.",
    oldToNew: "undetermined",
    newToOld: "ok",
    wayOut: "Make readers accept values that violate the condition.",
    mirror: "condition.removed",
  },
  "condition.removed": {
    title: "Condition removed",
    reason:
      "Newer writers may send values that violate the old condition. The comparison does not determine which ones.",
    oldToNew: "ok",
    newToOld: "undetermined",
    wayOut: "Send only values that satisfy the old condition to older peers.",
    mirror: "condition.added",
  },
  "condition.changed": {
    title: "Condition changed",
    reason:
      "The conditions are not compared, so it is unknown whether they accept the same values.",
    oldToNew: "undetermined",
    newToOld: "undetermined",
    wayOut: "Make readers accept values that violate the condition.",
    mirror: "condition.changed",
  },
});

/**
 * Compares the conditions that are not covered by kinds, properties and bounds, such as `not` and
 * the types of unnamed properties.
 */
export function compareConditions(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const [typesBefore, typesAfter] = [
    conditioned(types.before, before),
    conditioned(types.after, after),
  ];
  compareKeys(types, found, typesBefore, typesAfter, site);
  reportConditions(found, typesBefore, typesAfter, site);
}

/**
 * Returns the types whose conditions apply to a type as a whole: the type itself, and any
 * alternatives that are not compared separately.
 */
function conditioned(side: Side, type: Type): readonly Type[] {
  const types = new Set<Type>();
  const alternatives = side.membersOf(type).filter(({ resolved }) => resolved.kind !== "null");
  const isAlone = alternatives.length === 1;
  const add = (each: Type): void => {
    const resolved = side.resolve(each);
    if (types.has(resolved)) return;
    types.add(each).add(resolved);
    if (resolved.kind !== "union") return;
    for (const member of resolved.members) {
      const { kind } = side.resolve(member);
      const isCompared = isAlone
        ? member.kind === "reference"
        : kind === "object" || kind === "map";
      if (!isCompared) add(member);
    }
  };
  add(type);
  return [...types];
}

/** Reports any difference between the conditions on the old and new types. */
export function reportConditions(
  found: FoundChanges,
  before: readonly Type[],
  after: readonly Type[],
  site: Site,
): void {
  const others = withoutCompared(before, after);
  const [conditionsBefore, conditionsAfter] = others.map((types) => conditionsOf(...types));
  if (conditionsBefore === conditionsAfter) return;
  const what = conditionsBefore === "" ? "added" : conditionsAfter === "" ? "removed" : "changed";
  const texts = others.map((types) => conditionsText(...types) || "no condition");
  const change = texts.join(" → ");
  found.report(conditionRules[`condition.${what}`], site, {
    change,
    before: texts[0]!,
    after: texts[1]!,
    decision: change,
  });
}

export const keyRules = ruleFamily({
  "keys.widened": {
    title: "Dictionary accepts more keys",
    reason: "Newer writers may use keys of {after}, but older readers accept only {before}.",
    oldToNew: "ok",
    newToOld: "degraded",
    wayOut: "Send only the old keys to older peers.",
    mirror: "keys.narrowed",
  },
  "keys.narrowed": {
    title: "Dictionary accepts fewer keys",
    reason: "Older writers may use keys of {before}, but newer readers accept only {after}.",
    oldToNew: "degraded",
    newToOld: "ok",
    wayOut: waysOut.keepReading,
    mirror: "keys.widened",
  },
  "keys.changed": {
    title: "Dictionary accepts different keys",
    reason: "In one version, keys are {before}. In the other, they are {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Put the new keys in a dictionary with a different name.",
    mirror: "keys.changed",
  },
});

/**
 * Removes the conditions that have rules of their own: those on keys, and on the unnamed properties
 * that objects of both versions describe.
 */
function withoutCompared(
  before: readonly Type[],
  after: readonly Type[],
): readonly (readonly Type[])[] {
  const [namedBefore, namedAfter] = [before, after].map(
    (types) =>
      new Set(
        types.flatMap((type) => (type.kind === "object" ? [...unnamedParts(type).keys()] : [])),
      ),
  );
  const isCompared = (pattern: string): boolean =>
    namedBefore!.has(pattern) && namedAfter!.has(pattern);
  return [before, after].map((types) =>
    types.map(withoutKeys).map((type) => {
      if (type.kind !== "object" || unnamedParts(type).size === 0) return type;
      const { others, matching = [], ...object } = type;
      return {
        ...object,
        ...(others === undefined || isCompared("") ? {} : { others }),
        matching: matching.filter(({ pattern }) => !isCompared(pattern)),
      };
    }),
  );
}

/** Removes conditions on keys from a type, because they have rules of their own. */
function withoutKeys(type: Type): Type {
  return type.checks?.some(({ kind }) => kind === "names") === true
    ? { ...type, checks: type.checks.filter(({ kind }) => kind !== "names") }
    : type;
}

function compareKeys(
  types: Comparison,
  found: FoundChanges,
  before: readonly Type[],
  after: readonly Type[],
  site: Site,
): void {
  const [statedBefore, statedAfter] = [keysOf(before), keysOf(after)];
  if (statedBefore === undefined && statedAfter === undefined) return;
  const [keyBefore, keyAfter] = [statedBefore ?? anyKey, statedAfter ?? anyKey];
  if (types.structure.isSame(keyBefore, keyAfter) || !areOfOneKind(types, before, after)) return;
  const { oldToNew, newToOld } = types.by("schema");
  const [lost, gained] = [
    oldToNew.counterexample(keyBefore, keyAfter),
    newToOld.counterexample(keyAfter, keyBefore),
  ];
  // If neither search finds an example, the change counts as neither narrowing nor widening,
  // because each pattern may accept keys that the other one rejects.
  const isNarrower = gained === undefined && lost !== undefined;
  const isWider = lost === undefined && gained !== undefined;
  const what = isNarrower ? "narrowed" : isWider ? "widened" : "changed";
  const isOfFormat = takesAllTexts(keyBefore) && takesAllTexts(keyAfter);
  const rule = isOfFormat ? constraintRules["constraint.format-changed"] : keyRules[`keys.${what}`];
  const [beforeText, afterText] = [keyText(keyBefore), keyText(keyAfter)];
  const change = `keys ${beforeText} → ${afterText}`;
  found.report(rule, site, {
    change,
    before: beforeText,
    after: afterText,
    decision: change,
    oldToNew: () => withKey(types.before, before, lost),
    newToOld: () => withKey(types.after, after, gained),
  });
}

/**
 * Returns whether both versions have a dictionary, or both have an object. Otherwise, another rule
 * already reports that the whole type was replaced.
 */
function areOfOneKind(types: Comparison, before: readonly Type[], after: readonly Type[]): boolean {
  const kindsIn = (side: Side, list: readonly Type[]): ReadonlySet<string> =>
    new Set(list.flatMap((type) => side.alternativesOf(type).map(({ kind }) => kind)));
  const [kindsBefore, kindsAfter] = [kindsIn(types.before, before), kindsIn(types.after, after)];
  return ["map", "object"].some((kind) => kindsBefore.has(kind) && kindsAfter.has(kind));
}

const anyKey: Type = { kind: "string" };

/** Returns the type of the keys, or undefined if any string can be a key. */
function keysOf(types: readonly Type[]): Type | undefined {
  const keys = new Set(
    types.flatMap(({ checks = [] }) =>
      checks.flatMap((check) => (check.kind === "names" ? [check.type] : [])),
    ),
  );
  const [first, ...otherKeys] = keys;
  return first === undefined || otherKeys.length === 0
    ? first
    : { ...first, checks: otherKeys.map((type) => ({ kind: "also", type })) };
}

function keyText(type: Type): string {
  if (type.kind !== "string" || type.pattern === undefined) return typeText(type);
  return `${typeText(type)} like ${type.pattern}`;
}

function withKey(side: Side, types: readonly Type[], key: Json | undefined): Json | undefined {
  const type = types.map((each) => side.resolve(each)).find(({ kind }) => kind === "map");
  if (typeof key !== "string" || type?.kind !== "map") return undefined;
  const value = smallestValue(side, type.values);
  return value === undefined ? undefined : { [key]: value };
}
