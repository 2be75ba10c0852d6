import assert from "node:assert/strict";
import { formatInputError, InputError } from "../../generator/index.js";

/** How an input is refused, as the command prints it; `accepted` if it is not. */
export async function refusalOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return formatInputError(error);
  }
  return "accepted";
}
