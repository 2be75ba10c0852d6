import type { Type } from "../../model/types.js";
import { below, type FoundChanges, type Site, type Step } from "./change.js";
import { listedValues } from "./compare-enums.js";
import { compareObjects } from "./compare-objects.js";
import {
  compareByVariance,
  differenceOf,
  isSameDifference,
  noDifference,
  rulesFor,
} from "./compare-variance.js";
import type { Comparison } from "./comparison.js";
import { compiles, fails, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
import { typeRules } from "./type-changes.js";
import type { Alternative } from "./type-lookup.js";
import { typeText } from "./type-text.js";

export const unionRules = ruleFamily({
  "union.branch-added": {
    title: "Alternative added",
    reason: "Older readers do not know {after} here.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: fails("type", "whole-value"),
    exhaustive: true,
    mirror: "union.branch-removed",
  },
  "union.branch-removed": {
    title: "Alternative removed",
    reason: "Newer readers do not know {before} here.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: fails("type"),
    consumer: fails("gone", "direct-use"),
    exhaustive: true,
    mirror: "union.branch-added",
  },
  "union.branch-changed": {
    title: "Alternative changed, and others make up for it",
    reason:
      "All alternatives together take the same values; code that handles {after} on its own may see others.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "union.branch-changed",
  },
});

/** Compares the objects among the alternatives of two types. */
export function compareAlternatives(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const [old, now] = [objectsOf(types.before, before), objectsOf(types.after, after)];
  if (old.length === 1 && now.length === 1) {
    compareMembers(types, found, [before, old[0]!], [after, now[0]!], site);
    return;
  }
  const [oldTypes, newTypes] = [old.map(({ type }) => type), now.map(({ type }) => type)];
  const [oldUnion, newUnion] = [types.unionOf(oldTypes), types.unionOf(newTypes)];
  if (types.structure.isSame(oldUnion, newUnion) && !hasNames(...oldTypes, ...newTypes)) return;
  // A change of an alternative counts if no other alternative makes up for it.
  const pairs = matchMembers(types, oldTypes, newTypes);
  const matched = pairs.filter(([index, place]) => {
    const [member, other] = [oldTypes[index]!, newTypes[place]!];
    return (
      !isClaimed(types.after, newUnion, types.before, member, other) &&
      !isClaimed(types.before, oldUnion, types.after, other, member) &&
      isSameDifference(
        differenceOf(types, "forward", member, other),
        differenceOf(types, "forward", member, newUnion),
      ) &&
      isSameDifference(
        differenceOf(types, "backward", other, member),
        differenceOf(types, "backward", other, oldUnion),
      )
    );
  });
  for (const [index, place] of matched)
    compareMembers(types, found, [before, old[index]!], [after, now[place]!], site);
  for (const [index, place] of pairs) {
    const [member, other] = [oldTypes[index]!, newTypes[place]!];
    if (types.structure.isSame(member, other)) continue;
    const isMadeUpFor =
      isSameDifference(differenceOf(types, "forward", member, newUnion), noDifference) &&
      isSameDifference(differenceOf(types, "backward", other, oldUnion), noDifference);
    if (!isMadeUpFor || matched.some(([own]) => own === index)) continue;
    const [was, is] = [typeText(member), typeText(other)];
    const change = was === is ? is : `${was} → ${is}`;
    found.report(unionRules["union.branch-changed"], memberSite(site, is), {
      change,
      old: was,
      new: is,
    });
  }
  const oldMatched = new Set(matched.map(([index]) => index));
  const newMatched = new Set(matched.map(([, index]) => index));
  oldTypes.forEach((member, index) => {
    if (oldMatched.has(index)) return;
    const difference = differenceOf(types, "forward", member, newUnion);
    const text = typeText(member);
    for (const { rule, shownTo } of rulesFor(difference, "forward", removedRules))
      found.report(rule, memberSite(site, text), {
        change: `- ${text}`,
        old: text,
        ...(rule === removedRules.broken ? { new: typeText(newUnion) } : {}),
        oldToNew: () => types.by(shownTo).forward.counterexample(member, newUnion),
        newToOld: () => undefined,
      });
  });
  newTypes.forEach((member, index) => {
    if (newMatched.has(index)) return;
    const difference = differenceOf(types, "backward", member, oldUnion);
    const text = typeText(member);
    for (const { rule, shownTo } of rulesFor(difference, "backward", addedRules))
      found.report(rule, memberSite(site, text), {
        change: `+ ${text}`,
        ...(rule === addedRules.broken ? { old: typeText(oldUnion) } : {}),
        new: text,
        oldToNew: () => undefined,
        newToOld: () => types.by(shownTo).backward.counterexample(member, oldUnion),
      });
  });
}

/** Whether readers would take a member for another alternative than its match, by a value of the discriminator. */
function isClaimed(reader: Side, union: Type, writer: Side, member: Type, match: Type): boolean {
  const discriminator = reader.discriminatorOf(union);
  const written = writer.resolve(member);
  if (discriminator === undefined || written.kind !== "object") return false;
  const property = writer.propertiesOf(written).find(({ name }) => name === discriminator.name);
  const own = reader.resolve(match);
  return writer
    .alternativesOf(property?.type ?? { kind: "any" })
    .flatMap((each) => listedValues(each)?.values ?? [])
    .some(({ value }) => discriminator.objects.get(value)?.some((each) => each !== own) === true);
}

const removedRules = {
  broken: typeRules["type.narrowed"],
  degraded: unionRules["union.branch-removed"],
};

const addedRules = {
  broken: typeRules["type.widened"],
  degraded: unionRules["union.branch-added"],
};

function objectsOf(side: Side, type: Type): readonly Alternative[] {
  return side
    .membersOf(type)
    .filter(({ resolved }) => resolved.kind === "object" || resolved.kind === "map");
}

/** Whether a definition stands among the alternatives: its texts may have changed. */
function hasNames(...types: readonly Type[]): boolean {
  return types.some(({ kind }) => kind === "reference");
}

/** Compares two objects, each the whole type or an alternative of it. */
function compareMembers(
  types: Comparison,
  found: FoundChanges,
  [before, old]: readonly [Type, Alternative],
  [after, now]: readonly [Type, Alternative],
  site: Site,
): void {
  const isWhole =
    types.before.resolve(before) === old.resolved && types.after.resolve(after) === now.resolved;
  if (!isWhole) {
    const step: Step = { kind: "member", before: old.type, after: now.type };
    types.compare(found, old.type, now.type, { ...site, steps: [...site.steps, step] });
  } else if (old.resolved.kind === "object" && now.resolved.kind === "object")
    compareObjects(types, found, old.resolved, now.resolved, site);
  else if (old.resolved.kind === "map" && now.resolved.kind === "map")
    types.compare(
      found,
      old.resolved.values,
      now.resolved.values,
      below(site, "{}", { kind: "values" }),
    );
  else compareByVariance(types, found, before, after, site);
}

function memberSite(site: Site, member: string): Site {
  return { ...site, label: `${site.label} | ${member}` };
}

/** Pairs alternatives: those built alike, then those with the same discriminator, then those of one name. */
function matchMembers(
  types: Comparison,
  old: readonly Type[],
  now: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(now.keys());
  const rest = new Set(old.keys());
  const tests: readonly ((a: Type, b: Type) => boolean)[] = [
    (a, b) => types.structure.isSame(a, b),
    (a, b) => {
      const [left, right] = [discriminators(types.before, a), discriminators(types.after, b)];
      return left !== "" && left === right;
    },
    (a, b) => a.kind === "reference" && b.kind === "reference" && a.name === b.name,
    // The last ones of two lists of the same length are meant for each other.
    () => rest.size === 1 && free.size === 1 && old.length === now.length,
  ];
  for (const test of tests) {
    for (const index of [...rest]) {
      const match = [...free].find((candidate) => test(old[index]!, now[candidate]!));
      if (match === undefined) continue;
      pairs.push([index, match]);
      free.delete(match);
      rest.delete(index);
    }
  }
  return pairs.sort(([a], [b]) => a - b);
}

/** The fixed values of an object's properties, as text. */
function discriminators(side: Side, type: Type): string {
  const resolved = side.resolve(type);
  if (resolved.kind !== "object") return "";
  return side
    .propertiesOf(resolved)
    .flatMap((property) => {
      const target = side.resolve(property.type);
      return target.kind === "literal" ? [`${property.name}=${JSON.stringify(target.value)}`] : [];
    })
    .sort()
    .join();
}
