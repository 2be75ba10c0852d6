import { allocateBytes } from "./buffer-methods.js";

/** Memory that small frames share. */
const slabBytes = 64 * 1024;

/** Hands out memory for frames: each byte once, so that a frame is never written again. */
export class ByteSlab {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the memory begins that has not been handed out. */
  used = 0;

  /**
   * Makes sure of `room` bytes behind a place, to which what was written behind `used` reaches. A large frame
   * gets memory of its own.
   *
   * @returns the place, which is another one if that took new memory.
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

  /** Hands out what lies between, and everything before. */
  take(start: number, end: number): Uint8Array {
    this.used = end;
    return this.bytes.subarray(start, end);
  }
}
