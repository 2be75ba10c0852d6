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
import type { Comparison } from "./comparison.js";
import { fails, ruleFamily } from "./rule-family.js";
import type { Side } from "./side.js";
import type { Alternative, OwnedProperty, Resolved } from "./type-lookup.js";
import { reportForCode } from "./type-changes.js";
import { typeText } from "./type-text.js";

export const unionRules = ruleFamily({
  "union.branch-added": {
    title: "Alternative added",
    reason: "Older readers do not recognise {after} here.",
    oldToNew: "ok",
    newToOld: "degraded",
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
    consumer: fails("type", "whole-value"),
    mirror: "union.overlap-removed",
  },
  "union.overlap-removed": {
    title: "Alternative removed for values that are still valid",
    reason: "Newer readers mistake values of {before} for values of another alternative.",
    oldToNew: "ok",
    newToOld: "ok",
    consumer: fails("removed", "direct-use"),
    mirror: "union.overlap-added",
  },
});

/** Compares the objects that two types have among their alternatives. */
export function compareAlternatives(
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): void {
  const [objectsBefore, objectsAfter] = [
    objectsOf(types.before, before),
    objectsOf(types.after, after),
  ];
  if (objectsBefore.length === 1 && objectsAfter.length === 1) {
    compareMembers(types, found, [before, objectsBefore[0]!], [after, objectsAfter[0]!], site);
    return;
  }
  const [typesBefore, typesAfter] = [
    objectsBefore.map(({ type }) => type),
    objectsAfter.map(({ type }) => type),
  ];
  const [unionBefore, unionAfter] = [types.unionOf(typesBefore), types.unionOf(typesAfter)];
  if (types.structure.isSame(unionBefore, unionAfter) && !hasNames(...typesBefore, ...typesAfter))
    return;
  const matched = compareMatched(
    types,
    found,
    { union: before, members: objectsBefore, types: typesBefore, objects: unionBefore },
    { union: after, members: objectsAfter, types: typesAfter, objects: unionAfter },
    site,
  );
  const count = found.changes.length + found.links.length;
  /**
   * Alternatives that were added or removed even though other alternatives accept their values.
   * They are reported only if nothing else has changed.
   */
  const overlapping = new FoundChanges();
  const matchedBefore = new Set(matched.map(([index]) => index));
  const matchedAfter = new Set(matched.map(([, index]) => index));
  typesBefore.forEach((member, index) => {
    if (matchedBefore.has(index)) return;
    const difference = differenceOf(types, "oldToNew", member, unionAfter);
    const text = typeText(member);
    const rules = rulesFor(difference, "oldToNew", removedRules);
    const code = codeOfRemoved(types, member, typesAfter, difference.worst === "ok");
    if (rules.length === 0 && !typesAfter.some((each) => types.structure.isSame(member, each)))
      overlapping.report(unionRules["union.overlap-removed"], memberSite(site, text), {
        change: `- ${text}`,
        before: text,
        ...code,
      });
    for (const { rule, shownTo } of rules)
      found.report(rule, memberSite(site, text), {
        change: `- ${text}`,
        before: text,
        ...code,
        ...(rule === removedRules.broken ? { after: typeText(unionAfter) } : {}),
        oldToNew: () => types.by(shownTo).oldToNew.counterexample(member, unionAfter),
        newToOld: () => undefined,
      });
  });
  // Code that does not distinguish the alternatives can read only the properties that they all
  // share.
  const [first, ...others] = typesBefore.map((each) => namesOf(types.before, each));
  const common = [...(first ?? [])].filter((name) => others.every((each) => each.has(name)));
  const lacks = (member: Type): boolean => {
    const names = namesOf(types.after, member);
    return common.some((name) => !names.has(name));
  };
  typesAfter.forEach((member, index) => {
    if (matchedAfter.has(index)) return;
    const difference = differenceOf(types, "newToOld", member, unionBefore);
    const text = typeText(member);
    const isRead = difference.worst === "ok" && isReadByCode(types, typesBefore, member);
    const code = lacks(member) ? { reads: false } : isRead ? { reads: true } : {};
    const rules = rulesFor(difference, "newToOld", addedRules);
    if (rules.length === 0 && !typesBefore.some((each) => types.structure.isSame(each, member)))
      overlapping.report(unionRules["union.overlap-added"], memberSite(site, text), {
        change: `+ ${text}`,
        after: text,
        ...code,
      });
    for (const { rule, shownTo } of rules)
      found.report(rule, memberSite(site, text), {
        ...code,
        change: `+ ${text}`,
        ...(rule === addedRules.broken ? { before: typeText(unionBefore) } : {}),
        after: text,
        oldToNew: () => undefined,
        newToOld: () => types.by(shownTo).newToOld.counterexample(member, unionBefore),
      });
  });
  if (found.changes.length + found.links.length === count) found.add(overlapping);
}

