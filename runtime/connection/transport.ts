/** A bidirectional stream of bytes. */
export interface Transport {
  /**
   * Starts reading. Called once.
   *
   * @param onBytes Called with each chunk. If it returns a promise, reading pauses until that
   *   settles.
   * @param onEnd Called once at the end, or with the error of a failed read or write. `detail` says
   *   how a stream ended without an error, without a full stop.
   */
  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void;
  /**
   * Writes one frame with one call. Returns a promise while the peer is slow. Throws or rejects on
   * failure.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Flushes what was written and ends both directions. Settles when that is done. */
  close(): void | Promise<void>;
  /**
   * Ends both directions immediately and discards pending data. Also called when `close` takes too
   * long.
   */
  destroy?(): void | Promise<void>;
}

/** Reads from an async iterable of bytes, for a transport's `read`. */
export function readIterable(source: AsyncIterable<Uint8Array>): Transport["read"] {
  return (onBytes, onEnd) => {
    void (async () => {
      for await (const bytes of source) {
        const taken = onBytes(bytes);
        if (taken !== undefined) await taken;
      }
    })().then(() => onEnd(), onEnd);
  };
}

/** A transport as a plain object, so that `{ ...transport, write }` can override a function. */
export function plainTransport(transport: Required<Transport>): Required<Transport> {
  return {
    read: (onBytes, onEnd) => transport.read(onBytes, onEnd),
    write: (bytes) => transport.write(bytes),
    close: () => transport.close(),
    destroy: () => transport.destroy(),
  };
}
