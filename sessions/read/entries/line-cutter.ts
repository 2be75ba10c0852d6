import { ByteBuffer } from "../../../runtime/base/byte-buffer.js";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Maximum size of the buffer that is reused for the next line. */
const keptBytes = 64 * 1024;

/** Number of bytes to keep from a line that is too long. */
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
    if (this.#length <= this.#most) this.#begun.append(bytes, start, end);
    else this.#keepBeginning(bytes, start, end);
  }

  #keepBeginning(bytes: Uint8Array, start: number, end: number): void {
    const begun = this.#begun;
    if (begun.length > beginningBytes) {
      const first = begun.bytes.slice(0, beginningBytes);
      begun.clear(0);
      begun.append(first, 0, first.length);
    }
    begun.append(bytes, start, Math.min(end, start + beginningBytes - begun.length));
  }

  #finish(): void {
    const length = this.#length;
    this.#length = 0;
    if (length > this.#most) {
      const beginning = this.#begun.bytes.subarray(0, this.#begun.length);
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