/** A version's type, and the objects among its alternatives. */
interface ObjectAlternatives {
  readonly union: Type;
  readonly members: readonly Alternative[];
  readonly types: readonly Type[];
  /** The union of `types`. */
  readonly objects: Type;
}

/** Compares the alternatives that correspond to each other, and returns the pairs of indexes. */
function compareMatched(
  types: Comparison,
  found: FoundChanges,
  before: ObjectAlternatives,
  after: ObjectAlternatives,
  site: Site,
): readonly (readonly [number, number])[] {
  const matched: (readonly [number, number])[] = [];
  for (const pair of matchMembers(types, before.types, after.types)) {
    const [index, indexAfter] = pair;
    const [memberBefore, memberAfter] = [before.types[index]!, after.types[indexAfter]!];
    const isOther =
      isClaimed(types.after, after.objects, types.before, memberBefore, memberAfter) ||
      isClaimed(types.before, before.objects, types.after, memberAfter, memberBefore);
    const isNamed = isOfOneName(types, memberBefore, memberAfter);
    if (isOther && !isNamed) continue;
    // Limit the effect, because other alternatives may accept values that this one no longer
    // accepts.
    const limits = limitsOf(types, [memberBefore, before.objects], [memberAfter, after.objects]);
    // A definition whose discriminator was replaced counts as changed. However, if readers mistake
    // its values for another alternative and then cannot read them, it counts as removed and added.
    const isReported =
      !isOther || (limits.oldToNew !== "rejected" && limits.newToOld !== "rejected");
    if (isReported) matched.push(pair);
    const inside = new FoundChanges();
    compareMembers(
      types,
      inside,
      [before.union, before.members[index]!],
      [after.union, after.members[indexAfter]!],
      site,
    );
    allowExcess(types, inside, site, memberBefore, after.types);
    if (inside.changes.length === 0 && inside.links.length === 0) continue;
    // To code, definitions with the same name are the same type, even if their values change.
    if (!isNamed && isAccepted(types, memberBefore, after.objects))
      allowOtherAlternative(inside, limits.oldToNew === "ok" ? undefined : site.owner);
    found.add(inside, isReported ? limits : { oldToNew: "ok", newToOld: "ok" });
  }
  return matched;
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
  const matched = reader.resolve(match);
  return writer
    .alternativesOf(property?.type ?? { kind: "any" })
    .flatMap((each) => listedValues(each)?.values ?? [])
    .some(
      ({ value }) => discriminator.objects.get(value)?.includes(matched as ObjectType) === false,
    );
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
  types: Comparison,
  found: FoundChanges,
  [before, memberBefore]: readonly [Type, Alternative],
  [after, memberAfter]: readonly [Type, Alternative],
  site: Site,
): void {
  const isWhole =
    types.before.resolve(before) === memberBefore.resolved &&
    types.after.resolve(after) === memberAfter.resolved;
  if (!isWhole) {
    const step: Step = { kind: "member", before: memberBefore.type, after: memberAfter.type };
    types.compare(found, memberBefore.type, memberAfter.type, {
      ...site,
      steps: [...site.steps, step],
    });
  } else if (memberBefore.resolved.kind === "object" && memberAfter.resolved.kind === "object")
    compareObjects(types, found, memberBefore.resolved, memberAfter.resolved, site);
  else if (memberBefore.resolved.kind === "map" && memberAfter.resolved.kind === "map")
    types.compare(
      found,
      memberBefore.resolved.values,
      memberAfter.resolved.values,
      below(site, "{}", { kind: "values" }),
    );
  else {
    const inside = new FoundChanges();
    compareByVariance(types, inside, before, after, site);
    compareFree(types, inside, memberBefore.resolved, memberAfter.resolved, site);
    found.add(inside);
    const isNamed = [
      types.before.nameOf(memberBefore.resolved),
      types.after.nameOf(memberAfter.resolved),
    ].some(
      (name, index) =>
        name !== undefined && [memberBefore, memberAfter][index]!.resolved.kind === "object",
    );
    // The values are the same, but code can distinguish the types: it can access properties by name
    // in only one of them.
    if (inside.changes.length === 0 && isNamed)
      reportForCode(types, found, before, after, site, {
        builds: memberAfter.resolved.kind === "map",
        reads: memberAfter.resolved.kind === "map",
      });
  }
}

