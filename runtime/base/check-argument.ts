import { shown, type OptionCheck } from "./check-options.js";

/**
 * Rejects an invalid argument.
 *
 * @param caller Name of the function, for the message.
 * @param name Name of the parameter.
 * @throws TypeError that names the function, the argument and the expected value.
 */
export function checkArgument(
  caller: string,
  name: string,
  value: unknown,
  check: OptionCheck,
): void {
  const expected = check(value);
  if (expected !== undefined)
    throw new TypeError(
      `${caller}: the argument "${name}" must be ${expected}, not ${shown(value)}`,
    );
}
