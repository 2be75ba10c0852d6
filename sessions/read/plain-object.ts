import { isUtf8 } from "node:buffer";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Maximum nesting depth of a value, and maximum number of keys in its open objects. */
const mostLevels = 64;
const mostKeys = 1_024;

/** Maximum number of keys in an object that are compared with each other. */
const mostCompared = 256;

/**
 * The kinds of bytes in a string: an ASCII character, part of a non-ASCII character, or a byte that
 * ends or interrupts plain text.
 */
const [plain, wide, special] = [0, 1, 2];
const kinds = new Uint8Array(256).map((_, byte) =>
  byte < 0x20 || byte === quote || byte === backslash ? special : byte < 0x80 ? plain : wide,
);

/**
 * `hashes` holds the hashes of the keys in all open objects. `firsts` holds, for each level, the
 * index of its first hash in `hashes`, or -1 for an array.
 */
const hashes = new Int32Array(mostKeys);
const firsts = new Int32Array(mostLevels + 1);
/** A fast filter for each level: a bit set of the last five bits of its hashes. */
const filters = new Int32Array(mostLevels + 1);

/**
 * Returns whether a range contains a JSON object on one line that has no quirks: no byte order
 * mark, only well-formed UTF-8, and no repeated keys in any object.
 * Also returns false for some objects without quirks: those with escaped keys, colliding key
 * hashes, too many keys, or deep nesting. In return, it makes only a single pass and allocates no
 * values.
 */
export function isPlainObject(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== openBrace || bytes[end - 1] !== closeBrace) return false;
  let at = start;
  let depth = 0;
  let keys = 0;
  let isAscii = true;
  let isKeyNext = false;
  // The loop may read past the end of the range. This is harmless, because `at` only increases and
  // is compared with `end` after the loop.
  for (;;) {
    let byte = bytes[at]!;
    if (isKeyNext) {
      if (byte !== quote) return false;
      let hash = 0;
      for (;;) {
        byte = bytes[++at]!;
        const kind = kinds[byte];
        if (kind !== plain) {
          if (kind !== wide) break;
          isAscii = false;
        }
        hash = (Math.imul(hash, 31) + byte) | 0;
      }
      if (byte !== quote) return false;
      const first = firsts[depth]!;
      const bit = 1 << hash;
      if ((filters[depth]! & bit) === 0) filters[depth]! |= bit;
      else {
        if (keys - first > mostCompared) return false;
        for (let index = first; index < keys; index++) if (hashes[index] === hash) return false;
      }
      if (keys === mostKeys) return false;
      hashes[keys++] = hash;
      at = skipBlanks(bytes, at + 1);
      if (bytes[at] !== colon) return false;
      at = skipBlanks(bytes, at + 1);
      byte = bytes[at]!;
      isKeyNext = false;
    }
    if (byte === quote) {
      for (;;) {
        while (at + 4 < end && isPlainText(bytes, at + 1)) at += 4;
        byte = bytes[++at]!;
        const kind = kinds[byte];
        if (kind === plain) continue;
        if (kind === wide) isAscii = false;
        else if (byte === backslash) {
          at = endOfEscape(bytes, at + 1) - 1;
          if (at < 0) return false;
        } else break;
      }
      if (byte !== quote) return false;
      at++;
    } else if (byte === openBrace || byte === openBracket) {
      if (depth === mostLevels) return false;
      depth++;
      const isObject = byte === openBrace;
      firsts[depth] = isObject ? keys : -1;
      filters[depth] = 0;
      at = skipBlanks(bytes, at + 1);
      if (bytes[at] !== (isObject ? closeBrace : closeBracket)) {
        isKeyNext = isObject;
        continue;
      }
    } else {
      at = endOfScalar(bytes, at);
      if (at < 0) return false;
    }
    // Handles the commas and closing brackets that follow a value.
    for (;;) {
      at = skipBlanks(bytes, at);
      byte = bytes[at]!;
      const first = firsts[depth]!;
      if (byte === comma) {
        at = skipBlanks(bytes, at + 1);
        isKeyNext = first >= 0;
        break;
      }
      if (byte !== (first < 0 ? closeBracket : closeBrace)) return false;
      at++;
      if (first >= 0) keys = first;
      if (--depth > 0) continue;
      return at === end && (isAscii || isUtf8(bytes.subarray(start, end)));
    }
  }
}

/** Returns whether the next four bytes are ASCII characters inside a string. */
function isPlainText(bytes: Uint8Array, at: number): boolean {
  const first = kinds[bytes[at]!]! | kinds[bytes[at + 1]!]!;
  return (first | kinds[bytes[at + 2]!]! | kinds[bytes[at + 3]!]!) === plain;
}

/** Skips spaces and tabs. */
function skipBlanks(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  return at;
}

/**
 * Returns the index after an escape sequence, or -1 if the sequence is invalid. `at` is the index
 * after its backslash.
 */
function endOfEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case quote:
    case backslash:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 1;
    case 0x75:
      for (let digit = at + 1; digit < at + 5; digit++) if (!isHex(bytes[digit]!)) return -1;
      return at + 5;
    default:
      return -1;
  }
}

function isHex(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Returns the index after a number, true, false or null, or -1 if none begins here. */
function endOfScalar(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 0x74:
      return bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65
        ? at + 4
        : -1;
    case 0x66:
      return bytes[at + 1] === 0x61 &&
        bytes[at + 2] === 0x6c &&
        bytes[at + 3] === 0x73 &&
        bytes[at + 4] === 0x65
        ? at + 5
        : -1;
    case 0x6e:
      return bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c
        ? at + 4
        : -1;
    default:
      return endOfNumber(bytes, at);
  }
}

function endOfNumber(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x2d) at++;
  const isZero = bytes[at] === 0x30;
  const whole = endOfDigits(bytes, at);
  if (whole === at || (isZero && whole > at + 1)) return -1;
  at = whole;
  if (bytes[at] === 0x2e) {
    const end = endOfDigits(bytes, at + 1);
    if (end === at + 1) return -1;
    at = end;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    const end = endOfDigits(bytes, at);
    if (end === at) return -1;
    at = end;
  }
  return at;
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  while (isDigit(bytes[at]!)) at++;
  return at;
}