/**
 * Compares a dictionary with an object that declares no properties, considering only code. Such an
 * object has no properties to send, but unless it is a definition, TypeScript treats it as a
 * dictionary with values of any type.
 */
function compareFree(
  types: Comparison,
  found: FoundChanges,
  before: Resolved,
  after: Resolved,
  site: Site,
): void {
  const valuesOf = (side: Side, type: Resolved): Type | undefined =>
    type.kind === "map"
      ? type.values
      : isFree(side, type) && side.nameOf(type) === undefined
        ? { kind: "any" }
        : undefined;
  const [valuesBefore, valuesAfter] = [
    valuesOf(types.before, before),
    valuesOf(types.after, after),
  ];
  if (valuesBefore === undefined || valuesAfter === undefined) return;
  const inside = new FoundChanges();
  types.compare(inside, valuesBefore, valuesAfter, below(site, "{}", { kind: "values" }));
  found.add(inside, { oldToNew: "ok", newToOld: "ok" });
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
  types: Comparison,
  found: FoundChanges,
  before: Type,
  after: Type,
  site: Site,
): boolean {
  const [unionBefore, unionAfter] = [types.before.resolve(before), types.after.resolve(after)];
  if (unionBefore.kind !== "union" || unionAfter.kind !== "union") return false;
  const aliases = unionBefore.members.flatMap((member) => {
    const match = unionAfter.members.find((each) => isAlias(types, member, each));
    return match === undefined ? [] : [[member, match] as const];
  });
  const othersBefore = unionBefore.members.filter(
    (each) => !aliases.some(([alias]) => alias === each),
  );
  const othersAfter = unionAfter.members.filter(
    (each) => !aliases.some(([, alias]) => alias === each),
  );
  // The alternatives without a counterpart are compared with each other, so either both versions
  // must have some or neither.
  if (aliases.length === 0 || (othersBefore.length === 0) !== (othersAfter.length === 0))
    return false;
  const [restBefore, restAfter] = [types.unionOf(othersBefore), types.unionOf(othersAfter)];
  // Do not split a union if only the remaining alternatives have a discriminator, because readers
  // of the whole union cannot make use of it.
  const isMisread = (side: Side, whole: Type, rest: Type): boolean =>
    side.discriminatorOf(whole) === undefined && side.discriminatorOf(rest) !== undefined;
  if (
    isMisread(types.before, unionBefore, restBefore) ||
    isMisread(types.after, unionAfter, restAfter)
  )
    return false;
  const compareParts = (partBefore: Type, partAfter: Type, step: Step): void => {
    const inside = new FoundChanges();
    types.compare(inside, partBefore, partAfter, { ...site, steps: [...site.steps, step] });
    if (inside.changes.length + inside.links.length === 0) return;
    const limits = limitsOf(types, [partBefore, unionBefore], [partAfter, unionAfter]);
    const isNamed = partBefore.kind === "reference" && partAfter.kind === "reference";
    if (isNamed) found.add(inside, limits);
    // Outside definitions, a change matters only if it affects values. If the union as a whole
    // accepts all the values, add only changes to alternatives that code distinguishes.
    else if (limits.oldToNew !== "ok" || limits.newToOld !== "ok")
      found.add(withinUnion(inside, limits), limits);
    else found.add(seenByCode(inside), limits);
  };
  for (const [partBefore, partAfter] of aliases)
    compareParts(partBefore, partAfter, { kind: "member", before: partBefore, after: partAfter });
  if (othersBefore.length > 0)
    compareParts(restBefore, restAfter, { kind: "member", before: restBefore, after: restAfter });
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
function isAlias(types: Comparison, before: Type, after: Type): boolean {
  if (before.kind !== "reference" || after.kind !== "reference" || before.name !== after.name)
    return false;
  return [types.before.resolve(before), types.after.resolve(after)].some(
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
  types: Comparison,
  before: readonly Type[],
  after: readonly Type[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  const free = new Set(after.keys());
  const rest = new Set(before.keys());
  const pair = (index: number, match: number): void => {
    pairs.push([index, match]);
    free.delete(match);
    rest.delete(index);
  };
  const tags = [
    before.map((type) => discriminators(types.before, type)),
    after.map((type) => discriminators(types.after, type)),
  ] as const;
  const shares = (index: number, place: number): number => {
    const [tagsBefore, tagsAfter] = [tags[0][index]!, tags[1][place]!];
    // If both objects have discriminators, do not pair them by their properties.
    if (tagsBefore !== "" && tagsAfter !== "") return 0;
    return shareOf(
      propertiesOf(types.before, before[index]!),
      propertiesOf(types.after, after[place]!),
    );
  };
  const tests: readonly ((index: number, place: number) => boolean)[] = [
    (index, place) => isOfOneName(types, before[index]!, after[place]!),
    (index, place) => isMapOfOneName(types, before[index]!, after[place]!),
    (index, place) => haveCommonNames(types, before[index]!, after[place]!),
    (index, place) => types.structure.isSame(before[index]!, after[place]!),
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
  if (rest.size === 1 && free.size === 1 && before.length === after.length)
    pair([...rest][0]!, [...free][0]!);
  return pairs.sort(([a], [b]) => a - b);
}

/**
 * Returns whether two alternatives are definitions with the same name, which makes them the same
 * type as far as code is concerned.
 */
export function isOfOneName(types: Comparison, before: Type, after: Type): boolean {
  const name = types.before.nameOf(before);
  return name !== undefined && name === types.after.nameOf(after);
}

/**
 * Returns whether two types, such as the items of two arrays, are unions that have a definition in
 * common.
 */
export function haveCommonNames(types: Comparison, before: Type, after: Type): boolean {
  const [resolvedBefore, resolvedAfter] = [
    types.before.resolve(before),
    types.after.resolve(after),
  ];
  return (
    resolvedBefore.kind === "union" &&
    resolvedAfter.kind === "union" &&
    resolvedBefore.members.some((memberBefore) =>
      resolvedAfter.members.some((memberAfter) => isOfOneName(types, memberBefore, memberAfter)),
    )
  );
}

/** Returns whether the values of two dictionaries are definitions with the same name. */
function isMapOfOneName(types: Comparison, before: Type, after: Type): boolean {
  const [resolvedBefore, resolvedAfter] = [
    types.before.resolve(before),
    types.after.resolve(after),
  ];
  return (
    resolvedBefore.kind === "map" &&
    resolvedAfter.kind === "map" &&
    isOfOneName(types, resolvedBefore.values, resolvedAfter.values)
  );
}

/**
 * Returns the proportion of properties that two objects share. It is 1 if all names are the same
 * and the same properties are required.
 */
function shareOf(before: readonly OwnedProperty[], after: readonly OwnedProperty[]): number {
  if (before.length === 0 || after.length === 0) return 0;
  const byName = new Map(after.map((each) => [each.name, each]));
  const common = before.filter(({ name }) => byName.has(name));
  const alike = common.filter(({ name, required }) => byName.get(name)!.required === required);
  return (common.length + alike.length) / (before.length + after.length);
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
