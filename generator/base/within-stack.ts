import { InputError, type InputPlace } from "./input-error.js";

/**
 * Calls a function that recurses as deeply as its input is nested.
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
    // Check the message: a RangeError can also mean an invalid length. The wording for a stack
    // overflow differs between engines.
    if (!(error instanceof RangeError) || !/stack/i.test(error.message)) throw error;
    throw new InputError("ERR_TOO_DEEP", message, place, hint);
  }
}
