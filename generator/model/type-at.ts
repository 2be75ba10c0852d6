import { flattenProperties } from "./properties.js";
import { resolve } from "./queries.js";
import { itemTypeAt } from "./type-checks.js";
import type { Definitions, Type } from "./types.js";

/** Returns the type of a value's part at a path, or undefined if several types are possible. */
export function typeAt(
  definitions: Definitions,
  type: Type,
  keys: readonly string[],
): Type | undefined {
  if (type.kind === "reference") return typeAt(definitions, resolve(definitions, type), keys);
  if (type.kind === "union") {
    const members = type.members.filter(({ kind }) => kind !== "null");
    return members.length === 1 ? typeAt(definitions, members[0]!, keys) : undefined;
  }
  const [key, ...rest] = keys;
  if (key === undefined) return type;
  switch (type.kind) {
    case "array":
      return typeAt(definitions, itemTypeAt(type, Number(key)), rest);
    case "map":
      return typeAt(definitions, type.values, rest);
    case "object": {
      const property = flattenProperties(definitions, type).find(({ name }) => name === key);
      return property && typeAt(definitions, property.type, rest);
    }
    default:
      return undefined;
  }
}

/**
 * Returns whether a path can lead to a part of a value of the given type. In the path, `*` stands
 * for every item of an array.
 *
 * @param isDeclared Whether to consider only parts that a type declares.
 */
export function canLead(
  definitions: Definitions,
  type: Type,
  keys: readonly string[],
  isDeclared = false,
): boolean {
  const leads = (part: Type, rest: readonly string[]): boolean =>
    canLead(definitions, part, rest, isDeclared);
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  switch (type.kind) {
    case "any":
      return !isDeclared;
    case "reference": {
      const { extensible, type: named } = definitions.get(type.name)!;
      return (extensible && !isDeclared) || leads(named, keys);
    }
    case "union":
      return type.members.some((member) => leads(member, keys));
    case "array":
      return (key === "*" || /^\d+$/.test(key)) && leads(type.items, rest);
    case "map":
      return leads(type.values, rest);
    case "object":
      return flattenProperties(definitions, type).some(
        (property) => property.name === key && leads(property.type, rest),
      );
    default:
      return false;
  }
}
