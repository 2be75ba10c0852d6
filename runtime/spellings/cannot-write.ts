import { EncodeError, type EncodeErrorCode } from "../json/encode-error.js";

/**
 * Rejects a value that a notation cannot express.
 *
 * @param path JSON Pointer to the value.
 * @throws EncodeError
 */
export function cannotWrite(
  what: string,
  path: string,
  code: EncodeErrorCode = "ERR_ENCODE_FIELD",
): never {
  throw new EncodeError(code, `Cannot write ${what}`, path);
}
