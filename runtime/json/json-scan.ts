/**
 * Returns the index after the string that starts at `at`, or `end` if the string is unterminated.
 */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) at++;
  }
  return end;
}

/**
 * Returns the index after the object at the start of a range, looking only at brackets and strings.
 *
 * @returns -1 if the object is incomplete, -2 if the range does not start with an object.
 */
export function findObjectEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  if (at === end) return -1;
  return bytes[at] === 0x7b ? skipNested(bytes, at, end) : -2;
}

/** Returns the index after the object or array that starts at `at`, or -1 if it is incomplete. */
export function skipNested(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = skipString(bytes, at, end);
      continue;
    }
    at++;
    if (isOpening(byte)) depth++;
    else if (isClosing(byte) && --depth === 0) return at;
  }
  return -1;
}

/** Returns whether a range starts like a JSON object with at least one key. */
export function beginsObject(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x7b) return false;
  let at = start + 1;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at < end && bytes[at] === 0x22;
}

/** Returns the length of the UTF-8 byte order mark at the start of a range: 0 or 3. */
export function byteOrderMark(bytes: Uint8Array, start: number, end: number): 0 | 3 {
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return hasMark && start + 3 <= end ? 3 : 0;
}

/** Returns whether a byte is JSON whitespace. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether a byte is `{` or `[`, which differ in a single bit. */
export function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/** Returns whether a byte is `}` or `]`. */
export function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}
