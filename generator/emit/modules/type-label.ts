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
      return integerLabel(type.minimum, type.maximum);
    case "number":
      return pascalCase(type.format ?? type.kind) || "Number";
    case "union":
      return type.members.map(labelOf).join("Or");
    default:
      return pascalCase(type.kind);
  }
}

/** The names of the tests for common ranges of integers, by bounds. */
const integerLabels: Readonly<Record<string, string>> = {
  [`${-(2 ** 31)} ${2 ** 31 - 1}`]: "Int32",
  [`0 ${2 ** 31 - 1}`]: "NaturalInt32",
  [`1 ${2 ** 31 - 1}`]: "PositiveInt32",
  [`0 ${2 ** 32 - 1}`]: "Uint32",
  [`${Number.MIN_SAFE_INTEGER} ${Number.MAX_SAFE_INTEGER}`]: "SafeInteger",
  [`0 ${Number.MAX_SAFE_INTEGER}`]: "Natural",
};

/** Returns a short label for the integers within bounds, for use in names. */
export function integerLabel(minimum = -Infinity, maximum = Infinity): string {
  const text = (bound: number): string =>
    String(bound).replace(/^-/, "Minus").replaceAll(/[^\w]/g, "");
  return (
    integerLabels[`${minimum} ${maximum}`] ??
    `Integer${minimum === -Infinity ? "" : `From${text(minimum)}`}${maximum === Infinity ? "" : `To${text(maximum)}`}`
  );
}

/** Converts a type to a string for comparison. Parts that do not affect checks are left out. */
export function structureOf(type: Type): string {
  const silent = ["docs", "deprecated", "default", "gate", "at"];
  return JSON.stringify(type, (key, value: unknown) => (silent.includes(key) ? undefined : value));
}
