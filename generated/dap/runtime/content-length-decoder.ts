import { ByteBuffer } from "./byte-buffer.js";
import { Delivery } from "./delivery.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { sampleOf, type FrameLimits } from "./frame-errors.js";
import { announcementBytes, findAnnouncement, HeaderBlock } from "./header-block.js";
import { findObjectEnd } from "./json-scan.js";
import { indexOfLineFeed } from "./native-text.js";

/** The header as nearly everybody writes it. */
const usual = /* @__PURE__ */ Uint8Array.from("Content-Length: ", (letter) => letter.charCodeAt(0));
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The longest usual header: ten digits. */
const usualHeaderBytes = 30;

/** Memory that is kept between bodies. */
const keptBodyBytes = 2 * 1024 * 1024;

/**
 * Cuts `Content-Length` frames out of a stream.
 *
 * The usual header is recognised in place; any other goes line by line through `HeaderBlock`. Every byte is
 * looked at a bounded number of times, whatever the stream does:
 *
 * - A raw line feed cannot stand in a JSON string, so a line `Content-Length: N` inside a body is the header
 *   of the next frame, and the body's length was wrong. It is found as it arrives.
 * - A body that turns out damaged is searched once. `#distrustedTo` remembers how far: frames that begin
 *   before it are checked for such a line before they are parsed, so their searches cannot overlap.
 */
