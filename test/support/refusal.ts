import assert from "node:assert/strict";
import { formatInputError, InputError } from "../../cli/index.js";

/** Returns the error with which the tool refuses an input, as printed, or `accepted`. */
export async function refusalOf(read: () => unknown): Promise<string> {
  const result = await readOrRefusal(async () => void (await read()));
  return result ?? "accepted";
}

/**
 * Returns what a reader returns, or the error with which the tool refuses the input, as printed.
 *
 * @param folder Left out of the paths in the error.
 */
export async function readOrRefusal<Result>(
  read: () => Promise<Result>,
  folder?: string,
): Promise<Result | string> {
  try {
    return await read();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return formatInputError(error).replaceAll(`${folder}/`, "");
  }
}
