import { ByteBuffer } from "./byte-buffer.js";
import { Delivery } from "./delivery.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { sampleOf, type FrameErrorCode, type FrameLimits } from "./frame-errors.js";
import { announcementBefore, findHeaderLine, latin1, type HeaderBlock } from "./header-block.js";
import { HeaderLines } from "./header-lines.js";
import { findObjectEnd } from "./json-scan.js";
import { indexOfLineFeed } from "./native-text.js";

/** The header as nearly everybody writes it. */
const usual = /* @__PURE__ */ Uint8Array.from("Content-Length: ", (letter) => letter.charCodeAt(0));
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The longest usual header: ten digits. */
const usualHeaderBytes = 30;

/** Chunks of up to this size are copied as they are: taking a part of one costs more. */
const smallChunkBytes = 4096;

/** Memory that is kept between bodies. */
const keptBodyBytes = 2 * 1024 * 1024;

/**
 * Cuts `Content-Length` frames out of a stream.
 *
 * The usual header is recognised in place; any other goes line by line through `HeaderBlock`. Every byte is
 * looked at a bounded number of times, whatever the stream does:
 *
 * - A raw line feed cannot stand in a JSON string, so a line `Content-Length: N` inside a body is the header
 *   of the next frame, and the body's length was wrong. Nobody who has sent a whole message behind it waits
 *   for an answer in vain: the body is searched whenever a chunk ends like a message does.
 * - A body that turns out damaged is searched once. `#distrustedTo` remembers how far: frames that begin
 *   before it are checked for such a line before they are parsed, so their searches cannot overlap.
 */
export class ContentLengthDecoder implements StreamDecoder {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #delivery: Delivery;
  /** Place in the stream of the first byte of the range being consumed. */
  #base = 0;
  /** Any header but the usual one. */
  readonly #lines: HeaderLines;
  /** A usual header that the end of a chunk has cut. */
  readonly #partial = new ByteBuffer();
  #partialOffset = 0;
  /** How far a usual header has come that the end of a chunk has cut: 16 is behind the blank, 21 its end. */
  #matched = 0;
  #announced = 0;
  /** Bytes missing in the body being read, or -1 between bodies. */
  #missing = -1;
  readonly #body = new ByteBuffer();
  /** Where the body begins in it. */
  #bodyStart = 0;
  #bodyOffset = 0;
  /** How much of the body has been searched for the next header. */
  #searchedTo = 0;
  /** The body belongs to a faulty header and is only counted off. */
  #dropBody: HeaderBlock["fault"];
  /** A body that stopped in mid-value, and what followed it, until the next header tells how long it was. */
  #held:
    | {
        readonly buffer: ByteBuffer;
        readonly announced: number;
        readonly offset: number;
        readonly fault: string;
      }
    | undefined;
  #distrustedTo = 0;

