import { ByteBuffer } from "./byte-buffer.js";
import { announcementBefore } from "./header-block.js";
import { indexOfLineFeed } from "./native-text.js";

/** Chunks of up to this size are copied as they are: taking a part of one costs more. */
export const smallChunkBytes = 4096;

/** A body that arrives in several chunks, in a buffer that may hold other bytes before and behind it. */
export class CollectedBody extends ByteBuffer {
  /** Bytes that have not arrived, or -1 if there is no body. */
  missing = -1;
  /** Its place in the buffer. */
  start = 0;
  /** Its place in the stream. */
  offset = 0;
  /** Place in the stream where it must end. */
  end = 0;
  /** Whether its bytes may be collected without looking for a header in each line. */
  isTrusted = false;
  /** Whether no header line can be in what has come since `findHeader` looked, but for single bytes. */
  isSearched = false;
  #searchedTo = 0;

  /** Begins a body of which nothing is kept yet; its `offset` is known. */
  begin(length: number, isTrusted: boolean): void {
    this.missing = length;
    this.end = this.offset + length;
    this.isTrusted = isTrusted;
    this.goal = length + 2 * smallChunkBytes;
  }

  override append(source: Uint8Array, start: number, end: number): void {
    super.append(source, start, end);
    this.isSearched = false;
  }

  /** Keeps the beginning of a body, with what precedes it if that saves a step. */
  keep(bytes: Uint8Array, start: number, end: number): void {
    this.missing -= end - start;
    this.start = start;
    if (bytes === this.bytes) {
      this.length = end;
      if (start > smallChunkBytes) {
        this.shift(start);
        this.start = 0;
      }
    } else if (end === bytes.length && end <= smallChunkBytes) {
      this.append(bytes, 0, end);
    } else {
      this.append(bytes, start, end);
      this.start = 0;
    }
    this.#searchedTo = this.start;
    this.isSearched = start === end;
  }

  /** Place of a header line in what has come since the last time, or -1. */
  findHeader(): number {
    const { bytes, length } = this;
    for (let from = this.#searchedTo; from < length;) {
      const feed = indexOfLineFeed(bytes, from, length);
      if (feed < 0) break;
      const header = announcementBefore(bytes, this.start, feed);
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
