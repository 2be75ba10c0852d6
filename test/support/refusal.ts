import assert from "node:assert/strict";
import { formatInputError, InputError } from "../../cli/index.js";

/** Returns the error with which the tool refuses an input, as printed, or `accepted`. */
export async function refusalOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return formatInputError(error);
  }
  return "accepted";
}
