import { indexOfNearLineFeed, latin1 } from "../base/buffer-methods.js";

/**
 * Maximum number of bytes that the functions below search, working backwards from the end of a
 * line. They find `Content-Length: N` even when other text precedes it on the line.
 */
export const maxLengthHeaderBytes = 64;

const name = "content-length";

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
  let digitsEnd = end;
  while (digitsEnd > floor && (bytes[digitsEnd - 1] === 0x20 || bytes[digitsEnd - 1] === 0x09))
    digitsEnd--;
  // Most lines do not end in a digit.
  const last = digitsEnd > floor ? bytes[digitsEnd - 1]! : 0;
  if (last < 0x30 || last > 0x39) return -1;
  const at = latin1(bytes, floor, digitsEnd).search(/content-length[ \t]*:[ \t]*\d+$/i);
  return at < 0 ? -1 : floor + at;
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
  const text = latin1(bytes, floor, end).toLowerCase();
  const at = text.search(/content-length[ \t]*(:[ \t]*\d*[ \t]*\r?)?$/);
  if (at >= 0) return floor + at;
  for (let length = name.length - 1; length > 0; length--)
    if (text.endsWith(name.slice(0, length))) return end - length;
  return end;
}
