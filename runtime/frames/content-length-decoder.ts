import { indexOfLineFeed, indexOfNearLineFeed } from "../base/buffer-methods.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { DamagedBodies } from "./damaged-bodies.js";
import {
  resolveOptions,
  type OneFramingOptions,
  type ResolvedOptions,
  type StreamDecoder,
} from "./decoder-options.js";
import { DecoderOutput, DeferredPushes } from "./decoder-output.js";
import type { FrameLimits } from "./frame-faults.js";
import {
  carriageReturn,
  hasCanonicalName,
  HeaderLines,
  lineFeed,
  minCanonicalBytes,
} from "./frame-header.js";
import { findLengthHeaderLine, lengthHeaderBefore } from "./length-header.js";

/** Maximum amount of memory kept between bodies, in bytes. */
const keptBodyBytes = 0x20_0000;

/**
 * Creates a decoder for `Content-Length` frames. @throws TypeError in the same cases as
 * FrameDecoder.
 */
export function decodeContentLength(options: OneFramingOptions): StreamDecoder {
  return new ContentLengthDecoder(resolveOptions(options));
}

/**
 * Splits a stream into `Content-Length` frames.
 *
 * The canonical header is recognised in place. Any other header is read line by line into a
 * `HeaderBlock`. Each byte is examined a bounded number of times, whatever the stream contains:
 *
 * - A raw line feed cannot occur in a JSON string. A line `Content-Length: N` inside a body is
 *   therefore the header of the next frame, and means that the body's length was wrong. The body is
 *   searched whenever a chunk ends the way a message does, so a complete message after it is
 *   delivered immediately.
 * - A damaged body is searched once. Frames that begin before `distrustedTo` are checked for such a
 *   line before they are parsed, so searches cannot overlap.
 */
export class ContentLengthDecoder implements StreamDecoder {
  readonly #limits: FrameLimits;
  readonly #isParsed: boolean;
  readonly #output: DecoderOutput;
  /** Stream offset after the last byte read. Bytes that have only been collected do not count. */
  #readTo = 0;
  /** Reads headers that are not canonical. */
  readonly #lines: HeaderLines;
  readonly #body = new CollectedBody();
  readonly #damaged: DamagedBodies;
  /** Whether bytes are being read. Chunks that a handler pushes in the meantime are deferred. */
  #isBusy = false;
  readonly #deferred = new DeferredPushes();

  constructor(options: ResolvedOptions) {
    this.#limits = options.limits;
    this.#isParsed = options.onMessage !== undefined;
    this.#output = new DecoderOutput(options);
    this.#damaged = new DamagedBodies(this.#output, options);
    this.#lines = new HeaderLines(options.limits, options.strict, this.#damaged);
  }

  get failed(): boolean {
    return this.#output.failed;
  }

  push(chunk: Uint8Array): void {
    const { length } = chunk;
    const body = this.#body;
    // Fast path for bodies that arrive in many pieces.
    if (length < body.missing && body.isTrusted) {
      body.append(chunk, 0, length);
      if (mayEndMessage(chunk[length - 1]!)) this.#searchPiece();
      return;
    }
    if (this.failed || length === 0) return;
    if (this.#isBusy) {
      this.#deferred.add(chunk);
      return;
    }
    this.#isBusy = true;
    try {
      const base = this.#nextOffset;
      this.#output.reader.open(chunk);
      this.#consume(chunk, 0, length, base);
      this.#readTo = base + length;
    } finally {
      this.#isBusy = false;
    }
    this.#deferred.finishChunk(this.#output, this);
  }

