import { maxLengthHeaderBytes, findLengthHeader } from "./length-header.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { sampleOf, visibleText, type FrameFaultCode, type FrameLimits } from "./frame-faults.js";
import { findHeaderColon, HeaderBlock, looksLikeHeader, mayBecomeHeader } from "./header-block.js";
import { beginsObject, byteOrderMark } from "../json/json-scan.js";
import { indexOfNearLineFeed, latin1 } from "../base/buffer-methods.js";
import { carriageReturn } from "./canonical-header.js";

/** Callbacks for reading header lines. */
export interface HeaderListener {
  /** Called with a line outside of headers, or with the beginning of an overlong line. */
  strayLine(bytes: Uint8Array, start: number, end: number, offset: number): void;
  /** Called with the rest of a long line, or with text that precedes a header on the same line. */
  strayPart(bytes: Uint8Array, start: number, end: number, offset: number): void;
  /** Called with an empty line. */
  strayLineEnd(bytes: Uint8Array, start: number, end: number): void;
  /** Called with a header that has no usable body, and with the header's range. */
  reportStray(
    code: FrameFaultCode,
    message: string,
    offset: number,
    length: number,
    sample: string,
  ): void;
}

const hyphen = 0x2d;

/**
 * Reads non-canonical headers line by line, and separates them from noise.
 *
 * Stores at most one block and one line, both within the limits. Longer input is reported
 * immediately and skipped, up to the next `Content-Length` line or the blank line after the header.
 */
export class HeaderLines {
  readonly #maxBodyBytes: number;
  readonly #maxBytes: number;
  readonly #maxCount: number;
  readonly #strict: boolean;
  readonly #listener: HeaderListener;
  /**
   * Number of bytes to keep at the end of an overlong line, because they may be the beginning of a
   * `Content-Length`.
   */
  readonly #keptBytes: number;
  /** An incomplete line; `#offset` is its offset in the stream. */
  readonly #line = new ByteBuffer();
  #offset = 0;
  /** Whether the beginning of the line has been dropped. */
  #isCut = false;
  #block: HeaderBlock | undefined;
  /** Whether the current lines are the rest of a rejected header. */
  #isSkipping = false;
  /** A complete header block, after which a body follows. The caller resets it. */
  finished: HeaderBlock | undefined;

  constructor(limits: FrameLimits, strict: boolean, listener: HeaderListener) {
    this.#maxBodyBytes = limits.maxBodyBytes;
    this.#maxBytes = limits.maxHeaderBytes;
    this.#maxCount = limits.maxHeaderCount;
    this.#strict = strict;
    this.#listener = listener;
    // Add one byte, because a carriage return may follow the length.
    this.#keptBytes = Math.min(maxLengthHeaderBytes + 1, limits.maxHeaderBytes >> 1);
  }

  /** Whether a line or a block has begun. */
  get isOpen(): boolean {
    return this.#line.length > 0 || this.#block !== undefined || this.#isCut || this.#isSkipping;
  }

