import { ByteBuffer } from "./byte-buffer.js";
import { Delivery } from "./delivery.js";
import type { ElementShape, ElementShapes } from "./element-shapes.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { sampleOf, type FrameErrorCode } from "./frame-errors.js";
import { isBlank, maxNameLength, StartTag, type TagState } from "./start-tag.js";

/** Memory that is kept between elements. */
const keptBytes = 64 * 1024;

/**
 * Where the decoder is.
 *
 * - `fresh`: an element or a text may begin
 * - `text`: in text between elements
 * - `junk`: behind a fault, up to the next element or line
 * - `tag`: in the start tag of the element
 * - `content`: in the element
 * - `markup`: behind a `<` in the element
 * - `child`: in the start tag of an element in it
 * - `end`: in an end tag
 * - `cdata`: in a section of characters
 */
type Mode = "fresh" | "text" | "junk" | "tag" | "content" | "markup" | "child" | "end" | "cdata";

interface OpenElement {
  readonly tag: string;
  readonly shape: ElementShape | undefined;
}

/**
 * Cuts XML documents out of a stream that has them one behind the other, with lines of text between them.
 *
 * Elements that the protocol knows are told from look-alikes by their attributes: where such a one begins
 * inside another one that cannot hold it, or in a value that is not escaped, the one around it was never
 * finished and is reported. An element that the protocol does not know counts if it ends on its line.
 * Text is delivered line by line. Every byte is looked at once, and once more at most where what began like
 * an element turns out to be text.
 */
export class ElementDecoder implements StreamDecoder {
  readonly #limits: ResolvedOptions["limits"];
  readonly #delivery: Delivery;
  readonly #shapes: ElementShapes;
  readonly #lookup: (name: string) => ElementShape | undefined;
  readonly #pending = new ByteBuffer();
  /** Place in the stream of the first pending byte. */
  #base = 0;
  /** Where what is being read begins, and how far it has been read, in the pending bytes. */
  #start = 0;
  #at = 0;
  #mode: Mode = "fresh";
  #tag = new StartTag();
  /** An element that perhaps begins inside what is being read. */
  #candidate = new StartTag();
  #hasCandidate = false;
  /** First line end of a text since a candidate began in it. */
  #feed = -1;
  readonly #open: OpenElement[] = [];
  #markupStart = 0;
  #markup = "";
  #isText = false;
  /** Whether the last thing delivered was text, so that a blank line belongs to it. */
  #afterText = false;

