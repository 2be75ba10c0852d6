import { indexOfByte, latin1 } from "../base/buffer-methods.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { byteOrderMark } from "../json/json-scan.js";
import {
  resolveOptions,
  type OneFramingOptions,
  type ResolvedOptions,
  type StreamDecoder,
} from "./decoder-options.js";
import { DecoderOutput, DeferredPushes } from "./decoder-output.js";
import { sampleOf, type FrameFaultCode, type FrameLimits } from "./frame-faults.js";
import { findLengthHeader } from "./length-header.js";
import { deliverFormatted } from "./formatted-bodies.js";
import type { BodyFormat } from "./spelling.js";

/**
 * After a line in another framing, the number of messages that must arrive before the framing is
 * trusted again.
 */
const messagesToTrust = 2;

/** Maximum length of a line that is parsed to tell a non-object JSON value from noise. */
const maxValueBytes = 1024;

/** Maximum number of digits in a length. */
const maxDigits = 15;

/** Maximum amount of memory kept between lines, in bytes. */
const keptLineBytes = 0x1_0000;

/** Creates a decoder for lines. @throws TypeError in the same cases as FrameDecoder. */
export function decodeLines(options: OneFramingOptions): StreamDecoder {
  return new LineDecoder(resolveOptions(options));
}

/**
 * Creates a decoder for messages that end with a zero byte. @throws TypeError in the same cases as
 * FrameDecoder.
 */
export function decodeNul(options: OneFramingOptions): StreamDecoder {
  return new LineDecoder(resolveOptions(options), undefined, "nul");
}

/**
 * Splits a stream into lines that contain one message each, usually a JSON object. Lines end with
 * LF or CRLF. Blank lines are skipped. The last line may lack a line ending. With the framings
 * `nul` and `decimal-nul`, messages end with a zero byte instead.
 *
 * In `decimal-nul`, each message is preceded by its number of bytes, in decimal digits. Messages
 * contain no zero bytes, so a wrong number damages only its own message.
 */
export class LineDecoder implements StreamDecoder {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #output: DecoderOutput;
  /** Whether messages are not JSON, in which case any line may be a message. */
  readonly #isText: boolean;
  /** The byte that ends a message. */
  readonly #terminator: number;
  #base = 0;
  readonly #line = new ByteBuffer();
  /** Whether bytes are being read. Chunks that a handler pushes in the meantime are deferred. */
  #isBusy = false;
  readonly #deferred = new DeferredPushes();
  #lineOffset = 0;
  /** Number of bytes skipped so far in a line that is too long, or 0. */
  #skipped = 0;
  /**
   * How many more messages must arrive, after a line in another framing, before the decoder trusts
   * its own framing again.
   */
  #suspicion = 0;

  /** Whether each message is preceded by its number of bytes. */
  readonly #hasLengths: boolean;
  /** The number of bytes that the next message should have, and the stream range of that number. */
  #announced:
    { readonly length: number; readonly offset: number; readonly text: string } | undefined;

  /** @param format Reads lines that are not JSON. */
  constructor(
    options: ResolvedOptions,
    format?: BodyFormat,
    framing: "lines" | "nul" | "decimal-nul" = "lines",
  ) {
    this.#hasLengths = framing === "decimal-nul";
    this.#terminator = framing === "lines" ? 0x0a : 0;
    this.#limits = options.limits;
    this.#strict = options.strict;
    this.#isText = format !== undefined;
    this.#output = new DecoderOutput(options, format && deliverFormatted(options, format));
  }

  get failed(): boolean {
    return this.#output.failed;
  }

  push(chunk: Uint8Array): void {
    if (this.failed || chunk.length === 0) return;
    if (this.#isBusy) {
      this.#deferred.add(chunk);
      return;
    }
    this.#isBusy = true;
    try {
      this.#output.reader.open(chunk);
      this.#readChunk(chunk);
    } finally {
      this.#isBusy = false;
    }
    this.#deferred.finishChunk(this.#output, this);
  }

