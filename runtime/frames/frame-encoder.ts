import { utf8Room, writeUtf8 } from "../base/buffer-methods.js";
import { ByteSlab } from "../base/byte-buffer.js";
import * as option from "../base/check-options.js";
import { EncodeError, explainEncodeFailure } from "../json/encode-error.js";
import { framingCheck, type JsonFraming, type Notation } from "./decoder-options.js";
import { headerNameBytes, lengthFieldOf, writeLength, type LengthField } from "./frame.js";

/** Options for a frame encoder. */
export interface FrameEncoderOptions {
  /**
   * How JSON messages are framed, or the notation of messages that are not JSON. Default:
   * `content-length`.
   */
  readonly framing?: JsonFraming | Notation;
  /**
   * Whether to escape non-ASCII characters as `\uXXXX`, for peers that count characters instead of
   * bytes. Default: false.
   */
  readonly asciiOnly?: boolean;
  /** Called with each message before it is encoded. Throw to reject the message. */
  readonly validate?: (message: object) => void;
  /** The peer's dialect. Messages are checked before they are converted to it. */
  readonly dialect?: Dialect;
}

/** Option checks shared by all encoders. The last options exist only in generated packages. */
const encoderChecks: option.OptionChecks<
  FrameEncoderOptions & Record<"from" | "spelling", unknown>
> = {
  framing: framingCheck,
  asciiOnly: option.flag,
  validate: option.callback,
  dialect: option.object,
  from: option.text,
  spelling: option.text,
};

/** Converts between a protocol and a peer's dialect. */
export interface Dialect {
  /** Converts an incoming message from the dialect. Never throws. */
  read(value: unknown): unknown;
  /** Converts an outgoing message to the dialect. */
  write(message: object): object;
}

/**
 * Encodes messages. Depending on the framing, a body is preceded by a `Content-Length: N` header
 * and a blank line, preceded by its length, terminated by a zero byte, or written as a line.
 *
 * Each frame is a single array. Write it with a single call, because some peers cannot cope with
 * split frames. The arrays are views of shared memory that is never overwritten.
 *
 * Like `JSON.stringify`, the encoder omits undefined properties and escapes lone surrogates.
 */
export class FrameEncoder {
  readonly #framing: JsonFraming | "notation";
  readonly #lengthField: LengthField | undefined;
  readonly #notation: Notation | undefined;
  readonly #asciiOnly: boolean;
  readonly #check: ((message: object) => void) | undefined;
  readonly #dialect: Dialect | undefined;
  readonly #slab = new ByteSlab();

  constructor(options: FrameEncoderOptions = {}) {
    option.checkOptions("encoder", options, encoderChecks);
    const { framing = "content-length" } = options;
    this.#framing = typeof framing === "object" ? (framing.framing ?? "notation") : framing;
    this.#lengthField = lengthFieldOf(this.#framing);
    this.#notation = typeof framing === "object" ? framing : undefined;
    this.#asciiOnly = options.asciiOnly === true;
    this.#check = options.validate;
    this.#dialect = options.dialect;
  }

