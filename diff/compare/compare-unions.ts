import type { ObjectType, Type } from "../../generator/model/types.js";
import { below, FoundChanges, type Site, type Step } from "./change.js";
import { listedValues } from "./compare-enums.js";
import { compareObjects } from "./compare-objects.js";
import {
  allowExcess,
  allowOtherAlternative,
  codeOfRemoved,
  isAccepted,
  isFree,
  isOfOverlap,
  isReadByCode,
  withinUnion,
} from "./alternatives-in-code.js";
import { compareByVariance, differenceOf, limitsOf, rulesFor } from "./compare-variance.js";
import type { TypeComparison } from "./compare-types.js";
import { compiles, fails, ruleFamily } from "./rule-family.js";
import type { Alternative, OwnedProperty, Resolved, Side } from "./side.js";
import { reportForCode } from "./type-changes.js";
import { typeText } from "./type-text.js";

export const unionRules = ruleFamily({
  "union.branch-added": {
    title: "Alternative added",
    reason: "Older readers do not recognise {after} here.",
    oldToNew: "ok",
    newToOld: "degraded",
    producer: compiles,
    consumer: fails("type", "whole-value"),
    exhaustive: true,
    mirror: "union.branch-removed",
  },
  "union.branch-removed": {
    title: "Alternative removed",
    reason: "Newer readers do not recognise {before} here.",
    oldToNew: "degraded",
    newToOld: "ok",
    producer: fails("type"),
    consumer: fails("removed", "direct-use"),
    exhaustive: true,
    mirror: "union.branch-added",
  },
  "union.untagged-added": {
    title: "Untagged alternative added",
    reason: "Newer writers may send {after}, but older readers accept only {before}.",
    oldToNew: "ok",
    newToOld: "broken",
    producer: compiles,
    consumer: fails("type"),
    exhaustive: true,
    mirror: "union.untagged-removed",
  },
  "union.untagged-removed": {
    title: "Untagged alternative removed",
    reason: "Older writers may send {before}, but newer readers accept only {after}.",
    oldToNew: "broken",
    newToOld: "ok",
    producer: fails("type"),
    consumer: fails("removed", "direct-use"),
    exhaustive: true,
    mirror: "union.untagged-added",
  },
  "union.overlap-added": {
    title: "Alternative added for values that were already valid",
    reason: "Older readers mistake values of {after} for values of another alternative.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: fails("type", "whole-value"),
    mirror: "union.overlap-removed",
  },
  "union.overlap-removed": {
    title: "Alternative removed for values that are still valid",
    reason: "Newer readers mistake values of {before} for values of another alternative.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: fails("removed", "direct-use"),
    mirror: "union.overlap-added",
  },
});

