import { StringBuilder } from "../base/string-builder.js";

const written: readonly (readonly [character: string, reference: string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
];

const named: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Length of the longest reference: `&#x10ffff;`, or the same number in decimal. */
const maxReference = 10;

/** Escapes only XML's five special characters. */
export function escapeCharacters(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return written.reduce((escaped, [from, to]) => escaped.replaceAll(from, to), text);
}

/**
 * Resolves numeric references and XML's five named references. All other text, including line
 * endings and control characters, is left unchanged.
 */
export function unescapeCharacters(text: string): string {
  let ampersand = text.indexOf("&");
  if (ampersand < 0) return text;
  const unescaped = new StringBuilder();
  let from = 0;
  while (ampersand >= 0) {
    const end = endOfReference(text, ampersand);
    const character = end < 0 ? undefined : characterOf(text.slice(ampersand + 1, end));
    if (character !== undefined) {
      unescaped.add(text.slice(from, ampersand));
      unescaped.add(character);
      from = end + 1;
    }
    ampersand = text.indexOf("&", character === undefined ? ampersand + 1 : from);
  }
  unescaped.add(text.slice(from));
  return unescaped.toString();
}

/** Returns the index of the semicolon that ends the reference at `start`, or -1. */
function endOfReference(text: string, start: number): number {
  const last = Math.min(text.length, start + maxReference);
  for (let at = start + 2; at < last; at++) if (text.charCodeAt(at) === 0x3b) return at;
  return -1;
}

/** Returns the character that a reference stands for, if it is valid in a string. */
function characterOf(reference: string): string | undefined {
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(reference);
  if (digits === null) return named.get(reference);
  const [, hexadecimal, decimal] = digits;
  const point = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point === 0 || point > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(point);
}
