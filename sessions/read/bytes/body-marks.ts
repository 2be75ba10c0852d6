import { isUtf8 } from "node:buffer";
import { isObject } from "../../../runtime/index.js";
import type { ByteMark } from "../entries/recorded-entry.js";
import { isPlainObject } from "./plain-object.js";
import { countKeys, visitStrings } from "./json-places.js";

/** Maximum number of marks per message. */
const maxMarks = 20;

/**
 * Finds quirks in the bytes of a body that was parsed as a message. Returns undefined if there are
 * none.
 * @param offset Offset of the body in its stream.
 */
export function bodyMarks(
  body: Uint8Array,
  message: object,
  offset: number,
): readonly ByteMark[] | undefined {
  if (isPlainObject(body, 0, body.length)) return undefined;
  const marks: ByteMark[] = [];
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  if (hasMark) marks.push({ quirk: "body-mark", offset });
  if (!isUtf8(body)) marks.push(...illFormed(body, offset));
  if (countKeys(body) !== keysIn(message)) marks.push(...repeatedKeys(body, offset));
  return marks.length === 0 ? undefined : marks.slice(0, maxMarks);
}

/** Counts the keys in a parsed value, at any depth. */
function keysIn(value: unknown): number {
  if (Array.isArray(value)) {
    let count = 0;
    for (const each of value as readonly unknown[])
      if (typeof each === "object" && each !== null) count += keysIn(each);
    return count;
  }
  if (!isObject(value)) return 0;
  let count = 0;
  for (const key in value) {
    count++;
    const each = value[key];
    if (typeof each === "object" && each !== null) count += keysIn(each);
  }
  return count;
}

function repeatedKeys(body: Uint8Array, offset: number): readonly ByteMark[] {
  const marks: ByteMark[] = [];
  visitStrings(body, ({ start, pointer, isRepeated }) => {
    if (isRepeated && marks.length < maxMarks)
      marks.push({ quirk: "duplicate-key", offset: offset + start, pointer });
  });
  return marks;
}

/** Adds a mark for each string that contains ill-formed UTF-8, at the first ill-formed byte. */
function illFormed(body: Uint8Array, offset: number): readonly ByteMark[] {
  const marks: ByteMark[] = [];
  visitStrings(body, ({ start, end, pointer }) => {
    if (marks.length === maxMarks) return;
    const at = firstIllFormed(body, start, end);
    if (at < 0) return;
    const value = `0x${body[at]!.toString(16).toUpperCase().padStart(2, "0")}`;
    marks.push({ quirk: "ill-formed-utf8", offset: offset + at, pointer, value });
  });
  return marks;
}

/** Returns the index of the first byte that does not begin a well-formed UTF-8 sequence, or -1. */
function firstIllFormed(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end;) {
    const first = bytes[at]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (!isUtf8(bytes.subarray(at, Math.min(end, at + length)))) return at;
    at += length;
  }
  return -1;
}