  /** Stream offset of the next byte. */
  get #nextOffset(): number {
    return this.#body.isOpen ? this.#body.nextOffset : this.#readTo;
  }

  /** Searches a body for the next header after a piece that ends the way a message does. */
  #searchPiece(): void {
    this.#readTo = this.#body.nextOffset;
    this.#isBusy = true;
    const hasRestarted = this.#searchBody(this.#readTo);
    this.#isBusy = false;
    if (hasRestarted) this.#deferred.finishChunk(this.#output, this);
  }

  end(): void {
    if (this.#isBusy) {
      this.#deferred.end();
      return;
    }
    if (this.failed) return;
    this.#isBusy = true;
    const body = this.#body;
    this.#readTo = this.#nextOffset;
    if (body.isOpen) this.#searchBody(this.#readTo);
    if (body.isOpen) {
      const { bytes, length, offset, missing } = body;
      body.finish();
      this.#damaged.reportCut(bytes, 0, length, offset, missing);
    }
    this.#lines.end();
    this.#damaged.resolveHeld();
    this.#output.flushNoise();
    body.clear(0);
    this.#isBusy = false;
    this.#deferred.finishChunk(this.#output, this);
  }

  /**
   * Reads the bytes in a range.
   *
   * @param base Stream offset of the first byte of `bytes`, here and below.
   */
  #consume(bytes: Uint8Array, start: number, end: number, base: number): void {
    for (let at = start; at < end && !this.failed;)
      if (this.#body.isOpen) at = this.#fillBody(bytes, at, end, base);
      else if (this.#lines.isOpen) at = this.#readLines(bytes, at, end, base);
      else at = this.#readFrames(bytes, at, end, base);
  }

  /** Reads a line of a non-canonical header, and the body after the last line. */
  #readLines(bytes: Uint8Array, start: number, end: number, base: number): number {
    const lines = this.#lines;
    const at = lines.read(bytes, start, end, base);
    const block = lines.finished;
    if (block === undefined) return at;
    lines.finished = undefined;
    const { offset, size, text, headers, bodyLength } = block;
    this.#beginFrame(offset, size, text, headers);
    const isFlawed = block.charsetFault !== undefined || block.unreadable !== undefined;
    this.#damaged.flawedHeader = isFlawed ? block : undefined;
    return this.#readBody(bytes, at, end, bodyLength, base);
  }

  /** Reads consecutive frames with complete canonical headers, or a line of another header. */
  #readFrames(bytes: Uint8Array, start: number, end: number, base: number): number {
    const output = this.#output;
    let next = start;
    while (end - next >= minCanonicalBytes && hasCanonicalName(bytes, next)) {
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
        // The text of a header with leading zeros is kept for `raw`, so it is read as lines.
        (bytes[next + 16] === 0x30 && at > next + 17) ||
        at + 4 > end ||
        length > this.#limits.maxBodyBytes ||
        byte !== carriageReturn ||
        bytes[at + 1] !== lineFeed ||
        bytes[at + 2] !== carriageReturn ||
        bytes[at + 3] !== lineFeed
      )
        break;
      at += 4;
      this.#beginFrame(base + next, at - next);
      next = at + length;
      if (next > end || base + at < this.#damaged.distrustedTo)
        return this.#readBody(bytes, at, end, length, base);
      this.#body.offset = base + at;
      const stop = this.#finishBody(bytes, at, next);
      if (stop < next) return stop;
      if (output.failed) break;
    }
    return next > start ? next : this.#readLines(bytes, start, end, base);
  }

  #beginFrame(
    offset: number,
    headerLength: number,
    header?: string,
    headers?: ReadonlyMap<string, string>,
  ): void {
    if (this.#damaged.isHolding) this.#damaged.resolveHeld();
    this.#output.flushNoise();
    this.#output.frame.begin(offset, headerLength, header, headers);
  }

  /** Delivers a body if it is complete, or begins to collect it. */
  #readBody(bytes: Uint8Array, start: number, end: number, length: number, base: number): number {
    const body = this.#body;
    body.offset = base + start;
    const isDistrusted = body.offset < this.#damaged.distrustedTo;
    const bodyEnd = start + length;
    if (bodyEnd <= end) {
      const inner = isDistrusted ? findLengthHeaderLine(bytes, start, bodyEnd) : -1;
      if (inner >= 0) return this.#damaged.salvage(bytes, start, bodyEnd, body.offset, inner);
      return this.#finishBody(bytes, start, bodyEnd);
    }
    body.begin(length, !isDistrusted);
    return this.#fillBody(bytes, start, end, base);
  }

  /** Processes a complete body. Returns the index at which to continue. */
  #finishBody(bytes: Uint8Array, start: number, end: number): number {
    if (this.#damaged.flawedHeader !== undefined)
      return this.#damaged.finishFlawed(bytes, start, end, this.#body.offset);
    // Parsing would detect a frame inside the body. If bodies are not parsed, search for one.
    const inner = this.#isParsed ? -1 : findLengthHeaderLine(bytes, start, end);
    if (inner < 0 && this.#output.deliver(bytes, start, end)) return end;
    return this.#damaged.salvage(bytes, start, end, this.#body.offset, inner);
  }

  /**
   * Adds bytes to the body, and delivers it once complete. Returns the index after the consumed
   * bytes.
   */
  #fillBody(bytes: Uint8Array, start: number, end: number, base: number): number {
    const body = this.#body;
    const stop = start + Math.min(body.missing, end - start);
    if (body.offset < this.#damaged.distrustedTo) return this.#fillLine(bytes, start, stop, base);
    body.append(bytes, start, stop);
    if (body.missing === 0) this.#endBody(base + stop);
    else if (start < stop && mayEndMessage(bytes[stop - 1]!)) this.#searchBody(base + stop);
    return stop;
  }

  /** Adds a line to a body that must be searched before it is parsed. */
  #fillLine(bytes: Uint8Array, start: number, stop: number, base: number): number {
    const body = this.#body;
    const feed = indexOfLineFeed(bytes, start, stop);
    const at = feed < 0 ? stop : feed + 1;
    body.append(bytes, start, at);
    const header = feed < 0 ? -1 : lengthHeaderBefore(body.bytes, 0, body.length - 1);
    if (header >= 0) {
      this.#restartAt(header, base + at);
      return at;
    }
    if (body.missing === 0) this.#endBody(base + at);
    return at;
  }

  /** Processes a collected body that ends at `streamEnd`. */
  #endBody(streamEnd: number): void {
    const { bytes, length } = this.#body;
    this.#body.finish();
    this.#releaseBody(this.#finishBody(bytes, 0, length), streamEnd);
  }

  /** Continues at the next frame's header if it is inside the body. Otherwise, returns false. */
  #searchBody(streamEnd: number): boolean {
    if (this.#body.offset < this.#damaged.distrustedTo) return false;
    const header = this.#body.findHeader();
    if (header >= 0) this.#restartAt(header, streamEnd);
    return header >= 0;
  }

  /** Ends the body early, because it contains the next frame's header. */
  #restartAt(header: number, streamEnd: number): void {
    const { bytes, length, offset } = this.#body;
    this.#body.finish();
    this.#releaseBody(this.#damaged.salvage(bytes, 0, length, offset, header), streamEnd);
  }

  /** Releases the body, and re-reads the bytes after `next`. */
  #releaseBody(next: number, streamEnd: number): void {
    const body = this.#body;
    const rest = next < body.length ? body.bytes.slice(next, body.length) : undefined;
    body.clear(keptBodyBytes);
    if (rest !== undefined && !this.failed)
      this.#consume(rest, 0, rest.length, streamEnd - rest.length);
  }
}

