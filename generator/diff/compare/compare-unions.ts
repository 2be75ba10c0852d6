import type { Type } from "../../model/types.js";
import { below, FoundChanges, type Site, type Step } from "./change.js";
import { listedValues } from "./compare-enums.js";
import { compareObjects } from "./compare-objects.js";
import { compareByVariance, differenceOf, limitsOf, rulesFor } from "./compare-variance.js";
import type { Comparison } from "./comparison.js";
import { matchMembers } from "./match-members.js";
import { compiles, fails, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
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
  "union.untagged-added": {
    title: "Alternative added that no fixed value tells apart",
    reason: "Newer writers may send {after}, older readers take {before} only.",
    oldToNew: "ok",
    newToOld: "broken",
    producer: compiles,
    consumer: fails("type"),
    exhaustive: true,
    mirror: "union.untagged-removed",
  },
  "union.untagged-removed": {
    title: "Alternative removed that no fixed value tells apart",
    reason: "Older writers may send {before}, newer readers take {after} only.",
    oldToNew: "broken",
    newToOld: "ok",
    producer: fails("type"),
    consumer: fails("gone", "direct-use"),
    exhaustive: true,
    mirror: "union.untagged-added",
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
  const matched = matchMembers(types, oldTypes, newTypes).filter(
    ([index, place]) =>
      !isClaimed(types.after, newUnion, types.before, oldTypes[index]!, newTypes[place]!) &&
      !isClaimed(types.before, oldUnion, types.after, newTypes[place]!, oldTypes[index]!),
  );
  for (const [index, place] of matched) {
    const inside = new FoundChanges();
    compareMembers(types, inside, [before, old[index]!], [after, now[place]!], site);
    if (inside.changes.length === 0 && inside.links.length === 0) continue;
    // Other alternatives may accept values that this one no longer accepts.
    found.add(inside, limitsOf(types, [oldTypes[index]!, oldUnion], [newTypes[place]!, newUnion]));
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
  broken: unionRules["union.untagged-removed"],
  degraded: unionRules["union.branch-removed"],
};

const addedRules = {
  broken: unionRules["union.untagged-added"],
  degraded: unionRules["union.branch-added"],
};

function objectsOf(side: Side, type: Type): readonly Alternative[] {
  return side
    .membersOf(type)
    .filter(({ resolved }) => resolved.kind === "object" || resolved.kind === "map");
}

/** Whether a definition is among the alternatives: its texts may have changed. */
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
