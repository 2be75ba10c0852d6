import { InputError, type InputPlace } from "./input-error.js";

/**
 * Calls a function whose recursion is as deep as its input.
 *
 * @throws InputError `ERR_TOO_DEEP` if the stack overflows.
 */
export function withinStack<Result>(
  run: () => Result,
  message: string,
  place: InputPlace,
  hint: string,
): Result {
  try {
    return run();
  } catch (error) {
    // A RangeError can also be about a length. The message differs between engines.
    if (!(error instanceof RangeError) || !/stack/i.test(error.message)) throw error;
    throw new InputError("ERR_TOO_DEEP", message, place, hint);
  }
}
