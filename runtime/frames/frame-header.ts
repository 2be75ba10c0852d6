import { indexOfNearLineFeed, latin1 } from "../base/buffer-methods.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { beginsObject, byteOrderMark } from "../json/json-scan.js";
import { sampleOf, visibleText, type FrameFaultCode, type FrameLimits } from "./frame-faults.js";
import { findLengthHeader, maxLengthHeaderBytes } from "./length-header.js";

/** Callbacks for reading header lines. */
interface HeaderListener {
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
  /**
   * The block's text up to the name `Content-Length` after a hyphen, as in `X-Content-Length`. Only
   * known if all lines are readable.
   */
  #strayText: string | undefined;
  /** Whether the current lines are the rest of a rejected header. */
  #isSkipping = false;
  /** A complete header block, after which a body follows. The caller resets it. */
  finished: HeaderBlock | undefined;

  constructor(limits: FrameLimits, strict: boolean, listener: HeaderListener) {
    this.#maxBodyBytes = limits.maxBodyBytes;
    this.#maxBytes = Math.max(limits.maxHeaderBytes, maxCanonicalBytes);
    this.#maxCount = limits.maxHeaderCount;
    this.#strict = strict;
    this.#listener = listener;
    // Add one byte, because a carriage return may follow the length.
    this.#keptBytes = Math.min(maxLengthHeaderBytes + 1, this.#maxBytes >> 1);
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

  /** Called when the stream has ended. Reports incomplete data. */
  end(): void {
    const { bytes, length } = this.#line;
    const block = this.#block;
    const isHeader =
      block !== undefined ||
      (!this.#isCut && !this.#isSkipping && /^[a-z-]+[ \t]*(:|$)/i.test(latin1(bytes, 0, length)));
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
      const lineEnd = start + this.#maxBytes - line.length;
      line.append(bytes, start, lineEnd);
      start = lineEnd;
      this.#cutLine(this.#maxBytes - keptBytes);
    }
    // A line feed may follow the bytes kept.
    const surplus = line.length + stop - start - (keptBytes + 1);
    if (surplus > line.length) {
      this.#listener.strayPart(line.bytes, 0, line.length, this.#offset);
      this.#offset += line.length;
      const keptStart = start + surplus - line.length;
      this.#listener.strayPart(bytes, start, keptStart, this.#offset);
      this.#offset += keptStart - start;
      line.length = 0;
      start = keptStart;
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
    const isHeader =
      this.#strict || (!this.#isSkipping && /^[a-z-]+[ \t]*:/i.test(latin1(bytes, 0, length)));
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
    // `X-Content-Length` is a different header, unless the block turns out to have no length.
    const isOther = headerAt > first && bytes[headerAt - 1] === hyphen;
    if (isOther && !this.#isCut) {
      const { text = "", unreadable } = this.#block ?? {};
      if (this.#addLine(bytes, first, last, end, offset)) {
        if (unreadable === undefined) this.#strayText = text + latin1(bytes, first, headerAt);
        return;
      }
    }
    if (headerAt > first || (headerAt === first && this.#isCut)) {
      // The text before the header either was printed without a line ending or is the rest of a
      // truncated body.
      const headerOffset = offset + headerAt - first;
      if (this.#block === undefined) this.#listener.strayPart(bytes, first, headerAt, offset);
      else this.#interrupt(this.#block, headerOffset);
      this.#addLine(bytes, headerAt, last, end, headerOffset);
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
    const header = readHeader(latin1(bytes, start, last));
    if (header === undefined) return false;
    let block = this.#block;
    if (block !== undefined && block.lineCount === this.#maxCount) {
      this.#giveUpBlock(block, "ERR_HEADER_COUNT");
      // A `Content-Length` line starts the next header. Any other line is the rest of the rejected
      // header.
      if (findLengthHeader(bytes, start, last) !== start) return false;
      block = undefined;
    }
    if (block === undefined) this.#strayText = undefined;
    this.#block = block ??= new HeaderBlock(offset);
    block.addLine(header, latin1(bytes, start, end));
    this.#isSkipping = false;
    return true;
  }

  /** Processes a blank line, which ends the current block, if any. */
  #endBlock(bytes: Uint8Array, start: number, end: number): void {
    let block = this.#block;
    this.#isSkipping = false;
    if (block === undefined) {
      this.#listener.strayLineEnd(bytes, start, end);
      return;
    }
    this.#block = undefined;
    block.size += end - start;
    block.text += end - start === 1 ? "\n" : "\r\n";
    const { bodyLength: length, lengthFault: fault, unreadable } = block;
    const stray = this.#strayText;
    this.#strayText = undefined;
    if (stray !== undefined && length < 0 && fault === undefined && unreadable === undefined) {
      const bytes = Uint8Array.from(stray, (character) => character.charCodeAt(0));
      this.#listener.strayPart(bytes, 0, stray.length, block.offset);
      block = block.after(stray.length);
    }
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
  #interrupt(block: HeaderBlock, headerOffset: number): void {
    this.#block = undefined;
    const message = "Cannot read a header: another header begins inside it";
    this.#reportBlock(block, "ERR_HEADER_LINE", message, headerOffset - block.offset);
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

interface HeaderFault {
  readonly code: FrameFaultCode;
  readonly message: string;
}

/** A header line: its name in lower case, and its value. */
type Header = readonly [name: string, value: string];

/**
 * Reads the text of a header line. Returns undefined if it has no name, which is an HTTP token, or if
 * its value contains a carriage return.
 */
function readHeader(line: string): Header | undefined {
  const match = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:([^\r]*)$/.exec(line);
  return match === null ? undefined : [match[1]!.toLowerCase(), match[2]!.trim()];
}

/** Charsets that are subsets of UTF-8. The empty string stands for a missing charset. */
const readableCharsets: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "",
  "utf-8",
  "utf8",
  "us-ascii",
  "ascii",
]);

/** A frame's header block. The caller adds lines and enforces the limits. */
export class HeaderBlock {
  /** Stream offset of the block. */
  offset: number;
  /** Number of bytes up to the end of the last line, including unreadable lines. */
  size = 0;
  /** Number of lines so far, including unreadable lines. */
  lineCount = 0;
  /** The readable lines, including their line endings. */
  text = "";
  /** Headers other than `Content-Length`, keyed by lower-case name. */
  readonly headers: Map<string, string> = new Map();
  /** The `Content-Length`, or -1 if there is none. */
  bodyLength = -1;
  /** Why the length of the body is unknown. */
  lengthFault: HeaderFault | undefined;
  /** Why the body cannot be read although its length is known. */
  charsetFault: HeaderFault | undefined;
  /** The beginning of the first unreadable line. */
  unreadable: string | undefined;

  constructor(offset: number) {
    this.offset = offset;
  }

  /** Adds a line, whose text includes its end. */
  addLine([name, value]: Header, text: string): void {
    if (name === "content-length") this.#readLength(value);
    else {
      if (name === "content-type") this.#readType(value);
      this.headers.set(name, value);
    }
    this.#count(text.length);
    this.text += text;
  }

  /**
   * Returns the block without text at its beginning, such as the rest of a truncated frame that ends
   * in a hyphen. All lines must be readable.
   */
  after(count: number): HeaderBlock {
    const block = new HeaderBlock(this.offset + count);
    const text = this.text.slice(count);
    for (const line of text.match(/[^\n]*\n/g) ?? []) {
      const header = readHeader(line.replace(/\r?\n$/, ""));
      if (header !== undefined) block.addLine(header, line);
    }
    block.text = text;
    block.size = text.length;
    return block;
  }

  /** Skips an unreadable line. */
  skipLine(bytes: Uint8Array, start: number, last: number, end: number): void {
    this.unreadable ??= sampleOf(bytes, start, last);
    this.#count(end - start);
  }

  #count(bytes: number): void {
    this.lineCount++;
    this.size += bytes;
  }

  #readLength(value: string): void {
    if (!/^\d+$/.test(value)) {
      const message = `Cannot read the length "${visibleText(value, 40)}": expected decimal digits`;
      this.lengthFault ??= { code: "ERR_LENGTH_INVALID", message };
      return;
    }
    const length = Number(value);
    if (this.bodyLength >= 0 && this.bodyLength !== length) {
      const message = `Cannot determine the length: both ${this.bodyLength} and ${value.slice(0, 40)} are given`;
      this.lengthFault ??= { code: "ERR_LENGTH_CONFLICT", message };
    }
    this.bodyLength = length;
  }

  #readType(value: string): void {
    const charset = charsetOf(value);
    if (readableCharsets.has(charset.toLowerCase())) return;
    const message = `Cannot read the charset "${visibleText(charset, 40)}": bodies are UTF-8`;
    this.charsetFault ??= { code: "ERR_CHARSET", message };
  }
}

/**
 * Returns the charset given in a `Content-Type`, without quotes, or an empty string if there is
 * none.
 */
function charsetOf(type: string): string {
  const value = /;\s*charset\s*=\s*([^;]*)/i.exec(type)?.[1] ?? "";
  return value.replaceAll(/["']/g, "").split(/\s/, 1)[0] ?? "";
}

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;

/**
 * Minimum and maximum length of a canonical header, which is `Content-Length: N` with one to ten
 * digits and no other lines. It is accepted whatever the limits are.
 */
export const minCanonicalBytes = 21;
const maxCanonicalBytes = 30;

/**
 * Returns whether the canonical header's name is at an index. The comparison is unrolled because it
 * runs for every frame.
 */
export function hasCanonicalName(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x43 &&
    bytes[at + 1] === 0x6f &&
    bytes[at + 2] === 0x6e &&
    bytes[at + 3] === 0x74 &&
    bytes[at + 4] === 0x65 &&
    bytes[at + 5] === 0x6e &&
    bytes[at + 6] === 0x74 &&
    bytes[at + 7] === 0x2d &&
    bytes[at + 8] === 0x4c &&
    bytes[at + 9] === 0x65 &&
    bytes[at + 10] === 0x6e &&
    bytes[at + 11] === 0x67 &&
    bytes[at + 12] === 0x74 &&
    bytes[at + 13] === 0x68 &&
    bytes[at + 14] === 0x3a &&
    bytes[at + 15] === 0x20
  );
}