  /**
   * Reads up to the end of a line, or stores an incomplete line. Returns the index after the
   * consumed bytes.
   */
  read(bytes: Uint8Array, start: number, end: number, base: number): number {
    const line = this.#line;
    if (line.length === 0) this.#offset = base + start;
    const feed = indexOfNearLineFeed(bytes, start, end);
    const stop = feed < 0 ? end : feed + 1;
    const block = this.#block;
    if (block !== undefined && block.size + line.length + stop - start > this.#maxBytes)
      this.#giveUpBlock(block, "ERR_HEADER_TOO_LONG");
    if (this.#isCut || line.length + stop - start > this.#maxBytes)
      this.#readLongLine(bytes, start, stop);
    else if (line.length > 0 || feed < 0) line.append(bytes, start, stop);
    if (feed < 0) return end;
    if (line.length === 0 && !this.#isCut) this.#endLine(bytes, start, stop);
    else this.#endLine(line.bytes, 0, line.length);
    line.length = 0;
    this.#isCut = false;
    return stop;
  }

  /** Reads bytes that turned out to be header lines. */
  adopt(bytes: Uint8Array, start: number, end: number, offset: number): void {
    for (let at = start; at < end;) at = this.read(bytes, at, end, offset - start);
  }

  /** Called when the stream has ended. Reports incomplete data. */
  end(): void {
    const { bytes, length } = this.#line;
    const block = this.#block;
    const isHeader =
      block !== undefined ||
      (!this.#isCut && !this.#isSkipping && length > 0 && mayBecomeHeader(bytes, 0, length));
    if (isHeader) {
      this.#block = undefined;
      this.#listener.reportStray(
        "ERR_TRUNCATED",
        "The stream ended inside a header",
        block?.offset ?? this.#offset,
        (block?.size ?? 0) + length,
        visibleText((block?.text ?? "") + latin1(bytes, 0, length), 80),
      );
    } else if (this.#isCut) this.#listener.strayPart(bytes, 0, length, this.#offset);
    else if (length > 0) this.#listener.strayLine(bytes, 0, length, this.#offset);
    this.#line.length = 0;
    this.#isCut = false;
    this.#isSkipping = false;
  }

  /** Keeps the end of an overlong line, and reports its other bytes. */
  #readLongLine(bytes: Uint8Array, start: number, stop: number): void {
    const line = this.#line;
    const keptBytes = this.#keptBytes;
    if (!this.#isCut) {
      const taken = start + this.#maxBytes - line.length;
      line.append(bytes, start, taken);
      start = taken;
      this.#cutLine(this.#maxBytes - keptBytes);
    }
    // A line feed may follow the bytes kept.
    const surplus = line.length + stop - start - (keptBytes + 1);
    if (surplus > line.length) {
      this.#listener.strayPart(line.bytes, 0, line.length, this.#offset);
      this.#offset += line.length;
      const kept = start + surplus - line.length;
      this.#listener.strayPart(bytes, start, kept, this.#offset);
      this.#offset += kept - start;
      line.length = 0;
      start = kept;
    } else if (surplus > 0) {
      this.#listener.strayPart(line.bytes, 0, surplus, this.#offset);
      this.#offset += surplus;
      line.shift(surplus);
    }
    line.append(bytes, start, stop);
  }

  /** Drops the first part of a line that has just exceeded the limit. */
  #cutLine(dropped: number): void {
    const { bytes, length } = this.#line;
    const isHeader = this.#strict || (!this.#isSkipping && looksLikeHeader(bytes, 0, length));
    if (isHeader) {
      const sample = sampleOf(bytes, 0, length);
      this.#fault("ERR_HEADER_TOO_LONG", this.#offset, dropped, sample);
      this.#isSkipping = true;
    } else this.#listener.strayLine(bytes, 0, dropped, this.#offset);
    this.#line.shift(dropped);
    this.#offset += dropped;
    this.#isCut = true;
  }

  /** Processes a complete line, including its end. */
  #endLine(bytes: Uint8Array, start: number, end: number): void {
    let last = end - 1;
    if (last > start && bytes[last - 1] === carriageReturn) last--;
    else if (this.#strict) {
      this.#refuseLine("it ends with a bare line feed", bytes, start, end);
      return;
    }
    const first = start + (this.#offset === 0 ? byteOrderMark(bytes, start, end) : 0);
    const offset = this.#offset + first - start;
    if (last <= first && !this.#isCut) this.#endBlock(bytes, first, end);
    else if (this.#strict) {
      if (!this.#addLine(bytes, first, last, end, offset))
        this.#refuseLine("expected a name and a value", bytes, start, end);
    } else this.#readLine(bytes, first, last, end, offset);
  }

  /** Processes a non-blank line in tolerant recovery. */
  #readLine(bytes: Uint8Array, first: number, last: number, end: number, offset: number): void {
    const most = this.#isCut ? this.#keptBytes - 1 : maxLengthHeaderBytes;
    const headerAt = findLengthHeader(bytes, first, last, most);
    // `X-Content-Length` is a different header.
    const isOther = headerAt > first && bytes[headerAt - 1] === hyphen;
    if (isOther && !this.#isCut && this.#addLine(bytes, first, last, end, offset)) return;
    if (headerAt > first || (headerAt === first && this.#isCut)) {
      // The text before the header either was printed without a line ending or is the rest of a
      // truncated body.
      const place = offset + headerAt - first;
      if (this.#block === undefined) this.#listener.strayPart(bytes, first, headerAt, offset);
      else this.#interrupt(this.#block, place);
      this.#addLine(bytes, headerAt, last, end, place);
      return;
    }
    const mayBeHeader = !this.#isCut && (headerAt === first || !this.#isSkipping);
    if (mayBeHeader && this.#addLine(bytes, first, last, end, offset)) return;
    const block = this.#block;
    if (block !== undefined && block.lineCount === this.#maxCount)
      this.#giveUpBlock(block, "ERR_HEADER_COUNT");
    if (this.#block !== undefined) this.#block.skipLine(bytes, first, last, end);
    else if (this.#isCut) this.#listener.strayPart(bytes, first, end, offset);
    else this.#listener.strayLine(bytes, first, end, offset);
  }

  /**
   * Adds a line to the block, starting one if necessary. Returns false if the line is not a header
   * line.
   */
  #addLine(bytes: Uint8Array, start: number, last: number, end: number, offset: number): boolean {
    const colonAt = findHeaderColon(bytes, start, last);
    if (colonAt < 0) return false;
    let block = this.#block;
    if (block !== undefined && block.lineCount === this.#maxCount) {
      this.#giveUpBlock(block, "ERR_HEADER_COUNT");
      // A `Content-Length` line starts the next header. Any other line is the rest of the rejected
      // header.
      if (findLengthHeader(bytes, start, last) !== start) return false;
      block = undefined;
    }
    this.#block = block ??= new HeaderBlock(offset);
    block.addLine(bytes, start, colonAt, last, end);
    this.#isSkipping = false;
    return true;
  }

  /** Processes a blank line, which ends the current block, if any. */
  #endBlock(bytes: Uint8Array, start: number, end: number): void {
    const block = this.#block;
    this.#isSkipping = false;
    if (block === undefined) {
      this.#listener.strayLineEnd(bytes, start, end);
      return;
    }
    this.#block = undefined;
    block.size += end - start;
    block.text += end - start === 1 ? "\n" : "\r\n";
    const { bodyLength, lengthFault } = block;
    const maxBodyBytes = this.#maxBodyBytes;
    // A length fault takes precedence over a charset fault, because it also affects where the next
    // frame begins.
    if (lengthFault !== undefined)
      this.#reportBlock(block, lengthFault.code, lengthFault.message, block.size);
    else if (bodyLength < 0) {
      const message = "Cannot find a Content-Length in the header";
      this.#reportBlock(block, "ERR_LENGTH_MISSING", message, block.size);
    } else if (bodyLength > maxBodyBytes) {
      const message = `Cannot accept a body of ${bodyLength} bytes: the limit is ${maxBodyBytes}`;
      this.#reportBlock(block, "ERR_BODY_TOO_LONG", message, block.size);
    } else this.finished = block;
  }

  /** Rejects a block that exceeds a limit. Continues at the next line. */
  #giveUpBlock(block: HeaderBlock, code: "ERR_HEADER_TOO_LONG" | "ERR_HEADER_COUNT"): void {
    this.#block = undefined;
    this.#isSkipping = true;
    this.#fault(code, block.offset, block.size, sampleOfBlock(block));
  }

  /**
   * Rejects a block that is interrupted by another header, along with any text before that header
   * on the same line.
   */
  #interrupt(block: HeaderBlock, place: number): void {
    this.#block = undefined;
    const message = "Cannot read a header: another header begins inside it";
    this.#reportBlock(block, "ERR_HEADER_LINE", message, place - block.offset);
  }

  #reportBlock(block: HeaderBlock, code: FrameFaultCode, message: string, length: number): void {
    this.#listener.reportStray(code, message, block.offset, length, sampleOfBlock(block));
  }

  #fault(
    code: "ERR_HEADER_TOO_LONG" | "ERR_HEADER_COUNT",
    offset: number,
    length: number,
    sample: string,
  ): void {
    const what =
      code === "ERR_HEADER_COUNT"
        ? `more than ${this.#maxCount} header lines`
        : `a header of more than ${this.#maxBytes} bytes`;
    this.#listener.reportStray(code, `Cannot read ${what}`, offset, length, sample);
  }

  #refuseLine(why: string, bytes: Uint8Array, start: number, end: number): void {
    const block = this.#block;
    if (block === undefined && beginsObject(bytes, start, end)) {
      this.#listener.strayLine(bytes, start, end, this.#offset);
      return;
    }
    this.#listener.reportStray(
      "ERR_HEADER_LINE",
      `Cannot read a header line: ${why}`,
      block?.offset ?? this.#offset,
      (block?.size ?? 0) + end - start,
      sampleOf(bytes, start, end),
    );
  }
}

function sampleOfBlock({ text }: HeaderBlock): string {
  return visibleText(text, 80);
}
