import * as option from "../../runtime/base/check-options.js";

/** The given values of arguments, each with its check, by name. */
type Arguments = Readonly<Record<string, readonly [value: unknown, check: option.OptionCheck]>>;

/**
 * Rejects invalid arguments of a function.
 *
 * @param caller Name of the function, for the message.
 * @throws TypeError that names the argument and the expected value.
 */
export function checkArguments(caller: string, given: Arguments): void {
  for (const [name, [value, check]] of Object.entries(given)) {
    const expected = check(value);
    if (expected !== undefined)
      throw new TypeError(`${caller}: "${name}" must be ${expected}, not ${option.shown(value)}`);
  }
}

/**
 * The result of another function.
 *
 * @param list The property that shows it: an array.
 */
const resultOf =
  (maker: string, list: string): option.OptionCheck =>
  (value) =>
    Array.isArray((value as Readonly<Record<string, unknown>> | null | undefined)?.[list])
      ? undefined
      : `the result of ${maker}`;

export const protocolModel = resultOf("readProtocol or openProtocol", "messages");
export const comparison = resultOf("diffVersions or diffProtocols", "findings");
export const comparedRange = resultOf("diffRange", "cells");

/** Contents of files by path. */
export const fileTexts: option.OptionCheck = (value) =>
  value instanceof Map ? undefined : "a Map of texts by path";

export const list: option.OptionCheck = (value) => (Array.isArray(value) ? undefined : "an array");

/** One of several strings. */
export const oneOf = (names: readonly string[]): option.OptionCheck => option.oneOf(...names);