/** Compares the objects that two types have among their alternatives. */
export function compareAlternatives(
  types: TypeComparison,
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
  const matched: (readonly [number, number])[] = [];
  for (const pair of matchMembers(types, oldTypes, newTypes)) {
    const [index, place] = pair;
    const [oldType, newType] = [oldTypes[index]!, newTypes[place]!];
    const isOther =
      isClaimed(types.after, newUnion, types.before, oldType, newType) ||
      isClaimed(types.before, oldUnion, types.after, newType, oldType);
    const isNamed = isOfOneName(types, oldType, newType);
    if (isOther && !isNamed) continue;
    // Limit the effect, because other alternatives may accept values that this one no longer
    // accepts.
    const limits = limitsOf(types, [oldType, oldUnion], [newType, newUnion]);
    // A definition whose discriminator was replaced counts as changed. However, if readers mistake
    // its values for another alternative and then cannot read them, it counts as removed and added.
    const isReported =
      !isOther || (limits.forward !== "rejected" && limits.backward !== "rejected");
    if (isReported) matched.push(pair);
    const inside = new FoundChanges();
    compareMembers(types, inside, [before, old[index]!], [after, now[place]!], site);
    allowExcess(types, inside, site, oldType, newTypes);
    if (inside.changes.length === 0 && inside.links.length === 0) continue;
    // To code, definitions with the same name are the same type, even if their values change.
    if (!isNamed && isAccepted(types, oldType, newUnion))
      allowOtherAlternative(inside, limits.forward === "ok" ? undefined : site.owner);
    found.add(inside, isReported ? limits : { forward: "ok", backward: "ok" });
  }
  const known = found.changes.length + found.links.length;
  /**
   * Alternatives that were added or removed even though other alternatives accept their values.
   * They are reported only if nothing else has changed.
   */
  const overlapping = new FoundChanges();
  const oldMatched = new Set(matched.map(([index]) => index));
  const newMatched = new Set(matched.map(([, index]) => index));
  oldTypes.forEach((member, index) => {
    if (oldMatched.has(index)) return;
    const difference = differenceOf(types, "forward", member, newUnion);
    const text = typeText(member);
    const rules = rulesFor(difference, "forward", removedRules);
    const code = codeOfRemoved(types, member, newTypes, difference.worst === "ok");
    if (rules.length === 0 && !newTypes.some((each) => types.structure.isSame(member, each)))
      overlapping.report(unionRules["union.overlap-removed"], memberSite(site, text), {
        change: `- ${text}`,
        old: text,
        ...code,
      });
    for (const { rule, shownTo } of rules)
      found.report(rule, memberSite(site, text), {
        change: `- ${text}`,
        old: text,
        ...code,
        ...(rule === removedRules.broken ? { new: typeText(newUnion) } : {}),
        oldToNew: () => types.by(shownTo).forward.counterexample(member, newUnion),
        newToOld: () => undefined,
      });
  });
  // Code that does not distinguish the alternatives can read only the properties that they all
  // share.
  const [first, ...others] = oldTypes.map((each) => namesOf(types.before, each));
  const common = [...(first ?? [])].filter((name) => others.every((each) => each.has(name)));
  const lacks = (member: Type): boolean => {
    const own = namesOf(types.after, member);
    return common.some((name) => !own.has(name));
  };
  newTypes.forEach((member, index) => {
    if (newMatched.has(index)) return;
    const difference = differenceOf(types, "backward", member, oldUnion);
    const text = typeText(member);
    const isRead = difference.worst === "ok" && isReadByCode(types, oldTypes, member);
    const code = lacks(member) ? { reads: false } : isRead ? { reads: true } : {};
    const rules = rulesFor(difference, "backward", addedRules);
    if (rules.length === 0 && !oldTypes.some((each) => types.structure.isSame(each, member)))
      overlapping.report(unionRules["union.overlap-added"], memberSite(site, text), {
        change: `+ ${text}`,
        new: text,
        ...code,
      });
    for (const { rule, shownTo } of rules)
      found.report(rule, memberSite(site, text), {
        ...code,
        change: `+ ${text}`,
        ...(rule === addedRules.broken ? { old: typeText(oldUnion) } : {}),
        new: text,
        oldToNew: () => undefined,
        newToOld: () => types.by(shownTo).backward.counterexample(member, oldUnion),
      });
  });
  if (found.changes.length + found.links.length === known) found.add(overlapping);
}

/**
 * Returns whether the discriminator leads readers to mistake values of `member` for an alternative
 * other than `match`.
 */
