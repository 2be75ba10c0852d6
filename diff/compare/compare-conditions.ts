import type { Check, Json, Type } from "../../generator/model/types.js";
import { kindOfChange } from "./change.js";
import type { Comparison, Scope } from "./comparison.js";
import { conditionsOf, conditionsText, typeText } from "./type-text.js";
import { ruleFamily, waysOut } from "./rule-family.js";
import { constraintRules } from "./compare-bounds.js";
import { takesAllTexts } from "../../generator/model/type-checks.js";
import { smallestValue, unnamedParts, type Side } from "./side.js";

export const conditionRules = ruleFamily({
  "condition.added": {
    title: "Condition added",
    reason:
      "Older writers may send values that violate the new condition. The comparison does not determine which ones.",
    oldToNew: "undetermined",
    wayOut: "Make readers accept values that violate the condition.",
    mirror: "condition.removed",
  },
  "condition.removed": {
    title: "Condition removed",
    reason:
      "Newer writers may send values that violate the old condition. The comparison does not determine which ones.",
    newToOld: "undetermined",
    wayOut: "Send only values that satisfy the old condition to older peers.",
  },
  "condition.changed": {
    title: "Condition changed",
    reason:
      "The conditions are not compared, so it is unknown whether they accept the same values.",
    oldToNew: "undetermined",
    newToOld: "undetermined",
    wayOut: "Make readers accept values that violate the condition.",
  },
});

/**
 * Compares the conditions that are not covered by kinds, properties and bounds, such as `not` and
 * the types of unnamed properties.
 */
export function compareConditions(scope: Scope, before: Type, after: Type): void {
  const { types } = scope;
  const [typesBefore, typesAfter] = [
    conditioned(types.before, before),
    conditioned(types.after, after),
  ];
  compareKeys(scope, typesBefore, typesAfter);
  reportConditions(scope, typesBefore, typesAfter);
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

/**
 * Reports any difference between the conditions on the old and new types. Definitions that values of
 * both versions must also match are linked, so that changes to them are located there.
 */
export function reportConditions(
  scope: Scope,
  before: readonly Type[],
  after: readonly Type[],
): void {
  const [matchedBefore, matchedAfter] = [matchedBy(before), matchedBy(after)];
  const linked = new Set(
    [...matchedBefore, ...matchedAfter].filter(
      (name) =>
        (matchedBefore.has(name) || isBaseOf(before, name)) &&
        (matchedAfter.has(name) || isBaseOf(after, name)),
    ),
  );
  for (const name of linked) scope.found.link(name, name, scope.site.steps);
  const others = withoutCompared(before, after, linked);
  const [conditionsBefore, conditionsAfter] = others.map((types) => conditionsOf(...types));
  if (conditionsBefore === conditionsAfter) return;
  const texts = others.map((types) => conditionsText(...types) || "no condition");
  const change = texts.join(" → ");
  scope.report(conditionRules[`condition.${kindOfChange(conditionsBefore, conditionsAfter)}`], {
    change,
    before: texts[0]!,
    after: texts[1]!,
    decision: change,
  });
}

/** Returns the names of the definitions that values must also match. */
function matchedBy(types: readonly Type[]): ReadonlySet<string> {
  const checks = types.flatMap((type) => type.checks ?? []);
  return new Set(checks.flatMap((check) => nameMatched(check) ?? []));
}

function nameMatched(check: Check): string | undefined {
  return check.kind === "also" && check.type.kind === "reference" ? check.type.name : undefined;
}

function isBaseOf(types: readonly Type[], name: string): boolean {
  return types.some((type) => type.kind === "object" && type.bases.includes(name));
}

export const keyRules = ruleFamily({
  "keys.widened": {
    title: "Dictionary accepts more keys",
    reason: "Newer writers may use keys of {after}, but older readers accept only {before}.",
    newToOld: "degraded",
    wayOut: "Send only the old keys to older peers.",
    mirror: "keys.narrowed",
  },
  "keys.narrowed": {
    title: "Dictionary accepts fewer keys",
    reason: "Older writers may use keys of {before}, but newer readers accept only {after}.",
    oldToNew: "degraded",
    wayOut: waysOut.keepReading,
  },
  "keys.changed": {
    title: "Dictionary accepts different keys",
    reason: "In one version, keys are {before}. In the other, they are {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    wayOut: "Put the new keys in a dictionary with a different name.",
  },
});

/**
 * Removes the conditions that are compared elsewhere: those on keys, those on the unnamed properties
 * that objects of both versions describe, and those of linked definitions.
 */
function withoutCompared(
  before: readonly Type[],
  after: readonly Type[],
  linked: ReadonlySet<string>,
): readonly (readonly Type[])[] {
  const [namedBefore, namedAfter] = [before, after].map(
    (types) =>
      new Set(
        types.flatMap((type) => (type.kind === "object" ? [...unnamedParts(type).keys()] : [])),
      ),
  );
  const isCompared = (pattern: string): boolean =>
    namedBefore!.has(pattern) && namedAfter!.has(pattern);
  const hasRules = (check: Check): boolean =>
    check.kind === "names" || linked.has(nameMatched(check) ?? "");
  return [before, after].map((types) =>
    types.map((each) => {
      const type =
        each.checks?.some(hasRules) === true
          ? { ...each, checks: each.checks.filter((check) => !hasRules(check)) }
          : each;
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

function compareKeys(scope: Scope, before: readonly Type[], after: readonly Type[]): void {
  const { types } = scope;
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
  scope.report(rule, {
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
