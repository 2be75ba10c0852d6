/** How TypeScript code treats alternatives that are added to a union or removed from it. */
import type { Type } from "../../model/types.js";
import { FoundChanges, type Change, type ChangeDetails, type Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import type { Limits } from "./limits.js";
import type { OwnedProperty, Side } from "./side.js";
import { hasParts } from "./type-pairs.js";

/** Whether a type is an object without properties, which is a dictionary in TypeScript. */
export function isFree(side: Side, type: Type): boolean {
  const resolved = side.resolve(type);
  return resolved.kind === "object" && side.propertiesOf(resolved).length === 0;
}

/**
 * Whether code that handles a removed alternative of a union still compiles with the remaining
 * alternatives.
 */
export function codeOfRemoved(
  types: Comparison,
  member: Type,
  left: readonly Type[],
  isCovered: boolean,
): Pick<ChangeDetails, "builds" | "reads"> {
  const { before, after } = types;
  const isEmpty = isFree(before, member) && before.nameOf(member) !== undefined;
  // If a definition has no properties, the only value that code can build is an empty object.
  const builds = left.some((each) =>
    isEmpty
      ? propertiesOf(after, each)?.every(({ required }) => !required) === true
      : isExtensible(after, each) && isAccepted(types, member, each),
  );
  const own = propertiesOf(before, member);
  // TypeScript accepts an object literal with properties of any remaining alternative.
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

/** The properties of an object. Empty for a dictionary, undefined for other types. */
function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] | undefined {
  const resolved = side.resolve(type);
  if (resolved.kind === "object") return side.propertiesOf(resolved);
  return resolved.kind === "map" ? [] : undefined;
}

/** Whether code may add properties to an object of a definition. */
function isExtensible(side: Side, type: Type): boolean {
  return type.kind === "reference" && side.definitions.get(type.name)?.extensible === true;
}

/**
 * Whether TypeScript accepts values of the old type as the new type. Does not consider excess
 * properties in literals.
 */
export function isAccepted(types: Comparison, written: Type, read: Type): boolean {
  return types.by("code").forward.counterexample(written, read) === undefined;
}

/** Whether an object has all wanted properties, with the same types. */
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
 * Whether code that reads the old alternatives can also read a new alternative. The old
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
    // TypeScript rejects an object that has no property in common with a type without required
    // properties. The search for a counterexample does not detect this, so the type must have a
    // required property.
    return (
      properties.some(({ required }) => required) &&
      types.by("code").backward.counterexample(member, each) === undefined
    );
  });
}

/**
 * Adapts the changes inside an alternative. Code that builds or reads the values of the alternative
 * still compiles if other alternatives accept them. Code that distinguishes alternatives or names
 * removed values may not.
 */
export function withinUnion(inside: FoundChanges, { forward, backward }: Limits): FoundChanges {
  const found = new FoundChanges();
  for (const change of inside.changes) {
    const isRead = change.rule.consumer.error === "overlap" ? forward === "ok" : backward === "ok";
    const code = {
      ...(forward === "ok" ? { builds: true } : {}),
      ...(isRead ? { reads: true } : {}),
    };
    found.changes.push(isOfOverlap(change) ? change : { ...code, ...change });
  }
  found.links.push(...inside.links);
  return found;
}

/** Whether a change affects only code, because other alternatives accept the same values. */
export function isOfOverlap({ rule }: Change): boolean {
  return rule.id.startsWith("union.overlap");
}

/**
 * Marks changes of an alternative as harmless for code that builds values, because other
 * alternatives accept these values.
 *
 * @param owner Only changes of this definition's own parts are marked, because the other
 * alternatives lack some of its properties. Undefined: all changes are marked.
 */
export function allowOtherAlternative(found: FoundChanges, owner: string | undefined): void {
  const isAllowed = ({ rule, site }: Change): boolean =>
    owner === undefined || (site.owner === owner && rule.producer.error !== "excess");
  for (const [index, change] of found.changes.entries())
    if (isAllowed(change)) found.changes[index] = { builds: true, ...change };
}

/**
 * Marks removed properties as harmless for code that builds values, if the new type has a
 * dictionary among its alternatives that accepts them.
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
  const isAllowed = ({ rule, site, old: name }: Change): boolean => {
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
