import { hasCharacters } from "../../../runtime/protocol/message-fields.js";
import { compilePattern, isMultiple } from "../../../runtime/validation/value-checks.js";
import { never } from "../../model/type-checks.js";
import type { Check, EnumType, NumericType, StringType, Type } from "../../model/types.js";
import { withChecks } from "./schema-node.js";

/**
 * Intersects two types of the same kind. Returns undefined if their values have parts, as objects
 * do.
 */
export function intersectPrimitives(a: Type, b: Type): Type | undefined {
  if (a.kind === "literal" || a.kind === "enum") return withValues(a, b);
  if (b.kind === "literal" || b.kind === "enum") return withValues(b, a);
  if (a.kind === "string" && b.kind === "string") return intersectStrings(a, b);
  return isNumeric(a) && isNumeric(b) ? intersectNumbers(a, b) : undefined;
}

/**
 * Adds a check to a type that requires its values to have another type as well. Validators apply
 * the check, but TypeScript types do not reflect it.
 */
export function also(type: Type, other: Type): Type {
  return withChecks(type, [{ kind: "also", type: other }]);
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}

/** Reduces an enum or literal to the values that also have another type. */
function withValues(listed: Type, other: Type): Type {
  if (listed.kind === "literal") return accepts(other, listed.value) ? listed : never;
  if (listed.kind !== "enum") return never;
  if (listed.open && isUnbounded(other)) return listed;
  if (listed.open) return other.kind === "enum" && !other.open ? other : also(listed, other);
  const values = listed.values.filter(({ value }) => accepts(other, value));
  if (values.length === listed.values.length) return listed;
  if (values.length === 1) return { kind: "literal", value: values[0]!.value };
  return values.length === 0 ? never : ({ ...listed, values } satisfies EnumType);
}

/** Returns whether a type accepts all strings or all numbers. */
function isUnbounded(type: Type): boolean {
  if (type.kind === "number") return type.minimum === undefined && type.maximum === undefined;
  if (type.kind !== "string") return false;
  const { minLength, maxLength, pattern } = type;
  return [minLength, maxLength, pattern].every((each) => each === undefined);
}

/** Returns whether a type without parts accepts a primitive value. */
function accepts(type: Type, value: string | number | boolean): boolean {
  return (
    structureAccepts(type, value) && (type.checks ?? []).every((check) => passes(check, value))
  );
}

function structureAccepts(type: Type, value: string | number | boolean): boolean {
  switch (type.kind) {
    case "literal":
      return type.value === value;
    case "enum":
      return type.open || type.values.some((each) => each.value === value);
    case "string":
      return (
        typeof value === "string" &&
        hasCharacters(value, type.minLength ?? 0, type.maxLength ?? Infinity) &&
        (type.pattern === undefined || compilePattern(type.pattern).test(value))
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type.kind === "number" || Number.isInteger(value)) &&
        value >= (type.minimum ?? -Infinity) &&
        value <= (type.maximum ?? Infinity)
      );
    case "boolean":
      return typeof value === "boolean";
    default:
      return false;
  }
}

/** Returns whether a value passes a check. Also returns true if this cannot be determined. */
function passes(check: Check, value: string | number | boolean): boolean {
  if (check.kind === "pattern" && typeof value === "string")
    return compilePattern(check.pattern).test(value);
  if (typeof value !== "number") return true;
  if (check.kind === "multiple") return isMultiple(value, check.of);
  return (
    check.kind !== "between" ||
    (value > (check.above ?? -Infinity) && value < (check.below ?? Infinity))
  );
}

function intersectStrings(a: StringType, b: StringType): Type {
  const least = Math.max(a.minLength ?? 0, b.minLength ?? 0);
  const most = Math.min(a.maxLength ?? Infinity, b.maxLength ?? Infinity);
  if (least > most) return never;
  const [pattern, ...others] = [...new Set([a.pattern, b.pattern])].filter(
    (each) => each !== undefined,
  );
  const format = a.format ?? b.format;
  return withChecks(
    {
      kind: "string",
      ...(format === undefined ? {} : { format }),
      ...(least === 0 ? {} : { minLength: least }),
      ...(most === Infinity ? {} : { maxLength: most }),
      ...(pattern === undefined ? {} : { pattern }),
    },
    others.map((each) => ({ kind: "pattern", pattern: each })),
  );
}

function intersectNumbers(a: NumericType, b: NumericType): Type {
  const minimum = Math.max(a.minimum ?? -Infinity, b.minimum ?? -Infinity);
  const maximum = Math.min(a.maximum ?? Infinity, b.maximum ?? Infinity);
  const isInteger = a.kind === "integer" || b.kind === "integer";
  const [least, most] = isInteger ? [Math.ceil(minimum), Math.floor(maximum)] : [minimum, maximum];
  if (least > most) return never;
  const format = a.format ?? b.format;
  return {
    kind: isInteger ? "integer" : "number",
    ...(format === undefined ? {} : { format }),
    ...(least === -Infinity ? {} : { minimum: least }),
    ...(most === Infinity ? {} : { maximum: most }),
  };
}
