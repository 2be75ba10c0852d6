import type { FrameErrorCode, FrameLimits } from "./frame-errors.js";
import { indexOfLineFeed } from "./native-text.js";

/** A header line that announces a body, whatever stands before it on the line. */
const announcement = /content-length[ \t]*:[ \t]*[0-9]+[ \t]*$/i;
const field = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:[ \t]*(.*?)[ \t]*$/;

/** Most bytes of an announcement that follows junk on its line. */
export const announcementBytes = 64;

/** Where in a line a header announces a body, or -1. Looks at the end of the line only. */
export function findAnnouncement(line: string): number {
  const from = Math.max(0, line.length - announcementBytes);
  const at = line.slice(from).search(announcement);
  return at < 0 ? -1 : from + at;
}

/** The header block of one frame, line by line. */
export class HeaderBlock {
  readonly #limits: FrameLimits;
  /** Place in the stream of its first byte. */
  readonly offset: number;
  /** All its bytes so far, line ends included. */
  text = "";
  #lines = 0;
  #length: number | undefined;
  /** Other headers, names in lower case. */
  readonly headers = new Map<string, string>();
  /** The first fault; the block is then read to its end and dropped. */
  fault: { readonly code: FrameErrorCode; readonly message: string } | undefined;

  constructor(limits: FrameLimits, offset: number) {
    this.#limits = limits;
    this.offset = offset;
  }

  /** Bytes of the announced body; undefined if none was. */
  get bodyLength(): number | undefined {
    return this.#length;
  }

  /** Takes a line without its end. Returns false if it is no header line. */
  addLine(line: string): boolean {
    const match = field.exec(line);
    if (match === null) return false;
    const { maxHeaderBytes, maxHeaderCount } = this.#limits;
    if (++this.#lines > maxHeaderCount)
      this.fail("ERR_HEADER_COUNT", `Cannot read more than ${maxHeaderCount} header lines`);
    if (this.text.length > maxHeaderBytes)
      this.fail("ERR_HEADER_TOO_LONG", `Cannot read a header of more than ${maxHeaderBytes} bytes`);
    const name = match[1]!.toLowerCase();
    const value = match[2]!;
    if (name === "content-length") this.#readLength(value);
    else {
      if (name === "content-type") this.#readType(value);
      this.headers.set(name, value);
    }
    return true;
  }

  /** Notes the first fault. */
  fail(code: FrameErrorCode, message: string): void {
    this.fault ??= { code, message };
  }

  #readLength(value: string): void {
    if (!/^[0-9]+$/.test(value)) {
      this.fail(
        "ERR_LENGTH_INVALID",
        `Cannot read the length "${value.slice(0, 40)}": it must be decimal digits`,
      );
      return;
    }
    const length = Number(value);
    if (this.#length !== undefined && this.#length !== length) {
      this.fail(
        "ERR_LENGTH_CONFLICT",
        `Cannot tell the length: both ${this.#length} and ${value.slice(0, 40)} are given`,
      );
    }
    this.#length = length;
  }

  #readType(value: string): void {
    const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]+)/i.exec(value)?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      this.fail(
        "ERR_CHARSET",
        `Cannot read the charset "${charset.slice(0, 40)}": bodies are UTF-8`,
      );
    }
  }
}

/** Place of the first line in a body that announces another one; -1 if there is none. */
export function findHeaderLine(bytes: Uint8Array, start: number, end: number): number {
  for (
    let feed = indexOfLineFeed(bytes, start, end);
    feed >= 0;
    feed = indexOfLineFeed(bytes, feed + 1, end)
  ) {
    const at = announcementBefore(bytes, start, feed);
    if (at >= 0) return at;
  }
  return -1;
}

/** Place of the announcement that a line feed ends, or -1. */
export function announcementBefore(bytes: Uint8Array, start: number, feed: number): number {
  let last = feed - 1;
  if (bytes[last] === 0x0d) last--;
  // Most line feeds of pretty-printed JSON follow a bracket or a comma.
  const byte = last < start ? 0 : bytes[last]!;
  if (!((byte >= 0x30 && byte <= 0x39) || byte === 0x20 || byte === 0x09)) return -1;
  const first = Math.max(start, last + 1 - announcementBytes);
  const at = findAnnouncement(latin1(bytes, first, last + 1));
  return at < 0 ? -1 : first + at;
}

/** Where at the end of a damaged body the line begins that announces another one, if that is cut there; or `end`. */
export function findHeaderBeginning(bytes: Uint8Array, start: number, end: number): number {
  const tail = latin1(bytes, Math.max(start, end - announcementBytes), end).toLowerCase();
  const whole = tail.search(/content-length[ \t]*(?::[ \t]*[0-9]*[ \t]*\r?)?$/);
  if (whole >= 0) return end - tail.length + whole;
  const name = "content-length";
  for (let length = name.length - 1; length > 0; length--)
    if (tail.endsWith(name.slice(0, length))) return end - length;
  return end;
}

/** Bytes as text, one unit each. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
