/**
 * Whether a JSON text surely nests no deeper than `limit`, without parsing it.
 *
 * Counts what opens, less what surely closes again: most bodies are wide rather than deep, and a bound is
 * enough for them. Only where the bound is not does the exact scan run.
 *
 * @param words The same memory as words, if it is aligned: four bytes without a bracket are passed at once.
 */
export function nestsWithin(
  bytes: Uint8Array,
  words: Uint32Array | undefined,
  start: number,
  end: number,
  limit: number,
): boolean {
  // Every level costs two bytes.
  if (end - start <= limit * 2) return true;
  let bound = 0;
  for (let at = start; at < end; at++) {
    if (words !== undefined && (at & 3) === 0) {
      let word = at >> 2;
      const last = end >> 2;
      while (word < last) {
        // A byte of the difference is zero where brackets, and few other bytes, stand.
        const difference = (words[word]! | 0x26262626) ^ 0x7f7f7f7f;
        if (((difference - 0x01010101) & ~difference & 0x80808080) !== 0) break;
        word++;
      }
      at = word << 2;
      if (at >= end) break;
    }
    const byte = bytes[at]!;
    if (byte === 0x7b || byte === 0x5b) {
      // `},{` changes nothing, be it structure or text in a string.
      const closed = at - 2 >= start && bytes[at - 1] === 0x2c && isClosing(bytes[at - 2]!);
      if (!closed && ++bound > limit) return measureDepth(bytes, start, end, limit) <= limit;
    } else if ((byte === 0x7d || byte === 0x5d) && bound > 0 && closesSurely(bytes, at, end))
      bound--;
  }
  return true;
}

/**
 * Whether a bracket can only be structure: it is followed by `,"` and the start of a key. Inside a string
 * that quote would be its end, and no letter could follow.
 */
function closesSurely(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 3 >= end || bytes[at + 1] !== 0x2c || bytes[at + 2] !== 0x22) return false;
  const first = bytes[at + 3]! | 0x20;
  return first >= 0x61 && first <= 0x7a;
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
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

/** Place behind the string that begins at `at`, or `end` if it does not end. */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) at++;
  }
  return end;
}

/**
 * Place behind the object that a range begins with, going by brackets and strings alone.
 *
 * @returns -1 if it is not over at the end of the range, -2 if the range begins with no object.
 */
export function findObjectEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  if (at === end) return -1;
  if (bytes[at] !== 0x7b) return -2;
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = skipString(bytes, at, end);
      continue;
    }
    at++;
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at;
  }
  return -1;
}

/** Whether a byte is blank space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
