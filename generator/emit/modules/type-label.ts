import { pascalCase } from "../../model/names.js";
import type { Type } from "../../model/types.js";

/** Returns a short label for a type, for use in function names. */
export function labelOf(type: Type): string {
  switch (type.kind) {
    case "reference":
      return type.name;
    case "array":
      return `ListOf${labelOf(type.items)}`;
    case "integer":
    case "number":
      return pascalCase(type.format ?? type.kind) || "Number";
    case "union":
      return type.members.map(labelOf).join("Or");
    default:
      return pascalCase(type.kind);
  }
}

/** Converts a type to a string for comparison. Parts that do not affect checks are left out. */
export function structureOf(type: Type): string {
  const silent = ["docs", "deprecated", "default", "gate", "at"];
  return JSON.stringify(type, (key, value: unknown) => (silent.includes(key) ? undefined : value));
}