function isClaimed(reader: Side, union: Type, writer: Side, member: Type, match: Type): boolean {
  const discriminator = reader.discriminatorOf(union);
  const written = writer.resolve(member);
  if (discriminator === undefined || written.kind !== "object") return false;
  const property = writer.propertiesOf(written).find(({ name }) => name === discriminator.name);
  const own = reader.resolve(match);
  return writer
    .alternativesOf(property?.type ?? { kind: "any" })
    .flatMap((each) => listedValues(each)?.values ?? [])
    .some(({ value }) => discriminator.objects.get(value)?.includes(own as ObjectType) === false);
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

/**
 * Returns whether any of the alternatives is a definition. Its description may have changed even if
 * its structure is the same.
 */
function hasNames(...types: readonly Type[]): boolean {
  return types.some(({ kind }) => kind === "reference");
}

/** Compares two objects, each of which is either a whole type or one of its alternatives. */
function compareMembers(
  types: TypeComparison,
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
  else {
    const inside = new FoundChanges();
    compareByVariance(types, inside, before, after, site);
    compareFree(types, inside, old.resolved, now.resolved, site);
    found.add(inside);
    const isNamed = [types.before.nameOf(old.resolved), types.after.nameOf(now.resolved)].some(
      (name, index) => name !== undefined && [old, now][index]!.resolved.kind === "object",
    );
    // The values are the same, but code can distinguish the types: it can access properties by name
    // in only one of them.
    if (inside.changes.length === 0 && isNamed)
      reportForCode(types, found, before, after, site, {
        builds: now.resolved.kind === "map",
        reads: now.resolved.kind === "map",
      });
  }
}

/**
 * Compares a dictionary with an object that declares no properties, considering only code. Such an
 * object has no properties to send, but unless it is a definition, TypeScript treats it as a
 * dictionary with values of any type.
 */
function compareFree(
  types: TypeComparison,
  found: FoundChanges,
  old: Resolved,
  now: Resolved,
  site: Site,
): void {
  const valuesOf = (side: Side, type: Resolved): Type | undefined =>
    type.kind === "map"
      ? type.values
      : isFree(side, type) && side.nameOf(type) === undefined
        ? { kind: "any" }
        : undefined;
  const [before, after] = [valuesOf(types.before, old), valuesOf(types.after, now)];
  if (before === undefined || after === undefined) return;
  const inside = new FoundChanges();
  types.compare(inside, before, after, below(site, "{}", { kind: "values" }));
  found.add(inside, { forward: "ok", backward: "ok" });
}

function namesOf(side: Side, type: Type): ReadonlySet<string> {
  const resolved = side.resolve(type);
  return new Set(
    resolved.kind === "object" ? side.propertiesOf(resolved).map(({ name }) => name) : [],
  );
}

function memberSite(site: Site, member: string): Site {
  return { ...site, label: `${site.label} | ${member}` };
}

/**
 * Compares those alternatives in two unions that are definitions with the same name but not
 * objects. Each pair of definitions is compared on its own, so that changes are located in the
 * definitions. Returns false if the unions have no such alternatives.
 */
export function compareAliases(
  types: TypeComparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): boolean {
  const [old, now] = [types.before.resolve(before), types.after.resolve(after)];
  if (old.kind !== "union" || now.kind !== "union") return false;
  const aliases = old.members.flatMap((member) => {
    const match = now.members.find((each) => isAlias(types, member, each));
    return match === undefined ? [] : [[member, match] as const];
  });
  const left = old.members.filter((each) => !aliases.some(([alias]) => alias === each));
  const right = now.members.filter((each) => !aliases.some(([, alias]) => alias === each));
  // The alternatives without a counterpart are compared with each other, so either both versions
  // must have some or neither.
  if (aliases.length === 0 || (left.length === 0) !== (right.length === 0)) return false;
  const [oldRest, newRest] = [types.unionOf(left), types.unionOf(right)];
  // Do not split a union if only the remaining alternatives have a discriminator, because readers
  // of the whole union cannot make use of it.
  const isMisread = (side: Side, whole: Type, rest: Type): boolean =>
    side.discriminatorOf(whole) === undefined && side.discriminatorOf(rest) !== undefined;
  if (isMisread(types.before, old, oldRest) || isMisread(types.after, now, newRest)) return false;
  const compareParts = (one: Type, other: Type, step: Step): void => {
    const inside = new FoundChanges();
    types.compare(inside, one, other, { ...site, steps: [...site.steps, step] });
    if (inside.changes.length + inside.links.length === 0) return;
    const limits = limitsOf(types, [one, old], [other, now]);
    const isNamed = one.kind === "reference" && other.kind === "reference";
    if (isNamed) found.add(inside, limits);
    // Outside definitions, a change matters only if it affects values. If the union as a whole
    // accepts all the values, add only changes to alternatives that code distinguishes.
    else if (limits.forward !== "ok" || limits.backward !== "ok")
      found.add(withinUnion(inside, limits), limits);
    else found.add(seenByCode(inside), limits);
  };
  for (const [one, other] of aliases)
    compareParts(one, other, { kind: "member", before: one, after: other });
  if (left.length > 0)
    compareParts(oldRest, newRest, { kind: "member", before: oldRest, after: newRest });
  return true;
}

/**
 * Selects the changes that affect only code: changes to definitions, and changes to alternatives
 * that only code distinguishes.
 */
function seenByCode(inside: FoundChanges): FoundChanges {
  const found = new FoundChanges();
  found.changes.push(...inside.changes.filter(isOfOverlap));
  found.links.push(...inside.links);
  return found;
}

/**
 * Returns whether two alternatives are versions of the same definition and that definition is not
 * an object.
 */
function isAlias(types: TypeComparison, old: Type, now: Type): boolean {
  if (old.kind !== "reference" || now.kind !== "reference" || old.name !== now.name) return false;
  return [types.before.resolve(old), types.after.resolve(now)].some(
    ({ kind }) => kind !== "object" && kind !== "map",
  );
}

/** Minimum proportion of shared properties for two alternatives to be paired. */
const leastShare = 0.5;

/**
 * Pairs up the alternatives of two unions: by name, then by structure, by discriminator, by equal
 * properties, and finally by the largest proportion of shared properties.
 */
export function matchMembers(
  types: TypeComparison,
  old: readonly Type[],
  now: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(now.keys());
  const rest = new Set(old.keys());
  const pair = (index: number, match: number): void => {
    pairs.push([index, match]);
    free.delete(match);
    rest.delete(index);
  };
  const tags = [
    old.map((type) => discriminators(types.before, type)),
    now.map((type) => discriminators(types.after, type)),
  ] as const;
  const shares = (index: number, place: number): number => {
    const [left, right] = [tags[0][index]!, tags[1][place]!];
    // If both objects have discriminators, do not pair them by their properties.
    if (left !== "" && right !== "") return 0;
    return shareOf(propertiesOf(types.before, old[index]!), propertiesOf(types.after, now[place]!));
  };
  const tests: readonly ((index: number, place: number) => boolean)[] = [
    (index, place) => isOfOneName(types, old[index]!, now[place]!),
    (index, place) => isMapOfOneName(types, old[index]!, now[place]!),
    (index, place) => haveCommonNames(types, old[index]!, now[place]!),
    (index, place) => types.structure.isSame(old[index]!, now[place]!),
    (index, place) => tags[0][index] !== "" && tags[0][index] === tags[1][place],
    (index, place) => shares(index, place) === 1,
  ];
  for (const test of tests)
    for (const index of [...rest]) {
      const match = [...free].find((place) => test(index, place));
      if (match !== undefined) pair(index, match);
    }
  const similar = [...rest].flatMap((index) =>
    [...free].map((place) => ({ index, place, share: shares(index, place) })),
  );
  for (const { index, place, share } of similar.sort((a, b) => b.share - a.share))
    if (share >= leastShare && rest.has(index) && free.has(place)) pair(index, place);
  // If the unions have the same size and each has exactly one alternative left, pair these two.
  if (rest.size === 1 && free.size === 1 && old.length === now.length)
    pair([...rest][0]!, [...free][0]!);
  return pairs.sort(([a], [b]) => a - b);
}

/**
 * Returns whether two alternatives are definitions with the same name, which makes them the same
 * type as far as code is concerned.
 */
export function isOfOneName(types: TypeComparison, old: Type, now: Type): boolean {
  const name = types.before.nameOf(old);
  return name !== undefined && name === types.after.nameOf(now);
}

/**
 * Returns whether two types, such as the items of two arrays, are unions that have a definition in
 * common.
 */
export function haveCommonNames(types: TypeComparison, old: Type, now: Type): boolean {
  const [before, after] = [types.before.resolve(old), types.after.resolve(now)];
  return (
    before.kind === "union" &&
    after.kind === "union" &&
    before.members.some((one) => after.members.some((other) => isOfOneName(types, one, other)))
  );
}

/** Returns whether the values of two dictionaries are definitions with the same name. */
function isMapOfOneName(types: TypeComparison, old: Type, now: Type): boolean {
  const [before, after] = [types.before.resolve(old), types.after.resolve(now)];
  return (
    before.kind === "map" && after.kind === "map" && isOfOneName(types, before.values, after.values)
  );
}

/**
 * Returns the proportion of properties that two objects share. It is 1 if all names are the same
 * and the same properties are required.
 */
function shareOf(old: readonly OwnedProperty[], now: readonly OwnedProperty[]): number {
  if (old.length === 0 || now.length === 0) return 0;
  const after = new Map(now.map((each) => [each.name, each]));
  const common = old.filter(({ name }) => after.has(name));
  const alike = common.filter(({ name, required }) => after.get(name)!.required === required);
  return (common.length + alike.length) / (old.length + now.length);
}

function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] {
  const resolved = side.resolve(type);
  return resolved.kind === "object" ? side.propertiesOf(resolved) : [];
}

/** Returns an object's fixed-value properties as a string, for comparison. */
function discriminators(side: Side, type: Type): string {
  return propertiesOf(side, type)
    .flatMap((property) => {
      const target = side.resolve(property.type);
      return target.kind === "literal" ? [`${property.name}=${JSON.stringify(target.value)}`] : [];
    })
    .sort()
    .join();
}
