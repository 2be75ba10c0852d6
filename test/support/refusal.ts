import assert from "node:assert/strict";
import { formatInputError, InputError } from "../../generator/index.js";

/** The printed error of a refused input; `accepted` if it is not refused. */
export async function refusalOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return formatInputError(error);
  }
  return "accepted";
}
