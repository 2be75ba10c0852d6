/** A ring buffer of bytes in memory shared by two threads. */
export interface SharedQueue {
  /** Two counters: the number of bytes written and the number of bytes read. */
  readonly positions: BigInt64Array;
  readonly bytes: Uint8Array;
}

const written = 0;
const read = 1;

/** @param size Capacity, in bytes. */
export function createQueue(size: number): SharedQueue {
  return {
    positions: new BigInt64Array(new SharedArrayBuffer(16)),
    bytes: new Uint8Array(new SharedArrayBuffer(size)),
  };
}

/**
 * Passes bytes to another thread. A write is accepted either in full or, if there is not enough
 * room, not at all.
 */
export class QueueWriter {
  readonly #queue: SharedQueue;

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  /** Number of bytes that have not been read yet. */
  get waiting(): number {
    const { positions } = this.#queue;
    return Number(Atomics.load(positions, written) - Atomics.load(positions, read));
  }

  write(parts: readonly Uint8Array[]): boolean {
    const { positions, bytes } = this.#queue;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > bytes.length - this.waiting) return false;
    const start = Atomics.load(positions, written);
    let at = Number(start % BigInt(bytes.length));
    for (const part of parts) {
      const room = bytes.length - at;
      bytes.set(part.length > room ? part.subarray(0, room) : part, at);
      if (part.length > room) bytes.set(part.subarray(room), 0);
      at = (at + part.length) % bytes.length;
    }
    // Store the position last, because the other thread may read the bytes as soon as it is stored.
    Atomics.store(positions, written, start + BigInt(length));
    return true;
  }
}

/** Where the analysis gets its bytes. */
export interface ByteSource {
  /**
   * Returns the next bytes, which are valid until the next call, or undefined if none are available
   * at the moment.
   */
  read(): Uint8Array | undefined;
  /** Number of bytes that have not been read yet. */
  readonly waiting: number;
}

/** Maximum number of bytes returned by a single call to `read`. */
const pieceBytes = 64 * 1024;

/** Reads the bytes that a `QueueWriter` wrote in another thread. */
export class QueueReader implements ByteSource {
  readonly #queue: SharedQueue;
  readonly #piece = new Uint8Array(pieceBytes);

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  get waiting(): number {
    const { positions } = this.#queue;
    return Number(Atomics.load(positions, written) - Atomics.load(positions, read));
  }

  read(): Uint8Array | undefined {
    const { positions, bytes } = this.#queue;
    const start = Atomics.load(positions, read);
    const at = Number(start % BigInt(bytes.length));
    const length = Math.min(this.waiting, pieceBytes, bytes.length - at);
    if (length === 0) return undefined;
    // Copy the bytes, because decoders cannot read shared memory.
    this.#piece.set(bytes.subarray(at, at + length));
    Atomics.store(positions, read, start + BigInt(length));
    return this.#piece.subarray(0, length);
  }
}
