import type { Json, ObjectType, Type } from "../model/types.js";
import type { Side } from "./side.js";

/** The smallest value of a type; undefined for a type of which nothing is. */
export function smallestValue(side: Side, type: Type): Json | undefined {
  return smallest(side, type, new Set());
}

/** The smallest object of a type, without optional properties. */
export function smallestObject(side: Side, type: ObjectType): { [name: string]: Json } {
  return (smallestValue(side, type) ?? {}) as { [name: string]: Json };
}

function smallest(side: Side, type: Type, open: Set<string>): Json | undefined {
  switch (type.kind) {
    case "any":
    case "null":
      return null;
    case "boolean":
      return false;
    case "string":
      return "x".repeat(type.minLength ?? 0);
    case "integer":
    case "number":
      return smallestNumber(type.minimum ?? -Infinity, type.maximum ?? Infinity);
    case "literal":
      return type.value;
    case "enum":
      return type.values[0]?.value;
    case "array": {
      if ((type.minItems ?? 0) === 0) return [];
      const item = smallest(side, type.items, open);
      return item === undefined ? undefined : Array<Json>(type.minItems!).fill(item);
    }
    case "map":
      return {};
    case "object": {
      const value: { [name: string]: Json } = {};
      for (const property of side.propertiesOf(type)) {
        if (!property.required) continue;
        const part = smallest(side, property.type, open);
        if (part === undefined) return undefined;
        setField(value, property.name, part);
      }
      return value;
    }
    case "union":
      return leastJson(
        type.members.flatMap((member) => {
          const value = smallest(side, member, open);
          return value === undefined ? [] : [value];
        }),
      );
    case "reference": {
      // A value that must contain itself does not exist; another member of a union may end it.
      if (open.has(type.name)) return undefined;
      open.add(type.name);
      const value = smallest(side, side.typeOf(type.name), open);
      open.delete(type.name);
      return value;
    }
  }
}

function smallestNumber(minimum: number, maximum: number): number {
  if (minimum <= 0 && maximum >= 0) return 0;
  return minimum > 0 ? minimum : maximum;
}

/** The value whose JSON is shortest. */
export function leastJson(values: readonly Json[]): Json | undefined {
  let least: Json | undefined;
  let length = Infinity;
  for (const value of values) {
    const size = JSON.stringify(value).length;
    if (size < length) [least, length] = [value, size];
  }
  return least;
}

/** Sets an own property, also one that is called `__proto__`. */
export function setField(object: { [name: string]: Json }, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  else object[name] = value;
}

/**
 * Whether a reader takes a value: by the schema, or, if it is `closed`, without anything that the schema does not
 * name.
 */
export function isAccepted(side: Side, type: Type, value: Json, closed: boolean): boolean {
  switch (type.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return (
        typeof value === "string" &&
        isWithin([...value].length, type.minLength ?? 0, type.maxLength ?? Infinity)
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type.kind === "number" || Number.isInteger(value)) &&
        isWithin(value, type.minimum ?? -Infinity, type.maximum ?? Infinity)
      );
    case "literal":
      return value === type.value;
    case "enum":
      return type.open && !closed
        ? type.values.some((each) => typeof each.value === typeof value)
        : type.values.some((each) => each.value === value);
    case "array":
      return (
        Array.isArray(value) &&
        isWithin(value.length, type.minItems ?? 0, type.maxItems ?? Infinity) &&
        value.every((item: Json) => isAccepted(side, type.items, item, closed))
      );
    case "map":
      return (
        isObject(value) &&
        Object.values(value).every((each) => isAccepted(side, type.values, each, closed))
      );
    case "object":
      return isObject(value) && isAcceptedObject(side, type, value, closed);
    case "union":
      return type.members.some((member) => isAccepted(side, member, value, closed));
    case "reference":
      return isAccepted(side, side.typeOf(type.name), value, closed);
  }
}

function isAcceptedObject(
  side: Side,
  type: ObjectType,
  value: { readonly [name: string]: Json },
  closed: boolean,
): boolean {
  const properties = side.propertiesOf(type);
  const known = properties.every((property) =>
    Object.hasOwn(value, property.name)
      ? isAccepted(side, property.type, value[property.name]!, closed)
      : !property.required,
  );
  if (!known || !(type.extras === "closed" || (closed && properties.length > 0))) return known;
  const names = new Set(properties.map(({ name }) => name));
  return Object.keys(value).every((name) => names.has(name));
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWithin(value: number, least: number, greatest: number): boolean {
  return value >= least && value <= greatest;
}