  constructor(options: ResolvedOptions, shapes: ElementShapes, read: ElementReading) {
    this.#limits = options.limits;
    this.#shapes = shapes;
    this.#lookup = (name) => shapes.messages.get(name);
    this.#delivery = new Delivery(options, {
      read: (body) => [this.#isText ? read.text(body) : read.element(body)],
    });
  }

  get failed(): boolean {
    return this.#delivery.failed;
  }

  push(chunk: Uint8Array): void {
    // In pieces, so that no more is kept than an element may have.
    const most = this.#limits.maxBodyBytes;
    for (let from = 0; from < chunk.length && !this.failed;) {
      const to = Math.min(chunk.length, from + most);
      this.#pending.append(chunk, from, to);
      this.#scan();
      this.#forget();
      from = to;
    }
    this.#delivery.release();
    this.#delivery.rethrow();
  }

  end(): void {
    if (this.failed) return;
    while (this.#start < this.#pending.length && !this.failed) {
      if (this.#mode === "text" || this.#mode === "junk") {
        this.#finishText(this.#feed < 0 ? this.#pending.length : this.#feed + 1);
        this.#scan();
      } else if (this.#isUnknown()) {
        this.#becomeText();
        this.#scan();
      } else {
        const { bytes, length } = this.#pending;
        this.#fail("ERR_TRUNCATED", "Cannot finish an element: the stream is over", length);
        this.#delivery.noise(bytes, this.#start, length, this.#base + this.#start);
        break;
      }
    }
    this.#delivery.closeNoise();
    this.#delivery.rethrow();
  }

  #scan(): void {
    const { bytes, length } = this.#pending;
    while (this.#at < length && !this.failed) {
      this.#step(bytes[this.#at]!);
      if (this.#at - this.#start > this.#limits.maxBodyBytes) this.#tooLong();
    }
    if (this.#mode === "junk" && !this.#hasCandidate) this.#skip(this.#at);
  }

  #step(byte: number): void {
    switch (this.#mode) {
      case "fresh":
        if (byte === 0x3c) this.#begin();
        else this.#mode = "text";
        return;
      case "text":
      case "junk":
        this.#between(byte);
        return;
      case "tag": {
        const isRaw = this.#tag.isInRaw;
        this.#follow(this.#tag.step(byte), isRaw);
        return;
      }
      case "content":
        if (byte === 0x3c) {
          this.#mode = "markup";
          this.#markupStart = this.#at;
          this.#markup = "";
        } else if (byte === 0x0a && this.#isUnknown()) {
          this.#becomeText();
          return;
        }
        this.#at++;
        return;
      case "markup":
        this.#markupByte(byte);
        return;
      case "child":
        this.#childByte(byte);
        return;
      case "end":
        this.#endTagByte(byte);
        return;
      case "cdata":
        this.#cdataByte(byte);
        return;
    }
  }

  #begin(): void {
    this.#mode = "tag";
    this.#start = this.#at;
    this.#tag.begin(this.#at, this.#lookup);
    this.#hasCandidate = false;
    this.#open.length = 0;
    this.#at++;
  }

  /**
   * What the start tag of the element says behind the current byte.
   *
   * @param isRaw Whether that byte is in a value that is not escaped, or ends it.
   */
  #follow(state: TagState, isRaw: boolean): void {
    if (state === "no") {
      if (this.#tag.shape === undefined) this.#becomeText();
      else this.#damage(this.#at, `Cannot read the start of a ${this.#tag.name} element`);
      return;
    }
    if (isRaw && this.#offer(this.#pending.bytes[this.#at]!, true)) return;
    this.#at++;
    if (this.#tag.attributeCount > this.#limits.maxHeaderCount)
      this.#damage(this.#at, `Cannot read more than ${this.#limits.maxHeaderCount} attributes`);
    else if (state === "closed") this.#finishElement();
    else if (state === "open") {
      this.#hasCandidate = false;
      this.#open.push({ tag: this.#tag.name, shape: this.#tag.shape });
      this.#mode = "content";
    }
  }

  /** Text, or what is behind a fault: both end at a line end or at the next element. */
  #between(byte: number): void {
    if (this.#offer(byte, false)) return;
    if (byte === 0x0a && this.#feed < 0) this.#feed = this.#at;
    // A value of an element may have line ends; where it turns out to be none, what follows is read anew.
    const isInElement = this.#hasCandidate && this.#candidate.start < this.#feed;
    if (this.#feed < 0 || isInElement) this.#at++;
    else this.#finishText(this.#feed + 1);
  }

  /**
   * Shows a byte to an element that perhaps begins inside what is being read, or lets one begin.
   *
   * @param isRaw Whether this is inside a value that is not escaped, where only several attributes count.
   * @returns true if that is an element: it is now what is being read.
   */
  #offer(byte: number, isRaw: boolean): boolean {
    const candidate = this.#candidate;
    if (this.#hasCandidate) {
      const state = candidate.step(byte);
      if (state === "more") {
        if (candidate.shape !== undefined || !candidate.isNamed) return false;
        this.#hasCandidate = false;
      } else {
        this.#hasCandidate = false;
        const counts =
          state === "raw" ? candidate.isCompleteToRaw : state !== "no" && candidate.isComplete;
        if (counts && !(isRaw && candidate.shape!.required.length < 2)) {
          this.#adopt(state);
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

  /** The element that was suspected is real: what is in front of it ends there. */
  #adopt(state: TagState): void {
    const tag = this.#candidate;
    this.#candidate = this.#tag;
    if (this.#mode === "text") this.#deliver(tag.start, true);
    else if (this.#mode === "junk") this.#skip(tag.start);
    else this.#damage(tag.start, `Cannot find the end of a ${this.#nameOfOpen()} element`, true);
    if (this.failed) return;
    this.#tag = tag;
    this.#start = tag.start;
    this.#open.length = 0;
    this.#mode = "tag";
    this.#hasCandidate = false;
    this.#feed = -1;
    this.#follow(state, false);
  }

  #nameOfOpen(): string {
    return this.#open[0]?.tag ?? this.#candidate.name;
  }

  #markupByte(byte: number): void {
    if (this.#markup === "") {
      if (byte === 0x2f) {
        this.#mode = "end";
        this.#at++;
        return;
      }
      if (byte !== 0x21) {
        this.#candidate.begin(this.#markupStart, (name) => this.#shapeOfChild(name));
        this.#mode = "child";
        return;
      }
    }
    this.#markup += String.fromCharCode(byte);
    if (!"![CDATA[".startsWith(this.#markup)) this.#mode = "content";
    else {
      this.#at++;
      if (this.#markup.length === 8) this.#mode = "cdata";
    }
  }

  #shapeOfChild(name: string): ElementShape | undefined {
    const child = this.#open.at(-1)!.shape?.child;
    return child?.tag === name ? child : this.#lookup(name);
  }

  #childByte(byte: number): void {
    const tag = this.#candidate;
    const state = tag.step(byte);
    if (state === "no") {
      this.#mode = "content";
      return;
    }
    if (state === "more") {
      this.#at++;
      return;
    }
    const parent = this.#open.at(-1)!.shape;
    const own = parent?.child?.tag === tag.name ? parent.child : undefined;
    const message = this.#lookup(tag.name);
    const isOwn = parent?.textTag === tag.name || (own !== undefined && tag.conformsTo(own));
    const counts =
      message !== undefined && (state === "raw" ? tag.isCompleteToRaw : tag.conformsTo(message));
    if (!isOwn && counts) {
      if (this.#isUnknown()) {
        this.#becomeText();
        return;
      }
      this.#adopt(state);
      return;
    }
    this.#at++;
    if (state === "closed" || (state === "raw" && !isOwn)) this.#mode = "content";
    else if (state === "open") {
      if (this.#open.length >= this.#limits.maxDepth) {
        const most = this.#limits.maxDepth;
        this.#damage(
          this.#at,
          `Cannot read elements nested more than ${most} deep`,
          false,
          "ERR_DEPTH",
        );
        return;
      }
      this.#open.push({ tag: tag.name, shape: own });
      this.#mode = "content";
    }
  }

  #endTagByte(byte: number): void {
    if (byte === 0x3c) {
      this.#damage(this.#at, "Cannot read an end tag");
      return;
    }
    this.#at++;
    if (byte !== 0x3e) {
      if (this.#at - this.#markupStart > maxNameLength + 4)
        this.#damage(this.#at, "Cannot read an end tag of that length");
      return;
    }
    const name = this.#latin(this.#markupStart + 2, this.#at - 1).trimEnd();
    if (this.#open.at(-1)!.tag !== name) {
      if (this.#isUnknown()) this.#becomeText();
      else
        this.#damage(this.#at, `Cannot use the end of "${name}" inside ${this.#open.at(-1)!.tag}`);
      return;
    }
    this.#open.pop();
    if (this.#open.length === 0) this.#finishElement();
    else this.#mode = "content";
  }

  /** A section ends at the last `]]>` in front of an end tag: the text may have brackets at its end. */
  #cdataByte(byte: number): void {
    if (this.#offer(byte, true)) return;
    this.#at++;
    if (byte !== 0x2f) return;
    if (this.#latin(Math.max(this.#start, this.#at - 5), this.#at) !== "]]></") return;
    this.#markupStart = this.#at - 2;
    this.#mode = "end";
    this.#hasCandidate = false;
  }

  #latin(start: number, end: number): string {
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(this.#pending.bytes[at]!);
    return text;
  }

  /** Whether the protocol does not know the element that is being read. */
  #isUnknown(): boolean {
    return this.#mode !== "text" && this.#mode !== "junk" && this.#tag.shape === undefined;
  }

  /** What began like an element is text. */
  #becomeText(): void {
    this.#mode = "text";
    this.#at = this.#start + 1;
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  #finishElement(): void {
    this.#deliver(this.#at, false);
    this.#mode = "fresh";
    this.#hasCandidate = false;
    this.#open.length = 0;
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

  /** Hands over what is between the start and `end`, and goes on there. */
  #deliver(end: number, isText: boolean): void {
    const { bytes } = this.#pending;
    const start = this.#start;
    this.#start = end;
    if (end === start) return;
    if (
      isText &&
      (this.#shapes.text === undefined || (!this.#afterText && isBlankText(bytes, start, end)))
    ) {
      if (this.#shapes.text === undefined)
        this.#delivery.noise(bytes, start, end, this.#base + start);
      return;
    }
    this.#isText = isText;
    this.#afterText = isText;
    this.#delivery.closeNoise();
    this.#delivery.frame.begin(this.#base + start, 0);
    if (this.#delivery.deliver(bytes, start, end)) return;
    const { code, message } = this.#delivery.reader.fault!;
    this.#delivery.report(
      code,
      message,
      this.#base + start,
      end - start,
      sampleOf(bytes, start, end),
    );
  }

  /** What has been read up to `end` belongs to no message. */
  #skip(end: number): void {
    this.#delivery.noise(this.#pending.bytes, this.#start, end, this.#base + this.#start);
    this.#start = end;
  }

  /** The element being read is not one. Goes on behind it: at the next line, or at the element that begins. */
  #damage(
    end: number,
    message: string,
    isFollowed = false,
    code: FrameErrorCode = "ERR_ELEMENT",
  ): void {
    this.#fail(code, message, end);
    this.#skip(end);
    this.#afterText = false;
    if (isFollowed) return;
    this.#mode = "junk";
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  #fail(code: FrameErrorCode, message: string, end: number): void {
    this.#delivery.closeNoise();
    const { bytes } = this.#pending;
    this.#delivery.report(
      code,
      message,
      this.#base + this.#start,
      end - this.#start,
      sampleOf(bytes, this.#start, end),
    );
  }

  #tooLong(): void {
    const most = this.#limits.maxBodyBytes;
    if (this.#mode === "junk") this.#skip(this.#at);
    else
      this.#damage(
        this.#at,
        `Cannot accept an element or a line of more than ${most} bytes`,
        false,
        "ERR_BODY_TOO_LONG",
      );
    this.#hasCandidate = false;
  }

  /** Lets go of the bytes that have been dealt with. */
  #forget(): void {
    const { bytes, length } = this.#pending;
    const done = this.#start;
    if (done === 0) return;
    this.#base += done;
    this.#at -= done;
    this.#start = 0;
    this.#tag.start -= done;
    this.#candidate.start -= done;
    this.#markupStart -= done;
    if (this.#feed >= 0) this.#feed -= done;
    if (done === length) {
      this.#pending.clear(keptBytes);
      return;
    }
    bytes.copyWithin(0, done, length);
    this.#pending.length = length - done;
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
