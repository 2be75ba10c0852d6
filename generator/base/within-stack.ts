import { InputError, type InputPlace } from "./input-error.js";

/**
 * Runs a function that recurses as deep as its input nests.
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
    // Range errors can also be about lengths. The exact text differs between engines.
    if (!(error instanceof RangeError) || !/stack/i.test(error.message)) throw error;
    throw new InputError("ERR_TOO_DEEP", message, place, hint);
  }
}
