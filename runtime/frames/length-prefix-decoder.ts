import { ByteBuffer } from "../base/byte-buffer.js";
import type { LengthPrefix } from "../protocol/protocol-description.js";
import type { ResolvedOptions, StreamDecoder } from "./decoder-options.js";
import { DecoderOutput, DeferredPushes } from "./decoder-output.js";
import { sampleOf } from "./frame-faults.js";
import { lengthFieldOf, readLength, type LengthField } from "./frame.js";
import { deliverFormatted } from "./formatted-bodies.js";
import type { BodyFormat } from "./spelling.js";

/** Maximum amount of memory kept between messages, in bytes. */
const keptFrameBytes = 0x1_0000;

/**
 * Splits a stream in which each body is preceded by a binary length.
 *
 * Nothing marks the start of a message. After damage, the decoder therefore searches for bytes that
 * could be a length: they must contain a zero byte and be followed by the first character of a
 * body. Bodies contain no zero bytes.
 */
export class LengthPrefixDecoder implements StreamDecoder {
  readonly #options: ResolvedOptions;
  readonly #output: DecoderOutput;
  readonly #field: LengthField;
  /** The first byte of every body: a brace for objects, `<` for elements. */
  readonly #opening: number;
  /** The last byte of every body. */
  readonly #closing: number;
  #pending: ByteBuffer = new ByteBuffer();
  /** Stream offset of the first pending byte. */
  #base = 0;
  /** Number of pending bytes already processed. */
  #at = 0;
  /** Whether the next bytes are trusted to be a length. */
  #isInStep = true;
  #isBusy = false;
  readonly #deferred = new DeferredPushes();

  /** @param format Reads bodies that are not JSON. */
  constructor(
    options: ResolvedOptions,
    framing: Exclude<LengthPrefix, "decimal-nul">,
    format?: BodyFormat,
  ) {
    this.#options = options;
    this.#output = new DecoderOutput(options, format && deliverFormatted(options, format));
    this.#field = lengthFieldOf(framing)!;
    [this.#opening, this.#closing] = format === undefined ? [0x7b, 0x7d] : [0x3c, 0x3e];
  }

  get failed(): boolean {
    return this.#output.failed;
  }

  push(chunk: Uint8Array): void {
    if (this.failed || chunk.length === 0) return;
    if (this.#isBusy) this.#deferred.add(chunk);
    else
      this.#run(() => {
        this.#pending.append(chunk, 0, chunk.length);
        this.#output.reader.open(this.#pending.bytes);
        this.#read(false);
      });
  }

