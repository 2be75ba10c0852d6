import type { Type } from "../../model/types.js";
import { allOf, anyOf, type Condition } from "../printer/logical-expression.js";
import { printValue, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./runtime-module.js";

/** A type that can be tested without calling another function of the emitted module. */
type PrimitiveType = Exclude<
  Type,
  { readonly kind: "array" | "enum" | "map" | "object" | "reference" | "union" }
>;

/**
 * Returns the condition under which a value matches a primitive type, or undefined if any value is
 * valid.
 */
export function primitiveCondition(
  type: PrimitiveType,
  value: string,
  file: SourceFile,
): Condition | undefined {
  switch (type.kind) {
    case "any":
      return undefined;
    case "null":
      return `${value} === null`;
    case "boolean":
      return `typeof ${value} === "boolean"`;
    case "string": {
      const { minLength = 0, maxLength } = type;
      if (minLength <= 0 && maxLength === undefined) return `typeof ${value} === "string"`;
      const has = file.importValue("hasCharacters", runtime);
      return allOf(
        `typeof ${value} === "string"`,
        `${has}(${value}, ${minLength}, ${maxLength ?? "Infinity"})`,
      );
    }
    case "integer":
      return integerCondition(value, type.minimum ?? -Infinity, type.maximum ?? Infinity, () =>
        file.importValue("isExactUnsigned", runtime),
      );
    case "number":
      return allOf(
        `typeof ${value} === "number"`,
        type.minimum === undefined || type.maximum === undefined
          ? `Number.isFinite(${value})`
          : undefined,
        type.minimum === undefined ? undefined : `${value} >= ${type.minimum}`,
        type.maximum === undefined ? undefined : `${value} <= ${type.maximum}`,
      );
    case "literal":
      return `${value} === ${printValue(type.value)}`;
  }
}

/**
 * Creates the condition for an integer. For a range of machine integers, it uses an operator, which
 * is faster than a call.
 */
function integerCondition(
  value: string,
  minimum: number,
  maximum: number,
  exact: () => string,
): Condition {
  const isNumber = `typeof ${value} === "number"`;
  const isUnsigned = `${value} >>> 0 === ${value}`;
  const within = (lowest: number, highest: number): Condition | undefined =>
    allOf(
      minimum > lowest ? `${value} >= ${minimum}` : undefined,
      maximum < highest ? `${value} <= ${maximum}` : undefined,
    );
  if (minimum >= -(2 ** 31) && maximum <= 2 ** 31 - 1)
    return allOf(isNumber, `(${value} | 0) === ${value}`, within(-(2 ** 31), 2 ** 31 - 1))!;
  if (minimum >= 0 && maximum <= 2 ** 32 - 1)
    return allOf(isNumber, isUnsigned, within(0, 2 ** 32 - 1))!;
  const isSafe = minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER;
  const test = `Number.is${isSafe ? "Safe" : ""}Integer(${value})`;
  const bounds = isSafe
    ? within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    : within(-Infinity, Infinity);
  if (bounds === undefined) return test;
  if (minimum !== 0 || maximum < 2 ** 32 - 1) return allOf(isNumber, test, bounds)!;
  const isLarger =
    maximum === Number.MAX_SAFE_INTEGER ? `${exact()}(${value})` : allOf(test, bounds);
  return allOf(isNumber, anyOf(isUnsigned, isLarger))!;
}
