import { closing, isBlank, byteKinds, opening, separator, skipString } from "./json-scan.js";
import { littleEndian } from "../base/buffer-methods.js";

/** Brackets by which the number of all is guessed. */
const sampledBrackets = 256;

/** Levels that are walked by recursion, which is faster and takes little stack up to here. */
const recursiveLevels = 64;

/**
 * Whether a value may nest deeper than `limit`, going by its text alone: it cannot if fewer brackets open in that,
 * those in strings included. The host finds the next bracket fast, and most bodies have few for their size; where there
 * seem to be too many, nothing is gained by counting them.
 */
export function mayNestDeeper(json: string, limit: number): boolean {
  const { length } = json;
  let count = 0;
  for (const bracket of ["[", "{"]) {
    // An object that holds another one takes five units at least.
    if (bracket === "{" && count + length / 5 + 1 <= limit) return false;
    let found = 0;
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
      if (++found === sampledBrackets && (found * length) / at > limit) return true;
    }
  }
  return false;
}

/** Whether more than so many brackets open in a JSON text, those in strings included. */
export function hasMoreBrackets(json: string, most: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"])
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1))
      if (++count > most) return true;
  return false;
}

/**
 * Whether a parsed value nests no deeper than `limit`: `{}` is one level deep.
 *
 * It is asked behind `JSON.parse`, which needs no stack for that: what depth endangers is whoever walks the value. A
 * level takes 100 bytes of memory; where that could be a multiple of the text, see `textNestsWithin`.
 */
export function nestsWithin(value: object, limit: number): boolean {
  const isPlain = !hasInheritedFields();
  return walk(value, Math.min(limit, recursiveLevels), limit, isPlain);
}

/** The same, as many levels by recursion. */
function walk(value: object, levels: number, limit: number, isPlain: boolean): boolean {
  if (levels === 0) return limit > 0 && walkLevels(value, limit, isPlain);
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item !== "object" || item === null) continue;
      if (!walk(item, levels - 1, limit - 1, isPlain)) return false;
    }
    return true;
  }
  for (const name in value) {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof field !== "object" || field === null) continue;
    if (!isPlain && !Object.hasOwn(value, name)) continue;
    if (!walk(field, levels - 1, limit - 1, isPlain)) return false;
  }
  return true;
}

/** The same, level by level, so that a deep value needs no stack. */
function walkLevels(value: object, limit: number, isPlain: boolean): boolean {
  let level = [value];
  for (let depth = 1; depth <= limit; depth++) {
    const next: object[] = [];
    for (const each of level) {
      if (Array.isArray(each)) {
        for (const item of each as readonly unknown[])
          if (typeof item === "object" && item !== null) next.push(item);
        continue;
      }
      for (const name in each) {
        if (!isPlain && !Object.hasOwn(each, name)) continue;
        const field = (each as Readonly<Record<string, unknown>>)[name];
        if (typeof field === "object" && field !== null) next.push(field);
      }
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}

/** Whether somebody has given all objects fields: they would be found in each one, for ever. */
export function hasInheritedFields(): boolean {
  for (const name in {}) return name !== undefined;
  return false;
}

/**
 * Whether a JSON text nests no deeper than `limit`, without parsing it and mostly without reading strings.
 *
 * Brackets are counted as they stand; what is counted can only be too much, and where that is not enough
 * the exact scan decides.
 */
export function textNestsWithin(
  bytes: Uint8Array,
  start: number,
  end: number,
  limit: number,
): boolean {
  // Four bytes without a bracket are passed at once, where they lie in a word.
  const words =
    littleEndian && (bytes.byteOffset & 3) === 0
      ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
      : undefined;
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
    const kind = byteKinds[bytes[at]!]!;
    if (kind === 0 || kind === separator || (kind === opening && !mayOpen(bytes, start, at)))
      continue;
    // A run of punctuation before `"` and a letter is structure: in a string that quote would be its end,
    // and no letter can follow there. Elsewhere only what opens counts.
    let net = 0;
    let peak = 0;
    let opened = 0;
    for (let next = kind; next !== 0; next = at < end ? byteKinds[bytes[at]!]! : 0) {
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
