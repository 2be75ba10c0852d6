import { ByteBuffer } from "../base/byte-buffer.js";
import { headerNameBytes } from "./frame.js";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Bytes of the shortest usual header, and of the longest: of one digit and of ten. */
export const minCanonicalBytes = 21;
export const maxCanonicalBytes = 30;

/** How far a header has come that is all there. */
export const completeHeader = 21;

/** Bytes of its name, with the colon and the blank behind it. */
const nameBytes = 16;

/** Whether the usual header's name stands at a place. Written out, since every frame is asked. */
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

/** A usual header that the end of a chunk has cut, matched byte by byte as it arrives. */
export class PartialHeader extends ByteBuffer {
  /** Its place in the stream. */
  offset = 0;
  /** How far it has come: 16 is behind the blank, `completeHeader` its end. All digits are one step. */
  matched = 0;
  /** The length that it announces so far. */
  declaredLength = 0;

  constructor() {
    super();
    // What matches of the name need not be written again.
    this.append(headerNameBytes, 0, nameBytes);
    this.length = 0;
  }

  /** Goes on matching. Returns the place of the first byte that does not fit, or behind the header's end. */
  match(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && this.matched < completeHeader && this.#take(bytes[at]!)) at++;
    return at;
  }

  /** Takes a byte that comes alone. Returns false, and takes nothing, if it is the first, the last or none. */
  matchByte(byte: number): boolean {
    const { matched } = this;
    if (matched === 0 || matched === completeHeader - 1) return false;
    return this.#take(byte);
  }

  /** Takes a byte if it is the next one of a header. */
  #take(byte: number): boolean {
    const { matched } = this;
    if (matched < nameBytes) {
      if (byte !== headerNameBytes[matched]) return false;
      this.length = this.matched = matched + 1;
      return true;
    }
    if (matched < 18 && byte >= 0x30 && byte <= 0x39 && this.length < 26) {
      this.declaredLength =
        matched === nameBytes ? byte - 0x30 : this.declaredLength * 10 + byte - 0x30;
      this.matched = 17;
    } else {
      if (matched === nameBytes) return false;
      if (byte !== (matched === 17 || matched === 19 ? carriageReturn : lineFeed)) return false;
      this.matched = matched + 1;
    }
    this.appendByte(byte);
    return true;
  }

  /** Forgets what was matched. */
  reset(): void {
    this.length = 0;
    this.matched = 0;
  }
}
