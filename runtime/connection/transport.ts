/** Bytes both ways. */
export interface Transport {
  /**
   * Begins to read. Called once.
   *
   * @param onBytes Called with what arrives; reading waits while the promise that it gives is pending.
   * @param onEnd Called once when the other side has ended, or with what went wrong, in reading or in writing.
   * `detail` says how the other side ended where nothing went wrong, without a full stop.
   */
  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void;
  /** Writes one frame with one call; a promise while the other side is slow. Throws or rejects if it cannot. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Lets go out what was written, then ends both directions. Settles when that is done, if ever. */
  close(): void | Promise<void>;
  /**
   * Ends both directions now, whatever is still to be read or written. Also called after `close`, when that
   * takes too long.
   */
  destroy?(): void | Promise<void>;
}

/** Reads from an iterable of bytes, for a transport's `read`. */
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

/** A transport as an object of four functions, so that `{ ...transport, write }` makes another one of it. */
export function plainTransport(transport: Required<Transport>): Required<Transport> {
  return {
    read: (onBytes, onEnd) => transport.read(onBytes, onEnd),
    write: (bytes) => transport.write(bytes),
    close: () => transport.close(),
    destroy: () => transport.destroy(),
  };
}
