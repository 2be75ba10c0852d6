import { indexOfLineFeed } from "./native-text.js";

/** Up to here a loop is faster than the calls of a bulk copy. */
const shortBytes = 24;

/** Bytes that grow with what is added to them, never with what was announced. */
export class ByteBuffer {
  bytes: Uint8Array;
  /** The same memory as 32-bit words. */
  words: Uint32Array;
  length = 0;

  constructor(capacity: number) {
    this.words = new Uint32Array((capacity + 3) >> 2);
    this.bytes = new Uint8Array(this.words.buffer);
  }

  appendByte(byte: number): void {
    if (this.length === this.bytes.length) this.#reserve(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  append(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.#reserve(this.length + count);
    if (count < shortBytes)
      for (let at = start, to = this.length; at < end; at++, to++) this.bytes[to] = source[at]!;
    else
      this.bytes.set(count === source.length ? source : source.subarray(start, end), this.length);
    this.length += count;
  }

  /** Appends up to the first line feed, or all. Returns the place behind what was taken. */
  appendLine(source: Uint8Array, start: number, end: number): number {
    if (end - start > shortBytes) {
      const feed = indexOfLineFeed(source, start, end);
      const stop = feed < 0 ? end : feed + 1;
      this.append(source, start, stop);
      return stop;
    }
    this.#reserve(this.length + end - start);
    const { bytes } = this;
    let to = this.length;
    let at = start;
    while (at < end) {
      const byte = source[at++]!;
      bytes[to++] = byte;
      if (byte === 0x0a) break;
    }
    this.length = to;
    return at;
  }

  /** Empties the buffer; lets memory go that is unusually much. */
  clear(keepCapacity: number): void {
    this.length = 0;
    if (this.bytes.length > keepCapacity) this.#allocate(keepCapacity);
  }

  #reserve(needed: number): void {
    if (needed <= this.bytes.length) return;
    const { bytes, length } = this;
    this.#allocate(Math.max(needed, bytes.length * 2));
    this.bytes.set(bytes.subarray(0, length));
  }

  #allocate(capacity: number): void {
    this.words = new Uint32Array((capacity + 3) >> 2);
    this.bytes = new Uint8Array(this.words.buffer);
  }
}
