import { lengthHeaderBefore } from "./length-header.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { indexOfNearLineFeed } from "../base/buffer-methods.js";

/** Maximum size of chunks that are copied whole, because slicing them would cost more. */
export const smallChunkBytes = 4096;

/**
 * A body that arrives in several chunks. The buffer may contain other bytes before and after the
 * body.
 */
export class CollectedBody extends ByteBuffer {
  /** The body's `Content-Length`, or -1 if there is no body. */
  declaredLength = -1;
  /** Index of the body in the buffer. */
  start = 0;
  /** Stream offset of the body. */
  offset = 0;
  /** Whether bytes may be added without searching each line for a header. */
  isTrusted = false;
  /**
   * Index up to which bytes may be appended without checks, because there is room and the body
   * remains incomplete.
   */
  uncheckedEnd = 0;
  /**
   * Whether the bytes since the last `findHeader`, apart from single bytes added since then, are
   * free of header lines.
   */
  isSearched = false;
  #searchedTo = 0;

  get isOpen(): boolean {
    return this.declaredLength >= 0;
  }

  /** Number of missing bytes, or -1 if there is no body. */
  get missing(): number {
    return this.declaredLength < 0 ? -1 : this.start + this.declaredLength - this.length;
  }

  /** Stream offset of the next byte. */
  get nextOffset(): number {
    return this.offset + this.length - this.start;
  }

  /** Begins a body. Set its `offset` first. */
  begin(declaredLength: number, isTrusted: boolean): void {
    this.declaredLength = declaredLength;
    this.isTrusted = isTrusted;
    this.start = this.length = 0;
    this.goal = declaredLength + 2 * smallChunkBytes;
  }

  override append(source: Uint8Array, start: number, end: number): void {
    super.append(source, start, end);
    this.isSearched = false;
    if (this.isTrusted) this.#setUncheckedEnd();
  }

  /**
   * Stores the beginning of a body. The bytes before it are copied, too, if that avoids slicing the
   * chunk.
   */
  keep(bytes: Uint8Array, start: number, end: number): void {
    if (bytes === this.bytes) {
      this.start = start;
      this.length = end;
      if (start > smallChunkBytes) {
        this.shift(start);
        this.start = 0;
      }
    } else if (start < end) {
      const isShort = end === bytes.length && end <= smallChunkBytes;
      if (isShort) this.start = start;
      this.append(bytes, isShort ? 0 : start, end);
    }
    this.#searchedTo = this.start;
    this.isSearched = start === end;
    this.#setUncheckedEnd();
  }

  /** Ends the body. Its bytes stay in the buffer. */
  finish(): void {
    this.declaredLength = -1;
    this.isTrusted = false;
    this.uncheckedEnd = 0;
  }

  #setUncheckedEnd(): void {
    this.uncheckedEnd = Math.min(this.bytes.length, this.start + this.declaredLength - 1);
  }

  /** Returns the index of a header line in the bytes since the last call, or -1. */
  findHeader(): number {
    const { bytes, length } = this;
    for (let from = this.#searchedTo; from < length;) {
      const feed = indexOfNearLineFeed(bytes, from, length);
      if (feed < 0) break;
      const header = lengthHeaderBefore(bytes, this.start, feed);
      if (header >= 0) return header;
      from = feed + 1;
    }
    this.#searchedTo = length;
    this.isSearched = true;
    return -1;
  }
}

/** Returns whether a message can end with this byte: a closing brace or a line ending. */
export function mayEndMessage(byte: number): boolean {
  return byte === 0x7d || byte === 0x0a;
}
