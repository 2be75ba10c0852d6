import { indexOfByte } from "./native-text.js";

/**
 * Whether a JSON text nests no deeper than `limit`, without parsing it and mostly without reading strings.
 *
 * Brackets are counted as they stand; what is counted can only be too much, and where that is not enough
 * the exact scan decides.
 *
 * @param words The same memory as words, if it is aligned: four bytes without a bracket are passed at once.
 */
export function nestsWithin(
  bytes: Uint8Array,
  words: Uint32Array | undefined,
  start: number,
  end: number,
  limit: number,
): boolean {
  const length = end - start;
  // A list costs two bytes at least and an object five, so that a few lists in a small body say it all.
  if (length <= limit * 2) return true;
  if (length <= limit * 5) {
    let lists = 0;
    for (
      let at = indexOfByte(bytes, 0x5b, start, end);
      at >= 0;
      at = indexOfByte(bytes, 0x5b, at + 1, end)
    ) {
      if (++lists + length / 5 > limit) break;
    }
    if (lists + length / 5 <= limit) return true;
  }
  let bound = 0;
  for (let at = start; at < end; at++) {
    if (words !== undefined && (at & 3) === 0) {
      let word = at >> 2;
      const last = end >> 2;
      for (; word < last; word++) {
        // A byte of a difference is zero where a bracket stands.
        const lower = words[word]! | 0x20202020;
        const open = lower ^ 0x7b7b7b7b;
        const close = lower ^ 0x7d7d7d7d;
        const found = ((open - 0x01010101) & ~open) | ((close - 0x01010101) & ~close);
        if ((found & 0x80808080) !== 0) break;
      }
      at = word << 2;
      if (at >= end) break;
    }
    const kind = kinds[bytes[at]!]!;
    if (kind === 0 || kind === other || (kind === opening && !mayOpen(bytes, start, at))) continue;
    // A run of punctuation before `"` and a letter is structure: in a string that quote would be its end,
    // and no letter can follow there. Elsewhere only what opens counts.
    let net = 0;
    let peak = 0;
    let opened = 0;
    for (let next = kind; next !== 0; next = at < end ? kinds[bytes[at]!]! : 0) {
      at++;
      if (next === opening) {
        opened++;
        if (++net > peak) peak = net;
      } else if (next === closing) net--;
    }
    const isStructure = bytes[at] === 0x22 && at + 1 < end && isLetter(bytes[at + 1]!);
    const most = bound + (isStructure ? peak : opened);
    if (most > limit) return measureDepth(bytes, start, end, limit) <= limit;
    if (!isStructure) bound = most;
    else if (bound + net > 0) bound += net;
    else bound = 0;
    at--;
  }
  return true;
}

/** Structure opens only behind a colon, a comma or a list's beginning; anything else is text of a string. */
function mayOpen(bytes: Uint8Array, start: number, at: number): boolean {
  let before = at - 1;
  while (before >= start && isBlank(bytes[before]!)) before--;
  if (before < start) return true;
  const byte = bytes[before]!;
  return byte === 0x3a || byte === 0x2c || byte === 0x5b;
}

const opening = 1;
const closing = 2;
const other = 3;

/** What a byte is in a run of punctuation; 0 ends the run. */
const kinds: Uint8Array = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256);
  for (const byte of [0x7b, 0x5b]) table[byte] = opening;
  for (const byte of [0x7d, 0x5d]) table[byte] = closing;
  for (const byte of [0x2c, 0x3a, 0x20, 0x0a, 0x0d, 0x09]) table[byte] = other;
  return table;
})();

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The greatest depth of brackets outside strings; stops counting beyond `limit`. */
function measureDepth(bytes: Uint8Array, start: number, end: number, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) at = skipString(bytes, at, end) - 1;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) deepest = depth;
      if (deepest > limit) break;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return deepest;
}

/** Place behind the string that begins at `at`, or `end` if it does not end. */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) at++;
  }
  return end;
}

/**
 * Place behind the object that a range begins with, going by brackets and strings alone.
 *
 * @returns -1 if it is not over at the end of the range, -2 if the range begins with no object.
 */
export function findObjectEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  if (at === end) return -1;
  return bytes[at] === 0x7b ? skipNested(bytes, at, end) : -2;
}

/** Place behind the object or list that begins at `at`; -1 if it is not over at the end of the range. */
export function skipNested(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = skipString(bytes, at, end);
      continue;
    }
    at++;
    const kind = kinds[byte]!;
    if (kind === opening) depth++;
    else if (kind === closing && --depth === 0) return at;
  }
  return -1;
}

/** Bytes of a UTF-8 byte order mark at a place: three or none. */
export function byteOrderMark(bytes: Uint8Array, at: number): 0 | 3 {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? 3 : 0;
}

/** Whether a byte is blank space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
