/**
 * A bidirectional stream of messages as JSON strings. Its functions work like those of `Transport`.
 */
export interface MessageLink {
  read(
    onText: (text: string) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void;
  write(text: string): void | Promise<void>;
}

/** A bidirectional stream of bytes. */
export interface Transport {
  /** If present, connections use this link instead of `read` and `write`. */
  readonly messages?: MessageLink | undefined;
  /**
   * Starts reading. Called once.
   *
   * @param onBytes Called with each chunk. If it returns a promise, reading pauses until the
   * promise settles.
   * @param onEnd Called once at the end, or with the error from a failed read or write. If a stream
   * ended without an error, `detail` may describe how it ended, without a full stop.
   */
  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void;
  /**
   * Writes one frame with a single call. Returns a promise if the peer is slow. Throws or rejects
   * on failure.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Writes all pending bytes and ends both directions. Settles once that is done. */
  close(): void | Promise<void>;
  /**
   * Ends both directions immediately, discarding pending data. Also called when `close` takes too
   * long.
   */
  destroy?(): void | Promise<void>;
}

/** Checks that a value is a transport. @throws TypeError if it is not. */
export function checkTransport(caller: string, value: unknown): void {
  const { read, write, close } = (value ?? {}) as Partial<Transport>;
  if ([read, write, close].every((each) => typeof each === "function")) return;
  throw new TypeError(
    `${caller}: a transport must have the functions read, write and close. Create one with nodeTransport, streamTransport or portTransport`,
  );
}

/** Implements a transport's `read` for an async iterable. */
export function readIterable<Piece>(
  source: AsyncIterable<Piece>,
): (
  onPiece: (piece: Piece) => void | Promise<void>,
  onEnd: (error?: unknown, detail?: string) => void,
) => void {
  return (onPiece, onEnd) => {
    void (async () => {
      for await (const piece of source) {
        const taken = onPiece(piece);
        if (taken !== undefined) await taken;
      }
    })().then(() => onEnd(), onEnd);
  };
}

/** A transport, or an object that contains one, such as the result of `spawnTransport`. */
export type TransportSource =
  | Transport
  | {
      readonly transport: Transport;
      /**
       * Excludes the result of `spawnAdapter`, whose transport is already in use by its connection.
       */
      readonly connection?: never;
    };

/**
 * @throws TypeError for a value without a transport, or with one already in use by a connection.
 */
export function transportOf(caller: string, source: TransportSource): Transport {
  const { transport = source, connection } = (source ?? {}) as {
    readonly transport?: Transport;
    readonly connection?: unknown;
  };
  if (connection !== undefined)
    throw new TypeError(
      `${caller}: a connection already uses this transport. Start the process with spawnTransport`,
    );
  checkTransport(caller, transport);
  return transport as Transport;
}

/** A transport that can be destroyed. */
export type FullTransport = Transport & Required<Pick<Transport, "destroy">>;

/**
 * Returns a transport as a plain object, so that `{ ...transport, write }` can override a function.
 */
export function plainTransport(transport: FullTransport): FullTransport {
  const { messages } = transport;
  return {
    ...(messages === undefined ? {} : { messages }),
    read: (onBytes, onEnd) => transport.read(onBytes, onEnd),
    write: (bytes) => transport.write(bytes),
    close: () => transport.close(),
    destroy: () => transport.destroy(),
  };
}
