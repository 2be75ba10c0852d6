import { isNever, never } from "../../model/type-checks.js";
import type { Check, ObjectType, Property, Type } from "../../model/types.js";

/**
 * Properties that appear only in a schema's `required` keyword, so that their types are unknown.
 */
const onlyRequired = new WeakSet<Property>();

/** Creates a property that appears only in `required`. */
export function requiredProperty(name: string, pointer: string): Property {
  const property: Property = { name, type: { kind: "any" }, required: true, pointer };
  onlyRequired.add(property);
  return property;
}

/**
 * Returns whether a property appears only in a schema's `required` keyword, so that its type is
 * unknown.
 */
export function isOnlyRequired(property: Property): boolean {
  return onlyRequired.has(property);
}

/**
 * Intersects two object types. The result has the properties of both types and keeps both types'
 * constraints on unnamed properties.
 */
export function intersectObjects(
  first: ObjectType,
  second: ObjectType,
  intersect: (first: Type, second: Type) => Type,
): Type {
  const checks: Check[] = [];
  // Two types cannot be merged if one of them constrains its unnamed properties and has patterns or
  // bases. In that case, which properties are unnamed only becomes clear when a value is checked.
  const canMerge = [first, second].every(
    (each) => !restrictsOthers(each) || (each.matching === undefined && each.bases.length === 0),
  );
  const isOtherOpen = !restrictsOthers(first) || second.bases.length === 0;
  const isFirstOpen = !restrictsOthers(second) || first.bases.length === 0;
  if (canMerge && isOtherOpen && isFirstOpen) return merged(first, second, intersect);
  for (const each of [first, second])
    if (restrictsOthers(each)) checks.push({ kind: "also", type: { ...each, bases: [] } });
  const { others: _first, matching: _a, ...one } = first;
  const { others: _second, matching: _b, ...two } = second;
  const common = merged({ ...one, extras: "open" }, { ...two, extras: "open" }, intersect);
  return isNever(common) ? common : { ...common, checks: [...(common.checks ?? []), ...checks] };
}

function restrictsOthers({ extras, others, matching }: ObjectType): boolean {
  return extras === "closed" || others !== undefined || matching !== undefined;
}

function merged(
  first: ObjectType,
  second: ObjectType,
  intersect: (first: Type, second: Type) => Type,
): Type {
  const byName = new Map<string, Property>();
  const [one, two] = [first, second].map(
    ({ properties }) => new Map(properties.map((each) => [each.name, each])),
  );
  for (const name of new Set([...one!.keys(), ...two!.keys()])) {
    const property = mergedProperty(one!.get(name), two!.get(name), intersect);
    const bound = !one!.has(name)
      ? othersOf(first)
      : !two!.has(name)
        ? othersOf(second)
        : undefined;
    byName.set(
      name,
      bound === undefined ? property : { ...property, type: intersect(property.type, bound) },
    );
  }
  const properties = [...byName.values()];
  if (properties.some(({ required, type }) => required && isNever(type))) return never;
  const others =
    first.others === undefined || second.others === undefined
      ? (first.others ?? second.others)
      : intersect(first.others, second.others);
  const isClosed =
    first.extras === "closed" ||
    second.extras === "closed" ||
    (others !== undefined && isNever(others));
  return {
    kind: "object",
    bases: [...new Set([...first.bases, ...second.bases])],
    properties,
    extras: isClosed ? "closed" : "open",
    ...(others === undefined || isClosed ? {} : { others }),
    ...(first.matching === undefined && second.matching === undefined
      ? {}
      : { matching: [...(first.matching ?? []), ...(second.matching ?? [])] }),
  };
}

/** Returns the type of an object's unnamed properties, or undefined if it is not constrained. */
function othersOf({ extras, others }: ObjectType): Type | undefined {
  return extras === "closed" ? never : others;
}

function mergedProperty(
  first: Property | undefined,
  second: Property | undefined,
  intersect: (first: Type, second: Type) => Type,
): Property {
  if (first === undefined || second === undefined) return (first ?? second)!;
  if (isOnlyRequired(first)) return { ...second, required: true };
  if (isOnlyRequired(second)) return { ...first, required: true };
  const type =
    JSON.stringify(first.type) === JSON.stringify(second.type)
      ? second.type
      : intersect(first.type, second.type);
  return { ...first, ...second, type, required: first.required || second.required };
}
