import { lengthHeaderBefore } from "./length-header.js";
import { ByteBuffer } from "../base/byte-buffer.js";
import { indexOfNearLineFeed } from "../base/buffer-methods.js";

/** Chunks of up to this size are copied as they are: taking a part of one costs more. */
export const smallChunkBytes = 4096;

/** A body that arrives in several chunks, in a buffer that may hold other bytes before and behind it. */
export class CollectedBody extends ByteBuffer {
  /** Bytes that its header announces, or -1 if there is no body. */
  declaredLength = -1;
  /** Its place in the buffer. */
  start = 0;
  /** Its place in the stream. */
  offset = 0;
  /** Whether its bytes may be collected without looking for a header in each line. */
  isTrusted = false;
  /** So far in the buffer a byte can be added without a thought: there is room, and it is not the last one. */
  uncheckedEnd = 0;
  /** Whether no header line can be in what has come since `findHeader` looked, but for single bytes. */
  isSearched = false;
  #searchedTo = 0;

  /** Bytes that have not arrived, or -1 if there is no body. */
  get missing(): number {
    return this.declaredLength < 0 ? -1 : this.start + this.declaredLength - this.length;
  }

  /** Place in the stream of the next byte. */
  get nextOffset(): number {
    return this.offset + this.length - this.start;
  }

  /** Begins a body of which nothing is kept yet; its `offset` is known. */
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

  /** Keeps the beginning of a body, with what precedes it if that saves a step. */
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

  /** The body is all there, or given up: its bytes stay as they are. */
  finish(): void {
    this.declaredLength = -1;
    this.isTrusted = false;
    this.uncheckedEnd = 0;
  }

  #setUncheckedEnd(): void {
    this.uncheckedEnd = Math.min(this.bytes.length, this.start + this.declaredLength - 1);
  }

  /** Place of a header line in what has come since the last time, or -1. */
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

/** Whether a message can end with this byte: a brace, or a line end behind it. */
export function mayEndMessage(byte: number): boolean {
  return byte === 0x7d || byte === 0x0a;
}