/** A body that arrives in several chunks. */
class CollectedBody extends ByteBuffer {
  /** The body's `Content-Length`, or -1 if there is no body. */
  declaredLength = -1;
  /** Stream offset of the body. */
  offset = 0;
  /** Whether bytes may be added without searching each line for a header. */
  isTrusted = false;
  #searchedTo = 0;

  get isOpen(): boolean {
    return this.declaredLength >= 0;
  }

  /** Number of missing bytes, or -1 if there is no body. */
  get missing(): number {
    return this.declaredLength < 0 ? -1 : this.declaredLength - this.length;
  }

  /** Stream offset of the next byte. */
  get nextOffset(): number {
    return this.offset + this.length;
  }

  /** Begins a body. Set its `offset` first. */
  begin(declaredLength: number, isTrusted: boolean): void {
    this.goal = this.declaredLength = declaredLength;
    this.isTrusted = isTrusted;
    this.length = this.#searchedTo = 0;
  }

  /** Ends the body. Its bytes stay in the buffer. */
  finish(): void {
    this.declaredLength = -1;
    this.isTrusted = false;
  }

  /** Returns the index of a header line in the bytes since the last call, or -1. */
  findHeader(): number {
    const { bytes, length } = this;
    for (let from = this.#searchedTo; from < length;) {
      const feed = indexOfNearLineFeed(bytes, from, length);
      if (feed < 0) break;
      const header = lengthHeaderBefore(bytes, 0, feed);
      if (header >= 0) return header;
      from = feed + 1;
    }
    this.#searchedTo = length;
    return -1;
  }
}

/** Returns whether a message can end with this byte: a closing brace or a line ending. */
function mayEndMessage(byte: number): boolean {
  return byte === 0x7d || byte === 0x0a;
}
