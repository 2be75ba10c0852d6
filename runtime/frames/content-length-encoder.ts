import { utf8Room, writeUtf8 } from "../base/buffer-methods.js";
import { ByteSlab } from "../base/byte-buffer.js";
import * as option from "../base/check-options.js";
import { EncodeError, explainEncodeFailure } from "../json/encode-error.js";
import type { JsonFraming, Notation } from "./decoder-options.js";
import { headerNameBytes } from "./frame.js";

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
  Omit<FrameEncoderOptions, "framing"> & Record<"from" | "spelling", unknown>
> = {
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
 * Creates an encoder for a protocol's framings. Generated code passes such a function so that bundles
 * do not contain encoders for other framings.
 */
export type CreateEncoder = (options: FrameEncoderOptions) => ContentLengthEncoder;

/** Creates an encoder that ignores the `framing`. @throws TypeError in the same cases as FrameEncoder. */
export function encodeContentLength(options: FrameEncoderOptions): ContentLengthEncoder {
  return new ContentLengthEncoder(options);
}

/**
 * Encodes messages. A body is preceded by a `Content-Length: N` header and a blank line.
 *
 * Each frame is a single array. Write it with a single call, because some peers cannot cope with
 * split frames. The arrays are views of shared memory that is never overwritten.
 *
 * Like `JSON.stringify`, the encoder omits undefined properties and escapes lone surrogates.
 */
export class ContentLengthEncoder {
  readonly #asciiOnly: boolean;
  readonly #check: ((message: object) => void) | undefined;
  readonly #dialect: Dialect | undefined;
  readonly #slab = new ByteSlab();

  /** @param framing Checks the `framing` option of an encoder whose framing is not fixed. */
  constructor(options: FrameEncoderOptions = {}, framing: option.OptionCheck = option.anything) {
    option.checkOptions("encoder", options, { framing, ...encoderChecks });
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
    const text = this.encodeText(message);
    const slab = this.#slab;
    slab.reserve(maxHeaderBytes + utf8Room(text, text.length));
    return slab.take(this.write(slab.bytes, text, slab.used));
  }

  /** Encodes several messages into one array. */
  encodeAll(batch: readonly object[]): Uint8Array {
    const texts = batch.map((message) => this.encodeText(message));
    const units = texts.reduce((sum, text) => sum + text.length, 0);
    const slab = this.#slab;
    slab.reserve(texts.reduce((room, text) => room + maxHeaderBytes + utf8Room(text, units), 0));
    return slab.take(texts.reduce((end, text) => this.write(slab.bytes, text, end), slab.used));
  }

  /**
   * Encodes a message as text, without any framing.
   *
   * @throws EncodeError in the same cases as `encode`.
   */
  encodeText(message: object): string {
    this.#check?.(message);
    return this.textOf(message);
  }

  /** Returns a message's body as text. */
  protected textOf(message: object): string {
    let text: string | undefined;
    try {
      text = JSON.stringify(this.#dialect?.write(message) ?? message) as string | undefined;
    } catch (error) {
      throw explainEncodeFailure(message, error);
    }
    if (text?.charCodeAt(0) === 0x7b) return this.#asciiOnly ? escapeNonAscii(text) : text;
    throw new EncodeError("ERR_ENCODE_NOT_OBJECT", "Cannot send a value that is not an object", "");
  }

  /** Writes a frame. Returns the index after it. */
  protected write(bytes: Uint8Array, text: string, start: number): number {
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
export const maxHeaderBytes = 30;

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
