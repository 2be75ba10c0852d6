import type { ByteSlab } from "../base/byte-slab.js";
import { littleEndian, writeUtf8 } from "../base/buffer-methods.js";
import { cachedName, maxNameBytes, nameWords } from "./name-cache.js";

/** Room for a mark, a number or a literal. */
const scalarRoom = 40;
/** Up to here a loop over the characters is faster than a call of the host. */
const shortText = 20;
/** More than this is left to `JSON.stringify`, which knows what a host can hold. */
const maxFrameBytes = 1 << 28;

const quote = 0x22;
const backslash = 0x5c;

/** Letters of the short escapes by control character, 0 where there is none. */
const shortEscapes: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 0x20 }, (_, code) => {
  const at = "\b\t\n\f\r".indexOf(String.fromCharCode(code));
  return at < 0 ? 0 : "btnfr".charCodeAt(at);
});

/**
 * Memory that JSON is written to, and the writing of what has no parts. Each method takes the place to write
 * at and returns the place behind, which lies in new memory if the old was too small.
 */
export class JsonBytes {
  readonly #slab: ByteSlab;
  #bytes: Uint8Array = new Uint8Array(0);
  /** The same memory by words. */
  #words: Int32Array = new Int32Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(slab: ByteSlab) {
    this.#slab = slab;
  }

  /** Where a value begins that has `gap` bytes before it. */
  begin(gap: number): number {
    const slab = this.#slab;
    const at = slab.extend(slab.used + gap, 512);
    if (slab.bytes !== this.#bytes) this.#use(slab.bytes);
    return at;
  }

  mark(byte: number, start: number): number {
    const at = this.#withRoom(start, scalarRoom);
    this.#bytes[at] = byte;
    return at + 1;
  }

  /** A mark, and the name of a property with its colon. */
  name(name: string, mark: number, start: number): number {
    const cached = cachedName(name);
    if (cached < 0) {
      return this.mark(0x3a, this.string(name, this.mark(mark, start)));
    }
    let at = this.#withRoom(start, scalarRoom + maxNameBytes);
    this.#bytes[at++] = mark;
    const end = at + (cached & 0x3f);
    for (let word = cached >> 6; at < end; at += 8) {
      this.#view.setFloat64(at, nameWords[word++]!, littleEndian);
    }
    return end;
  }

  literal(text: string, start: number): number {
    let at = this.#withRoom(start, scalarRoom);
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    return at;
  }

  number(value: number, start: number): number {
    if ((value | 0) !== value || value < 0 || value > 999_999_999) {
      return this.literal(Number.isFinite(value) ? String(value) : "null", start);
    }
    let at = this.#withRoom(start, scalarRoom);
    const bytes = this.#bytes;
    let rest = value | 0;
    if (rest < 10) {
      bytes[at] = 0x30 + rest;
      return at + 1;
    }
    for (let least = 10; least <= rest; least *= 10) at++;
    const end = at + 1;
    for (; rest > 0; at--) {
      const tens = (rest / 10) | 0;
      bytes[at] = 0x30 + rest - tens * 10;
      rest = tens;
    }
    return end;
  }

  string(text: string, start: number): number {
    const { length } = text;
    // A unit takes three bytes at most.
    let at = this.#withRoom(start, length * 3 + scalarRoom);
    const bytes = this.#bytes;
    bytes[at++] = quote;
    if (length < shortText) {
      const end = this.#closeShort(text, 0, at);
      if (end > 0) return end;
    }
    const end = at + writeUtf8(bytes, text, at);
    let special = this.#findSpecial(at, end);
    while (bytes[special] === 0xef && special < end && !isReplacement(bytes, special)) {
      special = this.#findSpecial(special + 1, end);
    }
    if (special >= end) {
      bytes[end] = quote;
      return end + 1;
    }
    // Mostly it is the line end of an output, which comes last.
    if (end - special < shortText) {
      const closed = this.#closeShort(text, length - (end - special), special);
      if (closed > 0) return closed;
    }
    const spelled = JSON.stringify(text);
    at = this.#withRoom(at - 1, spelled.length * 3 + scalarRoom);
    return at + writeUtf8(this.#bytes, spelled, at);
  }

  /** Writes the characters of a string from one on, and its end; -1 if they are no ASCII or seldom seen. */
  #closeShort(text: string, from: number, start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (let index = from; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return -1;
      if (code < 0x20 || code === quote || code === backslash) {
        const letter = code < 0x20 ? shortEscapes[code]! : code;
        if (letter === 0) return -1;
        bytes[at++] = backslash;
        bytes[at++] = letter;
      } else bytes[at++] = code;
    }
    bytes[at] = quote;
    return at + 1;
  }

  /** Place of the first byte that may need an escape, or `end`. */
  #findSpecial(start: number, end: number): number {
    const words = this.#words;
    const at = this.#findSpecialByte(start, Math.min(end, (start + 3) & ~3));
    const last = end >> 2;
    let word = at >> 2;
    if ((at & 3) !== 0 || word >= last) return this.#findSpecialByte(at, end);
    for (; word < last; word++) {
      const four = words[word]!;
      const quotes = four ^ 0x22222222;
      const backslashes = four ^ 0x5c5c5c5c;
      // A byte that is smaller than what is taken from it borrows, and has its highest bit set.
      const controls = four - 0x20202020;
      const found = controls | (quotes - 0x01010101) | (backslashes - 0x01010101) | four;
      if ((found & 0x80808080) === 0) continue;
      // It may have been set before, where characters take more than one byte.
      const replacements = four ^ 0xefefefef;
      const special =
        (controls & ~four) |
        ((quotes - 0x01010101) & ~quotes) |
        ((backslashes - 0x01010101) & ~backslashes) |
        ((replacements - 0x01010101) & ~replacements);
      if ((special & 0x80808080) !== 0) break;
    }
    return this.#findSpecialByte(word << 2, end);
  }

  #findSpecialByte(start: number, end: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (at < end && !isSpecial(bytes[at]!)) at++;
    return at;
  }

  #withRoom(at: number, room: number): number {
    return at + room <= this.#bytes.length ? at : this.#grow(at, room);
  }

  #grow(at: number, room: number): number {
    const slab = this.#slab;
    if (at - slab.used + room > maxFrameBytes) throw new RangeError("The frame is too large");
    const moved = slab.extend(at, room);
    this.#use(slab.bytes);
    return moved;
  }

  #use(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

/** Whether JSON escapes such a byte; a replacement character may stand for what it escapes. */
function isSpecial(byte: number): boolean {
  return byte < 0x20 || byte === quote || byte === backslash || byte === 0xef;
}

/** Whether a replacement character begins here: the text held it, or a lone surrogate. */
function isReplacement(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}