export class ContentLengthDecoder implements StreamDecoder {
  readonly #limits: FrameLimits;
  readonly #strict: boolean;
  readonly #delivery: Delivery;
  /** Place in the stream of the first byte of the range being consumed. */
  #base = 0;
  /** Bytes of a header line that is not over. */
  readonly #line = new ByteBuffer(256);
  #lineOffset = 0;
  /** The line began with more than could be kept: only an announcement at its end can still be a header. */
  #lineCut = false;
  /** How far a usual header has come that the end of a chunk has cut: 16 is behind the blank, 21 its end. */
  #matched = 0;
  #announced = 0;
  #block: HeaderBlock | undefined;
  /** Bytes missing in the body being read, or -1 between bodies. */
  #missing = -1;
  readonly #body = new ByteBuffer(1024);
  #bodyOffset = 0;
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
  }

  get failed(): boolean {
    return this.#delivery.failed;
  }

  push(chunk: Uint8Array): void {
    const { length } = chunk;
    // A stream that comes byte by byte must not cost more than it has to.
    if (length === 1) {
      if (this.#missing > 1 && chunk[0] !== lineFeed) {
        this.#body.appendByte(chunk[0]!);
        this.#missing--;
        this.#base++;
        return;
      }
      if (this.#matched > 0 && this.#matched < 20 && this.#matchUsual(chunk, 0, 1) === 1) {
        this.#base++;
        return;
      }
    }
    if (this.failed || length === 0) return;
    this.#consume(chunk);
    this.#base += length;
    this.#delivery.rethrow();
  }

  end(): void {
    if (this.failed) return;
    if (this.#missing >= 0) this.#endInBody();
    else if (this.#line.length > 0 || this.#block !== undefined) this.#endInHeader();
    this.#resolveHeld();
    this.#delivery.closeNoise();
    this.#line.clear(256);
    this.#block = undefined;
    this.#missing = -1;
    this.#delivery.rethrow();
  }

  /** Reads a range of bytes that begins at `#base`. */
  #consume(bytes: Uint8Array): void {
    const end = bytes.length;
    for (let at = 0; at < end && !this.failed;) {
      if (this.#missing >= 0) at = this.#fillBody(bytes, at);
      else if (this.#matched > 0) at = this.#matchUsual(bytes, at, end);
      else if (this.#line.length > 0 || this.#block !== undefined || this.#lineCut)
        at = this.#readLine(bytes, at, end);
      else {
        const next = this.#readUsual(bytes, at, end);
        if (next >= 0) at = next;
        else if (end - at < usualHeaderBytes) at = this.#matchUsual(bytes, at, end);
        else at = this.#readLine(bytes, at, end);
      }
    }
    this.#delivery.reader.close();
  }

  /**
   * Goes on with a usual header that the end of a chunk has cut, byte by byte. Where it turns out to be
   * another one after all, what was matched becomes an ordinary line.
   */
  #matchUsual(bytes: Uint8Array, start: number, end: number): number {
    const line = this.#line;
    let matched = this.#matched;
    if (matched === 0) this.#lineOffset = this.#base + start;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (matched < 16) {
        if (byte !== usual[matched]) break;
        matched++;
      } else if (matched === 16 || matched === 17) {
        if (byte >= 0x30 && byte <= 0x39 && line.length < 26) {
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
      line.appendByte(byte);
    }
    if (at === end) {
      this.#matched = matched;
      return at;
    }
    this.#matched = 0;
    if (line.length === 0) return this.#readLine(bytes, at, end);
    const feed = indexOfLineFeed(line.bytes, 0, line.length);
    if (feed >= 0) {
      const rest = line.length - feed - 1;
      this.#endLine(line.bytes, 0, feed + 1);
      line.bytes.copyWithin(0, feed + 1, line.length);
      line.length = rest;
      this.#lineOffset += feed + 1;
    }
    return at;
  }

  /** The last byte of a usual header that came in parts. */
  #endUsual(bytes: Uint8Array, at: number, end: number): number {
    const line = this.#line;
    const headerLength = line.length + 1;
    const zeros = line.bytes[16] === 0x30 && headerLength > 21;
    const header = zeros ? `${latin1(line.bytes, 0, line.length)}\n` : undefined;
    line.length = 0;
    this.#matched = 0;
    this.#beginFrame(this.#lineOffset, headerLength, header);
    return this.#readBody(bytes, at, end, this.#announced);
  }

  /** Reads a frame with the usual header; -1 if it is another one or cut. */
  #readUsual(bytes: Uint8Array, start: number, end: number): number {
    let at = start + 16;
    if (end - start < 21) return -1;
    for (let index = 0; index < 16; index++) if (bytes[start + index] !== usual[index]) return -1;
    let length = 0;
    const digits = Math.min(end, at + 10);
    let byte = bytes[at]!;
    while (at < digits && byte >= 0x30 && byte <= 0x39) {
      length = length * 10 + byte - 0x30;
      byte = bytes[++at]!;
    }
    if (at === start + 16 || at + 4 > end || length > this.#limits.maxBodyBytes) return -1;
    if (
      byte !== carriageReturn ||
      bytes[at + 1] !== lineFeed ||
      bytes[at + 2] !== carriageReturn ||
      bytes[at + 3] !== lineFeed
    )
      return -1;
    at += 4;
    // `raw` rebuilds the header from the length: leading zeros must not get lost.
    const header =
      bytes[start + 16] === 0x30 && at - start > 21 ? latin1(bytes, start, at) : undefined;
    this.#beginFrame(this.#base + start, at - start, header);
    return this.#readBody(bytes, at, end, length);
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
    this.#body.length = 0;
    return this.#fillBody(bytes, start);
  }

  /** Adds what has arrived of a body; delivers it once it is all there. Returns the place behind what it used. */
  #fillBody(bytes: Uint8Array, start: number): number {
    const body = this.#body;
    const stop = start + Math.min(this.#missing, bytes.length - start);
    let at = start;
    // A body that arrives whole with this chunk is looked at only if it turns out damaged.
    if (stop - start < this.#missing || this.#bodyOffset < this.#distrustedTo) {
      for (
        let feed = indexOfLineFeed(bytes, at, stop);
        feed >= 0;
        feed = indexOfLineFeed(bytes, at, stop)
      ) {
        body.append(bytes, at, feed + 1);
        at = feed + 1;
        const header = announcementBefore(body.bytes, 0, body.length - 1);
        if (header >= 0) {
          this.#restartAt(header);
          return at;
        }
      }
    }
    body.append(bytes, at, stop);
    this.#missing -= stop - start;
    if (this.#missing > 0) return stop;
    this.#missing = -1;
    const { reader } = this.#delivery;
    reader.open(body.bytes, body.length, body.words);
    let next = body.length;
    if (this.#dropBody !== undefined) this.#drop(body.bytes, 0, body.length);
    else if (!this.#delivery.deliver(body.bytes, 0, body.length))
      next = this.#salvage(body.bytes, 0, body.length, undefined);
    const rest = next < body.length ? body.bytes.slice(next, body.length) : undefined;
    body.clear(keptBodyBytes);
    if (rest !== undefined) this.#again(rest, this.#base + stop);
    return stop;
  }

  /** The body is over before its announced end: the last line that it took is the header of the next frame. */
  #restartAt(header: number): void {
    const body = this.#body;
    const { reader } = this.#delivery;
    this.#missing = -1;
    reader.open(body.bytes, body.length, body.words);
    const next = this.#salvage(body.bytes, 0, body.length, header);
    if (!this.failed) {
      this.#noise(body.bytes, next, header, this.#bodyOffset + next);
      this.#lineOffset = this.#bodyOffset + header;
      this.#endLine(body.bytes, header, body.length);
    }
    body.clear(keptBodyBytes);
  }

  /** Reads bytes again that a damaged body had swallowed; they end at `streamEnd`. */
  #again(rest: Uint8Array, streamEnd: number): void {
    const base = this.#base;
    this.#base = streamEnd - rest.length;
    this.#consume(rest);
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
      if (header === undefined)
        this.#delivery.report(
          fault!.code,
          fault!.message,
          offset,
          frame.headerLength + end - start,
          sampleOf(bytes, start, end),
        );
      else this.#reportLength(bytes, start, header, false);
      return end;
    }
    this.#dropBody = undefined;
    const known = header !== undefined;
    if (!known) {
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
      const buffer = new ByteBuffer(end - start);
      buffer.append(bytes, start, end);
      this.#held = { buffer, announced: end - start, offset, fault: fault.message };
      return end;
    }
    this.#delivery.report(
      fault!.code,
      fault!.message,
      offset,
      frame.headerLength + end - start,
      sampleOf(bytes, start, end),
    );
    return end;
  }

  #reportLength(bytes: Uint8Array, start: number, end: number, recovered: boolean): void {
    const { frame } = this.#delivery;
    const what = recovered ? "the message is whole" : "the message is lost";
    this.#delivery.report(
      "ERR_LENGTH_WRONG",
      `The announced length is wrong, the next header shows: ${what}`,
      frame.offset,
      frame.headerLength + end - start,
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
      reader.open(bytes, length, buffer.words);
      frame.begin(offset, frame.headerLength);
      const whole = this.#delivery.deliver(bytes, 0, length);
      if (whole) {
        this.#reportLength(bytes, 0, length, true);
        return;
      }
    }
    this.#delivery.report(
      "ERR_JSON",
      fault,
      offset,
      frame.headerLength + announced,
      sampleOf(bytes, 0, announced),
    );
    this.#delivery.noise(bytes, announced, length, offset + frame.headerLength + announced);
  }

  /** Reads up to the end of a line, or keeps what there is of it. */
  #readLine(bytes: Uint8Array, start: number, end: number): number {
    const feed = indexOfLineFeed(bytes, start, end);
    if (this.#line.length === 0) this.#lineOffset = this.#base + start;
    if (feed < 0) {
      this.#keepLine(bytes, start, end);
      return end;
    }
    let from = start;
    if (this.#line.length + feed + 1 - start > this.#limits.maxHeaderBytes) {
      this.#keepLine(bytes, start, feed);
      from = feed;
    }
    let source = bytes;
    let to = feed + 1;
    if (this.#line.length > 0) {
      this.#line.append(bytes, from, to);
      source = this.#line.bytes;
      from = 0;
      to = this.#line.length;
    }
    const length = this.#endLine(source, from, to);
    this.#line.length = 0;
    this.#lineCut = false;
    return length === undefined ? feed + 1 : this.#readBody(bytes, feed + 1, end, length);
  }

  /** Keeps an unfinished line; of one that is too long only the end, where an announcement could still come. */
  #keepLine(bytes: Uint8Array, start: number, end: number): void {
    const line = this.#line;
    const { maxHeaderBytes } = this.#limits;
    while (start < end) {
      const take = Math.min(end - start, Math.max(1, maxHeaderBytes - line.length));
      line.append(bytes, start, start + take);
      start += take;
      if (line.length < maxHeaderBytes) break;
      this.#failLongLine();
      const keep = Math.min(announcementBytes, maxHeaderBytes >> 1);
      const dropped = line.length - keep;
      this.#noise(line.bytes, 0, dropped, this.#lineOffset);
      line.bytes.copyWithin(0, dropped, line.length);
      line.length = keep;
      this.#lineOffset += dropped;
      this.#lineCut = true;
      if (this.failed) return;
    }
  }

  /** Takes a whole line, its end included. Returns the length of the body that begins behind it, if one does. */
  #endLine(bytes: Uint8Array, start: number, end: number): number | undefined {
    let last = end - 1;
    const offset = this.#lineOffset;
    if (bytes[last - 1] === carriageReturn && last > start) last--;
    else if (this.#strict) {
      this.#delivery.report(
        "ERR_HEADER_LINE",
        "Cannot read a header line that ends in a line feed alone",
        offset,
        end - start,
        sampleOf(bytes, start, end),
      );
      return undefined;
    }
    let first = start;
    if (
      offset === 0 &&
      bytes[start] === 0xef &&
      bytes[start + 1] === 0xbb &&
      bytes[start + 2] === 0xbf
    )
      first += 3;
    if (last === first && !this.#lineCut)
      return this.#block === undefined ? undefined : this.#endBlock(bytes, first, end);
    const text = latin1(bytes, first, last);
    const at = offset + first - start;
    const announcement = this.#strict ? -1 : findAnnouncement(text);
    if (announcement <= 0 && !this.#lineCut && this.#addLine(text, latin1(bytes, first, end), at))
      return undefined;
    if (this.#strict) {
      this.#delivery.report(
        "ERR_HEADER_LINE",
        "Cannot read a header line: it is no name and value",
        offset,
        end - start,
        sampleOf(bytes, start, end),
      );
      return undefined;
    }
    if (announcement < 0) {
      this.#noise(bytes, first, end, at);
      return undefined;
    }
    // Something printed in front of a header without a line end, or the rest of a body that was cut short.
    this.#noise(bytes, first, first + announcement, at);
    this.#dropBlock();
    this.#addLine(
      text.slice(announcement),
      latin1(bytes, first + announcement, end),
      at + announcement,
    );
    return undefined;
  }

  #addLine(text: string, whole: string, offset: number): boolean {
    const block = this.#block ?? new HeaderBlock(this.#limits, offset);
    if (!block.addLine(text)) return false;
    block.text += whole;
    this.#block = block;
    return true;
  }

  /** The blank line behind a header block. */
  #endBlock(bytes: Uint8Array, start: number, end: number): number | undefined {
    const block = this.#block!;
    this.#block = undefined;
    block.text += latin1(bytes, start, end);
    const length = block.bodyLength;
    if (length === undefined)
      block.fail("ERR_LENGTH_MISSING", "Cannot find a Content-Length in the header");
    else if (length > this.#limits.maxBodyBytes)
      block.fail(
        "ERR_BODY_TOO_LONG",
        `Cannot accept a body of ${length} bytes: the limit is ${this.#limits.maxBodyBytes}`,
      );
    const { fault } = block;
    if (fault !== undefined && fault.code !== "ERR_CHARSET") {
      this.#reportBlock(block);
      return undefined;
    }
    this.#beginFrame(block.offset, block.text.length, block.text, block.headers);
    this.#dropBody = fault;
    return length;
  }

  #reportBlock(block: HeaderBlock, unfinished = ""): void {
    if (this.#held !== undefined) this.#resolveHeld();
    this.#delivery.closeNoise();
    const { code, message } = block.fault!;
    const text = block.text + unfinished;
    this.#delivery.report(code, message, block.offset, text.length, text.slice(0, 80));
  }

  /** A line that does not end within the limit: the end of its block, or, if it looks like no header, noise. */
  #failLongLine(): void {
    const text = latin1(this.#line.bytes, 0, this.#line.length);
    if (
      this.#block === undefined &&
      (this.#lineCut || (!this.#strict && !/^[A-Za-z-]+[ \t]*:/.test(text)))
    )
      return;
    const block = this.#block ?? new HeaderBlock(this.#limits, this.#lineOffset);
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

  /** A body whose header was faulty. */
  #drop(bytes: Uint8Array, start: number, end: number): void {
    const { code, message } = this.#dropBody!;
    this.#dropBody = undefined;
    const { offset, headerLength } = this.#delivery.frame;
    this.#delivery.report(
      code,
      message,
      offset,
      headerLength + end - start,
      sampleOf(bytes, start, end),
    );
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
    const body = this.#body;
    const { reader, frame } = this.#delivery;
    const missing = this.#missing;
    reader.open(body.bytes, body.length, body.words);
    const valueEnd =
      this.#strict || this.#dropBody !== undefined ? -1 : findObjectEnd(body.bytes, 0, body.length);
    const whole = valueEnd > 0 && this.#delivery.deliver(body.bytes, 0, valueEnd);
    if (whole) {
      this.#reportLength(body.bytes, 0, valueEnd, true);
      this.#delivery.noise(body.bytes, valueEnd, body.length, this.#bodyOffset + valueEnd);
    } else {
      this.#delivery.report(
        "ERR_TRUNCATED",
        `The stream ended ${missing} bytes before the end of a body`,
        frame.offset,
        frame.headerLength + body.length,
        sampleOf(body.bytes, 0, body.length),
      );
    }
    body.clear(keptBodyBytes);
  }

  #endInHeader(): void {
    const { bytes, length } = this.#line;
    const text = latin1(bytes, 0, length);
    const isHeader = this.#block !== undefined || /^[A-Za-z-]+[ \t]*(:|$)/.test(text);
    if (!isHeader || this.#lineCut) {
      this.#noise(bytes, 0, length, this.#lineOffset);
      return;
    }
    this.#resolveHeld();
    this.#delivery.closeNoise();
    const offset = this.#block?.offset ?? this.#lineOffset;
    const all = (this.#block?.text ?? "") + text;
    this.#delivery.report(
      "ERR_TRUNCATED",
      "The stream ended inside a header",
      offset,
      all.length,
      all.slice(0, 80),
    );
  }
}

/** Place of the first line in a body that announces another one; -1 if there is none. */
function findHeaderLine(bytes: Uint8Array, start: number, end: number): number {
  for (
    let feed = indexOfLineFeed(bytes, start, end);
    feed >= 0;
    feed = indexOfLineFeed(bytes, feed + 1, end)
  ) {
    const at = announcementBefore(bytes, start, feed);
    if (at >= 0) return at;
  }
  return -1;
}

/** Place of the announcement that a line feed ends, or -1. */
function announcementBefore(bytes: Uint8Array, start: number, feed: number): number {
  let last = feed - 1;
  if (bytes[last] === carriageReturn) last--;
  // Most line feeds of pretty-printed JSON follow a bracket or a comma.
  const byte = last < start ? 0 : bytes[last]!;
  if (!((byte >= 0x30 && byte <= 0x39) || byte === 0x20 || byte === 0x09)) return -1;
  const first = Math.max(start, last + 1 - announcementBytes);
  const at = findAnnouncement(latin1(bytes, first, last + 1));
  return at < 0 ? -1 : first + at;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
