import type {
  ClearTimeout,
  Readable,
  Reader,
  SetTimeout,
  Writable,
} from "../base/web-standards.js";
import { readIterable, type Transport } from "./transport.js";

declare const setTimeout: SetTimeout;
declare const clearTimeout: ClearTimeout;

/**
 * Milliseconds to keep reading after a failed write, because the peer may have sent the reason for
 * the failure.
 */
export const readAfterFailureMs = 100;

/** Creates a transport over WHATWG streams. */
export function streamTransport(streams: {
  readonly readable: Readable<Uint8Array>;
  readonly writable: Writable<Uint8Array>;
}): Transport {
  const writer = streams.writable.getWriter();
  const reader = streams.readable.getReader();
  return {
    read(onBytes, onEnd) {
      let isOver = false;
      let timer: unknown;
      const end = (error?: unknown): void => {
        clearTimeout(timer);
        if (!isOver) onEnd(error);
        isOver = true;
      };
      readIterable(chunksOf(reader))(onBytes, end);
      // Watch `closed`: otherwise, a failed write would go unnoticed until the next write.
      writer.closed.catch((error: unknown) => {
        if (!isOver) timer = setTimeout(() => end(error), readAfterFailureMs);
      });
    },
    async write(bytes) {
      await writer.ready;
      const written = writer.write(bytes);
      written.catch(() => undefined);
      // While a writer is closing, `ready` resolves although nothing is accepted. So wait for the
      // write, too.
      await Promise.race([written, writer.ready]);
    },
    async close() {
      await writer.close().catch(() => undefined);
      await reader.cancel().catch(() => undefined);
    },
    async destroy() {
      const error = new Error("The transport was destroyed");
      await Promise.allSettled([writer.abort(error), reader.cancel(error)]);
    },
  };
}

async function* chunksOf(reader: Reader<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const next = await reader.read();
    if (next.done) return;
    yield next.value;
  }
}
