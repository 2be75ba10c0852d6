import { littleEndian, native } from "./native-text.js";

/** From here on a scan and a plain copy are faster than the host's decoder, if the text is ASCII. */
const largeBytes = 1 << 16;

/** ASCII bodies in a row after which all of an array is expected to be ASCII again. */
const asciiStreak = 64;

/** Turns ranges of one byte array after another into text. */
export class TextReader {
  readonly #fatal: boolean;
  readonly #decoder: TextDecoder;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Bytes of the array that are worth looking at: the rest may be of an earlier body. */
  #length = 0;
  /** The same memory as words, if it is aligned. */
  #words: Uint32Array | undefined;
  /** All of the array as text, a unit a byte. */
  #text: string | undefined;
  /** Whether that has been tried with this array: once is enough, however often it seems worth it. */
  #tried = false;
  #expectAscii = true;
  #streak = 0;

  /** @param fatal Whether ill-formed UTF-8 makes `read` answer undefined instead of replacing it. */
  constructor(fatal: boolean) {
    this.#fatal = fatal;
    this.#decoder = new TextDecoder("utf-8", { fatal, ignoreBOM: true });
  }

  /**
   * Must be called when an array has got new content; `read` sees by itself that it is another one.
   *
   * @param words The same memory as words, if the caller has it.
   */
  open(bytes: Uint8Array, length = bytes.length, words?: Uint32Array): void {
    this.#bytes = bytes;
    this.#length = length;
    this.#words = words;
    this.#text = undefined;
    this.#tried = false;
  }

  /** Lets go of the array, and of what is known about its content. */
  close(): void {
    this.#bytes = empty;
    this.#words = undefined;
    this.#text = undefined;
  }

  /** The text of a range; undefined if it is ill-formed and that is fatal. */
  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    if (bytes !== this.#bytes) this.open(bytes);
    if (this.#text !== undefined) return this.#text.substring(start, end);
    if (native === undefined) return this.#decode(start, end);
    const length = end - start;
    if (length >= largeBytes) {
      if (this.#isAscii(start, end)) return native.latin1Slice.call(bytes, start, end);
    } else if (
      this.#expectAscii &&
      !this.#tried &&
      start > 0 &&
      length < (this.#length - start) >> 1
    ) {
      // Several bodies seem to lie in the array: one text for all of them, if each byte has become one unit.
      const text = native.utf8Slice.call(bytes, 0, this.#length);
      if (text.length === this.#length && !(this.#fatal && text.includes("\ufffd"))) {
        this.#text = text;
        return text.substring(start, end);
      }
      this.#tried = true;
      this.#expectAscii = false;
      this.#streak = 0;
    }
    const text = native.utf8Slice.call(bytes, start, end);
    if (text.length !== length) this.#streak = 0;
    else if (++this.#streak === asciiStreak) this.#expectAscii = true;
    return this.#fatal && text.includes("\ufffd") ? this.#decode(start, end) : text;
  }

  /** The array as words; undefined if it is not aligned. */
  words(bytes: Uint8Array): Uint32Array | undefined {
    if (bytes !== this.#bytes) this.open(bytes);
    if (this.#words === undefined && littleEndian && (bytes.byteOffset & 3) === 0) {
      this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    }
    return this.#words;
  }

  #decode(start: number, end: number): string | undefined {
    const part = this.#bytes.subarray(start, end);
    if (!this.#fatal) return this.#decoder.decode(part);
    try {
      return this.#decoder.decode(part);
    } catch {
      return undefined;
    }
  }

  #isAscii(start: number, end: number): boolean {
    const bytes = this.#bytes;
    const words = this.words(bytes);
    if (words === undefined) return false;
    let at = start;
    for (; (at & 3) !== 0 && at < end; at++) if (bytes[at]! >= 0x80) return false;
    for (let word = at >> 2; word < end >> 2; word++)
      if ((words[word]! & 0x80808080) !== 0) return false;
    for (at = Math.max(at, end & ~3); at < end; at++) if (bytes[at]! >= 0x80) return false;
    return true;
  }
}

const empty = /* @__PURE__ */ new Uint8Array(0);
