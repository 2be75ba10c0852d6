import { readUtf8 } from "../base/buffer-methods.js";

/** Number of digits that a double can always represent exactly. */
const exactDigits = 15;

/** Maximum length of a cached string. */
const shortText = 32;

/** Recently read strings, keyed by hash, because message names recur. */
const texts: string[] = /* @__PURE__ */ Array.from({ length: 64 }, () => "");

/**
 * Parses the string, number, boolean or null in a range of JSON, like `JSON.parse`. Returns
 * undefined for other values.
 */
export function readScalar(bytes: Uint8Array, start: number, end: number): unknown {
  if (start < 0) return undefined;
  const first = bytes[start]!;
  if (first === 0x7b || first === 0x5b) return undefined;
  const known =
    first === 0x22
      ? readPlainText(bytes, start + 1, end - 1)
      : first >= 0x30 && first <= 0x39
        ? readDigits(bytes, start, end)
        : undefined;
  if (known !== undefined) return known;
  try {
    return JSON.parse(readUtf8(bytes, start, end)) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads a short ASCII string without escapes. Returns undefined for any other string. */
function readPlainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const length = end - start;
  if (length < 1 || length > shortText || bytes[end] !== 0x22) return undefined;
  const slot = (length * 31 + bytes[start]! * 7 + bytes[end - 1]!) & 63;
  const text = texts[slot]!;
  let same = 0;
  if (text.length === length)
    while (same < length && text.charCodeAt(same) === bytes[start + same]) same++;
  if (same === length) return text;
  let made = "";
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte >= 0x7f || byte === 0x5c || byte === 0x22) return undefined;
    made += String.fromCharCode(byte);
  }
  texts[slot] = made;
  return made;
}

/**
 * Reads a whole number that a double represents exactly. Returns undefined for any other number.
 */
function readDigits(bytes: Uint8Array, start: number, end: number): number | undefined {
  const length = end - start;
  if (length > exactDigits || (length > 1 && bytes[start] === 0x30)) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x30 || byte > 0x39) return undefined;
    value = value * 10 + byte - 0x30;
  }
  return value;
}
