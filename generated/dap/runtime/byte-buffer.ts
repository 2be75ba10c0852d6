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
    if (count < 24)
      for (let at = start, to = this.length; at < end; at++, to++) this.bytes[to] = source[at]!;
    else this.bytes.set(source.subarray(start, end), this.length);
    this.length += count;
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
