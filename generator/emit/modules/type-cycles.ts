import { checkedProperties } from "../../model/properties.js";
import { itemTypes, typesOfCheck, unnamedTypes } from "../../model/type-checks.js";
import type { Definition, Type } from "../../model/types.js";

/** Returns whether a type, or any type inside it, refers to a definition that `isMeant` accepts. */
export function refersTo(
  type: Type,
  definitions: ReadonlyMap<string, Definition>,
  isMeant: (name: string) => boolean,
): boolean {
  if (type.kind === "reference" && isMeant(type.name)) return true;
  const inside = [...(type.checks ?? []).flatMap(typesOfCheck), ...partsOf(type, definitions)];
  return inside.some((each) => refersTo(each, definitions, isMeant));
}

function partsOf(type: Type, definitions: ReadonlyMap<string, Definition>): readonly Type[] {
  switch (type.kind) {
    case "array":
      return itemTypes(type);
    case "map":
      return [type.values];
    case "union":
      return type.members;
    case "object":
      return [
        ...checkedProperties(definitions, type).map((each) => each.type),
        ...unnamedTypes(type),
      ];
    default:
      return [];
  }
}
