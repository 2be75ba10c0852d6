import { ByteBuffer } from "../base/byte-buffer.js";
import { DecoderOutput } from "../frames/decoder-output.js";
import { ElementScanner, type ElementState } from "./element-scanner.js";
import type { ElementShape, ElementShapes } from "./element-shapes.js";
import type { ResolvedOptions, StreamDecoder } from "../frames/decoder-options.js";
import { sampleOf, type FrameErrorCode } from "../frames/frame-errors.js";
import { isBlank, StartTag, type TagState } from "./start-tag.js";

/** Memory that is kept between elements. */
const keptBytes = 64 * 1024;

/** Bytes that are taken from a chunk at once, so that a large one is not copied as a whole. */
const pieceBytes = 64 * 1024;

/** Elements inside one element. A few bytes are enough for each, and it takes about 200 bytes of memory. */
export const maxElements = 1_000_000;

/**
 * Where the decoder is.
 *
 * - `fresh`: an element or a text may begin
 * - `text`: in text between elements
 * - `junk`: behind a fault, up to the next element or line
 * - `element`: in an element
 */
type Mode = "fresh" | "text" | "junk" | "element";

/**
 * Cuts XML documents out of a stream that has them one behind the other, with lines of text between them.
 *
 * Elements that the protocol knows are told from look-alikes by their attributes: where such a one begins
 * inside another one that cannot hold it, or in a value that is not escaped, the one around it was never
 * finished and is reported. An element that the protocol does not know counts if it ends on its line.
 * Text is delivered line by line.
 *
 * The time is linear in the bytes: what began like an element and turns out to be text is read again as text,
 * and never as an unknown element again.
 */
export class ElementDecoder implements StreamDecoder {
  readonly #maxBytes: number;
  readonly #output: DecoderOutput;
  readonly #shapes: ElementShapes;
  readonly #lookup: (name: string) => ElementShape | undefined;
  readonly #scanner: ElementScanner;
  /** What came while a chunk was read. */
  readonly #deferred: Uint8Array[] = [];
  #isReading = false;
  #hasEnded = false;
  readonly #pending = new ByteBuffer();
  /** Place in the stream of the first pending byte. */
  #base = 0;
  /** Where what is being read begins, and how far it has been read, in the pending bytes. */
  #start = 0;
  #at = 0;
  #mode: Mode = "fresh";
  /** An element that perhaps begins inside what is being read. */
  #candidate: StartTag;
  #hasCandidate = false;
  /** First line end of a text since a candidate began in it. */
  #feed = -1;
  /** Place in the stream in front of which no unknown element ends. */
  #noUnknownBefore = 0;
  #isText = false;
  /** Whether the last thing delivered was text, so that a blank line belongs to it. */
  #afterText = false;

