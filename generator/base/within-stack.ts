import { InputError, type InputPlace } from "./input-error.js";

/**
 * Runs what goes as deep as its input does.
 *
 * @throws InputError `ERR_TOO_DEEP` where the stack ends.
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
    // The text differs between engines; other range errors speak of lengths.
    if (!(error instanceof RangeError) || !/stack/i.test(error.message)) throw error;
    throw new InputError("ERR_TOO_DEEP", message, place, hint);
  }
}
