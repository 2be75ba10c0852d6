import { allocateBytes, copyBytes } from "./buffer-methods.js";

/**
 * A growing byte buffer. Memory is allocated for the bytes received, never for a declared length.
 */
export class ByteBuffer {
  bytes: Uint8Array = noBytes;
  length = 0;
  /**
   * The expected final length. Makes the buffer grow in larger steps, but does not reserve memory.
   */
  goal = 0;

  appendByte(byte: number): void {
    if (this.length === this.bytes.length) this.#reserve(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  append(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    const { length } = this;
    if (length + count > this.bytes.length) this.#reserve(length + count);
    copyBytes(source, start, end, this.bytes, length);
    this.length = length + count;
  }

  /** Drops the first bytes. */
  shift(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }

  /** Empties the buffer, and frees its memory if it is larger than `keepCapacity`. */
  clear(keepCapacity: number): void {
    this.length = 0;
    if (this.bytes.length > keepCapacity) this.bytes = noBytes;
  }

  #reserve(needed: number): void {
    const { bytes, length } = this;
    const step = Math.max(bytes.length * 2, Math.min(this.goal, needed * 8));
    const memory = allocateBytes(Math.max(leastBytes, needed, step));
    // Not a `Buffer`, whose `slice` does not copy.
    this.bytes = new Uint8Array(memory.buffer, memory.byteOffset, memory.length);
    this.bytes.set(bytes.subarray(0, length));
  }
}

/** Minimum allocation size in bytes. */
const leastBytes = 256;

/** An empty array, used until the first byte arrives. */
export const noBytes: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

/** Size of the memory shared by small frames, in bytes. */
const slabBytes = 0x1_0000;

/** Hands out memory for frames. No byte is handed out twice, so a frame is never overwritten. */
export class ByteSlab {
  bytes: Uint8Array = new Uint8Array(0);
  /** Index of the first byte that has not been handed out. */
  used = 0;

  /** Ensures that `room` bytes are free after `used`. Large frames get memory of their own. */
  reserve(room: number): void {
    if (this.bytes.length - this.used >= room) return;
    this.bytes = allocateBytes(Math.max(slabBytes, room));
    this.used = 0;
  }

  /** Hands out the memory up to `end`. */
  take(end: number): Uint8Array {
    const start = this.used;
    this.used = end;
    return this.bytes.subarray(start, end);
  }
}
