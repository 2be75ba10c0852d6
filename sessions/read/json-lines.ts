import { ByteBuffer } from "../../runtime/base/byte-buffer.js";
import { maxMessageBytes, maxMessageDepth } from "../../generator/base/memory-limits.js";
import { mayNestDeeper, textNestsWithin } from "../../runtime/json/json-scan.js";
import type { RecordedEntry } from "./recorded-entry.js";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Maximum size of the buffer that is reused for the next line. */
const keptBytes = 64 * 1024;

/** Number of bytes that are delivered of a line that is too long. */
const beginningBytes = 1024;

export interface LineHandlers {
  /**
   * Called with each line, without its line ending. `number` counts from 1. `offset` is the line's
   * position in the input. The bytes are valid only during the call.
   */
  line(bytes: Uint8Array, number: number, offset: number): void;
  /** Called for each line that is too long, with its number, its length and its first bytes. */
  tooLong(number: number, length: number, beginning: Uint8Array): void;
}

/**
 * Splits bytes into lines. Buffers at most one line, and drops the rest of any line that is too
 * long.
 */
export class LineCutter {
  readonly #most: number;
  readonly #handlers: LineHandlers;
  /** The current line, or its beginning if it is too long. */
  readonly #begun = new ByteBuffer();
  #length = 0;
  #number = 1;
  /** Offset of the current line. */
  #offset = 0;

  /** @param most Maximum length of a line, in bytes. */
  constructor(most: number, handlers: LineHandlers) {
    this.#most = most;
    this.#handlers = handlers;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (this.#length === 0 && end - start <= this.#most) {
        this.#deliver(bytes, start, end);
        this.#offset += end - start + 1;
      } else {
        this.#keep(bytes, start, end);
        this.#finish();
      }
      start = end + 1;
    }
    this.#keep(bytes, start, bytes.length);
  }

  /** Delivers the last line if it lacks a line ending. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    this.#length += end - start;
    const room = Math.max(this.#most, beginningBytes) - this.#begun.length;
    this.#begun.append(bytes, start, Math.min(end, start + room));
  }

  #finish(): void {
    const length = this.#length;
    this.#length = 0;
    if (length > this.#most) {
      const beginning = this.#begun.bytes.subarray(0, Math.min(beginningBytes, this.#begun.length));
      this.#handlers.tooLong(this.#number++, length, beginning);
    } else this.#deliver(this.#begun.bytes, 0, length);
    this.#begun.clear(keptBytes);
    this.#offset += length + 1;
  }

  #deliver(bytes: Uint8Array, start: number, end: number): void {
    const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    this.#handlers.line(bytes.subarray(start, last), this.#number++, this.#offset);
  }
}

/** Maximum number of additional nesting levels that a line may have around its message. */
const wrapperDepth = 4;

/** The result of parsing a line that is nested too deeply. */
export const tooDeep: { readonly code: string; readonly message: string } = {
  code: "ERR_DEPTH",
  message: `Cannot read a line that nests more than ${maxMessageDepth} levels deep`,
};

/**
 * Parses a line of JSON. Returns `tooDeep` if it is nested too deeply, and undefined if it is not
 * JSON.
 *
 * @param bytes The bytes of `text`.
 */
export function parseJsonLine(text: string, bytes: Uint8Array): unknown {
  const most = maxMessageDepth + wrapperDepth;
  // Check the nesting first, because parsing takes memory for every level.
  const isDeep = mayNestDeeper(text, most) && !textNestsWithin(bytes, 0, bytes.length, most);
  return isDeep ? tooDeep : parsedText(text);
}

/**
 * The reason why bytes are not a message. The code `ERR_LOST` means that part of the file cannot be
 * read. In that case, the bytes were not sent by any role, and a message may be missing.
 */
export type EntryFault = NonNullable<RecordedEntry["fault"]>;

/** Returns whether a message is too long or nested too deeply. */
export function isLimit({ code }: EntryFault): boolean {
  return code === "ERR_DEPTH" || code === "ERR_BODY_TOO_LONG";
}

/** Returns the fault for a line that exceeds the maximum length of a message. */
export function tooLongLine(length: number): EntryFault {
  return {
    code: "ERR_BODY_TOO_LONG",
    message: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
  };
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
