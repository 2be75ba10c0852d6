import { connect, type Socket } from "node:net";
import { finished, type Readable, type Writable } from "node:stream";
import * as option from "../base/check-options.js";
import { deferred } from "../base/promises.js";
import { abortReason, limitOf, onAbort, startTimer } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";
import { TimeoutError } from "./call-errors.js";
import { plainTransport, type FullTransport, type Transport } from "./transport.js";
import { readAfterFailureMs } from "./web-transports.js";

/** Milliseconds to wait for the peer to end its side of a socket after we have ended ours. */
const lingerMs = 1_000;

/** Creates a transport over Node streams. For a socket, pass the socket as both arguments. */
export function nodeTransport(readable: Readable, writable: Writable): FullTransport {
  return plainTransport(new StreamTransport(readable, writable));
}

class StreamTransport implements Transport {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #isDuplex: boolean;
  #failure: Error | undefined;
  #onWriteFailure: (error: Error) => void = () => undefined;

  constructor(readable: Readable, writable: Writable) {
    this.#readable = readable;
    this.#writable = writable;
    this.#isDuplex = readable === (writable as unknown);
    // Disable Nagle's algorithm so that it does not delay small frames.
    if ("setNoDelay" in writable) (writable as Socket).setNoDelay(true);
    writable.on("error", (error) => {
      this.#failure = error;
      this.#onWriteFailure(error);
    });
    // A stream may also fail before it is read or after it has ended. Ignore these errors.
    readable.on("error", () => undefined);
  }

  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown) => void,
  ): void {
    const readable = this.#readable;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (error?: unknown): void => {
      clearTimeout(timer);
      if (!isOver) onEnd(error);
      isOver = true;
    };
    let waiting = 0;
    readable.on("data", (chunk: Uint8Array) => {
      const reading = onBytes(chunk);
      if (reading === undefined) return;
      waiting++;
      readable.pause();
      const resume = (): void => {
        if (--waiting === 0) readable.resume();
      };
      reading.then(resume, (error: unknown) => end(error));
    });
    readable.on("error", end);
    readable.on("end", () => end());
    // A stream can be destroyed without emitting "end".
    readable.on("close", () => end());
    this.#onWriteFailure = (error) => {
      if (!isOver) timer ??= setTimeout(() => end(error), readAfterFailureMs);
    };
    if (this.#failure !== undefined) this.#onWriteFailure(this.#failure);
  }

  write(bytes: Uint8Array): void | Promise<void> {
    const writable = this.#writable;
    this.#checkWritable();
    const isReady = writable.write(bytes);
    // Some streams fail synchronously, but emit the error later.
    this.#checkWritable();
    if (!isReady) return this.#drained();
  }

  close(): Promise<void> {
    const readable = this.#readable;
    const { promise, resolve } = deferred<void>();
    // Drain the remaining bytes, which would otherwise keep a socket open or reset the connection.
    readable.resume();
    finished(this.#writable, { readable: false }, () => {
      if (!this.#isDuplex) readable.destroy();
      if (readable.closed || readable.destroyed) {
        resolve();
        return;
      }
      const timer = setTimeout(() => readable.destroy(), lingerMs);
      readable.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    if (!this.#writable.writableEnded && !this.#writable.destroyed) this.#writable.end();
    return promise;
  }

  destroy(): void {
    this.#writable.destroy();
    this.#readable.destroy();
  }

  #checkWritable(): void {
    const { destroyed, writableEnded } = this.#writable;
    this.#checkFailure();
    if (destroyed || writableEnded) throw closedStreamError();
  }

  #checkFailure(): void {
    const failure = this.#failure ?? this.#writable.errored ?? undefined;
    if (failure !== undefined) throw failure;
  }

  /** Settles when the stream is ready for more data. */
  #drained(): Promise<void> {
    const writable = this.#writable;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        writable.off("drain", settle);
        writable.off("close", settle);
        writable.off("error", settle);
        try {
          this.#checkFailure();
          // If the stream ended after this write, it has accepted the data.
          if (writable.destroyed && !writable.writableFinished) throw closedStreamError();
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      writable.on("drain", settle);
      writable.on("close", settle);
      writable.on("error", settle);
    });
  }
}

function closedStreamError(): Error {
  return new Error("Cannot write: the stream is closed");
}

/** Milliseconds between connection attempts. */
const retryMs = 50;

/** Options for a TCP connection. */
export interface TcpOptions {
  /** Host name or IP address. Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Milliseconds during which failed attempts are repeated, because a program that has just been
   * started might not be listening yet. With 0, there is a single attempt, which may take as long
   * as the system allows. With Infinity, attempts are repeated until one succeeds. Default: 0.
   */
  readonly retryForMs?: number;
  /** Aborting this signal ends the attempts. */
  readonly signal?: Signal;
}

const tcpChecks: option.OptionChecks<TcpOptions> = {
  host: option.text,
  retryForMs: option.milliseconds,
  signal: option.signal,
};

/**
 * Connects to a TCP port. Resolves to a transport.
 *
 * @throws Rejects with the system error from the last attempt, a `TimeoutError`, or the signal's
 * abort reason; or with TypeError for unknown options and invalid values.
 */
export async function tcpTransport(
  port: number,
  options: TcpOptions = {},
): Promise<Transport & { readonly socket: Socket }> {
  option.checkOptions("tcpTransport", options, tcpChecks);
  const { host = "127.0.0.1", retryForMs = 0, signal } = options;
  const limit = limitOf(retryForMs);
  const deadline = retryForMs === 0 ? 0 : performance.now() + retryForMs;
  for (;;) {
    const left = limit === undefined ? Infinity : Math.max(1, deadline - performance.now());
    try {
      const socket = await connectOnce({ port, host }, left, signal);
      return { ...nodeTransport(socket, socket), socket };
    } catch (error) {
      if (signal?.aborted === true || performance.now() + retryMs >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Makes a single connection attempt, limited to a number of milliseconds. */
function connectOnce(
  address: { readonly port: number; readonly host: string },
  milliseconds: number,
  signal: Signal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const socket = connect(address);
    const stop = (): void => {
      stopTimer();
      stopWatching();
      socket.off("error", fail).off("connect", succeed);
    };
    const fail = (error: unknown): void => {
      stop();
      socket.on("error", () => undefined).destroy();
      reject(error);
    };
    const succeed = (): void => {
      stop();
      resolve(socket);
    };
    const stopTimer = startTimer(milliseconds, () => {
      const text = `Cannot connect to ${address.host}:${address.port}: timed out`;
      fail(new TimeoutError(text));
    });
    const stopWatching =
      signal === undefined ? () => undefined : onAbort(signal, () => fail(abortReason(signal)));
    socket.on("error", fail).on("connect", succeed);
  });
}
