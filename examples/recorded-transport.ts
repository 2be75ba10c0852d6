import type { Transport } from "@wirewright/dap/connection";
import { createDecoder } from "@wirewright/dap";

/** Records the messages between a proxy and one of its peers, as lines of JSON. */
export function recordTransport(
  transport: Transport,
  peer: "client" | "adapter",
  write: (line: string) => void,
): Transport {
  const began = performance.now();
  const recorderOf = (from: string) =>
    createDecoder({
      onMessage: ({ message }) =>
        write(JSON.stringify({ kind: "message", time: performance.now() - began, from, message })),
    });
  const received = recorderOf(peer);
  const sent = recorderOf(peer === "client" ? "adapter" : "client");
  return {
    read: (onBytes, onEnd) =>
      transport.read((bytes) => {
        received.push(bytes);
        return onBytes(bytes);
      }, onEnd),
    write(bytes) {
      sent.push(bytes);
      return transport.write(bytes);
    },
    close: () => transport.close(),
    destroy: () => transport.destroy?.(),
  };
}