  constructor(options: ResolvedOptions, shapes: ElementShapes, read: ElementReading) {
    const { maxBodyBytes, maxHeaderCount: maxAttributes } = options.limits;
    // An element inside another one is an object in a list.
    const maxDepth = Math.max(1, Math.floor(options.limits.maxDepth / 2));
    this.#maxBytes = maxBodyBytes;
    this.#shapes = shapes;
    this.#lookup = (name) => shapes.messages.get(name);
    this.#scanner = new ElementScanner({ maxAttributes, maxDepth, maxElements }, this.#lookup);
    this.#candidate = new StartTag(maxAttributes);
    this.#output = new DecoderOutput(options, {
      read: (body) => [this.#isText ? read.text(body) : read.element(body)],
    });
  }

  get failed(): boolean {
    return this.#output.failed;
  }

  /** Takes the next bytes. What a handler pushes meanwhile is read behind them. */
  push(chunk: Uint8Array): void {
    if (this.#isReading) {
      this.#deferred.push(chunk.slice());
      return;
    }
    this.#isReading = true;
    this.#read(chunk);
    for (let next = this.#deferred.shift(); next !== undefined; next = this.#deferred.shift())
      this.#read(next);
    this.#isReading = false;
    this.#output.release();
    if (this.#hasEnded) this.end();
    else this.#output.rethrow();
  }

  #read(chunk: Uint8Array): void {
    const most = Math.min(this.#maxBytes, pieceBytes);
    for (let from = 0; from < chunk.length && !this.failed;) {
      const to = Math.min(chunk.length, from + most);
      this.#pending.append(chunk, from, to);
      this.#scan();
      this.#forget();
      from = to;
    }
  }

  end(): void {
    this.#hasEnded = this.#isReading;
    if (this.#isReading || this.failed) return;
    this.#isReading = true;
    this.#finish();
    this.#isReading = false;
    this.#output.rethrow();
  }

  /** The stream is over: what is unfinished is text, or damaged. */
  #finish(): void {
    while (this.#start < this.#pending.length && !this.failed) {
      if (this.#mode === "text" || this.#mode === "junk") {
        this.#finishText(this.#feed < 0 ? this.#pending.length : this.#feed + 1);
        this.#scan();
      } else if (!this.#scanner.isKnown) {
        this.#rereadAsText();
        this.#scan();
      } else {
        const { length } = this.#pending;
        this.#fail("ERR_TRUNCATED", "Cannot finish an element: the stream is over", length);
        break;
      }
    }
    this.#output.flushNoise();
  }

  #scan(): void {
    const { bytes, length } = this.#pending;
    while (this.#at < length && !this.failed) {
      if (this.#at - this.#start >= this.#maxBytes) this.#cutOff();
      else this.#step(bytes[this.#at]!);
      const awaited = this.#awaited();
      if (awaited === 0) continue;
      const end = Math.min(length, this.#start + this.#maxBytes);
      let at = this.#at;
      for (; at < end; at++) {
        const byte = bytes[at]!;
        if (byte === awaited || byte === 0x3c || byte === 0x0a) break;
      }
      this.#at = at;
    }
    if (this.#mode === "junk" && !this.#hasCandidate) this.#skip(this.#at);
  }

  /** A byte up to which nothing else but a `<` and a line end matters; 0 if every byte does. */
  #awaited(): number {
    if (this.#mode === "element") return this.#scanner.awaited;
    return this.#mode === "fresh" || this.#hasCandidate ? 0 : 0x3c;
  }

  #step(byte: number): void {
    if (this.#mode === "element") this.#inElement(byte);
    else if (this.#mode !== "fresh") this.#between(byte);
    else if (byte === 0x3c) this.#begin();
    else this.#mode = "text";
  }

  #begin(): void {
    this.#mode = "element";
    this.#start = this.#at;
    this.#scanner.begin(this.#at);
    this.#hasCandidate = false;
    this.#at++;
  }

  #inElement(byte: number): void {
    const scanner = this.#scanner;
    if (!scanner.isInRaw) this.#hasCandidate = false;
    else if (this.#offer(byte, scanner.isKnown)) return;
    this.#follow(scanner.step(byte, this.#at), byte);
  }

  /** What the scanner says of the current byte. */
  #follow(state: ElementState, byte: number): void {
    const scanner = this.#scanner;
    switch (state) {
      case "done":
        this.#at++;
        this.#deliver(this.#at, false);
        this.#mode = "fresh";
        return;
      case "more":
        if (!scanner.isKnown && (byte === 0x0a || this.#isReread())) this.#rereadAsText();
        else this.#at++;
        return;
      case "damaged": {
        const { code, message, end, isLimit } = scanner.fault!;
        if (scanner.isKnown || isLimit) this.#damage(code, message, end, end);
        else this.#rereadAsText();
        return;
      }
      case "other":
        if (scanner.isKnown) this.#adoptChild(byte);
        else this.#rereadAsText();
    }
  }

  /** Whether it is known that no unknown element begins where this one does. */
  #isReread(): boolean {
    return this.#scanner.isNamed && this.#base + this.#start < this.#noUnknownBefore;
  }

  /** Text, or what is behind a fault: both end at a line end or at the next element. */
  #between(byte: number): void {
    if (this.#offer(byte, false)) return;
    const begins = this.#hasCandidate && this.#candidate.start === this.#at;
    if (begins && this.#mode === "junk" && this.#feed < 0) this.#skip(this.#at);
    if (byte === 0x0a && this.#feed < 0) this.#feed = this.#at;
    // A value of an element may have line ends; where it turns out to be none, what follows is read again.
    const isInElement = this.#hasCandidate && this.#candidate.start < this.#feed;
    if (this.#feed < 0 || isInElement) this.#at++;
    else this.#finishText(this.#feed + 1);
  }

  /**
   * Shows a byte to an element that perhaps begins inside what is being read, or lets one begin.
   *
   * @param isRaw Whether this is inside a value that is not escaped, where only several attributes count, and
   *   only between quotes: texts in it have a backslash in front of theirs.
   * @returns true if that is an element: it is now what is being read.
   */
  #offer(byte: number, isRaw: boolean): boolean {
    const candidate = this.#candidate;
    if (this.#hasCandidate) {
      const state = candidate.step(byte, this.#at);
      if (state === "more") {
        if (candidate.shape !== undefined || !candidate.isNamed) return false;
        this.#hasCandidate = false;
      } else {
        this.#hasCandidate = false;
        if (this.#counts(candidate, state, isRaw)) {
          this.#adopt(state, byte);
          return true;
        }
      }
    }
    if (byte === 0x3c) {
      candidate.begin(this.#at, this.#lookup);
      this.#hasCandidate = true;
    }
    return false;
  }

  #counts(tag: StartTag, state: TagState, isRaw: boolean): boolean {
    const { shape } = tag;
    if (state === "no" || shape === undefined) return false;
    if (isRaw && (shape.required.length < 2 || tag.hasApostrophes)) return false;
    return tag.conformsAt(state, shape);
  }

  /** The element that was suspected is real: what is in front of it ends there. */
  #adopt(state: TagState, byte: number): void {
    const tag = this.#candidate;
    if (this.#mode === "text") this.#deliver(tag.start, true);
    else if (this.#mode === "junk") this.#skip(tag.start);
    else if (this.#scanner.isKnown) this.#damageUnfinished(tag.start);
    else {
      this.#rereadAsText();
      return;
    }
    if (this.failed) return;
    this.#candidate = this.#scanner.adopt(tag);
    this.#mode = "element";
    this.#feed = -1;
    this.#follow(this.#scanner.follow(state, this.#at), byte);
  }

  /** Another message begins inside the element that is being read. */
  #adoptChild(byte: number): void {
    this.#damageUnfinished(this.#scanner.inner);
    if (this.failed) return;
    const state = this.#scanner.adoptChild();
    this.#follow(this.#scanner.follow(state, this.#at), byte);
  }

  /** What began like an element is text. */
  #rereadAsText(): void {
    this.#noUnknownBefore = Math.max(this.#noUnknownBefore, this.#base + this.#at + 1);
    this.#mode = "text";
    this.#at = this.#start + 1;
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  /** A line of text or junk ends at `end`. */
  #finishText(end: number): void {
    if (this.#mode === "junk") this.#skip(end);
    else this.#deliver(end, true);
    this.#at = end;
    this.#mode = "fresh";
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  /** What is being read is as long as it may be and not finished. What perhaps begins inside it is kept. */
  #cutOff(): void {
    const { start } = this.#candidate;
    if (this.#mode === "element") {
      const { isKnown, isInRaw, inner } = this.#scanner;
      if (!isKnown) this.#rereadAsText();
      else if (this.#hasCandidate) this.#damageTooLong(start);
      else this.#damageTooLong(isInRaw || inner < 0 ? this.#at : inner);
      return;
    }
    const isText = this.#mode === "text";
    if (isText && this.#hasCandidate && start > this.#start) this.#deliver(start, true);
    else if (this.#feed >= 0) this.#finishText(this.#feed + 1);
    else if (isText) this.#damageTooLong(this.#at);
    else {
      this.#skip(this.#at);
      this.#hasCandidate = false;
    }
  }

  /** Hands over what is between the start and `end`, and goes on there. */
  #deliver(end: number, isText: boolean): void {
    const { bytes } = this.#pending;
    const start = this.#start;
    this.#start = end;
    if (end === start) return;
    if (isText && !this.#afterText && isBlankText(bytes, start, end)) return;
    if (isText && this.#shapes.text === undefined) {
      this.#output.addNoise(bytes, start, end, this.#base + start);
      return;
    }
    this.#isText = isText;
    this.#afterText = isText;
    this.#output.flushNoise();
    this.#output.frame.begin(this.#base + start, 0);
    if (this.#output.deliver(bytes, start, end)) return;
    const { code, message } = this.#output.reader.fault!;
    this.#output.report(
      code,
      message,
      this.#base + start,
      end - start,
      sampleOf(bytes, start, end),
    );
  }

  /** What has been read up to `end` belongs to no message. */
  #skip(end: number): void {
    this.#output.addNoise(this.#pending.bytes, this.#start, end, this.#base + this.#start);
    this.#start = end;
  }

  #damageTooLong(end: number): void {
    const message = `Cannot accept an element or a line of more than ${this.#maxBytes} bytes`;
    this.#damage("ERR_BODY_TOO_LONG", message, end, end);
  }

  /** The element being read is one without an end: another one begins at `end`. */
  #damageUnfinished(end: number): void {
    const message = `Cannot find the end of a ${this.#scanner.name} element`;
    this.#damage("ERR_ELEMENT", message, end, this.#at);
    this.#mode = "element";
  }

  /** What is being read up to `end` is damaged. Goes on at a place: at the next line, or the next element. */
  #damage(code: FrameErrorCode, message: string, end: number, at: number): void {
    this.#fail(code, message, end);
    this.#start = end;
    this.#at = at;
    this.#mode = "junk";
    this.#afterText = false;
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  #fail(code: FrameErrorCode, message: string, end: number): void {
    this.#output.flushNoise();
    const { bytes } = this.#pending;
    this.#output.report(
      code,
      message,
      this.#base + this.#start,
      end - this.#start,
      sampleOf(bytes, this.#start, end),
    );
  }

  /** Lets go of the bytes that have been dealt with. */
  #forget(): void {
    const done = this.#start;
    if (done === 0) return;
    this.#base += done;
    this.#at -= done;
    this.#start = 0;
    this.#candidate.start -= done;
    this.#scanner.shift(done);
    if (this.#feed >= 0) this.#feed -= done;
    if (done === this.#pending.length) this.#pending.clear(keptBytes);
    else this.#pending.shift(done);
  }
}

/** What becomes of the text of an element, and of text between elements. */
export interface ElementReading {
  element(text: string): object;
  text(text: string): object;
}

function isBlankText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlank(bytes[at]!)) return false;
  return true;
}
