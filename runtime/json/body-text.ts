import { native, nativeModule, viewOf } from "../base/buffer-methods.js";
import { Utf8Words } from "../base/utf8-words.js";

/** Most bytes that become text at once, for several bodies together. */
const windowBytes = 32 * 1024;

/** The first window of its kind; each one that is used up makes the next larger. */
const firstWindowBytes = 3 * 1024;

/** From here on it pays to ask whether an array is ASCII. */
const minAsciiCheckBytes = 512;

/** From here on it pays to ask that of a body alone, or to transcode it. */
const minTranscodeBytes = 1024;

/**
 * Turns ranges of one byte array after another into text.
 *
 * A call of the host costs about as much as decoding some hundred bytes, and its decoder is slow beyond
 * ASCII. So that several small bodies become text at once, a window of the array, where ASCII by a plain
 * copy, and where not by a transcoder of the host.
 */
export class TextReader {
  readonly #fatal: boolean;
  #decoder: TextDecoder | undefined;
  #bytes: Uint8Array = empty;
  /** Bytes of the array that are worth looking at: the rest may be of an earlier body. */
  #length = 0;
  /** Whether they are known to be ASCII. */
  #isAscii = false;
  /** The window as text, and where it lies; empty if there is none. */
  #text = "";
  #start = 0;
  #end = 0;
  /** Whether a unit of it can be several bytes. Then a place is known in both. */
  #isWide = false;
  #byteAt = 0;
  #unitAt = 0;
  #windowBytes = firstWindowBytes;
  /** Up to here the array is known to hold something ill-formed. */
  #illFormedTo = 0;
  #words: Utf8Words | undefined;

  /** @param fatal Whether ill-formed UTF-8 makes `read` answer undefined instead of replacing it. */
  constructor(fatal: boolean) {
    this.#fatal = fatal;
  }

  /** Must be called when an array has got new content; `read` sees by itself that it is another one. */
  open(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#bytes = bytes;
    this.#length = end;
    this.#isAscii = end - start >= minAsciiCheckBytes && isAscii(bytes, start, end);
    this.#start = this.#end = this.#illFormedTo = 0;
    this.#words = undefined;
  }

  /** Lets go of the array, and of what is known about its content. */
  close(): void {
    this.#bytes = empty;
    this.#text = "";
    this.#start = this.#end = 0;
    this.#words = undefined;
  }

  /** The text of a range; undefined if it is ill-formed and that is fatal. */
  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    if (bytes !== this.#bytes) this.open(bytes);
    if (start < this.#start || end > this.#end) {
      const length = end - start;
      const useWindow =
        nativeModule !== undefined &&
        length * 2 <= this.#length - start &&
        length * 4 <= windowBytes &&
        start >= this.#illFormedTo;
      if (!useWindow || !this.#openWindow(start, end)) return this.#decode(start, end);
    }
    if (!this.#isWide) return this.#text.substring(start - this.#start, end - this.#start);
    // Text of two bytes a unit is slower to parse, and a long body may be ASCII. A body that ends within a
    // character is ill-formed, even if the window is not.
    if (
      end - start >= minTranscodeBytes ||
      isContinuation(bytes[start]) ||
      isContinuation(bytes[end])
    )
      return this.#decode(start, end);
    const words = (this.#words ??= new Utf8Words(bytes));
    const at = this.#byteAt;
    // A damaged body is read again, up to another end.
    const from =
      start < at
        ? this.#unitAt - words.countUnits(start, at)
        : this.#unitAt + words.countUnits(at, start);
    const to = from + words.countUnits(start, end);
    this.#byteAt = end;
    this.#unitAt = to;
    return this.#text.substring(from, to);
  }

  /** Makes text of what begins with a range. Returns false if that is not worth it, or ill-formed. */
  #openWindow(start: number, end: number): boolean {
    const bytes = this.#bytes;
    // What lies behind a window may be of another kind, and a large body in it was decoded in vain.
    if (this.#end > start) this.#windowBytes = Math.min(this.#windowBytes * 2, windowBytes);
    else if (this.#end > 0) this.#windowBytes = firstWindowBytes;
    let stop = Math.min(this.#length, Math.max(end, start + this.#windowBytes));
    let isWide = false;
    if (!this.#isAscii) {
      const ascii = isAscii(bytes, start, stop)
        ? stop
        : (this.#words ??= new Utf8Words(bytes)).skipAscii(start, stop);
      isWide = ascii < end;
      if (isWide !== this.#isWide) {
        this.#windowBytes = firstWindowBytes;
        stop = Math.min(stop, Math.max(end, start + firstWindowBytes));
      }
      stop = isWide ? Math.max(end, wholeCharacters(bytes, start, stop)) : Math.min(stop, ascii);
    }
    this.#end = 0;
    if (!isWide) this.#text = native!.latin1Slice.call(bytes, start, stop);
    else {
      const text = transcode(bytes, start, stop);
      if (text === undefined) {
        this.#illFormedTo = stop;
        return false;
      }
      this.#text = text;
      this.#byteAt = start;
      this.#unitAt = 0;
    }
    this.#isWide = isWide;
    this.#start = start;
    this.#end = stop;
    return true;
  }

  /** The text of one body alone. */
  #decode(start: number, end: number): string | undefined {
    const bytes = this.#bytes;
    if (native !== undefined) {
      if (this.#isAscii) return native.latin1Slice.call(bytes, start, end);
      if (nativeModule !== undefined && end - start >= minTranscodeBytes) {
        if (isAscii(bytes, start, end)) return native.latin1Slice.call(bytes, start, end);
        const text = start < this.#illFormedTo ? undefined : transcode(bytes, start, end);
        if (text !== undefined) return text;
      }
      const text = native.utf8Slice.call(bytes, start, end);
      if (!this.#fatal || !text.includes("\ufffd")) return text;
    }
    this.#decoder ??= new TextDecoder("utf-8", { fatal: this.#fatal, ignoreBOM: true });
    const part = bytes.subarray(start, end);
    if (!this.#fatal) return this.#decoder.decode(part);
    try {
      return this.#decoder.decode(part);
    } catch {
      return undefined;
    }
  }
}

const empty = /* @__PURE__ */ new Uint8Array(0);

/** Whether a range is known to be ASCII. */
function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  return nativeModule !== undefined && nativeModule.isAscii(viewOf(bytes, start, end));
}

/** The text of a range that is not ASCII; undefined if it is ill-formed. */
function transcode(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const units = nativeModule!.transcode(viewOf(bytes, start, end), "utf8", "utf16le");
    return native!.ucs2Slice.call(units, 0, units.length);
  } catch {
    return undefined;
  }
}

/** Whether a byte goes on with a character; there may be none. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where the last character of a range ends that is not cut by the range's end. */
function wholeCharacters(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= start && at >= end - 3; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + length > end ? at : end;
  }
  return end;
}
