/** Memory that two threads share: positions and bytes. */
export interface SharedQueue {
  /** Bytes written and bytes read so far. */
  readonly positions: BigInt64Array;
  readonly bytes: Uint8Array;
}

const written = 0;
const read = 1;

/** @param size Capacity in bytes. */
export function createQueue(size: number): SharedQueue {
  return {
    positions: new BigInt64Array(new SharedArrayBuffer(16)),
    bytes: new Uint8Array(new SharedArrayBuffer(size)),
  };
}

/**
 * Passes bytes from one thread to another. Accepts all parts, or none if there is no room for them.
 */
export class QueueWriter {
  readonly #queue: SharedQueue;

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  /** Number of bytes that wait. */
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
    // Publish last: only now, the other thread may read them.
    Atomics.store(positions, written, start + BigInt(length));
    return true;
  }
}

/** The source of bytes for the analysis. */
export interface ByteSource {
  /** The next bytes, valid until the next call; undefined if there are none now. */
  read(): Uint8Array | undefined;
  /** Number of bytes that wait. */
  readonly waiting: number;
}

/** Maximum number of bytes to read at a time. */
const pieceBytes = 64 * 1024;

/** The other end of a `QueueWriter`. */
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
    // A copy, because decoders cannot read shared memory.
    this.#piece.set(bytes.subarray(at, at + length));
    Atomics.store(positions, read, start + BigInt(length));
    return this.#piece.subarray(0, length);
  }
}
