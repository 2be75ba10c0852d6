/** Bytes both ways. */
export interface Transport {
  /**
   * Begins to read. Called once.
   *
   * @param onBytes Called with what arrives; reading waits while the promise that it gives is pending.
   * @param onEnd Called once when the other side has ended, or with what went wrong.
   */
  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown) => void,
  ): void;
  /** Writes one frame with one call; a promise while the other side is slow. */
  write(bytes: Uint8Array): void | Promise<void>;
  close(): void | Promise<void>;
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

/** A transport over WHATWG streams. */
export function streamTransport(streams: {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}): Transport {
  const writer = streams.writable.getWriter();
  const reader = streams.readable.getReader();
  return {
    read: readIterable({
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      },
    }),
    async write(bytes) {
      await writer.ready;
      // A failure shows at the next write and at the end of what is read.
      writer.write(bytes).catch(() => undefined);
      await writer.ready;
    },
    async close() {
      await writer.close().catch(() => undefined);
      await reader.cancel().catch(() => undefined);
    },
  };
}

/** The part of a `MessagePort`, or of a worker, that a transport needs. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
  start?(): void;
  close?(): void;
}

/** Frames that wait to be read, in bytes, before the other side is asked to wait. */
const highWater = 1024 * 1024;

/**
 * A transport over a message port. Each frame is a message of its own; `null` says that it is over, and a
 * number how many bytes have been read, so that the sender can wait for a slow reader.
 */
export function portTransport(port: Port): Transport {
  const arrived: Uint8Array[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  let unread = 0;
  let goOn: () => void = () => undefined;
  const end = (): void => {
    isOver = true;
    wake();
    goOn();
  };
  port.addEventListener("message", ({ data }) => {
    if (data === null) end();
    else if (typeof data === "number") {
      unread -= data;
      if (unread < highWater) goOn();
    } else if (data instanceof Uint8Array) {
      arrived.push(data);
      wake();
    }
  });
  port.addEventListener("close", end);
  port.start?.();
  return {
    read: readIterable({
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const bytes = arrived.shift();
          if (bytes !== undefined) {
            yield bytes;
            if (!isOver) port.postMessage(bytes.length);
          } else if (isOver) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    }),
    write(bytes) {
      if (isOver) return;
      // The array may be a view of memory that is shared with other frames.
      port.postMessage(bytes.slice());
      unread += bytes.length;
      if (unread >= highWater) return new Promise<void>((resolve) => (goOn = resolve));
    },
    close() {
      if (isOver) return;
      port.postMessage(null);
      end();
      port.close?.();
    },
  };
}
