import { copyBytes, indexOfByte, indexOfText } from "../base/buffer-methods.js";
import { ByteSlab } from "../base/byte-buffer.js";
import type { TextEncoderClass } from "../base/web-standards.js";
import { byteOrderMark, isBlank, readScalar, skipNested, skipString } from "../json/json-scan.js";
import type { EnvelopeTable } from "../protocol/protocol-description.js";
import { digitCount, headerLength, writeDigits, writeHeader } from "./content-length-encoder.js";

/**
 * A message's envelope, without the payload. Fields that are absent or of the wrong type are
 * undefined.
 */
export interface Peeked {
  readonly kind: "request" | "event" | "response" | undefined;
  readonly id: number | string | undefined;
  readonly name: string | undefined;
  readonly replyTo: number | string | undefined;
  readonly success: boolean | undefined;
}

/**
 * Reads envelopes directly from body bytes, for programs that forward messages without parsing
 * them.
 *
 * The result is exact for any JSON object: the last of any duplicate keys wins, escapes in keys are
 * resolved, and a byte order mark is skipped. The remaining bytes are not checked, so the reader
 * may return a result even for a body that `JSON.parse` rejects. Never throws.
 */
export interface Peek<IdField extends string = string> {
  /**
   * Returns the envelope, with its fields as `JSON.parse` would read them, or undefined if the body
   * is not a JSON object.
   */
  (body: Uint8Array): Peeked | undefined;
  /**
   * Encodes a frame with a different id, leaving all other bytes unchanged. Returns undefined if
   * the body has no id.
   *
   * @param id A non-negative whole number.
   * @throws RangeError for any other id.
   */
  renumber(body: Uint8Array, id: number): Uint8Array | undefined;
  /**
   * Replaces several ids at once, by field, as in `{ seq: 5, request_seq: 3 }`. Returns undefined
   * if the body lacks one of these fields.
   *
   * @throws RangeError for an id that is not a non-negative whole number; TypeError for a field
   * that does not hold an id.
   */
  renumber(body: Uint8Array, ids: { readonly [Field in IdField]?: number }): Uint8Array | undefined;
}

/** Creates an envelope reader for a protocol. */
export function createPeek(envelope: EnvelopeTable): Peek {
  const { request, event, response } = envelope;
  const names = [
    ...new Set([
      envelope.id,
      envelope.replyTo,
      request.name,
      event.name,
      ...[request, event, response].flatMap((arm) => Object.keys(arm.when)),
      ...(response.name === undefined ? [] : [response.name]),
      response.success ?? response.error,
    ]),
  ];
  const keys = names.map((name) => nameEncoder.encode(name));
  const idIndex = names.indexOf(envelope.id);
  const places = new Int32Array(names.length * 2);

  const indexOf = (name: string | undefined): number =>
    name === undefined ? -1 : names.indexOf(name);
  const arms = (
    [
      ["request", request],
      ["event", event],
      ["response", response],
    ] as const
  ).map(([kind, arm]) => ({
    kind,
    name: indexOf(arm.name),
    tests: Object.entries(arm.when).map(([name, test]) => ({ index: indexOf(name), test })),
  }));
  const replyToIndex = indexOf(envelope.replyTo);
  const successIndex = indexOf(response.success);
  const errorIndex = indexOf(response.error);

  function peek(body: Uint8Array): Peeked | undefined {
    places.fill(-1);
    if (!scanObject(body, keys, places)) return undefined;
    const arm = arms.find(({ tests }) => tests.every((each) => fits(body, each)));
    const isResponse = arm?.kind === "response";
    const id = field(body, idIndex);
    const name = field(body, arm === undefined ? -1 : arm.name);
    const replyTo = isResponse ? field(body, replyToIndex) : undefined;
    const success = !isResponse
      ? undefined
      : successIndex < 0
        ? places[errorIndex * 2]! < 0
        : field(body, successIndex);
    return {
      kind: arm?.kind,
      id: typeof id === "number" || typeof id === "string" ? id : undefined,
      name: typeof name === "string" ? name : undefined,
      replyTo: typeof replyTo === "number" || typeof replyTo === "string" ? replyTo : undefined,
      success: typeof success === "boolean" ? success : undefined,
    };
  }

  function field(body: Uint8Array, index: number): unknown {
    return index < 0 ? undefined : readScalar(body, places[index * 2]!, places[index * 2 + 1]!);
  }

  function fits(
    body: Uint8Array,
    { index, test }: { readonly index: number; readonly test: string | boolean },
  ): boolean {
    return typeof test === "string"
      ? field(body, index) === test
      : places[index * 2]! >= 0 === test;
  }

  const renumberOne = createRenumber(envelope.id);
  const renumberSeveral = createRenumberFields([...new Set([envelope.id, envelope.replyTo])]);
  peek.renumber = (body: Uint8Array, ids: number | AnyIds): Uint8Array | undefined =>
    typeof ids === "object" && ids !== null ? renumberSeveral(body, ids) : renumberOne(body, ids);
  return peek;
}

/** Number of occurrences after which a byte is considered frequent. */
const fewFinds = 4;

type AnyIds = { readonly [field: string]: number | undefined };

