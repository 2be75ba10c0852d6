import { ByteSlab } from "./byte-slab.js";
import { headerName, headerNameBytes } from "./frame.js";
import { explainEncodeFailure, EncodeError } from "./encode-error.js";
import { allocateBytes, native } from "./native-text.js";
import type { JsonFraming } from "./frame-decoder.js";
import type { Notation } from "./notation.js";

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
  readonly #lines: boolean;
  readonly #notation: Notation | undefined;
  readonly #asciiOnly: boolean;
  readonly #check: ((message: object) => void) | undefined;
  readonly #dialect: Dialect | undefined;
  readonly #encoder = new TextEncoder();
  readonly #slab = new ByteSlab();

  constructor(options: FrameEncoderOptions = {}) {
    this.#lines = options.framing === "lines";
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
    const text = this.#stringify(message);
    const slab = this.#slab;
    slab.reserve(roomFor(text));
    return slab.take(slab.used, this.#writeFrame(slab.bytes, text, slab.used));
  }

  /** Many messages as the bytes of their frames, one behind the other in one array. */
  encodeInto(batch: readonly object[]): Uint8Array {
    const texts = batch.map((message) => this.#stringify(message));
    const all = allocateBytes(texts.reduce((sum, text) => sum + roomFor(text), 0));
    let used = 0;
    for (const text of texts) used = this.#writeFrame(all, text, used);
    return all.subarray(0, used);
  }

  /** Writes the frame of a text; returns where it ends. */
  #writeFrame(bytes: Uint8Array, text: string, start: number): number {
    if (this.#notation !== undefined) return start + this.#writeText(bytes, text, start);
    if (this.#lines) return start + this.#writeText(bytes, `${text}\n`, start);
    const header = `${headerName}${text.length}\r\n\r\n`;
    const end = start + this.#writeText(bytes, header + text, start);
    const bodyStart = start + header.length;
    const length = end - bodyStart;
    if (length === text.length) return end;
    // Some character took more than one byte, and so may the length.
    const more = headerName.length + String(length).length + 4 - header.length;
    if (more > 0) bytes.copyWithin(bodyStart + more, bodyStart, end);
    writeHeader(bytes, bodyStart + more, length);
    return end + more;
  }

  #writeText(bytes: Uint8Array, text: string, at: number): number {
    if (native !== undefined) return native.utf8Write.call(bytes, text, at, bytes.length - at);
    return this.#encoder.encodeInto(text, bytes.subarray(at)).written;
  }

  #stringify(message: object): string {
    this.#check?.(message);
    if (this.#notation !== undefined) return this.#notation.write(message);
    let text: string | undefined;
    try {
      const written = this.#dialect === undefined ? message : this.#dialect.write(message);
      text = JSON.stringify(written) as string | undefined;
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

/** Bytes that the frame of a text takes at most. */
function roomFor(text: string): number {
  return text.length * 3 + headerRoom + 1;
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
