import { readIterable, type Transport } from "./transport.js";

/** Milliseconds for which reading goes on when writing has failed: the other side may have said why. */
const readAfterFailureMs = 100;

/** A transport over WHATWG streams. */
export function streamTransport(streams: {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}): Transport {
  const writer = streams.writable.getWriter();
  const reader = streams.readable.getReader();
  return {
    read(onBytes, onEnd) {
      let isOver = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (error?: unknown): void => {
        clearTimeout(timer);
        if (!isOver) onEnd(error);
        isOver = true;
      };
      readIterable(chunksOf(reader))(onBytes, end);
      // A failure of what was written earlier shows nowhere else before the next write.
      writer.closed.catch((error: unknown) => {
        if (!isOver) timer = setTimeout(() => end(error), readAfterFailureMs);
      });
    },
    async write(bytes) {
      await writer.ready;
      const written = writer.write(bytes);
      written.catch(() => undefined);
      // A writer that is being closed is ready, too, but takes nothing.
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

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
