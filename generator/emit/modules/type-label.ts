import { pascalCase } from "../../model/names.js";
import type { Type } from "../../model/types.js";

/** A type as a part of a function's name. */
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

/** A type as text, without what does not matter for checking. */
export function structureOf(type: Type): string {
  const silent = ["docs", "deprecated", "default", "gate", "at"];
  return JSON.stringify(type, (key, value: unknown) => (silent.includes(key) ? undefined : value));
}
