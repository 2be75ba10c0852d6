import { ByteBuffer } from "../base/byte-buffer.js";
import type { DecoderOutput } from "../frames/decoder-output.js";
import { sampleOf, type FrameFaultCode } from "../frames/frame-faults.js";
import { isBlankUnit } from "./start-tag.js";

/** Maximum amount of memory kept between elements, in bytes. */
const keptBytes = 0x1_0000;

/**
 * The bytes received since the start of the current element or line. Delivers elements, text and
 * noise.
 */
export class ReceivedItem {
  readonly #output: DecoderOutput;
  /** Whether lines of text are messages of the protocol rather than noise. */
  readonly #hasText: boolean;
  readonly #buffer = new ByteBuffer();
  /** Stream offset of the buffer's first byte. */
  #base = 0;
  /** Start of the item in the buffer. */
  start = 0;
  /** Whether the item being delivered is text. */
  isText = false;
  /** Whether the last item delivered was text, which means that a blank line belongs to it. */
  #afterText = false;

  constructor(output: DecoderOutput, hasText: boolean) {
    this.#output = output;
    this.#hasText = hasText;
  }

  /** The buffer, of which only the first `length` bytes have been received. */
  get bytes(): Uint8Array {
    return this.#buffer.bytes;
  }

  get length(): number {
    return this.#buffer.length;
  }

  /** Stream offset of the item. */
  get offset(): number {
    return this.offsetAt(this.start);
  }

  /** Returns the stream offset of a byte in the buffer. */
  offsetAt(at: number): number {
    return this.#base + at;
  }

  append(chunk: Uint8Array, from: number, to: number): void {
    this.#buffer.append(chunk, from, to);
  }

  /** Delivers the item up to `end`, where the next one starts. */
  deliver(end: number, isText: boolean): void {
    const { bytes, start, offset } = this;
    this.start = end;
    if (end === start) return;
    if (isText && !this.#afterText && isBlankText(bytes, start, end)) return;
    const output = this.#output;
    if (isText && !this.#hasText) {
      output.addNoise(bytes, start, end, offset);
      return;
    }
    this.isText = isText;
    this.#afterText = isText;
    output.flushNoise();
    output.frame.begin(offset, 0);
    if (output.deliver(bytes, start, end)) return;
    const { code, message } = output.reader.fault!;
    output.report(code, message, offset, end - start, sampleOf(bytes, start, end));
  }

  /** Reports the bytes up to `end` as noise. The next item starts there. */
  skip(end: number): void {
    this.#output.addNoise(this.bytes, this.start, end, this.offset);
    this.start = end;
  }

  /** Reports a fault in the bytes up to `end`. */
  fail(code: FrameFaultCode, message: string, end: number): void {
    const { bytes, start, offset } = this;
    this.#output.flushNoise();
    this.#output.report(code, message, offset, end - start, sampleOf(bytes, start, end));
  }

  /**
   * Reports a fault in the bytes up to `end`. The next item starts there, and does not continue a
   * text.
   */
  damage(code: FrameFaultCode, message: string, end: number): void {
    this.fail(code, message, end);
    this.start = end;
    this.#afterText = false;
  }

  /** Releases the bytes before the item. Returns how many were released. */
  release(): number {
    const done = this.start;
    if (done === 0) return 0;
    this.#base += done;
    this.start = 0;
    if (done === this.length) this.#buffer.clear(keptBytes);
    else this.#buffer.shift(done);
    return done;
  }
}

function isBlankText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlankUnit(bytes[at]!)) return false;
  return true;
}
