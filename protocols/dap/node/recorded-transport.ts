import { decodeContentLength, type Transport } from "../../../generated/dap/runtime/index.js";
import { recordEntries } from "../middleware/record-entries.js";

/** Settings for a recorded transport. */
export interface RecordedTransportOptions {
  readonly write: (line: string) => void;
  /** Number of the session in the recording. */
  readonly session: number;
}

/**
 * Records the bytes that pass through an adapter's transport, as `wirewright tap` does: messages,
 * faults, noise and the end of each direction. Unlike a middleware, it also sees bytes that are not
 * messages.
 */
export function recordedTransport(
  transport: Transport,
  { write, session }: RecordedTransportOptions,
): Transport {
  const record = recordEntries(write, session);
  const open = (from: string): Direction => {
    const decoder = decodeContentLength({
      onMessage: (message, { offset, headerLength, bodyLength }) =>
        record("message", from, { offset, length: headerLength + bodyLength, message }),
      onFault({ code, message: text, offset, length }) {
        // Noise is recorded as a separate entry that includes its text.
        if (code !== "ERR_NOISE") record("fault", from, { offset, length, code, text });
      },
      onNoise: (bytes, offset) =>
        record("noise", from, {
          offset,
          length: bytes.length,
          text: new TextDecoder().decode(bytes),
        }),
    });
    let isOver = false;
    return {
      push(bytes) {
        if (!isOver) decoder.push(bytes);
      },
      end(how) {
        if (isOver) return;
        isOver = true;
        decoder.end();
        record("end", from, { how });
      },
    };
  };
  const client = open("client");
  const adapter = open("adapter");
  const end = (): void => {
    client.end("closed");
    adapter.end("closed");
  };
  return {
    ...transport,
    read: (onBytes, onEnd) =>
      transport.read(
        (bytes) => {
          client.push(bytes);
          return onBytes(bytes);
        },
        (error, detail) => {
          client.end(error === undefined ? "closed" : "failed");
          onEnd(error, detail);
        },
      ),
    write(bytes) {
      const written = transport.write(bytes);
      adapter.push(bytes);
      return written;
    },
    close() {
      end();
      return transport.close();
    },
    destroy() {
      end();
      return transport.destroy?.();
    },
  };
}

interface Direction {
  push(bytes: Uint8Array): void;
  /** @param how How the direction ended, as worded in recordings. */
  end(how: string): void;
}
