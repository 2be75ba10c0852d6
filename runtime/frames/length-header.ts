import { indexOfNearLineFeed } from "../base/buffer-methods.js";

/**
 * Maximum number of bytes that the functions below search, working backwards from the end of a
 * line. They find `Content-Length: N` even when other text precedes it on the line.
 */
export const maxLengthHeaderBytes = 64;

const name = /* @__PURE__ */ Uint8Array.from("content-length", (letter) => letter.charCodeAt(0));

/**
 * Returns the index of a `Content-Length` that ends a line (not counting its line break), or -1.
 */
export function findLengthHeader(
  bytes: Uint8Array,
  start: number,
  end: number,
  most: number = maxLengthHeaderBytes,
): number {
  const floor = Math.max(start, end - most);
  const digitsEnd = skipBlanksBack(bytes, floor, end);
  const digits = skipDigitsBack(bytes, floor, digitsEnd);
  return digits === digitsEnd ? -1 : findNameAndColon(bytes, floor, digits);
}

/** Returns the index of a `Content-Length` in the line that ends at a line feed, or -1. */
export function lengthHeaderBefore(bytes: Uint8Array, start: number, feed: number): number {
  const end = feed > start && bytes[feed - 1] === 0x0d ? feed - 1 : feed;
  return findLengthHeader(bytes, start, end);
}

/** Returns the index of the first complete `Content-Length` line in a range, or -1. */
export function findLengthHeaderLine(bytes: Uint8Array, start: number, end: number): number {
  for (
    let feed = indexOfNearLineFeed(bytes, start, end);
    feed >= 0;
    feed = indexOfNearLineFeed(bytes, feed + 1, end)
  ) {
    const at = lengthHeaderBefore(bytes, start, feed);
    if (at >= 0) return at;
  }
  return -1;
}

/** Returns the index of an incomplete `Content-Length` at the end of a range, or `end`. */
export function findPartialLengthHeader(bytes: Uint8Array, start: number, end: number): number {
  const floor = Math.max(start, end - maxLengthHeaderBytes);
  const lineEnd = end > floor && bytes[end - 1] === 0x0d ? end - 1 : end;
  const digits = skipDigitsBack(bytes, floor, skipBlanksBack(bytes, floor, lineEnd));
  const header = findNameAndColon(bytes, floor, digits);
  if (header >= 0) return header;
  const nameEnd = skipBlanksBack(bytes, floor, end);
  if (endsWithName(bytes, floor, nameEnd, name.length)) return nameEnd - name.length;
  for (let length = name.length - 1; length > 0; length--)
    if (endsWithName(bytes, floor, end, length)) return end - length;
  return end;
}

/** Returns the index of the header name that precedes a value, or -1. */
function findNameAndColon(bytes: Uint8Array, floor: number, value: number): number {
  const colonEnd = skipBlanksBack(bytes, floor, value);
  if (colonEnd <= floor || bytes[colonEnd - 1] !== 0x3a) return -1;
  const nameEnd = skipBlanksBack(bytes, floor, colonEnd - 1);
  return endsWithName(bytes, floor, nameEnd, name.length) ? nameEnd - name.length : -1;
}

/** Returns whether a range ends with the first `length` bytes of the name, ignoring case. */
function endsWithName(bytes: Uint8Array, floor: number, end: number, length: number): boolean {
  const start = end - length;
  if (start < floor) return false;
  for (let at = 0; at < length; at++) {
    const byte = bytes[start + at]!;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== name[at]) return false;
  }
  return true;
}

function skipBlanksBack(bytes: Uint8Array, floor: number, end: number): number {
  while (end > floor && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0x09)) end--;
  return end;
}

function skipDigitsBack(bytes: Uint8Array, floor: number, end: number): number {
  while (end > floor && bytes[end - 1]! >= 0x30 && bytes[end - 1]! <= 0x39) end--;
  return end;
}
