import { littleEndian, native } from "./native-text.js";

/** Most code units that the scratch of a reader keeps between bodies. */
const keptUnits = 1 << 16;

/**
 * Turns ranges of one byte array after another into text, quickly.
 *
 * Runs of ASCII, the common case, are found word by word and taken over as they are; other text is
 * transcoded here as long as it is well-formed UTF-8, and by `TextDecoder` where it is not.
 */
export class TextReader {
  readonly #fatal: boolean;
  readonly #decoder: TextDecoder;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Bytes of the array that are worth looking at: the rest may be of an earlier body. */
  #length = 0;
  /** The same memory as words, if it is aligned. */
  #words: Uint32Array | undefined;
  /** Everything before this place, from `#asciiFrom` on, is ASCII. */
  #asciiFrom = 0;
  #asciiTo = 0;
  /** The array as text, a unit a byte, once several bodies lie in it. */
  #text: string | undefined;
  /** The array as text that is right where the bytes are ASCII. */
  #latin1: string | undefined;
  /** Whether to try the decoder that is fastest on ASCII and slow on anything else. */
  #expectAscii = true;
  #asciiInARow = 0;
  #units = new Uint16Array(0);
  #unitBytes = new Uint8Array(0);

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
    this.#words = words;
    this.#bytes = bytes;
    this.#length = length;
    this.#asciiFrom = 0;
    this.#asciiTo = 0;
    this.#text = undefined;
    this.#latin1 = undefined;
  }

  /** Lets go of the array, and of what is known about its content. */
  close(): void {
    this.#bytes = empty;
    this.#text = undefined;
    this.#latin1 = undefined;
  }

  /** The text of a range; undefined if it is ill-formed and that is fatal. */
  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    if (bytes !== this.#bytes) this.open(bytes);
    if (native === undefined) return this.#decode(start, end);
    if (this.#text !== undefined) return this.#text.substring(start, end);
    // On much text a scan of our own and a plain copy are faster than the host's decoder.
    if (this.#expectAscii && this.#length < 1 << 17) {
      // The host's own decoder is fastest on ASCII, and as many units as bytes tell that it was: each byte
      // has become one unit, an ill-formed one its replacement.
      const shared = this.#isShared(start, end);
      const from = shared ? 0 : start;
      const to = shared ? this.#length : end;
      const text = native.utf8Slice.call(bytes, from, to);
      if (text.length === to - from && (!this.#fatal || !text.includes("\ufffd"))) {
        if (!shared) return text;
        this.#text = text;
        return text.substring(start, end);
      }
      this.#expectAscii = false;
    }
    if (this.#isAscii(start, end)) {
      if (++this.#asciiInARow > 64) {
        this.#expectAscii = true;
        this.#asciiInARow = 0;
      }
      if (this.#latin1 !== undefined) return this.#latin1.substring(start, end);
      if (!this.#isShared(start, end)) return native.latin1Slice.call(bytes, start, end);
      this.#latin1 = native.latin1Slice.call(bytes, 0, this.#length);
      return this.#latin1.substring(start, end);
    }
    this.#asciiInARow = 0;
    return this.#transcode(start, end) ?? this.#decode(start, end);
  }

  /** Whether the array seems to hold several bodies, so that one text for all of them pays. */
  #isShared(start: number, end: number): boolean {
    return start > 0 && end - start < (this.#length - start) >> 1;
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

  /** Looks ahead a little, so that small bodies share one scan. */
  #isAscii(start: number, end: number): boolean {
    if (start >= this.#asciiFrom && end <= this.#asciiTo) return true;
    const bytes = this.#bytes;
    let at = start >= this.#asciiFrom && start <= this.#asciiTo ? this.#asciiTo : start;
    if (at === start) this.#asciiFrom = start;
    const ahead = Math.min(this.#length, Math.max(end, at + 4096));
    const words = this.words(bytes);
    if (words !== undefined) {
      while ((at & 3) !== 0 && at < ahead && bytes[at]! < 0x80) at++;
      if ((at & 3) === 0) {
        let word = at >> 2;
        const last = ahead >> 2;
        while (word < last && (words[word]! & 0x80808080) === 0) word++;
        at = Math.max(at, word << 2);
      }
    }
    while (at < ahead && bytes[at]! < 0x80) at++;
    this.#asciiTo = at;
    return end <= at;
  }

  /** The array as words; undefined if it is not aligned. */
  words(bytes: Uint8Array): Uint32Array | undefined {
    if (bytes !== this.#bytes) this.open(bytes);
    // A view costs more than it saves on a few bytes.
    if (
      this.#words === undefined &&
      this.#length >= 512 &&
      littleEndian &&
      (bytes.byteOffset & 3) === 0
    ) {
      this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    }
    return this.#words;
  }

  /** UTF-8 to UTF-16 in one pass; undefined at the first ill-formed sequence. */
  #transcode(start: number, end: number): string | undefined {
    const bytes = this.#bytes;
    const words = this.words(bytes);
    let units = this.#units;
    if (units.length < end - start) {
      units = new Uint16Array(Math.max(end - start, 4096));
      this.#units = units;
      this.#unitBytes = new Uint8Array(units.buffer);
    }
    let out = 0;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte < 0x80) {
        units[out++] = byte;
        at++;
        if (words === undefined) continue;
        while ((at & 3) === 0 && at + 4 <= end) {
          const word = words[at >> 2]!;
          if ((word & 0x80808080) !== 0) break;
          units[out] = word & 0xff;
          units[out + 1] = (word >> 8) & 0xff;
          units[out + 2] = (word >> 16) & 0xff;
          units[out + 3] = word >> 24;
          out += 4;
          at += 4;
        }
      } else if (byte < 0xe0) {
        if (byte < 0xc2 || at + 1 >= end) return undefined;
        const second = bytes[at + 1]!;
        if ((second & 0xc0) !== 0x80) return undefined;
        units[out++] = ((byte & 0x1f) << 6) | (second & 0x3f);
        at += 2;
      } else if (byte < 0xf0) {
        if (at + 2 >= end) return undefined;
        const second = bytes[at + 1]!;
        const third = bytes[at + 2]!;
        if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return undefined;
        const unit = ((byte & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
        if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) return undefined;
        units[out++] = unit;
        at += 3;
      } else {
        if (at + 3 >= end) return undefined;
        const second = bytes[at + 1]!;
        const third = bytes[at + 2]!;
        const fourth = bytes[at + 3]!;
        if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80 || (fourth & 0xc0) !== 0x80)
          return undefined;
        const point =
          ((byte & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
        if (byte > 0xf4 || point < 0x10000 || point > 0x10ffff) return undefined;
        units[out++] = 0xd7c0 + (point >> 10);
        units[out++] = 0xdc00 + (point & 0x3ff);
        at += 4;
      }
    }
    const text = native!.ucs2Slice.call(this.#unitBytes, 0, out * 2);
    if (units.length > keptUnits) {
      this.#units = new Uint16Array(0);
      this.#unitBytes = new Uint8Array(0);
    }
    return text;
  }
}

const empty = /* @__PURE__ */ new Uint8Array(0);
