/** Bytes that grow with what is added to them, never with what was announced. */
export class ByteBuffer {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
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
    if (this.bytes.length > keepCapacity) this.bytes = new Uint8Array(keepCapacity);
  }

  #reserve(needed: number): void {
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}
