import { ByteBuffer } from "./byte-buffer.js";
import { Delivery } from "./delivery.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { sampleOf, type FrameLimits } from "./frame-errors.js";
import { byteOrderMark } from "./json-scan.js";
import { indexOfLineFeed } from "./native-text.js";
import type { BodyFormat } from "./notation.js";

/** Memory that is kept between lines. */
const keptLineBytes = 64 * 1024;

/**
 * Cuts one message per line out of a stream, usually a JSON object. Lines end in LF or CRLF; blank ones are skipped, and a last
 * line without an end counts.
 */
export class LineDecoder implements StreamDecoder {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #delivery: Delivery;
  /** Whether lines are something else than JSON, so that none is known to be noise. */
  readonly #isText: boolean;
  #base = 0;
  readonly #line = new ByteBuffer();
  #lineOffset = 0;
  /** Bytes of a line that is too long and being skipped, or 0. */
  #skipped = 0;

  /** @param format How lines are read that are no JSON. */
  constructor(options: ResolvedOptions, format?: BodyFormat) {
    this.#limits = options.limits;
    this.#strict = options.strict;
    this.#isText = format !== undefined;
    this.#delivery = new Delivery(options, format);
  }

  get failed(): boolean {
    return this.#delivery.failed;
  }

  push(chunk: Uint8Array): void {
    if (this.failed || chunk.length === 0) return;
    let at = 0;
    while (at < chunk.length && !this.failed) {
      const feed = indexOfLineFeed(chunk, at, chunk.length);
      if (feed < 0) {
        this.#keep(chunk, at, chunk.length);
        break;
      }
      if (
        this.#line.length === 0 &&
        this.#skipped === 0 &&
        feed - at <= this.#limits.maxBodyBytes
      ) {
        this.#read(chunk, at, feed, this.#base + at, "\n");
      } else {
        this.#keep(chunk, at, feed);
        this.#finish("\n");
      }
      at = feed + 1;
    }
    this.#delivery.release();
    this.#base += chunk.length;
    this.#delivery.rethrow();
  }

  end(): void {
    if (this.failed) return;
    if (this.#line.length > 0 || this.#skipped > 0) this.#finish("");
    this.#delivery.closeNoise();
    this.#delivery.rethrow();
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
      this.#delivery.closeNoise();
      this.#delivery.report(
        "ERR_BODY_TOO_LONG",
        `Cannot accept a line of more than ${maxBodyBytes} bytes`,
        this.#lineOffset,
        length,
        sampleOf(line, 0, length),
      );
      this.#delivery.noise(line, 0, length, this.#lineOffset);
      this.#skipped = length;
      this.#line.clear(keptLineBytes);
    }
    this.#delivery.noise(bytes, start, end, this.#lineOffset + this.#skipped);
    this.#skipped += end - start;
  }

  /** A line that came in parts is over. */
  #finish(trailer: string): void {
    if (this.#skipped > 0) {
      this.#skipped = 0;
      return;
    }
    this.#delivery.reader.open(this.#line.bytes, 0, this.#line.length);
    this.#read(this.#line.bytes, 0, this.#line.length, this.#lineOffset, trailer);
    this.#line.clear(keptLineBytes);
  }

  #read(bytes: Uint8Array, start: number, end: number, offset: number, trailer: string): void {
    const delivery = this.#delivery;
    const first = start + (offset === 0 ? byteOrderMark(bytes, start) : 0);
    let last = end;
    if (last > first && bytes[last - 1] === 0x0d) last--;
    if (last === first) return;
    delivery.frame.begin(offset + first - start, 0);
    delivery.frame.trailer = last < end ? `\r${trailer}` : trailer;
    const isMeant = this.#isText || this.#strict || bytes[first]! <= 0x20;
    if (isMeant || bytes[first] === 0x7b || bytes[first] === 0x5b) {
      delivery.closeNoise();
      if (delivery.deliver(bytes, first, last)) return;
      const { code, message } = delivery.reader.fault!;
      delivery.report(code, message, offset, end - start, sampleOf(bytes, start, end));
      return;
    }
    // A line that does not begin like an object was printed by something else.
    delivery.noise(bytes, start, end, offset);
  }
}
