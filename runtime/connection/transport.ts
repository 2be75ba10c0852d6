import { asPromise, deferred } from "../base/promises.js";
import { startTimer } from "../base/waiting-limits.js";
import type { PerformanceClock } from "../base/web-standards.js";

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
  if ([read, write, close].every((method) => typeof method === "function")) return;
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
        const reading = onPiece(piece);
        if (reading !== undefined) await reading;
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

declare const performance: PerformanceClock;

/** Milliseconds to wait for `destroy()`. */
const destroyMs = 1_000;

/** Closes a transport, and destroys it if that takes too long. Always settles, never rejects. */
export class TransportClosing {
  readonly #transport: Transport;
  readonly #drain: () => Promise<void>;
  readonly #done = deferred<void>();
  #isClosing = false;
  #hasCalledClose = false;
  #isDestroyed = false;
  #isDone = false;
  #stopTimer: () => void = () => undefined;
  #deadline = Infinity;

  /** @param drain Settles when all pending data has been handed to the transport. */
  constructor(transport: Transport, drain: () => Promise<void>) {
    this.#transport = transport;
    this.#drain = drain;
  }

  /** Settles when the transport is closed or could not be closed. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Flushes pending data and closes the transport within the given number of milliseconds. */
  closeWithin(milliseconds: number): void {
    if (milliseconds === 0) this.destroy();
    this.#setDeadline(milliseconds);
    if (this.#isClosing || this.#isDestroyed || this.#isDone) return;
    this.#isClosing = true;
    void this.#close(milliseconds / 2).then(
      () => this.#finish(),
      () => this.destroy(),
    );
  }

  destroy(): void {
    if (this.#isDestroyed || this.#isDone) return;
    this.#isDestroyed = true;
    this.#stopTimer();
    this.#stopTimer = startTimer(destroyMs, () => this.#finish());
    this.#destroy().then(
      () => this.#finish(),
      () => this.#finish(),
    );
  }

  async #close(drainMs: number): Promise<void> {
    const drained = deferred<void>();
    const stopTimer = startTimer(drainMs, () => drained.resolve());
    await Promise.race([this.#drain(), drained.promise]);
    stopTimer();
    if (this.#isDestroyed) return;
    this.#hasCalledClose = true;
    await this.#transport.close();
  }

  async #destroy(): Promise<void> {
    // If there is no `destroy`, fall back to `close`.
    if (this.#transport.destroy !== undefined) await asPromise(this.#transport.destroy());
    else if (!this.#hasCalledClose) await asPromise(this.#transport.close());
  }

  /** Destroys the transport after a delay, unless an earlier deadline has already been set. */
  #setDeadline(milliseconds: number): void {
    const deadline = performance.now() + milliseconds;
    if (this.#isDestroyed || this.#isDone || deadline >= this.#deadline) return;
    this.#deadline = deadline;
    this.#stopTimer();
    this.#stopTimer = startTimer(milliseconds, () => this.destroy());
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#stopTimer();
    this.#done.resolve();
  }
}
