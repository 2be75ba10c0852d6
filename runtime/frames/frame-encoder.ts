import { ByteSlab } from "../base/byte-slab.js";
import { explainEncodeFailure, EncodeError } from "../json/encode-error.js";
import { headerNameBytes } from "./frame.js";
import { JsonWriter } from "../json/json-writer.js";
import { writeUtf8 } from "../base/buffer-methods.js";
import type { JsonFraming, Notation } from "./decoder-options.js";

export interface FrameEncoderOptions {
  /** Framing of JSON messages, or the notation of other messages. Default: `content-length`. */
  readonly framing?: JsonFraming | Notation;
  /** Escapes non-ASCII characters as `\uXXXX`, for peers that count characters instead of bytes. */
  readonly asciiOnly?: boolean;
  /** Called with each message before it is encoded. Throw to reject the message. */
  readonly check?: (message: object) => void;
  /** The dialect of the peer. Messages are checked before they are converted. */
  readonly dialect?: Dialect;
}

/** Converts between a protocol and the dialect of a peer. */
export interface Dialect {
  /** Converts an incoming message from the dialect. Never throws. */
  read(value: unknown): unknown;
  /** Converts an outgoing message to the dialect. */
  write(message: object): object;
}

/** Room for `Content-Length: `, ten digits and two line ends. */
export const headerRoom = 30;

/**
 * Encodes messages: `Content-Length: N`, a blank line and the body, or a line.
 *
 * A frame is a single array and should be written with one call, because some peers fail on split
 * frames. The arrays are views of shared memory that is never overwritten.
 *
 * Like `JSON.stringify`, it omits undefined properties and escapes lone surrogates.
 */
export class FrameEncoder {
  readonly #options: FrameEncoderOptions;
  readonly #isLines: boolean;
  readonly #notation: Notation | undefined;
  readonly #asciiOnly: boolean;
  readonly #check: ((message: object) => void) | undefined;
  readonly #dialect: Dialect | undefined;
  readonly #slab = new ByteSlab();
  readonly #writer = new JsonWriter(this.#slab);
  #isWriting = false;
  #frameStart = 0;

  constructor(options: FrameEncoderOptions = {}) {
    this.#options = options;
    this.#isLines = options.framing === "lines";
    this.#notation = typeof options.framing === "object" ? options.framing : undefined;
    this.#asciiOnly = options.asciiOnly === true;
    this.#check = options.check;
    this.#dialect = options.dialect;
  }

  /**
   * Encodes a message.
   *
   * @throws EncodeError with the path of a value that cannot be written. Nothing is written then.
   */
  encode(message: object): Uint8Array {
    // A getter of the message may call the same encoder.
    if (this.#isWriting) return new FrameEncoder(this.#options).encode(message);
    this.#isWriting = true;
    try {
      const end = this.#writeFrame(message, 0);
      return this.#slab.take(this.#frameStart, end);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Encodes several messages into one array. */
  encodeInto(batch: readonly object[]): Uint8Array {
    if (this.#isWriting) return new FrameEncoder(this.#options).encodeInto(batch);
    this.#isWriting = true;
    try {
      const slab = this.#slab;
      let length = 0;
      for (const message of batch) {
        const end = this.#writeFrame(message, length);
        slab.bytes.copyWithin(slab.used + length, this.#frameStart, end);
        length += end - this.#frameStart;
      }
      return slab.take(slab.used, slab.used + length);
    } finally {
      this.#isWriting = false;
    }
  }

  /**
   * Writes a frame `before` bytes after the memory handed out. Sets `#frameStart` and returns the
   * end.
   */
  #writeFrame(message: object, before: number): number {
    this.#check?.(message);
    const slab = this.#slab;
    if (this.#isLines || this.#notation !== undefined) {
      const end = this.#writeBody(message, before);
      this.#frameStart = slab.used + before;
      return end;
    }
    const end = this.#writeBody(message, before + headerRoom);
    const bodyStart = slab.used + before + headerRoom;
    this.#frameStart = writeHeader(slab.bytes, bodyStart, end - bodyStart);
    return end;
  }

  /** Writes a body, or a line, `gap` bytes after the memory handed out. Returns the end. */
  #writeBody(message: object, gap: number): number {
    if (this.#notation !== undefined) return this.#writeText(this.#notation.write(message), gap);
    const end = this.#asciiOnly ? -1 : this.#writeJson(message, gap);
    if (end < 0) {
      const text = this.#stringify(message);
      return this.#writeText(this.#isLines ? `${text}\n` : text, gap);
    }
    if (!this.#isLines) return end;
    this.#slab.bytes[end] = 0x0a;
    return end + 1;
  }

  /** Writes a body without creating a string. Returns -1 if that is not possible. */
  #writeJson(message: object, gap: number): number {
    try {
      return this.#writer.write(this.#dialect?.write(message) ?? message, gap);
    } catch {
      // JSON.stringify will fail for the same reason and explain it.
      return -1;
    }
  }

  #writeText(text: string, gap: number): number {
    const slab = this.#slab;
    // A UTF-16 unit takes at most three bytes.
    const start = slab.extend(slab.used + gap, text.length * 3);
    return start + writeUtf8(slab.bytes, text, start);
  }

  #stringify(message: object): string {
    let text: string | undefined;
    try {
      text = JSON.stringify(this.#dialect?.write(message) ?? message) as string | undefined;
    } catch (error) {
      throw explainEncodeFailure(message, error);
    }
    if (text === undefined || text.charCodeAt(0) !== 0x7b) {
      throw new EncodeError(
        "ERR_ENCODE_NOT_OBJECT",
        "Cannot send a value that is not an object",
        "",
      );
    }
    if (!this.#asciiOnly) return text;
    return text.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
}

/** Writes a header that ends at `end`. Returns its start. */
export function writeHeader(bytes: Uint8Array, end: number, bodyLength: number): number {
  let at = end;
  bytes[--at] = 0x0a;
  bytes[--at] = 0x0d;
  bytes[--at] = 0x0a;
  bytes[--at] = 0x0d;
  at = writeDigits(bytes, at, bodyLength) - headerNameBytes.length;
  bytes.set(headerNameBytes, at);
  return at;
}

/** Writes a whole number that ends at `end`. Returns its start. */
export function writeDigits(bytes: Uint8Array, end: number, value: number): number {
  let at = end;
  let rest = value;
  do {
    bytes[--at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  return at;
}
