import type { ValueRules, ValueSchema } from "./value-schema.js";

/** Values that a text lists at most. */
const listedValues = 12;

/** What a schema expects, in words: "a string", "one of 1, 2", "a number from 0". */
export function expectedBy(schema: ValueSchema): string {
  if (typeof schema === "boolean") return schema ? "any value" : "no value";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return expectedOneOf(schema.enum);
  if (schema.type !== undefined)
    return schema.type.map((type) => typeText(type, schema)).join(" or ");
  const members = schema.anyOf ?? schema.oneOf;
  if (members !== undefined) return [...new Set(members.map(expectedBy))].join(" or ");
  return "another value";
}

/** "one of 1, 2", or the only value. */
export function expectedOneOf(values: readonly unknown[]): string {
  const texts = values.slice(0, listedValues).map((value) => JSON.stringify(value));
  if (texts.length === 1) return texts[0]!;
  return `one of ${texts.join(", ")}${values.length > listedValues ? ", …" : ""}`;
}

function typeText(type: string, schema: ValueRules): string {
  switch (type) {
    case "array":
      return "a list";
    case "object":
    case "integer":
      return `an ${type}${type === "integer" ? rangeText(schema) : ""}`;
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "number":
      return `a number${rangeText(schema)}`;
    default:
      return `a ${type}`;
  }
}

/** " from 0 to 9", " above 0", or nothing. */
export function rangeText(schema: ValueRules): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lower = exclusiveMinimum === undefined ? `from ${minimum}` : `above ${exclusiveMinimum}`;
  const upper = exclusiveMaximum === undefined ? `to ${maximum}` : `below ${exclusiveMaximum}`;
  const hasLower = (minimum ?? exclusiveMinimum) !== undefined;
  const hasUpper = (maximum ?? exclusiveMaximum) !== undefined;
  return `${hasLower ? ` ${lower}` : ""}${hasUpper ? ` ${upper}` : ""}`;
}

/** "2 items", "at least 1 item", "1 to 3 items". */
export function sizeText(
  noun: string,
  least: number | undefined,
  most: number | undefined,
): string {
  const plural = (count: number): string => `${noun}${count === 1 ? "" : "s"}`;
  if (least !== undefined && least === most) return `${least} ${plural(least)}`;
  if (most === undefined) return `at least ${least} ${plural(least!)}`;
  if (least === undefined || least === 0) return `at most ${most} ${plural(most)}`;
  return `${least} to ${most} ${plural(most)}`;
}
