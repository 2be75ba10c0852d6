import { ByteBuffer } from "../base/byte-buffer.js";
import { headerNameBytes } from "./frame.js";

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;

/**
 * Minimum and maximum length of a canonical header, which is `Content-Length: N` with one to ten
 * digits and no other lines.
 */
export const minCanonicalBytes = 21;
export const maxCanonicalBytes = 30;

/** Value of `#matched` once the header is complete. */
const completeHeader = 21;

/** Length of the header name, including its colon and space. */
const nameBytes = 16;

/**
 * Returns whether the canonical header's name is at an index. The comparison is unrolled because it
 * runs for every frame.
 */
export function hasCanonicalName(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x43 &&
    bytes[at + 1] === 0x6f &&
    bytes[at + 2] === 0x6e &&
    bytes[at + 3] === 0x74 &&
    bytes[at + 4] === 0x65 &&
    bytes[at + 5] === 0x6e &&
    bytes[at + 6] === 0x74 &&
    bytes[at + 7] === 0x2d &&
    bytes[at + 8] === 0x4c &&
    bytes[at + 9] === 0x65 &&
    bytes[at + 10] === 0x6e &&
    bytes[at + 11] === 0x67 &&
    bytes[at + 12] === 0x74 &&
    bytes[at + 13] === 0x68 &&
    bytes[at + 14] === 0x3a &&
    bytes[at + 15] === 0x20
  );
}

/** A canonical header that is split across chunks and matched byte by byte. */
export class PartialHeader extends ByteBuffer {
  /** Stream offset of the header. */
  offset = 0;
  /** Value of the digits read so far. */
  declaredLength = 0;
  /**
   * Number of characters matched: 16 after the space, 17 after any digits, `completeHeader` at the
   * end.
   */
  #matched = 0;

  constructor() {
    super();
    // Store the bytes of the name up front, so that they need not be copied as they match.
    this.append(headerNameBytes, 0, nameBytes);
    this.length = 0;
  }

  /** Whether a header has begun. */
  get isOpen(): boolean {
    return this.#matched > 0;
  }

  get isComplete(): boolean {
    return this.#matched === completeHeader;
  }

  /** Stream offset of the next byte. */
  get nextOffset(): number {
    return this.offset + this.length;
  }

  /**
   * Continues matching. Returns the index of the first byte that does not match, or the index after
   * the header.
   */
  match(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && this.#matched < completeHeader && this.#take(bytes[at]!)) at++;
    return at;
  }

  /**
   * Matches a single byte. Returns false without consuming it if it is the first byte, the last
   * byte or a mismatch.
   */
  matchByte(byte: number): boolean {
    const matched = this.#matched;
    if (matched === 0 || matched === completeHeader - 1) return false;
    return this.#take(byte);
  }

  /** Consumes a byte if it continues the header. */
  #take(byte: number): boolean {
    const matched = this.#matched;
    if (matched < nameBytes) {
      if (byte !== headerNameBytes[matched]) return false;
      this.length = this.#matched = matched + 1;
      return true;
    }
    if (matched < 18 && byte >= 0x30 && byte <= 0x39 && this.length < 26) {
      this.declaredLength =
        matched === nameBytes ? byte - 0x30 : this.declaredLength * 10 + byte - 0x30;
      this.#matched = 17;
    } else {
      if (matched === nameBytes) return false;
      if (byte !== (matched === 17 || matched === 19 ? carriageReturn : lineFeed)) return false;
      this.#matched = matched + 1;
    }
    this.appendByte(byte);
    return true;
  }

  /** Discards the matched bytes. */
  reset(): void {
    this.length = 0;
    this.#matched = 0;
  }
}
