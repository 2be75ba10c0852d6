import { InputError } from "../generator/base/input-error.js";

/**
 * Creates the error for a call that cannot be carried out.
 *
 * @param hint How to mend the call, as a sentence without a final period.
 */
export function argumentError(message: string, hint?: string): InputError {
  return new InputError("ERR_ARGUMENT", message, {}, hint);
}
