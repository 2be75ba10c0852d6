import { ByteBuffer } from "./byte-buffer.js";
import { sampleOf, type FrameErrorCode, type FrameLimits } from "./frame-errors.js";
import { announcementBytes, findAnnouncement, HeaderBlock, latin1 } from "./header-block.js";
import { byteOrderMark } from "./json-scan.js";
import { indexOfLineFeed } from "./native-text.js";

/** Who hears of what header lines turn out to be. */
export interface HeaderListener {
  noise(bytes: Uint8Array, start: number, end: number, offset: number): void;
  fault(
    code: FrameErrorCode,
    message: string,
    offset: number,
    length: number,
    sample: string,
  ): void;
}

const carriageReturn = 0x0d;

/** Collects headers that are not the usual one, line by line, and tells them from noise. */
export class HeaderLines {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #listener: HeaderListener;
  /** Bytes of a line that is not over. */
  readonly #line = new ByteBuffer();
  #offset = 0;
  /** The line began with more than could be kept: only an announcement at its end can still be a header. */
  #cut = false;
  #block: HeaderBlock | undefined;
  /** A block that is over and announces a body. Whoever takes it sets it back. */
  finished: HeaderBlock | undefined;

  constructor(limits: FrameLimits, strict: boolean, listener: HeaderListener) {
    this.#limits = limits;
    this.#strict = strict;
    this.#listener = listener;
  }

  /** Whether a line or a block has begun. */
  get isOpen(): boolean {
    return this.#line.length > 0 || this.#block !== undefined || this.#cut;
  }

  /** Reads up to the end of a line, or keeps what there is of it. Returns the place behind what it used. */
  read(bytes: Uint8Array, start: number, end: number, base: number): number {
    const feed = indexOfLineFeed(bytes, start, end);
    const line = this.#line;
    if (line.length === 0) this.#offset = base + start;
    if (feed < 0) {
      this.#keep(bytes, start, end);
      return end;
    }
    if (line.length + feed + 1 - start > this.#limits.maxHeaderBytes) {
      this.#keep(bytes, start, feed);
      start = feed;
    }
    if (line.length === 0) this.#endLine(bytes, start, feed + 1);
    else {
      line.append(bytes, start, feed + 1);
      this.#endLine(line.bytes, 0, line.length);
    }
    line.length = 0;
    this.#cut = false;
    return feed + 1;
  }

  /** Takes bytes that turned out to belong to a header line, whole lines and the beginning of one. */
  adopt(bytes: Uint8Array, start: number, end: number, offset: number): void {
    for (let at = start; at < end;) at = this.read(bytes, at, end, offset - start);
  }

  /** The stream is over: reports what is unfinished. */
  end(): void {
    if (!this.isOpen) return;
    const { bytes, length } = this.#line;
    const text = latin1(bytes, 0, length);
    const isHeader =
      !this.#cut && (this.#block !== undefined || /^[A-Za-z-]+[ \t]*(:|$)/.test(text));
    if (isHeader) {
      const all = (this.#block?.text ?? "") + text;
      const offset = this.#block?.offset ?? this.#offset;
      this.#listener.fault(
        "ERR_TRUNCATED",
        "The stream ended inside a header",
        offset,
        all.length,
        all.slice(0, 80),
      );
    } else this.#listener.noise(bytes, 0, length, this.#offset);
    this.#line.length = 0;
    this.#cut = false;
    this.#block = undefined;
  }

