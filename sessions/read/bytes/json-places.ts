import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { isClosing, isOpening, skipString } from "../../../runtime/json/json-scan.js";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;

/**
 * A string in JSON text, either a key or a value. `start` is the index of the opening quote, `end`
 * the index after the closing quote.
 */
export interface JsonString {
  readonly start: number;
  readonly end: number;
  /** JSON Pointer to the value. For a key, JSON Pointer to the value that has this key. */
  readonly pointer: string;
  /** Whether the same object already contains this key. */
  readonly isRepeated: boolean;
}

/** An object or array that has begun but not yet ended. */
interface Level {
  readonly pointer: string;
  /** The keys read so far. Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the next value. */
  step: string | number;
  isKeyNext: boolean;
}

/**
 * Visits the keys and string values of valid JSON text, in order.
 *
 * This is slow and meant only for finding the location of a quirk.
 */
export function visitStrings(bytes: Uint8Array, visit: (string: JsonString) => void): void {
  const levels: Level[] = [];
  const placeOf = (level: Level | undefined): string =>
    level === undefined ? "" : level.pointer + pointerStep(String(level.step));
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const level = levels.at(-1);
    if (byte === quote) {
      const end = skipString(bytes, at, bytes.length);
      let isRepeated = false;
      if (level?.isKeyNext === true) {
        const key = JSON.parse(utf8.decode(bytes.subarray(at, end))) as string;
        isRepeated = level.keys!.has(key);
        level.keys!.add(key);
        level.step = key;
        level.isKeyNext = false;
      }
      visit({ start: at, end, pointer: placeOf(level), isRepeated });
      at = end - 1;
    } else if (isOpening(byte)) {
      const isObject = byte === openBrace;
      const keys = isObject ? new Set<string>() : undefined;
      levels.push({ pointer: placeOf(level), keys, step: 0, isKeyNext: isObject });
    } else if (isClosing(byte)) levels.pop();
    else if (byte === comma && level !== undefined) {
      if (typeof level.step === "number" && level.keys === undefined) level.step++;
      else level.isKeyNext = true;
    }
  }
}

/** Counts the keys in valid JSON text by counting the colons outside of strings. */
export function countKeys(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === colon) count++;
    else if (byte === quote) at = skipString(bytes, at, bytes.length) - 1;
  }
  return count;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
