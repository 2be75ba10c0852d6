import { flattenProperties } from "./properties.js";
import { itemTypeAt } from "./type-checks.js";
import type { Definition, Type } from "./types.js";

/** Returns the type of a value's part at a path, or undefined if several types are possible. */
export function typeAt(
  definitions: ReadonlyMap<string, Definition>,
  type: Type,
  [key, ...rest]: readonly string[],
): Type | undefined {
  switch (type.kind) {
    case "reference": {
      const { type: own } = definitions.get(type.name)!;
      return typeAt(definitions, own, key === undefined ? [] : [key, ...rest]);
    }
    case "union": {
      const members = type.members.filter(({ kind }) => kind !== "null");
      return members.length === 1
        ? typeAt(definitions, members[0]!, key === undefined ? [] : [key, ...rest])
        : undefined;
    }
    case "array":
      return key === undefined ? type : typeAt(definitions, itemTypeAt(type, Number(key)), rest);
    case "map":
      return key === undefined ? type : typeAt(definitions, type.values, rest);
    case "object": {
      if (key === undefined) return type;
      const property = flattenProperties(definitions, type).find(({ name }) => name === key);
      return property === undefined ? undefined : typeAt(definitions, property.type, rest);
    }
    default:
      return key === undefined ? type : undefined;
  }
}
