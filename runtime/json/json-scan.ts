export const opening = 1;
export const closing = 2;
export const separator = 3;

/** What a byte is in a run of punctuation; 0 ends the run. */
export const byteKinds: Uint8Array = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256);
  for (const byte of [0x7b, 0x5b]) table[byte] = opening;
  for (const byte of [0x7d, 0x5d]) table[byte] = closing;
  for (const byte of [0x2c, 0x3a, 0x20, 0x0a, 0x0d, 0x09]) table[byte] = separator;
  return table;
})();

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
  return bytes[at] === 0x7b ? skipNested(bytes, at, end) : -2;
}

/** Place behind the object or list that begins at `at`; -1 if it is not over at the end of the range. */
export function skipNested(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = skipString(bytes, at, end);
      continue;
    }
    at++;
    const kind = byteKinds[byte]!;
    if (kind === opening) depth++;
    else if (kind === closing && --depth === 0) return at;
  }
  return -1;
}

/** Whether a range begins like an object in JSON, with its first key. */
export function beginsObject(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x7b) return false;
  let at = start + 1;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at < end && bytes[at] === 0x22;
}

/** Bytes of a UTF-8 byte order mark that a range begins with: three or none. */
export function byteOrderMark(bytes: Uint8Array, start: number, end: number): 0 | 3 {
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return hasMark && start + 3 <= end ? 3 : 0;
}

/** Whether a byte is blank space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
