import * as option from "../../runtime/base/check-options.js";

/** A function's arguments by name, each with its value and the check to apply to it. */
type Arguments = Readonly<Record<string, readonly [value: unknown, check: option.OptionCheck]>>;

/**
 * Checks a function's arguments.
 *
 * @param caller Name of the function, for use in the message.
 * @throws TypeError that names the first invalid argument and the expected value.
 */
export function checkArguments(caller: string, given: Arguments): void {
  for (const [name, [value, check]] of Object.entries(given)) {
    const expected = check(value);
    if (expected !== undefined)
      throw new TypeError(`${caller}: "${name}" must be ${expected}, not ${option.shown(value)}`);
  }
}

/**
 * Creates a check that an argument was returned by a given function.
 * @param maker Name of that function, for use in the message.
 * @param list Name of an array property found only on that function's results.
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

/** Checks that an argument is a map from file paths to file contents. */
export const fileTexts: option.OptionCheck = (value) =>
  value instanceof Map ? undefined : "a Map of texts by path";
