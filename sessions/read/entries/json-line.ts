import { maxMessageDepth } from "../../../generator/base/memory-limits.js";
import { isObject } from "../../../runtime/index.js";
import { mayNestDeeper, textNestsWithin } from "../../../runtime/json/json-scan.js";

/** Maximum number of additional nesting levels that a line may have around its message. */
const wrapperDepth = 4;

/**
 * Maximum size, in bytes, of a line that is parsed without checking its nesting first. Longer lines
 * are checked, because parsing takes memory for every level.
 */
const longBytes = 2 * 1024 * 1024;

/** The result of parsing a line that is nested too deeply. */
export const tooDeep: { readonly code: string; readonly message: string } = {
  code: "ERR_DEPTH",
  message: `Cannot read a line that nests more than ${maxMessageDepth} levels deep`,
};

/**
 * Parses a line of JSON. Returns `tooDeep` if it is nested too deeply, and undefined if it is not
 * JSON.
 *
 * @param bytes The bytes of `text`.
 */
export function parseJsonLine(text: string, bytes: Uint8Array): unknown {
  const most = maxMessageDepth + wrapperDepth;
  if (bytes.length > longBytes && !textNestsWithin(bytes, 0, bytes.length, most)) return tooDeep;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return value;
  if (bytes.length > longBytes || !mayNestDeeper(text, most)) return value;
  return textNestsWithin(bytes, 0, bytes.length, most) ? value : tooDeep;
}