  #readChunk(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.failed) {
      const feed = indexOfByte(chunk, this.#terminator, at, chunk.length);
      if (feed < 0) {
        this.#keep(chunk, at, chunk.length);
        break;
      }
      if (
        this.#line.length === 0 &&
        this.#skipped === 0 &&
        feed - at <= this.#limits.maxBodyBytes
      ) {
        this.#read(chunk, at, feed, this.#base + at, true);
      } else {
        this.#keep(chunk, at, feed);
        this.#finish(true);
      }
      at = feed + 1;
    }
    this.#base += chunk.length;
  }

  end(): void {
    if (this.#isBusy) {
      this.#deferred.end();
      return;
    }
    if (this.failed) return;
    this.#isBusy = true;
    if (this.#line.length > 0 || this.#skipped > 0) this.#finish(false);
    this.#endAnnouncement();
    this.#output.flushNoise();
    this.#isBusy = false;
    this.#deferred.finishChunk(this.#output, this);
  }

  #keep(bytes: Uint8Array, start: number, end: number): void {
    if (this.#line.length === 0 && this.#skipped === 0) this.#lineOffset = this.#base + start;
    const { maxBodyBytes } = this.#limits;
    if (this.#skipped === 0) {
      const take = Math.min(end - start, maxBodyBytes - this.#line.length);
      this.#line.append(bytes, start, start + take);
      start += take;
      if (start === end) return;
      const { bytes: line, length } = this.#line;
      const offset = this.#announced?.offset ?? this.#lineOffset;
      this.#output.flushNoise();
      this.#output.report(
        "ERR_BODY_TOO_LONG",
        `Cannot accept a line of more than ${maxBodyBytes} bytes`,
        offset,
        this.#lineOffset + length - offset,
        sampleOf(line, 0, length),
      );
      this.#announced = undefined;
      this.#skipped = length;
      this.#line.clear(keptLineBytes);
    }
    this.#output.addNoise(bytes, start, end, this.#lineOffset + this.#skipped);
    this.#skipped += end - start;
  }

  /** Processes a line that arrived in several chunks. */
  #finish(isEnded: boolean): void {
    if (this.#skipped > 0) {
      this.#skipped = 0;
      return;
    }
    this.#read(this.#line.bytes, 0, this.#line.length, this.#lineOffset, isEnded);
    this.#line.clear(keptLineBytes);
  }

  #read(bytes: Uint8Array, start: number, end: number, offset: number, isEnded: boolean): void {
    const output = this.#output;
    if (this.#hasLengths) {
      this.#readCounted(bytes, start, end, offset, isEnded);
      return;
    }
    const first = start + (offset === 0 ? byteOrderMark(bytes, start, end) : 0);
    let last = end;
    if (last > first && bytes[last - 1] === 0x0d) last--;
    if (last === first) return;
    output.frame.begin(offset + first - start, 0);
    const trailer = isEnded ? String.fromCharCode(this.#terminator) : "";
    output.frame.trailer = last < end ? `\r${trailer}` : trailer;
    if (!this.#isText && bytes[last - 1] !== 0x7d && findLengthHeader(bytes, first, last) >= 0) {
      this.#skipForeignLine(bytes, start, end, offset);
      return;
    }
    const byte = bytes[first]!;
    const isMessage =
      this.#isText || this.#strict || byte <= 0x20 || byte === 0x7b || byte === 0x5b;
    // A JSON value that is not a message, such as a number, is reported differently from text that
    // is not JSON.
    const mayBeValue = !isMessage && last - first <= maxValueBytes && startsValue(byte);
    if ((isMessage || mayBeValue) && output.deliver(bytes, first, last)) {
      if (this.#suspicion > 0) this.#suspicion--;
      return;
    }
    const { code, message } = output.reader.fault;
    const isFault = isMessage || (mayBeValue && code === "ERR_NOT_OBJECT");
    if (isFault && this.#suspicion === 0) {
      output.flushNoise();
      output.report(code, message, offset, end - start, sampleOf(bytes, start, end));
    } else {
      // A line that does not start like an object was printed by other code in the peer, so it is
      // noise.
      output.addNoise(bytes, start, end, offset);
    }
  }

  /** Reads a byte count, or the message that follows it. */
  #readCounted(
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
    isEnded: boolean,
  ): void {
    if (start === end) return;
    const output = this.#output;
    const text = end - start > maxDigits ? "" : latin1(bytes, start, end);
    if (/^\d+$/.test(text)) {
      this.#endAnnouncement();
      this.#announced = { length: Number(text), offset, text };
      return;
    }
    const announced = this.#announced;
    this.#announced = undefined;
    const from = announced?.offset ?? offset;
    const report = (code: FrameFaultCode, message: string, recovered = false): void => {
      if (!recovered) output.flushNoise();
      const length = offset + end - start - from;
      output.report(code, message, from, length, sampleOf(bytes, start, end), recovered);
    };
    const length = end - start;
    const [code, message] =
      announced === undefined
        ? (["ERR_LENGTH_MISSING", "Found a message without a length before it"] as const)
        : !isEnded && length < announced.length
          ? (["ERR_TRUNCATED", "The stream ends in the middle of a message"] as const)
          : ([
              "ERR_LENGTH_WRONG",
              `Found ${length} bytes after the length ${announced.length}`,
            ] as const);
    const isRight = announced?.length === length;
    if ((!isRight && this.#strict) || code === "ERR_TRUNCATED") {
      report(code, message);
      return;
    }
    const isMessage = announced !== undefined || bytes[start] === 0x7b || bytes[start] === 0x3c;
    const header = announced === undefined ? undefined : `${length}\0`;
    output.frame.begin(from, offset - from, header);
    output.frame.trailer = isEnded ? "\0" : "";
    if (isMessage && output.deliver(bytes, start, end)) {
      if (!isRight) report(code, message, true);
    } else if (isMessage) report(output.reader.fault.code, output.reader.fault.message);
    else output.addNoise(bytes, start, end, offset);
  }

  /** Reports a length that is not followed by a message. */
  #endAnnouncement(): void {
    const announced = this.#announced;
    if (announced === undefined) return;
    this.#announced = undefined;
    const { offset, text } = announced;
    this.#output.flushNoise();
    const message = "Found a length without a message after it";
    this.#output.report("ERR_TRUNCATED", message, offset, text.length, text);
  }

  /**
   * Skips a line that ends with a `Content-Length` header. Only the first such line is reported.
   */
  #skipForeignLine(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const output = this.#output;
    if (this.#suspicion === 0) {
      const message =
        "Found a Content-Length header in a stream of lines: is the framing 'content-length'?";
      output.flushNoise();
      output.report("ERR_FRAMING", message, offset, end - start, sampleOf(bytes, start, end));
    } else output.addNoise(bytes, start, end, offset);
    this.#suspicion = messagesToTrust;
  }
}

/** Returns whether a byte begins a JSON value that is neither an object nor an array. */
function startsValue(byte: number): boolean {
  // A digit, a minus sign, a quotation mark, or the first letter of true, false or null.
  const isDigit = byte >= 0x30 && byte <= 0x39;
  return (
    isDigit || byte === 0x2d || byte === 0x22 || byte === 0x74 || byte === 0x66 || byte === 0x6e
  );
}