  end(): void {
    if (this.#isBusy) this.#deferred.end();
    else if (!this.failed)
      this.#run(() => {
        this.#output.reader.open(this.#pending.bytes);
        this.#read(true);
        this.#output.flushNoise();
      });
  }

  #run(act: () => void): void {
    this.#isBusy = true;
    try {
      act();
      this.#forget();
    } finally {
      this.#isBusy = false;
    }
    this.#deferred.finishChunk(this.#output, this);
  }

  #read(isEnded: boolean): void {
    const { size } = this.#field;
    const { maxBodyBytes } = this.#options.limits;
    while (!this.failed && this.#at < this.#pending.length) {
      const { bytes, length } = this.#pending;
      const body = this.#at + size;
      if (length < body) {
        if (isEnded) this.#endWithin();
        return;
      }
      const declared = readLength(bytes, this.#at, this.#field);
      const isUsable = declared > 0 && declared <= maxBodyBytes;
      // If the length is doubtful, wait for the byte that follows it.
      if (length === body && !isEnded && !(isUsable && this.#isInStep)) return;
      if (!isUsable || !(this.#isInStep || this.#isMarked(this.#at))) {
        this.#lengthFails(declared, length > body && bytes[body] === this.#opening);
        continue;
      }
      this.#pending.goal = body + declared;
      if (length < body + declared) {
        if (!isEnded) return;
        this.#endWithin();
        continue;
      }
      if (!this.#finish(body, body + declared, isEnded)) return;
    }
  }

  /**
   * Returns whether the bytes at an index look like a length: they contain a zero byte and are
   * followed by a body.
   */
  #isMarked(at: number): boolean {
    const { bytes, length } = this.#pending;
    const body = at + this.#field.size;
    return body < length && bytes[body] === this.#opening && bytes.subarray(at, body).includes(0);
  }

  /**
   * Delivers a body. If it is invalid, the length may be wrong, and a message may begin inside the
   * body. Returns false if the bytes that follow must decide this.
   */
  #finish(start: number, end: number, isEnded: boolean): boolean {
    const output = this.#output;
    const { bytes, length } = this.#pending;
    const { size } = this.#field;
    const first = this.#at;
    output.frame.begin(this.#base + first, size, latin1Of(bytes, first, start));
    if (output.deliver(bytes, start, end)) {
      this.#at = end;
      this.#isInStep = true;
      return true;
    }
    const { code, message } = output.reader.fault;
    let next = start;
    while (next < end && !(next + size < end && this.#isPossible(next))) next++;
    if (next === end && this.#mayContainLength(end)) {
      // If a few bytes of this message are missing, it has taken them from the next length.
      if (length <= end + size && !isEnded) return false;
      if (!this.#isPossible(end)) {
        next = Math.max(start, end - size);
        while (next < end && !this.#isPossible(next)) next++;
      }
    }
    this.#fail(code, message, next);
    return true;
  }

  /** Returns whether the last bytes of a body may belong to the length of the next message. */
  #mayContainLength(end: number): boolean {
    const { bytes } = this.#pending;
    return (
      bytes[end - 1] !== this.#closing || bytes.subarray(end - this.#field.size, end).includes(0)
    );
  }

  /**
   * Returns whether a message of a permitted length may begin at an index in the middle of a body.
   */
  #isPossible(at: number): boolean {
    const declared = readLength(this.#pending.bytes, at, this.#field);
    return declared > 0 && declared <= this.#options.limits.maxBodyBytes && this.#isMarked(at);
  }

  /** Reports bytes that are not a permitted length. */
  #lengthFails(declared: number, isBody: boolean): void {
    const { maxBodyBytes } = this.#options.limits;
    const { size } = this.#field;
    const isTooLong = declared > maxBodyBytes && isBody && this.#isInStep;
    if (isTooLong)
      this.#fail(
        "ERR_BODY_TOO_LONG",
        `Cannot accept a body of ${declared} bytes: the limit is ${maxBodyBytes}`,
        this.#at + size,
      );
    else if (this.#options.strict)
      this.#fail("ERR_LENGTH_INVALID", `Cannot use ${declared} as a length`, this.#at + size);
    else {
      this.#output.addNoise(this.#pending.bytes, this.#at, this.#at + 1, this.#base + this.#at);
      this.#at++;
    }
    this.#isInStep = false;
  }

  /**
   * Called when the stream ends in the middle of a message, because the bytes may contain other
   * messages.
   */
  #endWithin(): void {
    const { length } = this.#pending;
    let next = this.#at + 1;
    while (next < length && !this.#isPossible(next)) next++;
    if (this.#isInStep) {
      const missing = "The stream ends in the middle of a message";
      this.#fail("ERR_TRUNCATED", missing, next);
      return;
    }
    this.#output.addNoise(this.#pending.bytes, this.#at, next, this.#base + this.#at);
    this.#at = next;
  }

  /** Reports a fault in the bytes up to an index, where reading continues. */
  #fail(code: Parameters<DecoderOutput["report"]>[0], message: string, end: number): void {
    const output = this.#output;
    const { bytes } = this.#pending;
    output.flushNoise();
    const offset = this.#base + this.#at;
    output.report(code, message, offset, end - this.#at, sampleOf(bytes, this.#at, end));
    this.#at = end;
    this.#isInStep = true;
  }

  /** Releases the bytes already processed. */
  #forget(): void {
    this.#base += this.#at;
    if (this.#at === this.#pending.length) this.#pending.clear(keptFrameBytes);
    else if (this.#at > 0) this.#pending.shift(this.#at);
    this.#at = 0;
  }
}

function latin1Of(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
