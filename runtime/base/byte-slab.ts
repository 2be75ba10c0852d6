import { allocateBytes } from "./buffer-methods.js";

/** Size of a slab, which small frames share. */
const slabBytes = 64 * 1024;

/** Hands out memory for frames. No byte is handed out twice, so a frame is never overwritten. */
export class ByteSlab {
  bytes: Uint8Array = new Uint8Array(0);
  /** Start of the memory that has not been handed out. */
  used = 0;

  /**
   * Ensures `room` bytes after `end`. Bytes written after `used` are kept. A large frame gets its
   * own memory.
   *
   * @returns The position that corresponds to `end`, which differs if memory was reallocated.
   */
  extend(end: number, room: number): number {
    if (this.bytes.length - end >= room) return end;
    const written = this.bytes.subarray(this.used, end);
    const length = end - this.used;
    this.bytes = allocateBytes(Math.max(slabBytes, length * 2 + room));
    this.used = 0;
    this.bytes.set(written);
    return length;
  }

  /** Hands out a range, and everything before it. */
  take(start: number, end: number): Uint8Array {
    this.used = end;
    return this.bytes.subarray(start, end);
  }
}
