import { ByteBuffer } from "../base/byte-buffer.js";
import { getField, setField } from "../base/own-fields.js";
import type { TextEncoderClass } from "../base/web-standards.js";
import type { Notation, ResolvedOptions, StreamDecoder } from "../frames/decoder-options.js";
import { DecoderOutput, DeferredPushes } from "../frames/decoder-output.js";
import { deliverFormatted } from "../frames/formatted-bodies.js";
import { sampleOf, type FrameFaultCode, type FrameLimits } from "../frames/frame-faults.js";
import type { BodyFormat, MessageFieldNames } from "../frames/spelling.js";
import { cannotWrite } from "./cannot-write.js";
import { ElementReader } from "./element-reader.js";
import {
  elementLimits,
  ElementScanner,
  isBlankUnit,
  StartTag,
  type ElementState,
  type TagState,
} from "./element-scanner.js";
import { ElementShapes, type ElementShape, type ElementTable } from "./element-shapes.js";
import { writeElement, writeUnknownElement } from "./element-writer.js";

declare const TextEncoder: TextEncoderClass;

/** A notation whose messages are consecutive XML elements, with text between them. */
export class ElementNotation implements Notation {
  readonly #shapes: ElementShapes;
  readonly #fields: MessageFieldNames;

  /** @param fields Names of the message fields that hold the name and the body. */
  constructor(table: ElementTable, fields: MessageFieldNames) {
    this.#shapes = new ElementShapes(table);
    this.#fields = fields;
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    const { text } = this.#shapes;
    const reader = new ElementReader((name) => this.#shapes.messages.get(name));
    return new ElementDecoder(options, this.#shapes, {
      element: (spelled) => {
        const { name, body } = reader.read(spelled);
        return this.#message(name, body);
      },
      text: (line) => {
        const body = {};
        setField(body, text!.field, line);
        return this.#message(text!.name, body);
      },
    });
  }

