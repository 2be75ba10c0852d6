import type { Type, UnionType } from "../../model/types.js";
import type { FoundChanges, Site, Step } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compiles, fails, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
import { compareByVariance } from "./type-changes.js";
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
});

/** Compares types of which at least one has alternatives. */
export function compareUnions(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const oldMembers = membersOf(types.before.resolve(before), before);
  const newMembers = membersOf(types.after.resolve(after), after);
  const isObjects = [
    ...oldMembers.map((each) => types.before.resolve(each)),
    ...newMembers.map((each) => types.after.resolve(each)),
  ].every(({ kind }) => kind === "object");
  if (!isObjects) {
    if (!types.structure.isSame(before, after))
      compareByVariance(types, found, before, after, site);
    return;
  }
  const matched = matchMembers(types, oldMembers, newMembers);
  const isUnion = (type: { readonly kind: string }): boolean => type.kind === "union";
  for (const [oldIndex, newIndex] of matched) {
    const step: Step = {
      kind: "member",
      before: isUnion(types.before.resolve(before)) ? oldIndex : -1,
      after: isUnion(types.after.resolve(after)) ? newIndex : -1,
    };
    const steps = [...site.steps, step];
    types.compare(found, oldMembers[oldIndex]!, newMembers[newIndex]!, { ...site, steps });
  }
  const oldMatched = new Set(matched.map(([index]) => index));
  const newMatched = new Set(matched.map(([, index]) => index));
  const { forward, backward } = types.byReaders;
  oldMembers.forEach((member, index) => {
    if (oldMatched.has(index)) return;
    const text = typeText(member);
    found.report(unionRules["union.branch-removed"], memberSite(site, text), {
      change: `- ${text}`,
      old: text,
      oldToNew: () => forward.counterexample(member, after),
      newToOld: () => undefined,
    });
  });
  newMembers.forEach((member, index) => {
    if (newMatched.has(index)) return;
    const text = typeText(member);
    found.report(unionRules["union.branch-added"], memberSite(site, text), {
      change: `+ ${text}`,
      new: text,
      oldToNew: () => undefined,
      newToOld: () => backward.counterexample(member, before),
    });
  });
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

function membersOf(resolved: Type, type: Type): readonly Type[] {
  return resolved.kind === "union" ? (resolved as UnionType).members : [type];
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
