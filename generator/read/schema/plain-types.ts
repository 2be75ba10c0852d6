import type { Json, ObjectType, Type } from "../../model/types.js";

/** The kinds of a JSON value. */
export const jsonKinds = ["object", "array", "string", "number", "boolean", "null"] as const;
export type JsonKind = (typeof jsonKinds)[number];

/**
 * For each kind, the type that accepts all its values. A schema without `type` has this type for
 * kinds to which its keywords do not apply.
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
 * The type that accepts all values of a kind. Used if no keyword of the schema applies to the kind.
 */
export function plainType(kind: JsonKind): Type {
  return plain[kind];
}

/** Whether a type exists only because no keyword of the schema applies to its kind. */
export function isPlain(type: Type): boolean {
  return allPlain.has(type);
}

export function kindOfValue(value: Json): JsonKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "object" | "string";
}

/** The kind of a type's values. Undefined if the type may have values of several kinds. */
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

/** A map or an object as an object type. A map becomes an object type without named properties. */
export function objectOf(type: Type): ObjectType | undefined {
  if (type.kind === "object") return type;
  if (type.kind !== "map") return undefined;
  return { kind: "object", bases: [], properties: [], extras: "open", others: type.values };
}
