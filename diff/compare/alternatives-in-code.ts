/**
 * Determines how TypeScript code copes with alternatives being added to or removed from a union.
 */
import type { Type } from "../../generator/model/types.js";
import { FoundChanges, type Change, type ChangeDetails, type Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import type { Limits } from "./outcomes.js";
import type { Side } from "./side.js";
import type { OwnedProperty } from "./type-lookup.js";
import { hasParts } from "./structure.js";

/**
 * Returns whether a type is an object that declares no properties. TypeScript treats such an object
 * as a dictionary.
 */
export function isFree(side: Side, type: Type): boolean {
  const resolved = side.resolve(type);
  return resolved.kind === "object" && side.propertiesOf(resolved).length === 0;
}

/**
 * Returns whether code that handles a removed alternative still compiles with the alternatives that
 * remain.
 */
export function codeOfRemoved(
  types: Comparison,
  member: Type,
  left: readonly Type[],
  isCovered: boolean,
): Pick<ChangeDetails, "builds" | "reads"> {
  const { before, after } = types;
  const isEmpty = isFree(before, member) && before.nameOf(member) !== undefined;
  // For a definition without properties, the only value that code can build is an empty object.
  const builds = left.some((each) =>
    isEmpty
      ? propertiesOf(after, each)?.every(({ required }) => !required) === true
      : isExtensible(after, each) && isAccepted(types, member, each),
  );
  const own = propertiesOf(before, member);
  // In an object literal, TypeScript accepts properties of any of the remaining alternatives.
  const isLiteral =
    isCovered &&
    own !== undefined &&
    left.some((each) => isAccepted(types, member, each)) &&
    own.every(({ name }) =>
      left.some((each) => propertiesOf(after, each)?.some((other) => other.name === name)),
    );
  const reads =
    isEmpty ||
    (isCovered && own !== undefined && own.length > 0
      ? left.some((each) => hasProperties(types, each, own))
      : false);
  return { ...(builds || isLiteral ? { builds: true } : {}), ...(reads ? { reads } : {}) };
}

/**
 * Returns an object's properties. The result is empty for a dictionary, and undefined for any other
 * type.
 */
function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] | undefined {
  const resolved = side.resolve(type);
  if (resolved.kind === "object") return side.propertiesOf(resolved);
  return resolved.kind === "map" ? [] : undefined;
}

/** Returns whether code may add properties of its own to an object of this type. */
function isExtensible(side: Side, type: Type): boolean {
  return type.kind === "reference" && side.definitions.get(type.name)?.extensible === true;
}

/**
 * Returns whether values of the old type are assignable to the new type in TypeScript. Excess
 * properties in literals are not taken into account.
 */
export function isAccepted(types: Comparison, written: Type, read: Type): boolean {
  return types.by("code").oldToNew.counterexample(written, read) === undefined;
}

/** Returns whether an object has all the wanted properties, with the same types. */
function hasProperties(types: Comparison, type: Type, wanted: readonly OwnedProperty[]): boolean {
  const own = propertiesOf(types.after, type) ?? [];
  return wanted.every((property) =>
    own.some(
      ({ name, required, type: other }) =>
        name === property.name &&
        required === property.required &&
        types.structure.isSame(property.type, other),
    ),
  );
}

/**
 * Returns whether code that reads the old alternatives can also read a new one. The old
 * alternatives must accept all values of the new alternative.
 */
export function isReadByCode(types: Comparison, oldTypes: readonly Type[], member: Type): boolean {
  return oldTypes.some((each) => {
    const [old, now] = [types.before.resolve(each), types.after.resolve(member)];
    if (isFree(types.before, each)) return true;
    if (old.kind === "map") return now.kind === "map" && !hasParts(now.values);
    const properties = propertiesOf(types.before, each) ?? [];
    if (now.kind === "map")
      return properties.every(({ required, type }) => !required && types.before.formOf(type).any);
    // If none of a type's properties is required, TypeScript rejects an object that shares no
    // property with it. The search for a counterexample does not detect this, so insist on a
    // required property.
    return (
      properties.some(({ required }) => required) &&
      types.by("code").newToOld.counterexample(member, each) === undefined
    );
  });
}

/**
 * Adjusts the changes found inside an alternative. If other alternatives accept the affected values,
 * code that builds or reads these values still compiles, but code that distinguishes the alternatives
 * or mentions a removed value may not.
 */
export function withinUnion(inside: FoundChanges, { oldToNew, newToOld }: Limits): FoundChanges {
  const found = new FoundChanges();
  for (const change of inside.changes) {
    const isRead = change.rule.consumer.error === "overlap" ? oldToNew === "ok" : newToOld === "ok";
    const code = {
      ...(oldToNew === "ok" ? { builds: true } : {}),
      ...(isRead ? { reads: true } : {}),
    };
    found.changes.push(isOfOverlap(change) ? change : { ...code, ...change });
  }
  found.links.push(...inside.links);
  return found;
}

/**
 * Returns whether a change affects only code, because other alternatives accept the same values.
 */
export function isOfOverlap({ rule }: Change): boolean {
  return rule.id.startsWith("union.overlap");
}

/**
 * Marks changes in an alternative as harmless for code that builds values, because other
 * alternatives accept those values.
 *
 * @param owner If given, only changes to this definition's own parts are marked, because the other
 * alternatives lack some of its properties. If undefined, all changes are marked.
 */
export function allowOtherAlternative(found: FoundChanges, owner: string | undefined): void {
  const isAllowed = ({ rule, site }: Change): boolean =>
    owner === undefined || (site.owner === owner && rule.producer.error !== "excess");
  for (const [index, change] of found.changes.entries())
    if (isAllowed(change)) found.changes[index] = { builds: true, ...change };
}

/**
 * Marks removed properties as harmless for code that builds values if one of the new alternatives
 * is a dictionary that accepts them.
 */
export function allowExcess(
  types: Comparison,
  found: FoundChanges,
  { steps }: Site,
  old: Type,
  newTypes: readonly Type[],
): void {
  const dictionaries = newTypes.flatMap((each) => {
    const resolved = types.after.resolve(each);
    return resolved.kind === "map" ? [resolved.values] : [];
  });
  const properties = propertiesOf(types.before, old) ?? [];
  const isAllowed = ({ rule, site, before: name }: Change): boolean => {
    const property = properties.find((each) => each.name === name);
    return (
      rule.producer.error === "excess" &&
      site.steps.length === steps.length + 1 &&
      property !== undefined &&
      dictionaries.some((values) => isAccepted(types, property.type, values))
    );
  };
  for (const [index, change] of found.changes.entries())
    if (isAllowed(change)) found.changes[index] = { ...change, builds: true };
}
