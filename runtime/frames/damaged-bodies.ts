import { findPartialLengthHeader, findLengthHeaderLine } from "./length-header.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import type { DecoderOutput } from "./decoder-output.js";
import type { ResolvedOptions } from "./decoder-options.js";
import { sampleOf, type FrameErrorCode } from "./frame-errors.js";
import type { HeaderBlock } from "./header-block.js";
import { beginsObject, findObjectEnd } from "../json/json-scan.js";

/** A body that stopped in mid-value, and what followed it, until the next header tells how long it was. */
interface HeldBody {
  readonly buffer: ByteBuffer;
  readonly declaredLength: number;
  /** Bytes up to the last one that is no line end in front of a header. */
  length: number;
  /** Place of its frame in the stream. */
  readonly offset: number;
  readonly fault: string;
}

/** Makes the best of bodies that are damaged, and reports them and what stands between frames. */
export class DamagedBodies {
  readonly #output: DecoderOutput;
  readonly #strict: boolean;
  readonly #isParsed: boolean;
  readonly #maxBodyBytes: number;
  #held: HeldBody | undefined;
  /** Frames that begin before this place of the stream must be searched before they are read. */
  distrustedTo = 0;
  /** The header of the current body, if there is something wrong with it that leaves its length. */
  flawedHeader: HeaderBlock | undefined;
  /**
   * The frame behind which a fault was reported. What follows it can be the rest of that and says nothing about the
   * framing; and once is enough to say it.
   */
  #faultBehind = -1;

  constructor(output: DecoderOutput, { strict, limits, onMessage }: ResolvedOptions) {
    this.#output = output;
    this.#strict = strict;
    this.#isParsed = onMessage !== undefined;
    this.#maxBodyBytes = limits.maxBodyBytes;
  }

  /** Whether a body waits for the next header. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Does with a body that is all there what its odd header says.
   *
   * @param offset Place of the body in the stream.
   * @returns the place where reading goes on.
   */
  finishFlawed(bytes: Uint8Array, start: number, end: number, offset: number): number {
    const block = this.flawedHeader;
    const inner = this.#isParsed ? -1 : findLengthHeaderLine(bytes, start, end);
    if (inner < 0 && block?.charsetFault === undefined && this.#output.deliver(bytes, start, end)) {
      this.flawedHeader = undefined;
      const message = `Passed over a line in a header that is no name and value: "${block?.unreadable}"`;
      this.#report("ERR_HEADER_LINE", message, bytes, start, end, true);
      return end;
    }
    return this.salvage(bytes, start, end, offset, inner);
  }

