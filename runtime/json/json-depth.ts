import { isClosing, isOpening } from "./json-scan.js";

/** Number of brackets after which the total is estimated. */
const sampledBrackets = 256;

/**
 * Returns whether the value of a JSON text may be nested deeper than `limit`. That is impossible if
 * the text has at most `limit` opening brackets, including any inside strings. The search is
 * native, so it is cheap for most bodies. If a sample suggests that there are too many brackets,
 * counting stops early.
 */
export function mayNestDeeper(json: string, limit: number): boolean {
  const { length } = json;
  let count = 0;
  for (const bracket of ["[", "{"]) {
    // An object inside another object takes at least five UTF-16 units.
    if (bracket === "{" && count + length / 5 + 1 <= limit) return false;
    let found = 0;
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
      if (++found === sampledBrackets && (found * length) / at > limit) return true;
    }
  }
  return false;
}

/** Returns whether a JSON text is nested no deeper than `limit`, without parsing it. */
export function textNestsWithin(
  bytes: Uint8Array,
  start: number,
  end: number,
  limit: number,
): boolean {
  let depth = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte === 0x22) {
      // The loop is inlined because strings are often so short that a call would cost more.
      let unit = 0;
      while (at < end && unit !== 0x22) {
        unit = bytes[at++]!;
        if (unit === 0x5c) at++;
      }
    } else if (byte >= 0x5b) {
      if (isOpening(byte)) {
        if (++depth > limit) return false;
      } else if (isClosing(byte)) depth--;
    }
  }
  return true;
}
