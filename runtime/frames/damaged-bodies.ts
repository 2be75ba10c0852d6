import { ByteBuffer } from "../base/byte-buffer.js";
import { beginsObject, findObjectEnd } from "../json/json-scan.js";
import type { ResolvedOptions } from "./decoder-options.js";
import type { DecoderOutput } from "./decoder-output.js";
import { sampleOf, type FrameFaultCode } from "./frame-faults.js";
import type { HeaderBlock } from "./frame-header.js";
import { findLengthHeaderLine, findPartialLengthHeader } from "./length-header.js";

/**
 * A body that ended inside a value, and the bytes after it. The position of the next header reveals
 * how long the body really was.
 */
interface HeldBody {
  readonly buffer: ByteBuffer;
  readonly declaredLength: number;
  /** Length of the body, excluding any line endings before the next header. */
  length: number;
  /** Stream offset of the frame. */
  readonly offset: number;
  readonly fault: string;
}

/** Recovers messages from damaged bodies, and reports damage and stray bytes. */
export class DamagedBodies {
  readonly #output: DecoderOutput;
  readonly #strict: boolean;
  readonly #isParsed: boolean;
  readonly #maxBodyBytes: number;
  #held: HeldBody | undefined;
  /** Offset before which frames must be searched before they are parsed. */
  distrustedTo = 0;
  /** The header of the current body, if it has a flaw that does not affect the length. */
  flawedHeader: HeaderBlock | undefined;
  /**
   * Offset of the frame after which a fault was reported. Stray bytes after that frame may belong
   * to it, so they do not indicate that the framing is wrong, and one report is enough.
   */
  #faultBehind = -1;

  constructor(output: DecoderOutput, { strict, limits, onMessage }: ResolvedOptions) {
    this.#output = output;
    this.#strict = strict;
    this.#isParsed = onMessage !== undefined;
    this.#maxBodyBytes = limits.maxBodyBytes;
  }

  /** Whether a body is waiting for the next header. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Processes a complete body whose header is flawed.
   *
   * @param offset Stream offset of the body.
   * @returns The index at which to continue.
   */
  finishFlawed(bytes: Uint8Array, start: number, end: number, offset: number): number {
    const block = this.flawedHeader;
    const inner = this.#isParsed ? -1 : findLengthHeaderLine(bytes, start, end);
    if (inner < 0 && block?.charsetFault === undefined && this.#output.deliver(bytes, start, end)) {
      this.flawedHeader = undefined;
      const message = `Skipped an invalid header line: "${block?.unreadable}"`;
      this.#report("ERR_HEADER_LINE", message, bytes, start, end, true);
      return end;
    }
    return this.salvage(bytes, start, end, offset, inner);
  }

  /**
   * Delivers the messages in a body, and reports its other bytes.
   *
   * @param offset Stream offset of the body.
   * @param inner Index of the next frame's header inside the body, or -1 if none is known.
   * @returns The index at which to continue.
   */
  salvage(bytes: Uint8Array, start: number, end: number, offset: number, inner: number): number {
    const { reader, frame } = this.#output;
    // Save this body's fault, because later attempts overwrite it.
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
    // The declared end of the body may lie inside the next header.
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

  /**
   * Called at the next header. Tries to read the held body together with the noise that followed
   * it.
   */
  resolveHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { buffer, declaredLength, length, offset, fault } = held;
    const { bytes } = buffer;
    const { frame } = this.#output;
    if (length > declaredLength) {
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

  /** Processes a line between frames, or the beginning of a line. */
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
    const message = "Found JSON on a separate line, without a header: is the framing 'lines'?";
    this.reportStray("ERR_FRAMING", message, offset, end - start, sampleOf(bytes, start, end));
  }

  /** Processes bytes between frames. They either belong to the held body or are noise. */
  strayPart(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const held = this.#held;
    if (held !== undefined) {
      const { buffer } = held;
      const heldEnd = Math.min(end, start + this.#maxBodyBytes - buffer.length);
      buffer.append(bytes, start, heldEnd);
      held.length = buffer.length;
      if (heldEnd === end) return;
      this.resolveHeld();
      offset += heldEnd - start;
      start = heldEnd;
    }
    this.#output.addNoise(bytes, start, end, offset);
  }

  /**
   * Processes a line ending between frames. It is ignored unless it turns out to belong to the held
   * body.
   */
  strayLineEnd(bytes: Uint8Array, start: number, end: number): void {
    const held = this.#held;
    if (held === undefined) return;
    const { buffer } = held;
    if (buffer.length + end - start > this.#maxBodyBytes) this.resolveHeld();
    else buffer.append(bytes, start, end);
  }

  /** Reports a fault between frames. */
  reportStray(
    code: FrameFaultCode,
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

  /** Reports that the stream ended inside a body. */
  reportCut(bytes: Uint8Array, start: number, end: number, offset: number, missing: number): void {
    const isSearched = !this.#strict && this.flawedHeader?.charsetFault === undefined;
    this.flawedHeader = undefined;
    const valueEnd = isSearched ? findObjectEnd(bytes, start, end) : -1;
    if (valueEnd > 0 && this.#output.deliver(bytes, start, valueEnd)) {
      this.#reportLength(bytes, start, valueEnd, true, "the stream ends");
      this.#output.addNoise(bytes, valueEnd, end, offset + valueEnd - start);
      return;
    }
    const message = `The stream ended ${missing} bytes before the end of a body`;
    this.#report("ERR_TRUNCATED", message, bytes, start, end);
  }

  #reportLength(
    bytes: Uint8Array,
    start: number,
    end: number,
    recovered: boolean,
    evidence = "the next header begins",
  ): void {
    const what = recovered ? "the message is complete" : "the message is lost";
    const message = `The Content-Length is wrong, because ${evidence} elsewhere: ${what}`;
    this.#report("ERR_LENGTH_WRONG", message, bytes, start, end, recovered);
  }

  /** Reports a fault in the current frame. The range is the part of the body that was received. */
  #report(
    code: FrameFaultCode,
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