  constructor(options: ResolvedOptions) {
    this.#limits = options.limits;
    this.#strict = options.strict;
    this.#delivery = new Delivery(options);
    this.#lines = new HeaderLines(options.limits, options.strict, {
      noise: (bytes, start, end, offset) => this.#noise(bytes, start, end, offset),
      fault: (code, message, offset, length, sample) => {
        this.#resolveHeld();
        this.#delivery.closeNoise();
        this.#delivery.report(code, message, offset, length, sample);
      },
    });
  }

  get failed(): boolean {
    return this.#delivery.failed;
  }

  push(chunk: Uint8Array): void {
    const { length } = chunk;
    // A stream that comes in small pieces must not cost more than it has to.
    if (length < this.#missing && this.#bodyOffset >= this.#distrustedTo) {
      const last = chunk[length - 1]!;
      if (length === 1) this.#body.appendByte(last);
      else this.#body.append(chunk, 0, length);
      this.#missing -= length;
      this.#base += length;
      if (mayEndMessage(last) && this.#searchBody(this.#base)) this.#leaveChunk();
      return;
    }
    if (length === 1) {
      if (this.#matched > 0 && this.#matched < 20 && this.#matchUsual(chunk, 0, 1) === 1) {
        this.#base++;
        return;
      }
    }
    if (this.failed || length === 0) return;
    this.#consume(chunk, 0, length);
    this.#base += length;
    this.#leaveChunk();
  }

  end(): void {
    if (this.failed) return;
    if (this.#missing >= 0) this.#searchBody(this.#base);
    if (this.#missing >= 0) this.#endInBody();
    if (this.#matched > 0) this.#adoptPartial();
    this.#lines.end();
    this.#resolveHeld();
    this.#delivery.closeNoise();
    this.#missing = -1;
    this.#delivery.rethrow();
  }

  #leaveChunk(): void {
    this.#delivery.release();
    this.#delivery.rethrow();
  }

  /** Reads a range of bytes; their first one lies at `#base`. */
  #consume(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end && !this.failed;) {
      if (this.#missing >= 0) at = this.#fillBody(bytes, at, end);
      else if (this.#matched > 0) at = this.#matchUsual(bytes, at, end);
      else if (this.#lines.isOpen) at = this.#readLines(bytes, at, end);
      else {
        const next = this.#readUsual(bytes, at, end);
        if (next >= 0) at = next;
        else if (end - at < usualHeaderBytes) at = this.#matchUsual(bytes, at, end);
        else at = this.#readLines(bytes, at, end);
      }
    }
  }

  /**
   * Goes on with a usual header that the end of a chunk has cut, byte by byte. Where it turns out to be
   * another one after all, what was matched becomes an ordinary line.
   */
  #matchUsual(bytes: Uint8Array, start: number, end: number): number {
    const partial = this.#partial;
    let matched = this.#matched;
    if (matched === 0) this.#partialOffset = this.#base + start;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (matched < 16) {
        if (byte !== usual[matched]) break;
        matched++;
      } else if (matched === 16 || matched === 17) {
        if (byte >= 0x30 && byte <= 0x39 && partial.length < 26) {
          this.#announced = matched === 16 ? byte - 0x30 : this.#announced * 10 + byte - 0x30;
          matched = 17;
        } else if (byte === carriageReturn && matched === 17) matched = 18;
        else break;
      } else if (matched === 18 || matched === 20) {
        if (byte !== lineFeed) break;
        matched++;
        if (matched === 21) {
          if (this.#announced > this.#limits.maxBodyBytes) break;
          return this.#endUsual(bytes, at + 1, end);
        }
      } else if (byte === carriageReturn) matched++;
      else break;
      partial.appendByte(byte);
    }
    this.#matched = matched;
    if (at === end) return at;
    if (matched === 0) return this.#readLines(bytes, at, end);
    this.#adoptPartial();
    return at;
  }

  /** What looked like a usual header is another one, or none. */
  #adoptPartial(): void {
    const { bytes, length } = this.#partial;
    this.#lines.adopt(bytes, 0, length, this.#partialOffset);
    this.#partial.length = 0;
    this.#matched = 0;
  }

  /** The last byte of a usual header that came in parts. */
  #endUsual(bytes: Uint8Array, at: number, end: number): number {
    const partial = this.#partial;
    const headerLength = partial.length + 1;
    const zeros = partial.bytes[16] === 0x30 && headerLength > 21;
    const header = zeros ? `${latin1(partial.bytes, 0, partial.length)}\n` : undefined;
    partial.length = 0;
    this.#matched = 0;
    this.#beginFrame(this.#partialOffset, headerLength, header);
    return this.#readBody(bytes, at, end, this.#announced);
  }

  /** Reads a line of an unusual header, and the body behind the last one. */
  #readLines(bytes: Uint8Array, start: number, end: number): number {
    const lines = this.#lines;
    const at = lines.read(bytes, start, end, this.#base);
    const block = lines.finished;
    if (block === undefined) return at;
    lines.finished = undefined;
    this.#beginFrame(block.offset, block.text.length, block.text, block.headers);
    this.#dropBody = block.fault;
    return this.#readBody(bytes, at, end, block.bodyLength!);
  }

  /** Reads frames with the usual header; -1 if the first one has another header, or a cut one. */
  #readUsual(bytes: Uint8Array, start: number, end: number): number {
    const delivery = this.#delivery;
    let next = start;
    while (end - next >= 21 && isUsual(bytes, next)) {
      let at = next + 16;
      let length = 0;
      const digits = Math.min(end, at + 10);
      let byte = bytes[at]!;
      while (at < digits && byte >= 0x30 && byte <= 0x39) {
        length = length * 10 + byte - 0x30;
        byte = bytes[++at]!;
      }
      if (
        at === next + 16 ||
        at + 4 > end ||
        length > this.#limits.maxBodyBytes ||
        byte !== carriageReturn ||
        bytes[at + 1] !== lineFeed ||
        bytes[at + 2] !== carriageReturn ||
        bytes[at + 3] !== lineFeed
      )
        break;
      at += 4;
      // `raw` rebuilds the header from the length: leading zeros must not get lost.
      const isPlain = bytes[next + 16] !== 0x30 || at - next === 21;
      this.#beginFrame(
        this.#base + next,
        at - next,
        isPlain ? undefined : latin1(bytes, next, at),
      );
      next = at + length;
      if (next > end || this.#base + at < this.#distrustedTo)
        return this.#readBody(bytes, at, end, length);
      if (!delivery.deliver(bytes, at, next)) {
        this.#bodyOffset = this.#base + at;
        return this.#salvage(bytes, at, next, undefined);
      }
      if (delivery.failed) break;
    }
    return next > start ? next : -1;
  }

  #beginFrame(
    offset: number,
    headerLength: number,
    header?: string,
    headers?: ReadonlyMap<string, string>,
  ): void {
    if (this.#held !== undefined) this.#resolveHeld();
    this.#delivery.closeNoise();
    this.#delivery.frame.begin(offset, headerLength, header, headers);
  }

  /** Delivers a body that is all there, or begins to collect it. */
  #readBody(bytes: Uint8Array, start: number, end: number, length: number): number {
    this.#bodyOffset = this.#base + start;
    const bodyEnd = start + length;
    if (bodyEnd <= end) {
      if (this.#bodyOffset < this.#distrustedTo) {
        const inner = findHeaderLine(bytes, start, bodyEnd);
        if (inner >= 0) return this.#salvage(bytes, start, bodyEnd, inner);
      }
      if (this.#dropBody !== undefined) this.#drop(bytes, start, bodyEnd);
      else if (!this.#delivery.deliver(bytes, start, bodyEnd))
        return this.#salvage(bytes, start, bodyEnd, undefined);
      return bodyEnd;
    }
    this.#missing = length;
    this.#searchedTo = 0;
    const body = this.#body;
    body.goal = length + 2 * smallChunkBytes;
    if (this.#bodyOffset < this.#distrustedTo) {
      this.#bodyStart = body.length = 0;
      return this.#fillBody(bytes, start, end);
    }
    this.#keepBody(bytes, start, end);
    this.#missing -= end - start;
    if (mayEndMessage(bytes[end - 1]!)) this.#searchBody(this.#base + end);
    return end;
  }

  /** Keeps the beginning of a body, with what precedes it if that saves a step. */
  #keepBody(bytes: Uint8Array, start: number, end: number): void {
    const body = this.#body;
    if (bytes === body.bytes) {
      body.length = end;
      this.#bodyStart = start > smallChunkBytes ? body.shift(start) : start;
    } else if (end === bytes.length && end <= smallChunkBytes) {
      body.append(bytes, 0, end);
      this.#bodyStart = start;
    } else {
      body.append(bytes, start, end);
      this.#bodyStart = 0;
    }
    this.#searchedTo = this.#bodyStart;
  }

  /** Adds what has arrived of a body; delivers it once it is all there. Returns the place behind what it used. */
  #fillBody(bytes: Uint8Array, start: number, end: number): number {
    const stop = start + Math.min(this.#missing, end - start);
    if (this.#bodyOffset < this.#distrustedTo) return this.#fillLine(bytes, start, stop);
    const isLast = stop - start === this.#missing;
    const isKept = this.#body.bytes.length <= keptBodyBytes;
    if (isLast && isKept && end === bytes.length && end <= smallChunkBytes) {
      this.#endWithChunk(bytes, stop);
      return end;
    }
    this.#body.append(bytes, start, stop);
    this.#missing -= stop - start;
    if (isLast) this.#endBody(this.#base + stop);
    else if (mayEndMessage(bytes[stop - 1]!)) this.#searchBody(this.#base + stop);
    return stop;
  }

  /**
   * Reads a small chunk behind a body that ends in it, both as one: that takes fewer steps than to read the
   * body and then the rest of the chunk.
   */
  #endWithChunk(chunk: Uint8Array, bodyEnd: number): void {
    const body = this.#body;
    const bodyStart = this.#bodyStart;
    const stop = body.length + bodyEnd;
    body.append(chunk, 0, chunk.length);
    const { bytes, length } = body;
    this.#missing = -1;
    this.#delivery.reader.open(bytes, bodyStart, length);
    let next = stop;
    if (this.#dropBody !== undefined) this.#drop(bytes, bodyStart, stop);
    else if (!this.#delivery.deliver(bytes, bodyStart, stop))
      next = this.#salvage(bytes, bodyStart, stop, undefined);
    const base = this.#base;
    const streamEnd = base + chunk.length;
    if (next < stop) this.#leaveBody(next, streamEnd);
    else {
      this.#base = streamEnd - length;
      this.#consume(bytes, stop, length);
      this.#base = base;
      if (this.#missing < 0) body.clear(keptBodyBytes);
    }
  }

  /** Adds a line to a body that must be searched before it is read. */
  #fillLine(bytes: Uint8Array, start: number, stop: number): number {
    const body = this.#body;
    const feed = indexOfLineFeed(bytes, start, stop);
    const at = feed < 0 ? stop : feed + 1;
    body.append(bytes, start, at);
    const header = feed < 0 ? -1 : announcementBefore(body.bytes, 0, body.length - 1);
    if (header >= 0) {
      this.#restartAt(header, this.#base + at);
      return at;
    }
    this.#missing -= at - start;
    if (this.#missing === 0) this.#endBody(this.#base + at);
    return at;
  }

  /** A body is all there; it ends at `streamEnd`. */
  #endBody(streamEnd: number): void {
    const body = this.#body;
    this.#missing = -1;
    const { bytes, length } = body;
    const start = this.#bodyStart;
    this.#delivery.reader.open(bytes, start, length);
    let next = length;
    if (this.#dropBody !== undefined) this.#drop(bytes, start, length);
    else if (!this.#delivery.deliver(bytes, start, length))
      next = this.#salvage(bytes, start, length, undefined);
    this.#leaveBody(next, streamEnd);
  }

  /** Looks for the next frame's header in what has come of a body since the last time, and goes on there. */
  #searchBody(streamEnd: number): boolean {
    const { bytes, length } = this.#body;
    if (this.#bodyOffset < this.#distrustedTo) return false;
    for (let from = this.#searchedTo; from < length;) {
      const feed = indexOfLineFeed(bytes, from, length);
      if (feed < 0) break;
      const header = announcementBefore(bytes, this.#bodyStart, feed);
      if (header >= 0) {
        this.#restartAt(header, streamEnd);
        return true;
      }
      from = feed + 1;
    }
    this.#searchedTo = length;
    return false;
  }

  /** The body is over before its announced end: the next frame's header is in it. */
  #restartAt(header: number, streamEnd: number): void {
    const { bytes, length } = this.#body;
    const start = this.#bodyStart;
    this.#missing = -1;
    this.#delivery.reader.open(bytes, start, length);
    this.#leaveBody(this.#salvage(bytes, start, length, header), streamEnd);
  }

  /** Lets go of the body but for what lies behind `next`, which is read again. */
  #leaveBody(next: number, streamEnd: number): void {
    const body = this.#body;
    const rest = next < body.length ? body.bytes.slice(next, body.length) : undefined;
    body.clear(keptBodyBytes);
    if (rest !== undefined && !this.failed) this.#again(rest, streamEnd);
  }

  /** Reads bytes again that a damaged body has swallowed; they end at `streamEnd`. */
  #again(rest: Uint8Array, streamEnd: number): void {
    const base = this.#base;
    this.#base = streamEnd - rest.length;
    this.#consume(rest, 0, rest.length);
    this.#base = base;
  }

  /**
   * Makes the best of a damaged body and says where reading goes on.
   *
   * @param header Place of the next frame's header inside the body, if it is known to be there.
   */
  #salvage(bytes: Uint8Array, start: number, end: number, header: number | undefined): number {
    const { reader, frame } = this.#delivery;
    const offset = frame.offset;
    const fault = reader.fault;
    if (this.#strict) {
      if (header === undefined) this.#reportBody(fault!.code, fault!.message, bytes, start, end);
      else this.#reportLength(bytes, start, header, false);
      return end;
    }
    if (this.#dropBody !== undefined) {
      this.#drop(bytes, start, header ?? end);
      return header ?? end;
    }
    if (header === undefined) {
      const inner = findHeaderLine(bytes, start, end);
      if (inner >= 0) header = inner;
    }
    this.#distrustedTo = Math.max(this.#distrustedTo, this.#bodyOffset + end - start);
    const stop = header ?? end;
    const valueEnd = findObjectEnd(bytes, start, stop);
    if (
      valueEnd > 0 &&
      (valueEnd < end || header !== undefined) &&
      this.#delivery.deliver(bytes, start, valueEnd)
    ) {
      this.#reportLength(bytes, start, valueEnd, true);
      return valueEnd;
    }
    if (header !== undefined) {
      this.#reportLength(bytes, start, header, false);
      this.#delivery.noise(bytes, start, header, this.#bodyOffset);
      return header;
    }
    if (valueEnd === -1 && fault !== undefined && fault.code === "ERR_JSON") {
      const buffer = new ByteBuffer();
      buffer.append(bytes, start, end);
      this.#held = { buffer, announced: end - start, offset, fault: fault.message };
      return end;
    }
    this.#reportBody(fault!.code, fault!.message, bytes, start, end);
    return end;
  }

  #reportLength(bytes: Uint8Array, start: number, end: number, recovered: boolean): void {
    const what = recovered ? "the message is whole" : "the message is lost";
    this.#reportBody(
      "ERR_LENGTH_WRONG",
      `The announced length is wrong, the next header shows: ${what}`,
      bytes,
      start,
      end,
      recovered,
    );
  }

  /** Reports what is wrong with the current frame, of whose body this range is there. */
  #reportBody(
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

  /** A header that follows tells that the body held back ended where the noise behind it did. */
  #resolveHeld(): void {
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
    this.#reportBody("ERR_JSON", fault, bytes, 0, announced);
    this.#delivery.noise(bytes, announced, length, offset + frame.headerLength + announced);
  }

  /** A body whose header was faulty. */
  #drop(bytes: Uint8Array, start: number, end: number): void {
    const { code, message } = this.#dropBody!;
    this.#dropBody = undefined;
    this.#reportBody(code, message, bytes, start, end);
  }

  /** Bytes between frames: perhaps the rest of a body held back, otherwise noise. */
  #noise(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const held = this.#held;
    if (held === undefined) {
      this.#delivery.noise(bytes, start, end, offset);
      return;
    }
    if (held.buffer.length + end - start > this.#limits.maxBodyBytes) {
      this.#resolveHeld();
      this.#delivery.noise(bytes, start, end, offset);
    } else held.buffer.append(bytes, start, end);
  }

  #endInBody(): void {
    const { bytes, length } = this.#body;
    const start = this.#bodyStart;
    const { reader } = this.#delivery;
    const missing = this.#missing;
    reader.open(bytes, start, length);
    const valueEnd =
      this.#strict || this.#dropBody !== undefined ? -1 : findObjectEnd(bytes, start, length);
    const whole = valueEnd > 0 && this.#delivery.deliver(bytes, start, valueEnd);
    if (whole) {
      this.#reportLength(bytes, start, valueEnd, true);
      this.#delivery.noise(bytes, valueEnd, length, this.#bodyOffset + valueEnd - start);
    } else {
      this.#reportBody(
        "ERR_TRUNCATED",
        `The stream ended ${missing} bytes before the end of a body`,
        bytes,
        start,
        length,
      );
    }
    this.#body.clear(keptBodyBytes);
  }
}

/** Whether the usual header's name stands at a place. Written out, since every frame is asked. */
function isUsual(bytes: Uint8Array, at: number): boolean {
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

/** Whether a message can end with this byte: a brace, or a line end behind it. */
function mayEndMessage(byte: number): boolean {
  return byte === 0x7d || byte === lineFeed;
}