  /** Keeps an unfinished line; of one that is too long only the end, where an announcement could still come. */
  #keep(bytes: Uint8Array, start: number, end: number): void {
    const line = this.#line;
    const { maxHeaderBytes } = this.#limits;
    while (start < end) {
      const take = Math.min(end - start, Math.max(1, maxHeaderBytes - line.length));
      line.append(bytes, start, start + take);
      start += take;
      if (line.length < maxHeaderBytes) break;
      this.#failLongLine();
      const kept = Math.min(announcementBytes, maxHeaderBytes >> 1);
      const dropped = line.length - kept;
      this.#listener.noise(line.bytes, 0, dropped, this.#offset);
      line.bytes.copyWithin(0, dropped, line.length);
      line.length = kept;
      this.#offset += dropped;
      this.#cut = true;
    }
  }

  /** Takes a whole line, its end included. */
  #endLine(bytes: Uint8Array, start: number, end: number): void {
    let last = end - 1;
    if (bytes[last - 1] === carriageReturn && last > start) last--;
    else if (this.#strict) {
      this.#refuseLine("it ends in a line feed alone", bytes, start, end);
      return;
    }
    const first = start + (this.#offset === 0 ? byteOrderMark(bytes, start) : 0);
    if (last === first && !this.#cut) {
      if (this.#block !== undefined) this.#endBlock(this.#block, latin1(bytes, first, end));
      return;
    }
    const text = latin1(bytes, first, last);
    const offset = this.#offset + first - start;
    const announcement = this.#strict ? -1 : findAnnouncement(text);
    if (announcement <= 0 && !this.#cut && this.#addLine(text, latin1(bytes, first, end), offset))
      return;
    if (this.#strict) this.#refuseLine("it is no name and value", bytes, start, end);
    else if (announcement < 0) this.#listener.noise(bytes, first, end, offset);
    else {
      // Something printed in front of a header without a line end, or the rest of a body that was cut short.
      const at = first + announcement;
      this.#listener.noise(bytes, first, at, offset);
      this.#dropBlock();
      this.#addLine(text.slice(announcement), latin1(bytes, at, end), offset + announcement);
    }
  }

  #addLine(text: string, whole: string, offset: number): boolean {
    const block = this.#block ?? new HeaderBlock(this.#limits, offset);
    if (!block.addLine(text)) return false;
    block.text += whole;
    this.#block = block;
    return true;
  }

  /** The blank line behind a block. */
  #endBlock(block: HeaderBlock, blankLine: string): void {
    this.#block = undefined;
    block.text += blankLine;
    const length = block.bodyLength;
    const { maxBodyBytes } = this.#limits;
    if (length === undefined)
      block.fail("ERR_LENGTH_MISSING", "Cannot find a Content-Length in the header");
    else if (length > maxBodyBytes)
      block.fail(
        "ERR_BODY_TOO_LONG",
        `Cannot accept a body of ${length} bytes: the limit is ${maxBodyBytes}`,
      );
    // A body in a foreign charset has a length all the same, by which it can be passed over.
    if (block.fault === undefined || block.fault.code === "ERR_CHARSET") this.finished = block;
    else this.#reportBlock(block);
  }

  #reportBlock(block: HeaderBlock, unfinished = ""): void {
    const { code, message } = block.fault!;
    const text = block.text + unfinished;
    this.#listener.fault(code, message, block.offset, text.length, text.slice(0, 80));
  }

  #refuseLine(why: string, bytes: Uint8Array, start: number, end: number): void {
    this.#listener.fault(
      "ERR_HEADER_LINE",
      `Cannot read a header line: ${why}`,
      this.#offset,
      end - start,
      sampleOf(bytes, start, end),
    );
  }

  /** A line that does not end within the limit: the end of its block, or, if it looks like no header, noise. */
  #failLongLine(): void {
    const text = latin1(this.#line.bytes, 0, this.#line.length);
    if (
      this.#block === undefined &&
      (this.#cut || (!this.#strict && !/^[A-Za-z-]+[ \t]*:/.test(text)))
    )
      return;
    const block = this.#block ?? new HeaderBlock(this.#limits, this.#offset);
    block.fail(
      "ERR_HEADER_TOO_LONG",
      `Cannot read a header of more than ${this.#limits.maxHeaderBytes} bytes`,
    );
    this.#block = undefined;
    this.#reportBlock(block, text);
  }

  /** Forgets a block that another header interrupts. */
  #dropBlock(): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#block = undefined;
    block.fail("ERR_HEADER_LINE", "Cannot read a header that another one interrupts");
    this.#reportBlock(block);
  }
}