/** Creates the function that replaces the ids in the named fields. */
function createRenumberFields(
  names: readonly string[],
): (body: Uint8Array, ids: AnyIds) => Uint8Array | undefined {
  const keys = names.map((name) => nameEncoder.encode(name));
  const places = new Int32Array(keys.length * 2);
  return (body, ids) => {
    const edits: { start: number; stop: number; digits: Uint8Array }[] = [];
    places.fill(-1);
    const isObject = scanObject(body, keys, places);
    for (const [name, id] of Object.entries(ids)) {
      if (id === undefined) continue;
      const index = names.indexOf(name);
      if (index < 0) throw new TypeError(`Cannot renumber "${name}": it is not an id field`);
      checkId(id);
      const digits = nameEncoder.encode(String(id));
      edits.push({ start: places[index * 2]!, stop: places[index * 2 + 1]!, digits });
    }
    if (!isObject || edits.some(({ start }) => start < 0)) return undefined;
    edits.sort((one, other) => one.start - other.start);
    const length = edits.reduce(
      (sum, { start, stop, digits }) => sum + digits.length - (stop - start),
      body.length,
    );
    const bodyStart = headerLength(length);
    const frame = new Uint8Array(bodyStart + length);
    writeHeader(frame, bodyStart, length);
    let from = 0;
    let at = bodyStart;
    for (const { start, stop, digits } of edits) {
      frame.set(body.subarray(from, start), at);
      at += start - from;
      frame.set(digits, at);
      at += digits.length;
      from = stop;
    }
    frame.set(body.subarray(from), at);
    return frame;
  };
}

/** @throws RangeError if the id is not a non-negative whole number. */
function checkId(id: number): void {
  if (!Number.isSafeInteger(id) || id < 0)
    throw new RangeError(`Cannot number a message ${id}: ids are non-negative whole numbers`);
}

/** Creates the function that replaces a message's id, which is in the named field. */
function createRenumber(idName: string): (body: Uint8Array, id: number) => Uint8Array | undefined {
  const key = nameEncoder.encode(idName);
  const isAscii = key.every((byte) => byte < 0x80);
  const tail = `${fromRarestLetter(idName)}"`;
  const keys = [key];
  const range = new Int32Array(2);
  const slab = new ByteSlab();
  return (body, id) => {
    checkId(id);
    range[0] = range[1] = -1;
    const end = scanFirst(body, keys, range);
    if (end === 0) return undefined;
    // In the rare case that the field occurs more than once, the last occurrence wins.
    if (end < 0 || !isAscii || mayRepeat(body, key, tail, end)) {
      range.fill(-1);
      if (!scanObject(body, keys, range)) return undefined;
    }
    const start = range[0]!;
    const stop = range[1]!;
    if (start < 0) return undefined;
    const digits = digitCount(id);
    const length = body.length - (stop - start) + digits;
    const header = headerLength(length);
    slab.reserve(header + length);
    const { bytes } = slab;
    const bodyStart = slab.used + header;
    // Copy the body so that the part after the id is in range, and then overwrite the part before
    // it.
    const idEnd = bodyStart + start + digits;
    if (idEnd - stop < slab.used) copyBytes(body, stop, body.length, bytes, idEnd);
    else bytes.set(body, idEnd - stop);
    copyBytes(body, 0, start, bytes, bodyStart);
    writeDigits(bytes, idEnd, id);
    writeHeader(bytes, bodyStart, length);
    return slab.take(bodyStart + length);
  };
}

/**
 * Returns whether an ASCII key may occur again, either literally (found by its suffix `tail`) or
 * with escapes.
 */
function mayRepeat(body: Uint8Array, key: Uint8Array, tail: string, from: number): boolean {
  const { length } = body;
  const offset = key.length + 1 - tail.length;
  const first = tail.charCodeAt(0);
  let seen = 0;
  for (let at = from - 1; ;) {
    // Searching for a byte is cheaper than searching for a string, unless the byte is frequent.
    at =
      ++seen > fewFinds
        ? indexOfText(body, tail, at + 1)
        : indexOfByte(body, first, at + 1, length);
    if (at < 0) break;
    const start = at - offset;
    let same = 0;
    while (same < key.length && body[start + same] === key[same]) same++;
    if (same === key.length && body[start - 1] === 0x22 && body[start + same] === 0x22) return true;
  }
  for (
    let at = indexOfByte(body, 0x5c, from, length);
    at >= 0;
    at = indexOfByte(body, 0x5c, at + 2, length)
  ) {
    if (body[at + 1] === 0x75 && body[at + 2] === 0x30 && body[at + 3] === 0x30) return true;
  }
  return false;
}

/** Returns the suffix of a name that starts with its rarest letter. */
function fromRarestLetter(name: string): string {
  const common = " etaoinsrhldcumfpgwybvkxjqz";
  const rarest = [...name].reduce((best, letter) =>
    common.indexOf(letter.toLowerCase()) > common.indexOf(best.toLowerCase()) ? letter : best,
  );
  return name.slice(name.indexOf(rarest));
}

declare const TextEncoder: TextEncoderClass;
const nameEncoder: InstanceType<TextEncoderClass> = /* @__PURE__ */ new TextEncoder();

/** Scans an object's fields, and stores the range of each key's value in `places`. */
function scanObject(body: Uint8Array, keys: readonly Uint8Array[], places: Int32Array): boolean {
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
function scanFirst(body: Uint8Array, keys: readonly Uint8Array[], places: Int32Array): number {
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
  const keyIndex = findKey(body, keyStart, keyEnd, keys);
  at = skipBodyBlanks(body, keyEnd + 1);
  if (body[at] !== 0x3a) return -1;
  at = skipBodyBlanks(body, at + 1);
  const end = skipValue(body, at);
  if (end <= at) return -1;
  if (keyIndex >= 0) {
    places[keyIndex * 2] = at;
    places[keyIndex * 2 + 1] = end;
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
