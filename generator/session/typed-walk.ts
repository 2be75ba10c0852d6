import { flattenProperties } from "../model/properties.js";
import { itemTypeAt } from "../model/type-checks.js";
import type { Definition, Type } from "../model/types.js";
import { isObject } from "../../runtime/index.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";

export type Fields = { readonly [field: string]: unknown };

/** Called for a value that is neither an object nor a list, and for unions that cannot be resolved. */
export type ValueVisitor = (type: Type, value: unknown, place: string) => void;

/** Deepest nesting that is visited. */
const maxDepth = 64;

/** Walks through a value along its type. Parts that do not match the type are skipped. */
export function walkTyped(
  definitions: Definitions,
  type: Type,
  value: unknown,
  visit: ValueVisitor,
  place = "",
  depth = 0,
): void {
  if (depth > maxDepth) return;
  const next = (own: Type, each: unknown, step: string): void =>
    walkTyped(definitions, own, each, visit, place + pointerStep(step), depth + 1);
  switch (type.kind) {
    case "reference":
      walkTyped(definitions, definitions.get(type.name)!.type, value, visit, place, depth);
      return;
    case "array":
      if (Array.isArray(value))
        for (const [index, each] of value.entries())
          next(itemTypeAt(type, index), each, String(index));
      return;
    case "map":
      if (isObject(value))
        for (const [key, each] of Object.entries(value)) next(type.values, each, key);
      return;
    case "object":
      if (!isObject(value)) return;
      for (const property of flattenProperties(definitions, type)) {
        if (!Object.hasOwn(value, property.name) || value[property.name] === undefined) continue;
        next(property.type, value[property.name], property.name);
      }
      return;
    case "union": {
      // With several members, it is unknown which of them an object or a list has.
      const members = type.members.filter(({ kind }) => kind !== "null");
      if (members.length === 1) walkTyped(definitions, members[0]!, value, visit, place, depth);
      else visit(type, value, place);
      return;
    }
    default:
      visit(type, value, place);
  }
}

type Definitions = ReadonlyMap<string, Definition>;
