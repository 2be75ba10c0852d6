import { ByteSlab } from "../base/byte-slab.js";
import { digitCount, headerLength, writeDigits, writeHeader } from "./frame-encoder.js";
import { copyBytes, indexOfByte, indexOfText } from "../base/buffer-methods.js";
import { nameEncoder, scanFirst, scanObject } from "./scan-fields.js";

/** Number of occurrences after which a byte is considered frequent. */
const fewFinds = 4;

export type AnyIds = { readonly [field: string]: number | undefined };

/** Creates the function that replaces the ids in the named fields. */
export function createRenumberFields(
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
export function createRenumber(
  idName: string,
): (body: Uint8Array, id: number) => Uint8Array | undefined {
  const key = nameEncoder.encode(idName);
  const isAscii = key.every((byte) => byte < 0x80);
  const tail = `${fromRarestLetter(idName)}"`;
  const keys = [key];
  const place = new Int32Array(2);
  const slab = new ByteSlab();
  return (body, id) => {
    checkId(id);
    place[0] = place[1] = -1;
    const end = scanFirst(body, keys, place);
    if (end === 0) return undefined;
    // In the rare case that the field occurs more than once, the last occurrence wins.
    if (end < 0 || !isAscii || mayRepeat(body, key, tail, end)) {
      place.fill(-1);
      if (!scanObject(body, keys, place)) return undefined;
    }
    const start = place[0]!;
    const stop = place[1]!;
    if (start < 0) return undefined;
    const digits = digitCount(id);
    const length = body.length - (stop - start) + digits;
    const header = headerLength(length);
    slab.reserve(header + length);
    const { bytes } = slab;
    const bodyStart = slab.used + header;
    // Copy the body so that the part after the id is in place, and then overwrite the part before
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