  /**
   * Encodes a message.
   *
   * @throws EncodeError with the path of a value that cannot be encoded. In that case, nothing is
   * written.
   */
  encode(message: object): Uint8Array {
    // A getter in the message may call the same encoder, so nothing is written until the text is
    // complete.
    const text = this.#textOf(message);
    const slab = this.#slab;
    slab.reserve(maxHeaderBytes + utf8Room(text, text.length));
    return slab.take(this.#write(text, slab.used));
  }

  /**
   * Encodes a message as text, without any framing.
   *
   * @throws EncodeError in the same cases as `encode`.
   */
  encodeText(message: object): string {
    return this.#textOf(message);
  }

  /** Encodes several messages into one array. */
  encodeAll(batch: readonly object[]): Uint8Array {
    const texts = batch.map((message) => this.#textOf(message));
    const units = texts.reduce((sum, text) => sum + text.length, 0);
    const slab = this.#slab;
    slab.reserve(texts.reduce((room, text) => room + maxHeaderBytes + utf8Room(text, units), 0));
    return slab.take(texts.reduce((end, text) => this.#write(text, end), slab.used));
  }

  /** Writes a frame to the slab. Returns the index after it. */
  #write(text: string, start: number): number {
    const { bytes } = this.#slab;
    const field = this.#lengthField;
    if (field !== undefined) {
      const end = start + field.size + writeUtf8(bytes, text, start + field.size);
      writeLength(bytes, start + field.size, field, end - start - field.size);
      return end;
    }
    if (this.#framing === "decimal-nul") return this.#writeDecimal(text, start);
    if (this.#framing !== "content-length") {
      const end = start + writeUtf8(bytes, text, start);
      if (this.#framing === "notation") return end;
      bytes[end] = this.#framing === "nul" ? 0 : 0x0a;
      return end + 1;
    }
    const expected = start + headerLength(text.length);
    const length = writeUtf8(bytes, text, expected);
    let bodyStart = expected;
    if (length > text.length) {
      // The text may have more bytes than characters, so the byte length may have more digits.
      bodyStart = start + headerLength(length);
      if (bodyStart > expected) bytes.copyWithin(bodyStart, expected, expected + length);
    }
    writeHeader(bytes, bodyStart, length);
    return bodyStart + length;
  }

  /**
   * Writes the length in decimal, a zero byte, the text and another zero byte. Returns the index
   * after them.
   */
  #writeDecimal(text: string, start: number): number {
    const { bytes } = this.#slab;
    const bodyStart = start + maxHeaderBytes - 1;
    const end = bodyStart + writeUtf8(bytes, text, bodyStart);
    bytes[bodyStart - 1] = 0;
    const headerStart = writeDigits(bytes, bodyStart - 1, end - bodyStart);
    bytes.copyWithin(start, headerStart, end);
    const frameEnd = end - (headerStart - start);
    bytes[frameEnd] = 0;
    return frameEnd + 1;
  }

  /** Returns a message's body as text, or its line in a notation. */
  #textOf(message: object): string {
    this.#check?.(message);
    if (this.#notation !== undefined) return this.#notation.write(message);
    const json = this.#stringify(message);
    return this.#asciiOnly ? escapeNonAscii(json) : json;
  }

  #stringify(message: object): string {
    let text: string | undefined;
    try {
      text = JSON.stringify(this.#dialect?.write(message) ?? message) as string | undefined;
    } catch (error) {
      throw explainEncodeFailure(message, error);
    }
    if (text?.charCodeAt(0) === 0x7b) return text;
    throw new EncodeError("ERR_ENCODE_NOT_OBJECT", "Cannot send a value that is not an object", "");
  }
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Length of the longest header: the name, ten digits and two line endings. Other framings need less
 * space.
 */
const maxHeaderBytes = 30;

export function headerLength(bodyLength: number): number {
  return headerNameBytes.length + digitCount(bodyLength) + 4;
}

/** Returns the number of decimal digits in a whole number. */
export function digitCount(value: number): number {
  let count = 1;
  for (let least = 10; least <= value; least *= 10) count++;
  return count;
}

/** Writes a header that ends at `end`. */
export function writeHeader(bytes: Uint8Array, end: number, bodyLength: number): void {
  let at = end;
  bytes[--at] = 0x0a;
  bytes[--at] = 0x0d;
  bytes[--at] = 0x0a;
  bytes[--at] = 0x0d;
  at = writeDigits(bytes, at, bodyLength);
  for (let index = headerNameBytes.length; index > 0;) bytes[--at] = headerNameBytes[--index]!;
}

/** Writes a whole number that ends at `end`. Returns the index of its first digit. */
export function writeDigits(bytes: Uint8Array, end: number, value: number): number {
  let at = end;
  let rest = value;
  do {
    // Truncating to 32 bits is faster than `Math.floor`.
    const tens = rest < 2 ** 32 ? (rest / 10) >>> 0 : Math.floor(rest / 10);
    bytes[--at] = 0x30 + (rest - tens * 10);
    rest = tens;
  } while (rest > 0);
  return at;
}
