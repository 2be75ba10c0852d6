import { allocateBytes } from "./buffer-methods.js";

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