  /**
   * Delivers what can be saved of a body, and reports the rest.
   *
   * @param offset Place of the body in the stream.
   * @param inner Place of the next frame's header inside the body, or -1 if none is known.
   * @returns the place where reading goes on.
   */
  salvage(bytes: Uint8Array, start: number, end: number, offset: number, inner: number): number {
    const { reader, frame } = this.#output;
    // The faults are those of this body; each attempt to read a part of it sets another one.
    const { fault } = reader;
    const charsetFault = this.flawedHeader?.charsetFault;
    this.flawedHeader = undefined;
    const header = inner < 0 ? findLengthHeaderLine(bytes, start, end) : inner;
    const stop = header < 0 ? end : header;
    this.distrustedTo = Math.max(this.distrustedTo, offset + end - start);
    if (charsetFault !== undefined) {
      const bodyEnd = header < 0 ? findPartialLengthHeader(bytes, start, end) : header;
      this.#report(charsetFault.code, charsetFault.message, bytes, start, bodyEnd);
      return bodyEnd;
    }
    if (this.#strict) {
      if (header < 0) this.#report(fault.code, fault.message, bytes, start, end);
      else this.#reportLength(bytes, start, header, false);
      return end;
    }
    const valueEnd = findObjectEnd(bytes, start, stop);
    if (
      valueEnd > 0 &&
      (valueEnd < end || header >= 0) &&
      this.#output.deliver(bytes, start, valueEnd)
    ) {
      this.#reportLength(bytes, start, valueEnd, true);
      return valueEnd;
    }
    if (header >= 0) {
      this.#reportLength(bytes, start, header, false);
      return header;
    }
    // The announced end may lie within the next header.
    const bodyEnd = findPartialLengthHeader(bytes, start, end);
    if (valueEnd === -1 && fault.code === "ERR_JSON") {
      const buffer = new ByteBuffer();
      buffer.append(bytes, start, bodyEnd);
      const { length } = buffer;
      this.#held = {
        buffer,
        declaredLength: length,
        length,
        offset: frame.offset,
        fault: fault.message,
      };
    } else this.#report(fault.code, fault.message, bytes, start, bodyEnd);
    return bodyEnd;
  }

  /** A header that follows tells that the body held back ended where the noise behind it did. */
  resolveHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { buffer, declaredLength, length, offset, fault } = held;
    const { bytes } = buffer;
    const { reader, frame } = this.#output;
    if (length > declaredLength) {
      reader.open(bytes, 0, length);
      if (this.#output.deliver(bytes, 0, length)) {
        this.#reportLength(bytes, 0, length, true);
        return;
      }
    }
    this.#report("ERR_JSON", fault, bytes, 0, declaredLength);
    this.#output.addNoise(
      bytes,
      declaredLength,
      length,
      offset + frame.headerLength + declaredLength,
    );
  }

  /** A line between frames, or its beginning. */
  strayLine(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const output = this.#output;
    if (
      this.isHolding ||
      this.#faultBehind === output.frame.offset ||
      !beginsObject(bytes, start, end)
    ) {
      this.strayPart(bytes, start, end, offset);
      return;
    }
    const message = "Found JSON on a line of its own, without a header: is the framing lines?";
    this.reportStray("ERR_FRAMING", message, offset, end - start, sampleOf(bytes, start, end));
  }

  /** Bytes between frames: perhaps the rest of a body held back, otherwise noise. */
  strayPart(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const held = this.#held;
    if (held !== undefined) {
      const { buffer } = held;
      const kept = Math.min(end, start + this.#maxBodyBytes - buffer.length);
      buffer.append(bytes, start, kept);
      held.length = buffer.length;
      if (kept === end) return;
      this.resolveHeld();
      offset += kept - start;
      start = kept;
    }
    this.#output.addNoise(bytes, start, end, offset);
  }

  /** A line end between frames: it counts only if it turns out to lie within a body held back. */
  strayLineEnd(bytes: Uint8Array, start: number, end: number): void {
    const held = this.#held;
    if (held === undefined) return;
    const { buffer } = held;
    if (buffer.length + end - start > this.#maxBodyBytes) this.resolveHeld();
    else buffer.append(bytes, start, end);
  }

  /** Reports what is wrong between frames. */
  reportStray(
    code: FrameErrorCode,
    message: string,
    offset: number,
    length: number,
    sample: string,
  ): void {
    this.resolveHeld();
    const output = this.#output;
    output.flushNoise();
    output.report(code, message, offset, length, sample);
    this.#faultBehind = output.frame.offset;
  }

  /** The stream has ended in a body; so many of its bytes are missing. */
  reportCut(bytes: Uint8Array, start: number, end: number, offset: number, missing: number): void {
    this.#output.reader.open(bytes, start, end);
    const isSearched = !this.#strict && this.flawedHeader?.charsetFault === undefined;
    this.flawedHeader = undefined;
    const valueEnd = isSearched ? findObjectEnd(bytes, start, end) : -1;
    if (valueEnd > 0 && this.#output.deliver(bytes, start, valueEnd)) {
      this.#reportLength(bytes, start, valueEnd, true);
      this.#output.addNoise(bytes, valueEnd, end, offset + valueEnd - start);
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
    const { offset, headerLength } = this.#output.frame;
    this.#faultBehind = offset;
    this.#output.report(
      code,
      message,
      offset,
      headerLength + end - start,
      sampleOf(bytes, start, end),
      recovered,
    );
  }
}
