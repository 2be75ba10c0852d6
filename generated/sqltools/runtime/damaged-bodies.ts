import { ByteBuffer } from "./byte-buffer.js";
import type { Delivery } from "./delivery.js";
import type { ResolvedOptions } from "./frame-decoder.js";
import { sampleOf, type FrameErrorCode } from "./frame-errors.js";
import { findHeaderBeginning, findHeaderLine, type HeaderBlock } from "./header-block.js";
import { findObjectEnd } from "./json-scan.js";

/** A body that stopped in mid-value, and what followed it, until the next header tells how long it was. */
interface HeldBody {
  readonly buffer: ByteBuffer;
  readonly announced: number;
  /** Place of its frame in the stream. */
  readonly offset: number;
  readonly fault: string;
}

/** Makes the best of bodies that are damaged, and reports them. */
export class DamagedBodies {
  readonly #delivery: Delivery;
  readonly #strict: boolean;
  readonly #maxBodyBytes: number;
  #held: HeldBody | undefined;
  /** Frames that begin before this place of the stream must be searched before they are read. */
  distrustedTo = 0;
  /** What is wrong with the header of the current body, which is only counted off then. */
  headerFault: HeaderBlock["fault"];

  constructor(delivery: Delivery, { strict, limits }: ResolvedOptions) {
    this.#delivery = delivery;
    this.#strict = strict;
    this.#maxBodyBytes = limits.maxBodyBytes;
  }

  /** Whether a body waits for the next header. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Delivers what can be saved of a body, and reports the rest.
   *
   * @param offset Place of the body in the stream.
   * @param inner Place of the next frame's header inside the body, or -1 if none is known.
   * @returns the place where reading goes on.
   */
  salvage(bytes: Uint8Array, start: number, end: number, offset: number, inner: number): number {
    const { reader, frame } = this.#delivery;
    const { fault } = reader;
    const header = inner < 0 ? findHeaderLine(bytes, start, end) : inner;
    if (this.#strict) {
      if (header < 0) this.#report(fault!.code, fault!.message, bytes, start, end);
      else this.#reportLength(bytes, start, header, false);
      return end;
    }
    const stop = header < 0 ? end : header;
    if (this.headerFault !== undefined) {
      this.reportHeader(bytes, start, stop);
      return stop;
    }
    this.distrustedTo = Math.max(this.distrustedTo, offset + end - start);
    const valueEnd = findObjectEnd(bytes, start, stop);
    if (
      valueEnd > 0 &&
      (valueEnd < end || header >= 0) &&
      this.#delivery.deliver(bytes, start, valueEnd)
    ) {
      this.#reportLength(bytes, start, valueEnd, true);
      return valueEnd;
    }
    if (header >= 0) {
      this.#reportLength(bytes, start, header, false);
      this.#delivery.noise(bytes, start, header, offset);
      return header;
    }
    // The announced end may lie within the next header.
    const bodyEnd = findHeaderBeginning(bytes, start, end);
    if (valueEnd === -1 && fault !== undefined && fault.code === "ERR_JSON") {
      const buffer = new ByteBuffer();
      buffer.append(bytes, start, bodyEnd);
      const announced = bodyEnd - start;
      this.#held = { buffer, announced, offset: frame.offset, fault: fault.message };
    } else this.#report(fault!.code, fault!.message, bytes, start, bodyEnd);
    return bodyEnd;
  }

  /** A header that follows tells that the body held back ended where the noise behind it did. */
  resolveHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { buffer, announced, offset, fault } = held;
    const { bytes, length } = buffer;
    const { reader, frame } = this.#delivery;
    if (length > announced) {
      reader.open(bytes, 0, length);
      if (this.#delivery.deliver(bytes, 0, length)) {
        this.#reportLength(bytes, 0, length, true);
        return;
      }
    }
    this.#report("ERR_JSON", fault, bytes, 0, announced);
    this.#delivery.noise(bytes, announced, length, offset + frame.headerLength + announced);
  }

  /** Bytes between frames: perhaps the rest of a body held back, otherwise noise. */
  noise(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const held = this.#held;
    if (held === undefined) {
      this.#delivery.noise(bytes, start, end, offset);
      return;
    }
    if (held.buffer.length + end - start > this.#maxBodyBytes) {
      this.resolveHeld();
      this.#delivery.noise(bytes, start, end, offset);
    } else held.buffer.append(bytes, start, end);
  }

  /** A body whose header was faulty. */
  reportHeader(bytes: Uint8Array, start: number, end: number): void {
    const { code, message } = this.headerFault!;
    this.headerFault = undefined;
    this.#report(code, message, bytes, start, end);
  }

  /** The stream has ended in a body; so many of its bytes are missing. */
  reportCut(bytes: Uint8Array, start: number, end: number, offset: number, missing: number): void {
    this.#delivery.reader.open(bytes, start, end);
    const isSearched = !this.#strict && this.headerFault === undefined;
    const valueEnd = isSearched ? findObjectEnd(bytes, start, end) : -1;
    if (valueEnd > 0 && this.#delivery.deliver(bytes, start, valueEnd)) {
      this.#reportLength(bytes, start, valueEnd, true);
      this.#delivery.noise(bytes, valueEnd, end, offset + valueEnd - start);
      return;
    }
    const message = `The stream ended ${missing} bytes before the end of a body`;
    this.#report("ERR_TRUNCATED", message, bytes, start, end);
  }

  #reportLength(bytes: Uint8Array, start: number, end: number, recovered: boolean): void {
    const what = recovered ? "the message is whole" : "the message is lost";
    const message = `The announced length is wrong, the next header shows: ${what}`;
    this.#report("ERR_LENGTH_WRONG", message, bytes, start, end, recovered);
  }

  /** Reports what is wrong with the current frame, of whose body this range is there. */
  #report(
    code: FrameErrorCode,
    message: string,
    bytes: Uint8Array,
    start: number,
    end: number,
    recovered = false,
  ): void {
    const { offset, headerLength } = this.#delivery.frame;
    this.#delivery.report(
      code,
      message,
      offset,
      headerLength + end - start,
      sampleOf(bytes, start, end),
      recovered,
    );
  }
}