  write(message: object): string {
    const name = getField(message, this.#fields.name);
    const body = getField(message, this.#fields.payload);
    if (typeof name !== "string")
      return cannotWrite("a message without a name", `/${this.#fields.name}`, "ERR_ENCODE_NAME");
    const path = `/${this.#fields.payload}`;
    if (name === this.#shapes.text?.name)
      return this.#writeText(body, this.#shapes.text.field, path);
    const shape = this.#shapes.messages.get(name);
    const text =
      shape === undefined ? writeUnknownElement(name, body, path) : writeElement(body, shape, path);
    // Unknown elements, and elements with unescaped values, might not be read back as they were
    // written.
    if (shape?.hasRaw !== false && !this.#isReadAs(name, text, body))
      cannotWrite(
        `this "${name}" element: it would be read back differently`,
        path,
        "ERR_ENCODE_LINE",
      );
    return text;
  }

  /**
   * Checks and writes text between elements. Because such text cannot be escaped, it must end with
   * a line break and must not look like an element.
   */
  #writeText(body: unknown, field: string, path: string): string {
    const text = getField(body, field);
    const fail = (why: string): never =>
      cannotWrite(`text between elements that ${why}`, `${path}/${field}`, "ERR_ENCODE_LINE");
    if (typeof text !== "string" || !text.endsWith("\n"))
      return fail("does not end with a line break");
    if (text.includes("<") && !this.#isReadAs(this.#shapes.text!.name, text))
      return fail("would be read as an element");
    return text;
  }

  /**
   * Returns whether a text would be read back as messages with this name and the same content,
   * without waiting for more bytes.
   */
  #isReadAs(name: string, text: string, body?: unknown): boolean {
    const isText = name === this.#shapes.text?.name;
    // A blank line belongs to the text before it, so prepend a line of text.
    const bytes = new TextEncoder().encode(isText ? `.\n${text}` : text);
    let end = 0;
    let isSame = true;
    const decoder = this.createDecoder({
      limits: noLimits,
      strict: true,
      utf8: "replace",
      onMessage: (message, frame) => {
        isSame &&=
          getField(message, this.#fields.name) === name &&
          (isText ||
            (frame.offset === 0 && isContainedIn(getField(message, this.#fields.payload), body)));
        end = frame.offset + frame.bodyLength;
      },
    });
    decoder.push(bytes);
    return isSame && !decoder.failed && end === bytes.length;
  }

  #message(name: string, body: object): object {
    return { [this.#fields.name]: name, [this.#fields.payload]: body };
  }
}

/**
 * Returns whether the written value contains everything that was read back. A number may be read
 * back as text.
 */
function isContainedIn(read: unknown, written: unknown): boolean {
  if (Array.isArray(read))
    return (
      Array.isArray(written) &&
      read.length === written.length &&
      read.every((each, index) => isContainedIn(each, written[index]))
    );
  return typeof read === "object" && read !== null
    ? Object.entries(read).every(([name, each]) => isContainedIn(each, getField(written, name)))
    : String(read) === String(written);
}

const noLimits: FrameLimits = {
  maxBodyBytes: Infinity,
  maxHeaderBytes: Infinity,
  maxHeaderCount: Infinity,
  maxDepth: Infinity,
};

/** Maximum number of bytes to copy from a chunk at once. */
const pieceBytes = 0x1_0000;

/**
 * The decoder's state.
 *
 * - `fresh`: an element or text may begin
 * - `text`: in text between elements
 * - `junk`: after a fault, up to the next element or line
 * - `element`: in an element
 * - `aside`: in a comment or a declaration
 */
type Mode = "fresh" | "text" | "junk" | "element" | "aside";

/**
 * Splits a stream of consecutive XML documents, with lines of text between them.
 *
 * The protocol's elements are recognised by their attributes. If such an element begins inside an
 * element that cannot contain it, or inside an unescaped value, the outer element was never
 * completed and is reported. An element that is not part of the protocol is recognised only if it
 * ends on the line on which it starts. Text is delivered line by line.
 *
 * Decoding takes linear time: text that starts like an element is read once more as text, and never
 * again as an unknown element.
 */
class ElementDecoder implements StreamDecoder {
  readonly #maxBytes: number;
  readonly #output: DecoderOutput;
  readonly #lookup: (name: string) => ElementShape | undefined;
  readonly #scanner: ElementScanner;
  /** Whether bytes are being read. Chunks that a handler pushes in the meantime are deferred. */
  #isBusy = false;
  readonly #deferred = new DeferredPushes();
  readonly #item: ReceivedItem;
  /** The read position in the received bytes. */
  #at = 0;
  #mode: Mode = "fresh";
  /** A possible element inside the current item. */
  #candidate: StartTag;
  #hasCandidate = false;
  /** Index of the first line break after a candidate's start in text, or -1 if there is none. */
  #feed = -1;
  /** Stream offset before which no unknown element ends. */
  #noUnknownBefore = 0;

  constructor(options: ResolvedOptions, shapes: ElementShapes, read: ElementReading) {
    const { maxBodyBytes, maxDepth, maxHeaderCount: maxAttributes } = options.limits;
    this.#maxBytes = maxBodyBytes;
    this.#lookup = (name) => shapes.messages.get(name);
    this.#scanner = new ElementScanner(elementLimits(maxAttributes, maxDepth), this.#lookup);
    this.#candidate = new StartTag(maxAttributes);
    const format: BodyFormat = {
      read: (body) => [this.#item.isText ? read.text(body) : read.element(body)],
    };
    this.#output = new DecoderOutput(options, deliverFormatted(options, format));
    this.#item = new ReceivedItem(this.#output, shapes.text !== undefined);
  }

  get failed(): boolean {
    return this.#output.failed;
  }

  push(chunk: Uint8Array): void {
    if (this.#isBusy) this.#deferred.add(chunk);
    else this.#run(() => this.#read(chunk));
  }

  end(): void {
    if (this.#isBusy) this.#deferred.end();
    else if (!this.failed) this.#run(() => this.#finish());
  }

  #run(act: () => void): void {
    this.#isBusy = true;
    act();
    this.#isBusy = false;
    this.#deferred.finishChunk(this.#output, this);
  }

  #read(chunk: Uint8Array): void {
    const most = Math.min(this.#maxBytes, pieceBytes);
    for (let from = 0; from < chunk.length && !this.failed;) {
      const to = Math.min(chunk.length, from + most);
      this.#item.append(chunk, from, to);
      this.#scan();
      this.#forget();
      from = to;
    }
  }

  /** Called when the stream has ended. An incomplete element is either text or damaged. */
  #finish(): void {
    while (this.#item.start < this.#item.length && !this.failed) {
      if (this.#mode === "text" || this.#mode === "junk") {
        this.#finishText(this.#feed < 0 ? this.#item.length : this.#feed + 1);
        this.#scan();
      } else if (this.#mode === "aside" || !this.#scanner.isKnown) {
        this.#rereadAsText();
        this.#scan();
      } else {
        const { length } = this.#item;
        this.#item.fail("ERR_TRUNCATED", "The stream ended inside an element", length);
        break;
      }
    }
    this.#output.flushNoise();
  }

  #scan(): void {
    while (this.#at < this.#item.length && !this.failed) {
      if (this.#at - this.#item.start >= this.#maxBytes) this.#cutOff();
      else this.#step(this.#item.bytes[this.#at]!);
    }
    if (this.#mode === "junk" && !this.#hasCandidate) this.#item.skip(this.#at);
  }

  #step(byte: number): void {
    if (this.#mode === "element") this.#inElement(byte);
    else if (this.#mode === "aside") this.#inAside(byte);
    else if (this.#mode !== "fresh") this.#between(byte);
    else if (byte === 0x3c) this.#begin();
    else this.#mode = "text";
  }

  #begin(): void {
    this.#mode = "element";
    this.#item.start = this.#at;
    this.#scanner.begin(this.#at);
    this.#hasCandidate = false;
    this.#at++;
  }

  #inElement(byte: number): void {
    const scanner = this.#scanner;
    // `<!` and `<?` do not begin an element.
    if (this.#at === this.#item.start + 1 && (byte === 0x21 || byte === 0x3f)) {
      this.#mode = "aside";
      this.#at++;
      return;
    }
    if (!scanner.isInRaw) this.#hasCandidate = false;
    else if (this.#offer(byte, scanner.isKnown)) return;
    this.#follow(scanner.step(byte, this.#at), byte);
  }

  /**
   * Processes a byte of a comment or declaration. If it ends on the line on which it began, it is
   * not delivered; otherwise, it is text.
   */
  #inAside(byte: number): void {
    const { bytes } = this.#item;
    const at = this.#at - this.#item.start;
    const isComment = bytes[this.#item.start + 1] === 0x21;
    const isWrong = isComment && at < 4 && byte !== 0x2d;
    if (isWrong || byte === 0x0a) {
      this.#rereadAsText();
      return;
    }
    this.#at++;
    if (byte !== 0x3e) return;
    const [before, last] = [bytes[this.#at - 3], bytes[this.#at - 2]];
    const isEnd = isComment ? at > 5 && last === 0x2d && before === 0x2d : last === 0x3f && at > 2;
    if (!isEnd) return;
    this.#item.start = this.#at;
    this.#mode = "fresh";
  }

  /** Handles the scanner's state after a byte. */
  #follow(state: ElementState, byte: number): void {
    const scanner = this.#scanner;
    switch (state) {
      case "done":
        this.#at++;
        this.#item.deliver(this.#at, false);
        this.#mode = "fresh";
        // The candidate is part of the last value, so it is not an element.
        this.#hasCandidate = false;
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

  /** Whether an unknown element definitely cannot begin here. */
  #isReread(): boolean {
    return this.#scanner.isNamed && this.#item.offset < this.#noUnknownBefore;
  }

  /**
   * Processes a byte of text, or of the bytes that follow a fault. Both extend to the end of the
   * line or to the next element.
   */
  #between(byte: number): void {
    if (this.#offer(byte, false)) return;
    const begins = this.#hasCandidate && this.#candidate.start === this.#at;
    if (begins && this.#mode === "junk" && this.#feed < 0) this.#item.skip(this.#at);
    if (byte === 0x0a && this.#feed < 0) this.#feed = this.#at;
    // A line break may be inside an attribute value. If it turns out not to be, the bytes after it
    // are read again.
    const isInElement = this.#hasCandidate && this.#candidate.start < this.#feed;
    if (this.#feed < 0 || isInElement) this.#at++;
    else this.#finishText(this.#feed + 1);
  }

  /**
   * Passes a byte to the candidate, or starts a new candidate.
   *
   * @param isRaw Whether the byte is inside an unescaped value. There, a candidate needs several
   * attributes in double quotes, because quotes inside the value follow a backslash.
   * @returns True if the candidate is an element, which has now become the current item.
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

  /** Called when the candidate turns out to be an element, which ends the item before it. */
  #adopt(state: TagState, byte: number): void {
    const tag = this.#candidate;
    if (this.#mode === "text") this.#item.deliver(tag.start, true);
    else if (this.#mode === "junk") this.#item.skip(tag.start);
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

  /** Called when another message begins inside the current element. */
  #adoptChild(byte: number): void {
    this.#damageUnfinished(this.#scanner.inner);
    if (this.failed) return;
    const state = this.#scanner.adoptChild();
    this.#follow(this.#scanner.follow(state, this.#at), byte);
  }

  /** Re-reads the current element as text. */
  #rereadAsText(): void {
    this.#noUnknownBefore = Math.max(this.#noUnknownBefore, this.#item.offsetAt(this.#at + 1));
    this.#mode = "text";
    this.#at = this.#item.start + 1;
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  /** Ends a line of text or junk at `end`. */
  #finishText(end: number): void {
    if (this.#mode === "junk") this.#item.skip(end);
    else this.#item.deliver(end, true);
    this.#at = end;
    this.#mode = "fresh";
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  /** Called when the current item has reached the size limit. A candidate inside it is kept. */
  #cutOff(): void {
    const { start } = this.#candidate;
    if (this.#mode === "aside") {
      this.#rereadAsText();
      return;
    }
    if (this.#mode === "element") {
      const { isKnown, isInRaw, inner } = this.#scanner;
      if (!isKnown) this.#rereadAsText();
      else if (this.#hasCandidate) this.#damageTooLong(start);
      else this.#damageTooLong(isInRaw || inner < 0 ? this.#at : inner);
      return;
    }
    const isText = this.#mode === "text";
    if (isText && this.#hasCandidate && start > this.#item.start) this.#item.deliver(start, true);
    else if (this.#feed >= 0) this.#finishText(this.#feed + 1);
    else if (isText) this.#damageTooLong(this.#at);
    else {
      this.#item.skip(this.#at);
      this.#hasCandidate = false;
    }
  }

  #damageTooLong(end: number): void {
    const message = `Cannot accept an element or a line of more than ${this.#maxBytes} bytes`;
    this.#damage("ERR_BODY_TOO_LONG", message, end, end);
  }

  /** Reports that the current element is not closed, because another element begins at `end`. */
  #damageUnfinished(end: number): void {
    const message = `Cannot find the end of a ${this.#scanner.name} element`;
    this.#damage("ERR_ELEMENT", message, end, this.#at);
    this.#mode = "element";
  }

  /** Reports damage up to `end`, and continues at `at` with the next line or element. */
  #damage(code: FrameFaultCode, message: string, end: number, at: number): void {
    this.#item.damage(code, message, end);
    this.#at = at;
    this.#mode = "junk";
    this.#hasCandidate = false;
    this.#feed = -1;
  }

  /** Releases the bytes already processed. */
  #forget(): void {
    const done = this.#item.release();
    if (done === 0) return;
    this.#at -= done;
    this.#candidate.start -= done;
    this.#scanner.shift(done);
    if (this.#feed >= 0) this.#feed -= done;
  }
}

/** Converts the text of an element, and text between elements, into messages. */
interface ElementReading {
  element(text: string): object;
  text(text: string): object;
}

/** Maximum amount of memory kept between elements, in bytes. */
const keptBytes = 0x1_0000;

/**
 * The bytes received since the start of the current element or line. Delivers elements, text and
 * noise.
 */
class ReceivedItem {
  readonly #output: DecoderOutput;
  /** Whether lines of text are messages of the protocol rather than noise. */
  readonly #hasText: boolean;
  readonly #buffer = new ByteBuffer();
  /** Stream offset of the buffer's first byte. */
  #base = 0;
  /** Start of the item in the buffer. */
  start = 0;
  /** Whether the item being delivered is text. */
  isText = false;
  /** Whether the last item delivered was text, which means that a blank line belongs to it. */
  #afterText = false;

  constructor(output: DecoderOutput, hasText: boolean) {
    this.#output = output;
    this.#hasText = hasText;
  }

  /** The buffer, of which only the first `length` bytes have been received. */
  get bytes(): Uint8Array {
    return this.#buffer.bytes;
  }

  get length(): number {
    return this.#buffer.length;
  }

  /** Stream offset of the item. */
  get offset(): number {
    return this.offsetAt(this.start);
  }

  /** Returns the stream offset of a byte in the buffer. */
  offsetAt(at: number): number {
    return this.#base + at;
  }

  append(chunk: Uint8Array, from: number, to: number): void {
    this.#buffer.append(chunk, from, to);
  }

  /** Delivers the item up to `end`, where the next one starts. */
  deliver(end: number, isText: boolean): void {
    const { bytes, start, offset } = this;
    this.start = end;
    if (end === start) return;
    if (isText && !this.#afterText && isBlankText(bytes, start, end)) return;
    const output = this.#output;
    if (isText && !this.#hasText) {
      output.addNoise(bytes, start, end, offset);
      return;
    }
    this.isText = isText;
    this.#afterText = isText;
    output.flushNoise();
    output.frame.begin(offset, 0);
    if (output.deliver(bytes, start, end)) return;
    const { code, message } = output.reader.fault!;
    output.report(code, message, offset, end - start, sampleOf(bytes, start, end));
  }

  /** Reports the bytes up to `end` as noise. The next item starts there. */
  skip(end: number): void {
    this.#output.addNoise(this.bytes, this.start, end, this.offset);
    this.start = end;
  }

  /** Reports a fault in the bytes up to `end`. */
  fail(code: FrameFaultCode, message: string, end: number): void {
    const { bytes, start, offset } = this;
    this.#output.flushNoise();
    this.#output.report(code, message, offset, end - start, sampleOf(bytes, start, end));
  }

  /**
   * Reports a fault in the bytes up to `end`. The next item starts there, and does not continue a
   * text.
   */
  damage(code: FrameFaultCode, message: string, end: number): void {
    this.fail(code, message, end);
    this.start = end;
    this.#afterText = false;
  }

  /** Releases the bytes before the item. Returns how many were released. */
  release(): number {
    const done = this.start;
    if (done === 0) return 0;
    this.#base += done;
    this.start = 0;
    if (done === this.length) this.#buffer.clear(keptBytes);
    else this.#buffer.shift(done);
    return done;
  }
}

function isBlankText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlankUnit(bytes[at]!)) return false;
  return true;
}
