import { flattenProperties } from "../model/properties.js";
import type { Definition, Property, Type } from "../model/types.js";
import { isObject } from "../../runtime/index.js";
import { pointerStep } from "../../runtime/base/json-pointer.js";

export type Fields = { readonly [field: string]: unknown };

/** Callbacks for the parts of a value, by their types. */
export interface TypedVisitor {
  /** Whether objects of a definition are walked through. Default: all. */
  enters?(definition: string): boolean;
  /** Called for an object of a definition. */
  object?(definition: string, value: Fields, place: string): void;
  /** Called for a property that is present. */
  property?(property: Property, place: string): void;
  /** Called for a value that is neither an object nor a list, and for unions that cannot be resolved. */
  value?(type: Type, value: unknown, place: string): void;
}

/** Deepest nesting that is visited. */
const maxDepth = 64;

/** Walks through a value along its type. Parts that do not match the type are skipped. */
export function walkTyped(
  definitions: Definitions,
  type: Type,
  value: unknown,
  visitor: TypedVisitor,
  place = "",
  depth = 0,
): void {
  if (depth > maxDepth) return;
  const next = (own: Type, each: unknown, step: string): void =>
    walkTyped(definitions, own, each, visitor, place + pointerStep(step), depth + 1);
  switch (type.kind) {
    case "reference": {
      if (visitor.enters?.(type.name) === false) return;
      const definition = definitions.get(type.name)!;
      if (definition.type.kind === "object" && isObject(value))
        visitor.object?.(type.name, value, place);
      walkTyped(definitions, definition.type, value, visitor, place, depth);
      return;
    }
    case "array":
      if (Array.isArray(value))
        for (const [index, each] of value.entries()) next(type.items, each, String(index));
      return;
    case "map":
      if (isObject(value))
        for (const [key, each] of Object.entries(value)) next(type.values, each, key);
      return;
    case "object":
      if (!isObject(value)) return;
      for (const property of flattenProperties(definitions, type)) {
        if (!Object.hasOwn(value, property.name) || value[property.name] === undefined) continue;
        visitor.property?.(property, place + pointerStep(property.name));
        if (!isVisited(property.type, visitor)) continue;
        next(property.type, value[property.name], property.name);
      }
      return;
    case "union": {
      // With several members, it is unknown which of them an object or a list has.
      const members = type.members.filter(({ kind }) => kind !== "null");
      if (members.length === 1) walkTyped(definitions, members[0]!, value, visitor, place, depth);
      else visitor.value?.(type, value, place);
      return;
    }
    default:
      visitor.value?.(type, value, place);
  }
}

/** Whether a visitor looks at anything in values of a type. */
function isVisited(type: Type, visitor: TypedVisitor): boolean {
  switch (type.kind) {
    case "reference":
      return visitor.enters?.(type.name) !== false;
    case "array":
      return isVisited(type.items, visitor);
    case "map":
      return isVisited(type.values, visitor);
    case "object":
      return true;
    case "union":
      return visitor.value !== undefined || type.members.some((each) => isVisited(each, visitor));
    default:
      return visitor.value !== undefined;
  }
}

type Definitions = ReadonlyMap<string, Definition>;
