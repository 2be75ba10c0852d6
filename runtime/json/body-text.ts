import { native, nativeModule, viewOf } from "../base/buffer-methods.js";
import type { TextDecoderClass, Utf8Decoder } from "../base/web-standards.js";
import { Utf8Words } from "../base/utf8-words.js";

declare const TextDecoder: TextDecoderClass;

/** Maximum size of a window. A window can contain several bodies. */
const windowBytes = 32 * 1024;

/** Initial window size. It doubles each time a window is used up. */
const firstWindowBytes = 3 * 1024;

/** Minimum size at which an isAscii check is worth its cost. */
const minAsciiCheckBytes = 512;

/** Minimum size at which a single body is checked for ASCII, or transcoded. */
const minTranscodeBytes = 1024;

/**
 * Decodes ranges of a byte array to text.
 *
 * A native call costs about as much as decoding a few hundred bytes, and `TextDecoder` is slow for
 * non-ASCII text. This class therefore decodes several small bodies in one call: it copies ASCII,
 * and transcodes anything else.
 */
export class TextReader {
  readonly #fatal: boolean;
  #decoder: Utf8Decoder | undefined;
  #bytes: Uint8Array = empty;
  /** Number of bytes that are current. The rest may belong to an earlier body. */
  #length = 0;
  /** Whether these bytes are known to be ASCII. */
  #isAscii = false;
  /** The decoded window and its range; empty if there is none. */
  #text = "";
  #start = 0;
  #end = 0;
  /**
   * Whether characters in the window can take several bytes. Then one position is known both in
   * bytes (`#byteAt`) and in units (`#unitAt`).
   */
  #isWide = false;
  #byteAt = 0;
  #unitAt = 0;
  #windowBytes = firstWindowBytes;
  /** Everything before this index was tried and may be ill-formed. */
  #illFormedTo = 0;
  #words: Utf8Words | undefined;

  /** @param fatal Whether `read` returns undefined for ill-formed UTF-8 instead of replacing it. */
  constructor(fatal: boolean) {
    this.#fatal = fatal;
  }

  /**
   * Call this when the content of an array has changed. `read` detects a different array itself.
   */
  open(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    this.#bytes = bytes;
    this.#length = end;
    this.#isAscii = end - start >= minAsciiCheckBytes && isAscii(bytes, start, end);
    this.#start = this.#end = this.#illFormedTo = 0;
    this.#words = undefined;
  }

  /** Releases the array and everything cached about it. */
  close(): void {
    this.#bytes = empty;
    this.#text = "";
    this.#start = this.#end = 0;
    this.#words = undefined;
  }

  /** The text of a range, or undefined if it is ill-formed and `fatal` is set. */
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
    // Two-byte strings are slower to parse, and a long body may be ASCII on its own. A body that
    // ends inside a character is ill-formed, even if the window is not.
    if (
      end - start >= minTranscodeBytes ||
      isContinuation(bytes[start]) ||
      isContinuation(bytes[end])
    )
      return this.#decode(start, end);
    const words = (this.#words ??= new Utf8Words(bytes));
    const at = this.#byteAt;
    // A damaged body is read again with another end.
    const from =
      start < at
        ? this.#unitAt - words.countUnits(start, at)
        : this.#unitAt + words.countUnits(at, start);
    const to = from + words.countUnits(start, end);
    this.#byteAt = end;
    this.#unitAt = to;
    return this.#text.substring(from, to);
  }

  /**
   * Decodes a window that starts with a range. Returns false if it is not worthwhile, or
   * ill-formed.
   */
  #openWindow(start: number, end: number): boolean {
    const bytes = this.#bytes;
    // The bytes after a window may be of another kind. If a large body was already in it, that was
    // wasted work.
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

  /** Decodes a single body. */
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

/** Transcodes a range that is not ASCII. Returns undefined if it is ill-formed. */
function transcode(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const units = nativeModule!.transcode(viewOf(bytes, start, end), "utf8", "utf16le");
    return native!.ucs2Slice.call(units, 0, units.length);
  } catch {
    return undefined;
  }
}

/** Whether a byte continues a UTF-8 sequence. Undefined means that there is no byte. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** End of the last character that lies completely within a range. */
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
