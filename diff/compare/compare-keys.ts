import type { Json, Type } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compiles, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
import { constraintRules } from "./compare-bounds.js";
import { takesAllTexts } from "../../generator/model/type-checks.js";
import { smallestValue } from "./smallest-values.js";
import { typeText } from "./type-text.js";

export const keyRules = ruleFamily({
  "keys.widened": {
    title: "Dictionary accepts more keys",
    reason: "Newer writers may use keys of {after}, but older readers accept only {before}.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "keys.narrowed",
  },
  "keys.narrowed": {
    title: "Dictionary accepts fewer keys",
    reason: "Older writers may use keys of {before}, but newer readers accept only {after}.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "keys.widened",
  },
  "keys.changed": {
    title: "Dictionary accepts different keys",
    reason: "In one version, keys are {before}. In the other, they are {after}.",
    oldToNew: "degraded",
    newToOld: "degraded",
    producer: compiles,
    consumer: compiles,
    mirror: "keys.changed",
  },
});

/** Removes conditions on keys from a type, because they have rules of their own. */
export function withoutKeys(type: Type): Type {
  return type.checks?.some(({ kind }) => kind === "names") === true
    ? { ...type, checks: type.checks.filter(({ kind }) => kind !== "names") }
    : type;
}

/** Compares restrictions on property names. */
export function compareKeys(
  types: Comparison,
  found: FoundChanges,
  old: readonly Type[],
  now: readonly Type[],
  site: Site,
): void {
  const [before, after] = [keysOf(old), keysOf(now)];
  if (before === undefined && after === undefined) return;
  const [was, is] = [before ?? anyKey, after ?? anyKey];
  if (types.structure.isSame(was, is) || !areOfOneKind(types, old, now)) return;
  const { forward, backward } = types.by("schema");
  const [lost, gained] = [forward.counterexample(was, is), backward.counterexample(is, was)];
  // If neither search finds an example, the change counts as neither narrowing nor widening,
  // because each pattern may accept keys that the other one rejects.
  const isNarrower = gained === undefined && lost !== undefined;
  const isWider = lost === undefined && gained !== undefined;
  const what = isNarrower ? "narrowed" : isWider ? "widened" : "changed";
  const isOfFormat = takesAllTexts(was) && takesAllTexts(is);
  const rule = isOfFormat ? constraintRules["constraint.format-changed"] : keyRules[`keys.${what}`];
  const [one, other] = [keyText(was), keyText(is)];
  const change = `keys ${one} → ${other}`;
  found.report(rule, site, {
    change,
    old: one,
    new: other,
    decision: change,
    oldToNew: () => withKey(types.before, old, lost),
    newToOld: () => withKey(types.after, now, gained),
  });
}

/**
 * Returns whether both versions have a dictionary, or both have an object. Otherwise, another rule
 * already reports that the whole type was replaced.
 */
function areOfOneKind(types: Comparison, old: readonly Type[], now: readonly Type[]): boolean {
  const kindsIn = (side: Side, list: readonly Type[]): ReadonlySet<string> =>
    new Set(list.flatMap((type) => side.alternativesOf(type).map(({ kind }) => kind)));
  const [before, after] = [kindsIn(types.before, old), kindsIn(types.after, now)];
  return ["map", "object"].some((kind) => before.has(kind) && after.has(kind));
}

const anyKey: Type = { kind: "string" };

/** Returns the type of the keys, or undefined if any string can be a key. */
function keysOf(types: readonly Type[]): Type | undefined {
  const keys = new Set(
    types.flatMap(({ checks = [] }) =>
      checks.flatMap((check) => (check.kind === "names" ? [check.type] : [])),
    ),
  );
  const [first, ...others] = keys;
  return first === undefined || others.length === 0
    ? first
    : { ...first, checks: others.map((type) => ({ kind: "also", type })) };
}

function keyText(type: Type): string {
  if (type.kind !== "string" || type.pattern === undefined) return typeText(type);
  return `${typeText(type)} like ${type.pattern}`;
}

/** Returns the smallest dictionary that has a given key. */
function withKey(side: Side, types: readonly Type[], key: Json | undefined): Json | undefined {
  const type = types.map((each) => side.resolve(each)).find(({ kind }) => kind === "map");
  if (typeof key !== "string" || type?.kind !== "map") return undefined;
  const value = smallestValue(side, type.values);
  return value === undefined ? undefined : { [key]: value };
}
