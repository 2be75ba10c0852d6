import { InputError } from "../../base/input-error.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";

/**
 * Rejects a description, an extension or an overlay.
 *
 * @throws InputError `ERR_DESCRIPTION` with the location in the description.
 */
export function refuseDescription(
  file: JsonFile,
  message: string,
  place: readonly (string | number)[],
  hint?: string,
): never {
  throw new InputError("ERR_DESCRIPTION", message, file.locate(joinPointer("", ...place)), hint);
}
