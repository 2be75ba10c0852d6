import { ByteSlab } from "../base/byte-slab.js";
import { explainEncodeFailure, EncodeError } from "../json/encode-error.js";
import { headerNameBytes } from "./frame.js";
import { JsonWriter } from "../json/json-writer.js";
import { writeUtf8 } from "../base/buffer-methods.js";
import type { JsonFraming, Notation } from "./decoder-options.js";

export interface FrameEncoderOptions {
  /** How messages are framed, or how they are spelled if not in JSON. Default: `content-length`. */
  readonly framing?: JsonFraming | Notation;
  /** Writes everything beyond ASCII as `\uXXXX`, for peers that count characters instead of bytes. */
  readonly asciiOnly?: boolean;
  /** Called with each message before it is encoded; throw to refuse it. */
  readonly check?: (message: object) => void;
  /** What the peer speaks; messages are checked before they are turned into that. */
  readonly dialect?: Dialect;
}

/** How a peer departs from a protocol, in both directions. */
export interface Dialect {
  /** A message that arrived, as the protocol has it. Never throws. */
  read(value: unknown): unknown;
  /** A message that is to leave, as the peer has it. */
  write(message: object): object;
}

/** Room for `Content-Length: `, ten digits and two line ends. */
export const headerRoom = 30;

/**
 * Messages become bytes: exactly `Content-Length: N`, a blank line and the body, or a line.
 *
 * A frame is one array, to be written with one call: some peers die on a frame that comes in pieces. The
 * arrays are views of shared memory that is handed out once and never written again.
 *
 * Properties that are undefined are left out, and lone surrogates are escaped, as `JSON.stringify` does.
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
   * One message as the bytes of its frame.
   *
   * @throws EncodeError with the path of what cannot be written; nothing is written then.
   */
  encode(message: object): Uint8Array {
    // A getter of a message may use the encoder that is about to write the message.
    if (this.#isWriting) return new FrameEncoder(this.#options).encode(message);
    this.#isWriting = true;
    try {
      const end = this.#writeFrame(message, 0);
      return this.#slab.take(this.#frameStart, end);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Many messages as the bytes of their frames, one behind the other in one array. */
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

  /** Writes a frame `before` bytes behind what was handed out; notes where it begins, returns where it ends. */
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

  /** Writes a body `gap` bytes behind what was handed out, or a line; returns where it ends. */
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

  /** Writes a body without making text of it; -1 where that cannot be done. */
  #writeJson(message: object, gap: number): number {
    try {
      return this.#writer.write(this.#dialect?.write(message) ?? message, gap);
    } catch {
      // Whatever it was will be found, and explained, by what makes a text.
      return -1;
    }
  }

  #writeText(text: string, gap: number): number {
    const slab = this.#slab;
    // A unit takes three bytes at most.
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
      throw new EncodeError("ERR_ENCODE_NOT_OBJECT", "Cannot send what is no object", "");
    }
    if (!this.#asciiOnly) return text;
    return text.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
}

/** Writes a header so that it ends at `end`; returns where it begins. */
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

/** Writes a whole number from 0 so that it ends at `end`; returns where it begins. */
export function writeDigits(bytes: Uint8Array, end: number, value: number): number {
  let at = end;
  let rest = value;
  do {
    bytes[--at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  return at;
}
