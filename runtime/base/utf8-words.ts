/** Scans UTF-8 four bytes at a time. */
export class Utf8Words {
  readonly #bytes: Uint8Array;
  /** The memory as words, starting with the word that contains the first byte. */
  readonly #words: Uint32Array;
  /** Number of bytes in that word before the first byte. */
  readonly #lead: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#lead = bytes.byteOffset & 3;
    const words = (this.#lead + bytes.length) >> 2;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset - this.#lead, words);
  }

  /** Index of the first non-ASCII byte in a range, or `end`. */
  skipAscii(start: number, end: number): number {
    const words = this.#words;
    const lead = this.#lead;
    let word = (start + lead + 3) >> 2;
    const last = (end + lead) >> 2;
    const wordsStart = Math.min(end, (word << 2) - lead);
    const at = this.#skip(start, wordsStart);
    if (at < wordsStart || at === end) return at;
    while (word < last && (words[word]! & 0x80808080) === 0) word++;
    return this.#skip(Math.max(at, (word << 2) - lead), end);
  }

  /**
   * The number of UTF-16 units in a well-formed range that starts and ends on character boundaries.
   */
  countUnits(start: number, end: number): number {
    const words = this.#words;
    const lead = this.#lead;
    const first = (start + lead + 3) >> 2;
    const last = Math.max(first, (end + lead) >> 2);
    // A continuation byte adds no unit, and the lead byte of a four-byte sequence adds two.
    let units = end - start + this.#surplus(start, Math.min(end, (first << 2) - lead));
    let word = first;
    for (; word + 1 < last; word += 2) {
      const four = words[word]!;
      const next = words[word + 1]!;
      if (((four | next) & 0x80808080) === 0) continue;
      const continued = continuedBytes(four) + continuedBytes(next);
      units -= Math.imul(continued, 0x01010101) >>> 24;
      const astral = astralBytes(four) + astralBytes(next);
      if (astral !== 0) units += Math.imul(astral, 0x01010101) >>> 24;
    }
    return units + this.#surplus((word << 2) - lead, end);
  }

  #skip(at: number, end: number): number {
    while (at < end && this.#bytes[at]! < 0x80) at++;
    return at;
  }

  #surplus(start: number, end: number): number {
    let surplus = 0;
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at]!;
      if ((byte & 0xc0) === 0x80) surplus--;
      else if (byte >= 0xf0) surplus++;
    }
    return surplus;
  }
}

/** Has a 1 for each continuation byte in a word. */
function continuedBytes(four: number): number {
  return (four >>> 7) & ~(four >>> 6) & 0x01010101;
}

/** Has a 1 for each lead byte of a four-byte sequence in a word. */
function astralBytes(four: number): number {
  return (four >>> 7) & (four >>> 6) & (four >>> 5) & (four >>> 4) & 0x01010101;
}
