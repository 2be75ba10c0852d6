/** How TypeScript code treats alternatives that come and go beside others. */
import type { Type } from "../../model/types.js";
import { FoundChanges, type Change, type ChangeDetails, type Site } from "./change.js";
import type { Comparison } from "./comparison.js";
import type { Limits } from "./limits.js";
import type { OwnedProperty, Side } from "./side.js";
import { hasParts } from "./type-pairs.js";

/** Whether a type is an object without properties: a dictionary in TypeScript. */
export function isFree(side: Side, type: Type): boolean {
  const resolved = side.resolve(type);
  return resolved.kind === "object" && side.propertiesOf(resolved).length === 0;
}

/** Code that handles a removed alternative, compiled with those that are left. */
export function codeOfRemoved(
  types: Comparison,
  member: Type,
  left: readonly Type[],
  isCovered: boolean,
): Pick<ChangeDetails, "builds" | "reads"> {
  const { before, after } = types;
  const isEmpty = isFree(before, member) && before.nameOf(member) !== undefined;
  // Code builds only an empty object of a definition without properties.
  const builds = left.some((each) =>
    isEmpty
      ? propertiesOf(after, each)?.every(({ required }) => !required) === true
      : isExtensible(after, each) && isAccepted(types, member, each),
  );
  const own = propertiesOf(before, member);
  // A literal may have the properties of all alternatives that are left.
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

/** Properties of an object; none of a dictionary; undefined of other types. */
function propertiesOf(side: Side, type: Type): readonly OwnedProperty[] | undefined {
  const resolved = side.resolve(type);
  if (resolved.kind === "object") return side.propertiesOf(resolved);
  return resolved.kind === "map" ? [] : undefined;
}

/** Whether code may add properties to those of a definition. */
function isExtensible(side: Side, type: Type): boolean {
  return type.kind === "reference" && side.definitions.get(type.name)?.extensible === true;
}

/** Whether code accepts a value of the old version, even if a literal has further properties. */
export function isAccepted(types: Comparison, written: Type, read: Type): boolean {
  return types.by("code").forward.counterexample(written, read) === undefined;
}

/** Whether an object has certain properties, with the same types. */
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

/** Whether code that reads the old alternatives also reads a new one, all of whose values they accept. */
export function isReadByCode(types: Comparison, oldTypes: readonly Type[], member: Type): boolean {
  return oldTypes.some((each) => {
    const [old, now] = [types.before.resolve(each), types.after.resolve(member)];
    if (isFree(types.before, each)) return true;
    if (old.kind === "map") return now.kind === "map" && !hasParts(now.values);
    const properties = propertiesOf(types.before, each) ?? [];
    if (now.kind === "map")
      return properties.every(({ required, type }) => !required && types.before.formOf(type).any);
    // TypeScript accepts any object for one without required properties, unless they have no property in common.
    return (
      properties.some(({ required }) => required) &&
      types.by("code").backward.counterexample(member, each) === undefined
    );
  });
}

/**
 * Changes inside an alternative. Code still builds or reads its values, because other alternatives
 * accept them. It distinguishes alternatives even if their values are the same, and names values
 * that were removed.
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

/** Whether a change affects only code, because other alternatives have the same values. */
export function isOfOverlap({ rule }: Change): boolean {
  return rule.id.startsWith("union.overlap");
}

/**
 * Code still builds the values of an alternative that changed, because other alternatives accept
 * them.
 *
 * @param owner The definition to whose parts this applies, if the other alternatives lack some of
 * its properties. Default: all.
 */
export function allowOtherAlternative(found: FoundChanges, owner: string | undefined): void {
  const isAllowed = ({ rule, site }: Change): boolean =>
    owner === undefined || (site.owner === owner && rule.producer.error !== "excess");
  for (const [index, change] of found.changes.entries())
    if (isAllowed(change)) found.changes[index] = { builds: true, ...change };
}

/**
 * Beside a dictionary, code may name properties that an object no longer has, if the dictionary
 * accepts their values.
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
