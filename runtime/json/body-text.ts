import { readStrictUtf8, readUtf8 } from "../base/buffer-methods.js";
import { noBytes } from "../base/byte-buffer.js";

/** Size of a window: the number of bytes decoded at once, which may span several bodies. */
const windowBytes = 0x2000;

/** Maximum size of a body that is decoded as part of a window: an eighth of the window. */
const maxBodyBytes = 1024;

/**
 * Number of consecutive ASCII bodies after which the decoder expects the next bytes to be ASCII,
 * too.
 */
const minAsciiBodies = 32;

/**
 * Decodes bodies to text.
 *
 * The host's decoder is the fastest way to decode a body, but calling it costs about as much as
 * decoding a few hundred bytes. Small ASCII bodies in a large chunk are therefore decoded together.
 */
export class TextReader {
  readonly #isStrict: boolean;
  #chunk: Uint8Array = noBytes;
  /** The window's decoded text and its range; empty if there is no window. */
  #text = "";
  #start = 0;
  #end = 0;
  /** Number of consecutive ASCII bodies so far. */
  #asciiBodies = 0;

  /**
   * @param isStrict Whether `read` returns undefined for ill-formed UTF-8 instead of replacing it.
   */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Allows windows in a chunk, whose bytes must not change until `close` is called. */
  open(chunk: Uint8Array): void {
    if (chunk.length >= windowBytes) this.#chunk = chunk;
  }

  /** Releases the chunk. */
  close(): void {
    this.#chunk = noBytes;
    this.#text = "";
    this.#start = this.#end = 0;
  }

  /**
   * Returns the text in a range, or undefined if the text is ill-formed and the reader is strict.
   */
  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    const text =
      bytes === this.#chunk && end - start <= maxBodyBytes
        ? this.#readInWindow(start, end)
        : readUtf8(bytes, start, end);
    return this.#isStrict && text.includes("\ufffd") ? readStrictUtf8(bytes, start, end) : text;
  }

  #readInWindow(start: number, end: number): string {
    if ((start < this.#start || end > this.#end) && !this.#openWindow(start)) {
      const text = readUtf8(this.#chunk, start, end);
      this.#asciiBodies = text.length === end - start ? this.#asciiBodies + 1 : 0;
      return text;
    }
    return this.#text.substring(start - this.#start, end - this.#start);
  }

  /**
   * Decodes a window if its bytes are probably ASCII. Returns false if the window cannot be used.
   */
  #openWindow(start: number): boolean {
    const end = start + windowBytes;
    if (this.#asciiBodies < minAsciiBodies || end > this.#chunk.length) return false;
    const text = readUtf8(this.#chunk, start, end);
    // With one unit per byte, ranges of the text correspond to ranges of the bytes.
    if (text.length !== windowBytes) {
      this.#asciiBodies = 0;
      return false;
    }
    this.#text = text;
    this.#start = start;
    this.#end = end;
    return true;
  }
}
