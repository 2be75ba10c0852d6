import { readUtf8 } from "../base/buffer-methods.js";

/**
 * Returns the index after the string that starts at `at`, or `end` if the string is unterminated.
 */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) at++;
  }
  return end;
}

/**
 * Returns the index after the object at the start of a range, looking only at brackets and strings.
 *
 * @returns -1 if the object is incomplete, -2 if the range does not start with an object.
 */
export function findObjectEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  if (at === end) return -1;
  return bytes[at] === 0x7b ? skipNested(bytes, at, end) : -2;
}

/** Returns the index after the object or array that starts at `at`, or -1 if it is incomplete. */
export function skipNested(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = skipString(bytes, at, end);
      continue;
    }
    at++;
    if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === 0) return at;
  }
  return -1;
}

/** Returns whether a range starts like a JSON object with at least one key. */
export function beginsObject(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x7b) return false;
  let at = start + 1;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at < end && bytes[at] === 0x22;
}

/** Returns the length of the UTF-8 byte order mark at the start of a range: 0 or 3. */
export function byteOrderMark(bytes: Uint8Array, start: number, end: number): 0 | 3 {
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return hasMark && start + 3 <= end ? 3 : 0;
}

/** Returns whether a byte is JSON whitespace. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether a byte is `{` or `[`, which differ in a single bit. */
export function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/** Returns whether a byte is `}` or `]`. */
export function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}

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

/** Number of levels that few values exceed, and that a recursive function can walk on any stack. */
const usualDepth = 64;

/**
 * Returns whether a JSON text is nested no deeper than `limit`. Walking its value is several times
 * faster than scanning the text, so the text decides only if the value is unusually deep. Values
 * that a repeated key has replaced may therefore be ignored.
 *
 * @param value The parsed text.
 */
export function parsedNestsWithin(
  value: unknown,
  bytes: Uint8Array,
  start: number,
  end: number,
  limit: number,
): boolean {
  return (
    (limit >= usualDepth && valueNestsWithin(value, usualDepth)) ||
    textNestsWithin(bytes, start, end, limit)
  );
}

function valueNestsWithin(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[])
      if (typeof item === "object" && !valueNestsWithin(item, limit - 1)) return false;
  } else
    for (const key in value) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (typeof member === "object" && !valueNestsWithin(member, limit - 1)) return false;
    }
  return true;
}

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
  const simple =
    first === 0x22
      ? readPlainText(bytes, start + 1, end - 1)
      : first >= 0x30 && first <= 0x39
        ? readDigits(bytes, start, end)
        : undefined;
  if (simple !== undefined) return simple;
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
