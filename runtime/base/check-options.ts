import { nearestText } from "./nearest-text.js";

/** Returns a description of the expected value if a value is invalid, and undefined otherwise. */
export type OptionCheck = (value: unknown) => string | undefined;

/**
 * The checks for all of a function's options, by name. The compiler reports both missing checks and
 * checks for options that do not exist.
 */
export type OptionChecks<Options> = Readonly<Record<keyof Options, OptionCheck>>;

/**
 * Rejects unknown options and invalid values. `undefined` counts as absent.
 *
 * @param caller Name of the function, for the message.
 * @throws TypeError that names the offending option and the most similar valid one.
 */
export function checkOptions(
  caller: string,
  given: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
): void {
  if (given === undefined) return;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${caller}: options must be an object, not ${shown(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(checks, name)) {
      const nearest = nearestText(name, Object.keys(checks), Math.max(2, name.length / 3));
      throw new TypeError(
        `${caller}: unknown option "${name}". ${
          nearest === undefined
            ? `Options: ${Object.keys(checks).join(", ") || "none"}`
            : `Did you mean "${nearest}"?`
        }`,
      );
    }
    const expected = value === undefined ? undefined : checks[name]!(value);
    if (expected === undefined) continue;
    const received = shown(value);
    throw new TypeError(
      `${caller}: the option "${name}" must be ${expected}${
        expected.startsWith(received) ? "" : `, not ${received}`
      }`,
    );
  }
}

const ofType =
  (type: string, expected: string): OptionCheck =>
  (value) =>
    typeof value === type ? undefined : expected;

export const text: OptionCheck = /* @__PURE__ */ ofType("string", "a string");
export const flag: OptionCheck = /* @__PURE__ */ ofType("boolean", "true or false");
export const callback: OptionCheck = /* @__PURE__ */ ofType("function", "a function");

/** Accepts any object without checking its properties. */
export const object: OptionCheck = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "an object";

/** Accepts whole numbers. */
export const integer: OptionCheck = (value) =>
  Number.isSafeInteger(value) ? undefined : "a whole number";

/** Accepts non-negative whole numbers. */
export const count: OptionCheck = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : "a whole number, at least 0";

/** Accepts times in milliseconds: non-negative numbers, including `Infinity`. */
export const milliseconds: OptionCheck = (value) =>
  typeof value === "number" && value >= 0 ? undefined : "a number of milliseconds, at least 0";

/** Accepts limits: positive whole numbers, and `Infinity`. */
export const limit: OptionCheck = (value) =>
  value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 1)
    ? undefined
    : "a whole number of at least 1, or Infinity";

/** Accepts any value. */
export const anything: OptionCheck = () => undefined;

/** Accepts an `AbortSignal` from any realm. */
export const signal: OptionCheck = (value) =>
  typeof (value as { aborted?: unknown } | null)?.aborted === "boolean"
    ? undefined
    : "an AbortSignal";

/** Accepts any one of several strings. */
export const oneOf =
  (...allowed: readonly string[]): OptionCheck =>
  (value) => {
    if (allowed.includes(value as string)) return undefined;
    const listed = allowed.map((each) => `"${each}"`).join(", ");
    return `one of ${listed}${typeof value === "string" ? guess(nearestText(value, allowed, 2)) : ""}`;
  };

/** Accepts an array whose items all pass a check. */
export const listOf =
  (check: OptionCheck): OptionCheck =>
  (value) => {
    if (!Array.isArray(value)) return "an array";
    const expected = value.map(check).find((each) => each !== undefined);
    return expected === undefined ? undefined : `an array, each item ${expected}`;
  };

/** The property names allowed in an object, as a set or a map. */
export interface KnownNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/**
 * Accepts an object whose values pass a check.
 *
 * @param known The names allowed in the object. Default: any.
 * @param isOpen Whether other names are also allowed, unless they resemble a known one. Default:
 * false.
 */
export const recordOf =
  (check: OptionCheck, known?: KnownNames, isOpen = false): OptionCheck =>
  (value) => {
    if (object(value) !== undefined) return "an object";
    for (const [name, each] of Object.entries(value as object)) {
      if (known?.has(name) === false) {
        const nearest = nearestText(name, known.keys());
        if (isOpen && nearest === undefined) continue;
        return `an object without "${name}"${guess(nearest)}`;
      }
      const expected = each === undefined ? undefined : check(each);
      if (expected !== undefined) return `an object in which "${name}" is ${expected}`;
    }
    return undefined;
  };

/**
 * Accepts an object in which the named properties are functions. Other properties are accepted
 * unless their names resemble one of these.
 */
export const hooks = (...names: readonly string[]): OptionCheck =>
  recordOf(callback, new Set(names), true);

/** Accepts a value if at least one of the checks accepts it. */
export const either =
  (...checks: readonly OptionCheck[]): OptionCheck =>
  (value) => {
    const expected = checks.map((check) => check(value));
    return expected.includes(undefined) ? undefined : expected.join(" or ");
  };

/** Returns a suggestion of the most similar name, to be appended to a message. */
export function guess(nearest: string | undefined): string {
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** Returns a value in the form shown in messages. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
