import { sampleOf, visibleText, type FrameFaultCode } from "./frame-faults.js";
import { latin1 } from "../base/buffer-methods.js";
import { carriageReturn } from "./canonical-header.js";
import { skipBlanksBack } from "./length-header.js";

export interface HeaderFault {
  readonly code: FrameFaultCode;
  readonly message: string;
}

const colon = 0x3a;

/** Lookup table for the bytes allowed in a header name, which is an HTTP token. */
const isTokenByte: Uint8Array = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256);
  const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (let at = 0; at < token.length; at++) table[token.charCodeAt(at)] = 1;
  return table;
})();

/** Charsets that are subsets of UTF-8. The empty string stands for a missing charset. */
const readableCharsets: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "",
  "utf-8",
  "utf8",
  "us-ascii",
  "ascii",
]);

/** A frame's header block. The caller adds lines and enforces the limits. */
export class HeaderBlock {
  /** Stream offset of the block. */
  readonly offset: number;
  /** Number of bytes up to the end of the last line, including unreadable lines. */
  size = 0;
  /** Number of lines so far, including unreadable lines. */
  lineCount = 0;
  /** The readable lines, including their line endings. */
  text = "";
  /** Headers other than `Content-Length`, keyed by lower-case name. */
  readonly headers: Map<string, string> = new Map();
  /** The `Content-Length`, or -1 if there is none. */
  bodyLength = -1;
  /** Why the length of the body is unknown. */
  lengthFault: HeaderFault | undefined;
  /** Why the body cannot be read although its length is known. */
  charsetFault: HeaderFault | undefined;
  /** The beginning of the first unreadable line. */
  unreadable: string | undefined;

  constructor(offset: number) {
    this.offset = offset;
  }

  /**
   * Adds a line.
   *
   * @param colonAt Index of the line's colon; see `findHeaderColon`.
   * @param last End of the line's text.
   * @param end End of the line.
   */
  addLine(bytes: Uint8Array, start: number, colonAt: number, last: number, end: number): void {
    const nameEnd = skipBlanksBack(bytes, start, colonAt);
    const at = skipBlanks(bytes, colonAt + 1, last);
    const valueEnd = skipBlanksBack(bytes, at, last);
    const name = latin1(bytes, start, nameEnd).toLowerCase();
    const value = latin1(bytes, at, valueEnd);
    if (name === "content-length") this.#readLength(value);
    else {
      if (name === "content-type") this.#readType(value);
      this.headers.set(name, value);
    }
    this.#count(end - start);
    this.text += latin1(bytes, start, end);
  }

  /** Skips an unreadable line. */
  skipLine(bytes: Uint8Array, start: number, last: number, end: number): void {
    this.unreadable ??= sampleOf(bytes, start, last);
    this.#count(end - start);
  }

  #count(bytes: number): void {
    this.lineCount++;
    this.size += bytes;
  }

  #readLength(value: string): void {
    if (!isDigits(value)) {
      const message = `Cannot read the length "${visibleText(value, 40)}": expected decimal digits`;
      this.lengthFault ??= { code: "ERR_LENGTH_INVALID", message };
      return;
    }
    const length = Number(value);
    if (this.bodyLength >= 0 && this.bodyLength !== length) {
      const message = `Cannot determine the length: both ${this.bodyLength} and ${value.slice(0, 40)} are given`;
      this.lengthFault ??= { code: "ERR_LENGTH_CONFLICT", message };
    }
    this.bodyLength = length;
  }

  #readType(value: string): void {
    const charset = charsetOf(value);
    if (readableCharsets.has(charset.toLowerCase())) return;
    const message = `Cannot read the charset "${visibleText(charset, 40)}": bodies are UTF-8`;
    this.charsetFault ??= { code: "ERR_CHARSET", message };
  }
}

/**
 * Returns the charset given in a `Content-Type`, without quotes, or an empty string if there is
 * none.
 */
function charsetOf(type: string): string {
  for (const parameter of type.split(";").slice(1)) {
    const equals = parameter.indexOf("=");
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== "charset") continue;
    const value = parameter.slice(equals + 1).trim();
    return value.replaceAll(/["']/g, "").split(/\s/, 1)[0] ?? "";
  }
  return "";
}

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return text.length > 0;
}

/**
 * Returns the index of the colon in a header line, or -1 if the line is invalid because it has no
 * name or because its value contains a carriage return.
 */
export function findHeaderColon(bytes: Uint8Array, start: number, last: number): number {
  let nameEnd = start;
  while (nameEnd < last && isTokenByte[bytes[nameEnd]!] === 1) nameEnd++;
  const at = skipBlanks(bytes, nameEnd, last);
  if (nameEnd === start || at === last || bytes[at] !== colon) return -1;
  for (let each = at; each < last; each++) if (bytes[each] === carriageReturn) return -1;
  return at;
}

/** Returns whether a line starts like a header: letters and hyphens, followed by a colon. */
export function looksLikeHeader(bytes: Uint8Array, start: number, end: number): boolean {
  const colonAt = findColon(bytes, start, end);
  return colonAt >= 0 && colonAt < end;
}

/** Returns whether a truncated line could have become a header. */
export function mayBecomeHeader(bytes: Uint8Array, start: number, end: number): boolean {
  return findColon(bytes, start, end) >= 0;
}

/**
 * Returns the index of the colon after letters and hyphens, `end` if a colon could still follow,
 * and -1 otherwise.
 */
function findColon(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (isLetter(bytes[at]!) || bytes[at] === 0x2d)) at++;
  if (at === start) return -1;
  at = skipBlanks(bytes, at, end);
  return at === end || bytes[at] === colon ? at : -1;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  return at;
}
