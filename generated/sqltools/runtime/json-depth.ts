import { closing, isBlank, kinds, opening, other, skipString } from "./json-scan.js";
import { littleEndian } from "./native-text.js";

/**
 * Whether a parsed value nests no deeper than `limit`: `{}` is one level deep.
 *
 * It is asked behind `JSON.parse`, which needs no stack for that: what depth endangers is whoever walks the
 * value. Large bodies are asked before, see `textNestsWithin`: a level takes 100 bytes of memory.
 *
 * @param json What it was parsed from.
 */
export function nestsWithin(value: object, json: string, limit: number): boolean {
  return isTooShort(json, limit) || measureWithin(value, limit);
}

/** Whether a text is too short to nest that deep: a list takes two units at least and an object five. */
function isTooShort(json: string, limit: number): boolean {
  const objects = json.length / 5;
  let lists = 0;
  for (let at = -1; objects + lists <= limit; lists++) {
    at = json.indexOf("[", at + 1);
    if (at < 0) return true;
  }
  return false;
}

/** Level by level, so that a deep value needs no stack. */
function measureWithin(value: object, limit: number): boolean {
  const isPlain = !inheritsFields();
  let level = [value];
  for (let depth = 1; depth <= limit; depth++) {
    const next: object[] = [];
    for (const each of level) {
      if (Array.isArray(each)) {
        for (const item of each as readonly unknown[])
          if (typeof item === "object" && item !== null) next.push(item);
      } else {
        for (const name in each) {
          if (!isPlain && !Object.hasOwn(each, name)) continue;
          const field = (each as Readonly<Record<string, unknown>>)[name];
          if (typeof field === "object" && field !== null) next.push(field);
        }
      }
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}

/** Whether somebody has given all objects fields: they would be found in each one, for ever. */
export function inheritsFields(): boolean {
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
