import { isObject, maxNesting, type AnyFields } from "../protocol/message-fields.js";

/**
 * Compiles a regular expression from a schema in Unicode mode or, if the expression is valid only
 * without it, in the default mode.
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** Returns whether all items of an array are different. */
export function isUnique(list: readonly unknown[]): boolean {
  return firstRepetition(list) === undefined;
}

/** Returns the index of the first item that equals an earlier one, along with that item's index. */
export function firstRepetition(list: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const key = keyOf(item, 0);
    const earlier = seen.get(key);
    if (earlier !== undefined) return [index, earlier];
    seen.set(key, index);
  }
  return undefined;
}

/** Returns a key that is the same only for equal values. */
function keyOf(value: unknown, depth: number): unknown {
  if (typeof value === "string") return `"${value}`;
  if (typeof value !== "object" || value === null) return value;
  return `${Array.isArray(value) ? "[" : "{"}${spell(value, depth)}`;
}

/** Returns a JSON value as a string with sorted properties. */
function spell(value: unknown, depth: number): string {
  if (depth > maxNesting || typeof value !== "object" || value === null)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => spell(item, depth + 1)).join()}]`;
  const fields = value as AnyFields;
  return `{${presentNames(fields)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${spell(fields[name], depth + 1)}`)
    .join()}}`;
}

/**
 * Returns whether one number is a multiple of another, according to their shortest decimal forms.
 */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [digits, power] = decimalOf(value);
  const [unit, unitPower] = decimalOf(of);
  const least = Math.min(power, unitPower);
  const scaled = (number: bigint, by: number): bigint => number * 10n ** BigInt(by - least);
  return scaled(digits, power) % scaled(unit, unitPower) === 0n;
}

/** Returns a number's digits and the power of ten by which to multiply them. */
function decimalOf(value: number): readonly [digits: bigint, power: number] {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** Returns the names of an object's properties, omitting undefined ones as JSON does. */
export function presentNames(value: object): string[] {
  return Object.keys(value).filter((name) => (value as AnyFields)[name] !== undefined);
}

/** Returns whether a value is an object with the given property. */
export function hasField(value: unknown, name: string): boolean {
  return isObject(value) && presentNames(value).includes(name);
}

/** Returns whether the number of an object's properties is within bounds. */
export function hasSize(value: object, least: number, most: number): boolean {
  const { length } = presentNames(value);
  return length >= least && length <= most;
}

/** Returns the properties of an object whose names are neither listed nor matched by a pattern. */
export function otherNames(
  value: object,
  names: readonly string[],
  patterns: readonly RegExp[],
): readonly string[] {
  return presentNames(value).filter(
    (name) => !names.includes(name) && !patterns.some((pattern) => pattern.test(name)),
  );
}

/** Returns whether the number of items that pass a test is within bounds. */
export function hasItems(
  list: readonly unknown[],
  isCounted: (item: unknown) => boolean,
  least: number,
  most: number,
): boolean {
  const { length } = list.filter(isCounted);
  return length >= least && length <= most;
}

/** The parts of a value that a schema evaluates. `Test` is a condition on a value. */
export interface EvaluatedParts<Test> {
  readonly names?: readonly string[];
  readonly patterns?: readonly string[];
  /** Number of evaluated items, counted from the first. */
  readonly items?: number;
  /** Whether all properties, or all items, are evaluated. */
  readonly all?: true;
  /** Items that pass this test are evaluated. */
  readonly containing?: Test;
  /** If present, these parts count only if the value passes this test. */
  readonly when?: Test;
  /** If present, these parts count only if the value fails this test. */
  readonly unless?: Test;
  /** Additional parts, which count under the same conditions. */
  readonly more?: readonly EvaluatedParts<Test>[];
}

/** Returns the keys of properties or items that no part of the schema evaluates. */
export function unevaluatedParts<Test>(
  value: unknown,
  parts: "items" | "properties",
  evaluated: readonly EvaluatedParts<Test>[],
  isOf: (test: Test, value: unknown) => boolean,
): readonly string[] {
  if (parts === "items" ? !Array.isArray(value) : !isObject(value)) return [];
  let keys: readonly string[] = Array.isArray(value)
    ? Object.keys(value)
    : presentNames(value as object);
  const drop = (each: EvaluatedParts<Test>): void => {
    if (each.when !== undefined && !isOf(each.when, value)) return;
    if (each.unless !== undefined && isOf(each.unless, value)) return;
    const { names = [], patterns = [], items = 0, containing } = each;
    const expressions = patterns.map(compilePattern);
    keys = keys.filter(
      (key) =>
        each.all !== true &&
        !(Array.isArray(value)
          ? Number(key) < items ||
            (containing !== undefined && isOf(containing, value[Number(key)]))
          : names.includes(key) || expressions.some((expression) => expression.test(key))),
    );
    each.more?.forEach(drop);
  };
  evaluated.forEach(drop);
  return keys;
}
