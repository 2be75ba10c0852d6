import type { Frame } from "../../../runtime/index.js";
import type { ByteMark } from "../entries/recorded-entry.js";
import { bodyMarks } from "./body-marks.js";
import { declaredLength, headerMarks } from "./header-marks.js";

/**
 * Maximum number of bytes to keep after a frame while the next one is incomplete. No header is
 * longer.
 */
const keptBytes = 64 * 1024;

/**
 * Runs alongside the decoder and finds quirks in the bytes of frames that some readers cannot
 * handle.
 *
 * The results do not depend on how the stream is split into chunks.
 */
export class FrameBytes {
  /** The current chunk and its offset in the stream. */
  #chunk: Uint8Array = empty;
  #base = 0;
  /** The first bytes after the latest frame and before the current chunk, and their offset. */
  #kept: Uint8Array = empty;
  #keptAt = 0;
  /** Offset at which the latest frame, stream fault or noise ends. */
  #end = 0;
  readonly #origin: number;

  /**
   * @param origin Offset of the first byte within the whole stream, which is added to the offsets
   * of marks. Default: 0.
   */
  constructor(origin = 0) {
    this.#origin = origin;
  }

  /**
   * Decodes a chunk by calling `decode`. It is only during this call that `marksOf` can read all
   * bytes of the chunk.
   */
  during(chunk: Uint8Array, decode: () => void): void {
    this.#chunk = chunk;
    decode();
    this.#keep(chunk);
    this.#base += chunk.length;
    this.#chunk = empty;
  }

  /** Skips bytes that are not a message. */
  skip(offset: number, length: number): void {
    this.#endAt(offset + length);
  }

  /**
   * Finds the quirks in the bytes of a message. Returns undefined if there are none.
   *
   * @param message The parsed message. Undefined if its body is known to have no quirks.
   */
  marksOf(message: object | undefined, frame: Frame): readonly ByteMark[] | undefined {
    const { offset, headerLength, bodyLength } = frame;
    const end = this.#end;
    this.#endAt(offset + headerLength + bodyLength);
    const marks =
      end === offset && this.#isCanonical(offset, headerLength, bodyLength)
        ? undefined
        : this.#marksBefore(
            this.#read(end, offset),
            this.#read(offset, offset + headerLength),
            frame,
          );
    const inBody =
      message === undefined ? undefined : bodyMarks(frame.body, message, offset + headerLength);
    const all = [...(marks ?? []), ...(inBody ?? [])];
    if (all.length === 0) return undefined;
    return this.#origin === 0
      ? all
      : all.map((mark) => ({ ...mark, offset: this.#origin + mark.offset }));
  }

  #marksBefore(
    before: Uint8Array | undefined,
    header: Uint8Array | undefined,
    { offset, body }: Frame,
  ): readonly ByteMark[] {
    const marks: ByteMark[] = [];
    const gap = latin1(before ?? empty);
    const start = offset - gap.length;
    if (this.#origin + start === 0 && gap.startsWith("\xef\xbb\xbf"))
      marks.push({ quirk: "stream-mark", offset: 0 });
    const lines = gap.split("\n").length - 1;
    if (lines === 1 && start > 0) marks.push({ quirk: "line-end-after", offset: start });
    else if (lines > 0) marks.push({ quirk: "blank-lines", offset: start, value: String(lines) });
    if (header === undefined) return marks;
    const text = latin1(header);
    marks.push(...headerMarks(text, offset));
    const declared = declaredLength(text);
    if (declared !== undefined && declared !== body.length && isLengthOf(body, declared))
      marks.push({
        quirk: "length-in-characters",
        offset,
        value: `${declared} instead of ${body.length}`,
      });
    return marks;
  }

  /** Returns whether a header consists of nothing but a `Content-Length` line in its usual form. */
  #isCanonical(offset: number, length: number, bodyLength: number): boolean {
    const isHere = offset >= this.#base;
    const bytes = isHere ? this.#chunk : this.#read(offset, offset + length);
    return (
      bytes !== undefined &&
      isCanonical(bytes, isHere ? offset - this.#base : 0, length, bodyLength)
    );
  }

  #endAt(end: number): void {
    if (end > this.#end) this.#end = end;
  }

  /** Keeps the first bytes after the latest frame for use with the next chunks. */
  #keep(chunk: Uint8Array): void {
    const end = this.#end;
    if (end >= this.#base) {
      this.#kept = chunk.slice(end - this.#base, end - this.#base + keptBytes);
      this.#keptAt = end;
      return;
    }
    if (end > this.#keptAt) {
      this.#kept = this.#kept.subarray(end - this.#keptAt);
      this.#keptAt = end;
    }
    const missing = keptBytes - this.#kept.length;
    // Only add bytes that directly follow the kept bytes, because a gap would make them useless.
    if (missing > 0 && this.#keptAt + this.#kept.length === this.#base)
      this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, missing)]);
  }

  /**
   * Reads bytes of the stream from the current chunk and the kept bytes. Returns undefined if they
   * are no longer available.
   */
  #read(from: number, to: number): Uint8Array | undefined {
    const base = this.#base;
    if (from >= base) return this.#chunk.subarray(from - base, to - base);
    const at = from - this.#keptAt;
    const head = at < 0 ? empty : this.#kept.subarray(at, to - this.#keptAt);
    if (to <= base) return head.length === to - from ? head : undefined;
    return from + head.length === base
      ? Buffer.concat([head, this.#chunk.subarray(0, to - base)])
      : undefined;
  }
}

const empty = new Uint8Array(0);

function isCanonical(
  bytes: Uint8Array,
  start: number,
  length: number,
  bodyLength: number,
): boolean {
  let at = start + length - lineEnds.length;
  if (!holds(bytes, at, lineEnds)) return false;
  const least = start + headerName.length;
  // Compare the digits of the length, last digit first.
  let left = bodyLength;
  do {
    if (--at < least || bytes[at] !== zero + (left % 10)) return false;
    left = Math.floor(left / 10);
  } while (left > 0);
  return at === least && holds(bytes, start, headerName);
}

const zero = 0x30;
const headerName = "Content-Length: ";
const lineEnds = "\r\n\r\n";

function holds(bytes: Uint8Array, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Returns whether `length` is the number of code points or UTF-16 code units in a body. */
function isLengthOf(body: Uint8Array, length: number): boolean {
  let points = 0;
  let pairs = 0;
  for (const byte of body) {
    if ((byte & 0xc0) !== 0x80) points++;
    if (byte >= 0xf0) pairs++;
  }
  return points === length || points + pairs === length;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
