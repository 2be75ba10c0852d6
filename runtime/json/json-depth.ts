import { isClosing, isOpening, skipString } from "./json-scan.js";

/** Number of brackets from which the total is estimated. */
const sampledBrackets = 256;

/** Levels that are walked recursively, which is faster and uses little stack. */
const recursiveLevels = 64;

/**
 * Whether a value may be nested deeper than `limit`, judging by its text. It cannot be if the text
 * has no more than `limit` opening brackets, including those in strings. The native search makes
 * this cheap for most bodies. If a sample suggests too many brackets, counting stops early.
 */
export function mayNestDeeper(json: string, limit: number): boolean {
  const { length } = json;
  let count = 0;
  for (const bracket of ["[", "{"]) {
    // An object inside another one takes at least five units.
    if (bracket === "{" && count + length / 5 + 1 <= limit) return false;
    let found = 0;
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
      if (++found === sampledBrackets && (found * length) / at > limit) return true;
    }
  }
  return false;
}

/** Whether a JSON text has more than `most` opening brackets, including those in strings. */
export function hasMoreBrackets(json: string, most: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"])
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1))
      if (++count > most) return true;
  return false;
}

/**
 * Whether a parsed value is nested no deeper than `limit`; `{}` has one level.
 *
 * This runs after `JSON.parse`, which needs no stack for deep input. The limit protects code that
 * walks the value. A level takes 100 bytes of memory. Where that would be a multiple of the text,
 * use `textNestsWithin` instead.
 */
export function nestsWithin(value: object, limit: number): boolean {
  const isPlain = !hasInheritedFields();
  return walk(value, Math.min(limit, recursiveLevels), limit, isPlain);
}

/** Walks up to `levels` levels recursively. */
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

/** Walks level by level, so that deep values need no stack. */
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

/** Whether `Object.prototype` has enumerable fields, which `for in` would find in every object. */
function hasInheritedFields(): boolean {
  for (const name in {}) return name !== undefined;
  return false;
}

/** Whether a JSON text is nested no deeper than `limit`, without parsing it. */
export function textNestsWithin(
  bytes: Uint8Array,
  start: number,
  end: number,
  limit: number,
): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) at = skipString(bytes, at, end) - 1;
    else if (isOpening(byte)) {
      if (++depth > limit) return false;
    } else if (isClosing(byte)) depth--;
  }
  return true;
}
