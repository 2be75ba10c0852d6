/**
 * Finds a text in others, however it is spelled there: as it is, escaped in JSON to any depth, or encoded in a URL.
 * Capital letters make no difference.
 */

/** How often a text was encoded for a URL. */
export type EncodingLevel = 0 | 1 | 2;

/** What is found: small letters only. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/**
 * Index after a text that begins at a place of another, or -1.
 *
 * @param wanted In small letters.
 * @param level How often it was encoded for a URL.
 */
export function endOfSpelled(
  wanted: string,
  text: string,
  at: number,
  level: EncodingLevel,
): number {
  let place = at;
  for (let index = 0; index < wanted.length;) {
    const character = wanted[index]!;
    if (character === "\\" && !isEncodedAt(text, place, level)) {
      // Each level of escaping doubles backslashes, so that one run stands for another.
      const own = runOf(wanted, index);
      const there = runOf(text, place);
      if (there < own) return -1;
      index += own;
      place += there;
      continue;
    }
    const unit = unitAt(text, place, level);
    if (unit === undefined || !wanted.startsWith(unit.text, index)) return -1;
    index += unit.text.length;
    place += unit.length;
  }
  return place;
}

/** The character that is spelled at a place, in small letters; undefined at the end. */
export function unitAt(
  text: string,
  at: number,
  level: EncodingLevel,
): { readonly text: string; readonly length: number } | undefined {
  const character = text[at];
  if (character === undefined) return undefined;
  if (character === "%" && level > 0) return encodedAt(text, at, level) ?? { text: "%", length: 1 };
  if (character === "+" && level > 0) return { text: " ", length: 1 };
  if (character === "\\") {
    const run = runOf(text, at);
    const letter = text[at + run] ?? "";
    if (letter === "u") {
      const digits = text.slice(at + run + 1, at + run + 5);
      if (/^[0-9a-f]{4}$/i.test(digits))
        return { text: folded(String.fromCharCode(parseInt(digits, 16))), length: run + 5 };
    }
    const escaped = escapes.get(letter);
    return escaped === undefined ? { text: "\\", length: run } : { text: escaped, length: run + 1 };
  }
  return { text: folded(character), length: 1 };
}

/** Whether a word ends before a place: what looks like a letter may be the end of `\n` or of `%2F`. */
export function isBoundaryBefore(text: string, at: number): boolean {
  return !isWordAt(text, at - 1) || spelledEnd.test(text.slice(Math.max(0, at - 6), at));
}

/** Whether a word begins or ends at a place. */
export function isBoundaryAt(text: string, at: number): boolean {
  return !isWordAt(text, at);
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}_]/u.test(text[at]!);
}

const spelledEnd = /(?:\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9a-f]{2})$/i;

const escapes: ReadonlyMap<string, string> = new Map([
  ...([
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
    ["b", "\b"],
    ["f", "\f"],
    ['"', '"'],
    ["/", "/"],
  ] as const),
]);

/** Backslashes that are looked at together: as many as six levels of escaping make of one. */
const mostBackslashes = 64;

/** Length of the run of backslashes at a place. */
export function runOf(text: string, at: number): number {
  let end = at;
  while (text[end] === "\\" && end - at < mostBackslashes) end++;
  return end - at;
}

function isEncodedAt(text: string, at: number, level: EncodingLevel): boolean {
  return level > 0 && text[at] === "%";
}

/** A byte in percent signs, and one that was encoded again: `%2F`, `%252F`. */
const encodedOnce = /%([0-9a-f]{2})/iy;
const encodedTwice = /%25([0-9a-f]{2})/iy;

/** A character of UTF-8 in percent signs. */
function encodedAt(
  text: string,
  at: number,
  level: EncodingLevel,
): { readonly text: string; readonly length: number } | undefined {
  const encoded = level === 1 ? encodedOnce : encodedTwice;
  const bytes: number[] = [];
  let place = at;
  for (let missing = 1; missing > 0; missing--) {
    encoded.lastIndex = place;
    const found = encoded.exec(text);
    if (found === null) return undefined;
    const byte = parseInt(found[1]!, 16);
    if (bytes.length === 0) missing += byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
    bytes.push(byte);
    place += found[0].length;
  }
  return { text: folded(Buffer.from(bytes).toString()), length: place - at };
}
