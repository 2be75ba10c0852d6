import type { Json, ObjectType, Type } from "../../model/types.js";

/** The kinds of JSON values. */
export const jsonKinds = ["object", "array", "string", "number", "boolean", "null"] as const;
export type JsonKind = (typeof jsonKinds)[number];

/**
 * For each kind of value, the type that accepts all values of that kind. In a schema without
 * `type`, it represents each kind that no keyword applies to.
 */
const plain: Readonly<Record<JsonKind, Type>> = {
  object: { kind: "object", bases: [], properties: [], extras: "open" },
  array: { kind: "array", items: { kind: "any" } },
  string: { kind: "string" },
  number: { kind: "number" },
  boolean: { kind: "boolean" },
  null: { kind: "null" },
};
const allPlain: ReadonlySet<Type> = new Set(Object.values(plain));

/**
 * Returns the type that accepts all values of a kind. It represents kinds that none of a schema's
 * keywords apply to.
 */
export function plainType(kind: JsonKind): Type {
  return plain[kind];
}

/**
 * Returns whether a type is present only because none of the schema's keywords apply to its kind.
 */
export function isPlain(type: Type): boolean {
  return allPlain.has(type);
}

export function kindOfValue(value: Json): JsonKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "object" | "string";
}

/** Returns the kind of a type's values, or undefined if they may be of several kinds. */
export function kindOf(type: Type): JsonKind | undefined {
  switch (type.kind) {
    case "null":
    case "boolean":
    case "string":
    case "number":
    case "array":
    case "object":
      return type.kind;
    case "integer":
      return "number";
    case "map":
      return "object";
    case "literal":
      return kindOfValue(type.value);
    case "enum":
      return kindOfValue(type.values[0]?.value ?? "");
    case "any":
    case "union":
    case "reference":
      return undefined;
  }
}

/** Returns all of a type's values if they are fixed, otherwise undefined. */
export function valuesOf(type: Type): readonly (boolean | number | string)[] | undefined {
  if (type.kind === "literal") return [type.value];
  return type.kind === "enum" && !type.open ? type.values.map(({ value }) => value) : undefined;
}

/** Converts a map to an object type without named properties. Returns an object type unchanged. */
export function objectOf(type: Type): ObjectType | undefined {
  if (type.kind === "object") return type;
  if (type.kind !== "map") return undefined;
  return { kind: "object", bases: [], properties: [], extras: "open", others: type.values };
}
