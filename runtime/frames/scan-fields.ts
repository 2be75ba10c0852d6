import { byteOrderMark, isBlank, skipNested, skipString } from "../json/json-scan.js";
import { readScalar } from "../json/json-scalar.js";
import type { TextEncoderClass } from "../base/web-standards.js";

declare const TextEncoder: TextEncoderClass;
export const nameEncoder: InstanceType<TextEncoderClass> = /* @__PURE__ */ new TextEncoder();

/** Scans an object's fields, and stores the range of each key's value in `places`. */
export function scanObject(
  body: Uint8Array,
  keys: readonly Uint8Array[],
  places: Int32Array,
): boolean {
  let at = skipBodyBlanks(body, byteOrderMark(body, 0, body.length));
  if (body[at] !== 0x7b) return false;
  at = skipBodyBlanks(body, at + 1);
  if (body[at] === 0x7d) return true;
  for (;;) {
    const next = scanField(body, at, keys, places);
    if (next < 0) return false;
    at = skipBodyBlanks(body, next);
    const byte = body[at];
    if (byte === 0x7d) return skipBodyBlanks(body, at + 1) === body.length;
    if (byte !== 0x2c) return false;
    at = skipBodyBlanks(body, at + 1);
  }
}

/**
 * Scans an object up to the first of the keys. Returns the index after its value, 0 if the body
 * does not start with an object, or -1 if the key is missing.
 */
export function scanFirst(
  body: Uint8Array,
  keys: readonly Uint8Array[],
  places: Int32Array,
): number {
  let at = skipBodyBlanks(body, byteOrderMark(body, 0, body.length));
  if (body[at] !== 0x7b) return 0;
  at = skipBodyBlanks(body, at + 1);
  while (body[at] === 0x22) {
    const next = scanField(body, at, keys, places);
    if (next < 0) return -1;
    if (places[0]! >= 0) return next;
    at = skipBodyBlanks(body, next);
    if (body[at] !== 0x2c) return -1;
    at = skipBodyBlanks(body, at + 1);
  }
  return -1;
}

/** Scans a key and its value. Returns the index after the value, or -1. */
function scanField(
  body: Uint8Array,
  at: number,
  keys: readonly Uint8Array[],
  places: Int32Array,
): number {
  if (body[at] !== 0x22) return -1;
  const keyStart = at + 1;
  const keyEnd = skipString(body, at, body.length) - 1;
  const found = findKey(body, keyStart, keyEnd, keys);
  at = skipBodyBlanks(body, keyEnd + 1);
  if (body[at] !== 0x3a) return -1;
  at = skipBodyBlanks(body, at + 1);
  const end = skipValue(body, at);
  if (end <= at) return -1;
  if (found >= 0) {
    places[found * 2] = at;
    places[found * 2 + 1] = end;
  }
  return end;
}

function findKey(
  body: Uint8Array,
  start: number,
  end: number,
  keys: readonly Uint8Array[],
  mayBeEscaped = true,
): number {
  for (let at = start; mayBeEscaped && at < end; at++) {
    if (body[at] !== 0x5c) continue;
    // Escaped keys are rare, so the slow function is good enough for them.
    const name = readScalar(body, start - 1, end + 1);
    if (typeof name !== "string") return -1;
    const spelled = nameEncoder.encode(name);
    return findKey(spelled, 0, spelled.length, keys, false);
  }
  const length = end - start;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (key.length !== length) continue;
    let same = 0;
    while (same < length && key[same] === body[start + same]) same++;
    if (same === length) return index;
  }
  return -1;
}

function skipValue(body: Uint8Array, at: number): number {
  const { length } = body;
  const first = body[at];
  if (first === 0x22) return skipString(body, at, length);
  if (first !== 0x7b && first !== 0x5b) {
    while (
      at < length &&
      body[at] !== 0x2c &&
      body[at] !== 0x7d &&
      body[at] !== 0x5d &&
      !isBlank(body[at]!)
    )
      at++;
    return at;
  }
  return skipNested(body, at, length);
}

function skipBodyBlanks(body: Uint8Array, at: number): number {
  while (at < body.length && isBlank(body[at]!)) at++;
  return at;
}
