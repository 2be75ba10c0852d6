import { streamTransport, type Transport } from "@wirewright/dap/connection";

/** Creates two connected in-memory transports. */
export function pair(): [Transport, Transport] {
  const [one, other] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  return [
    streamTransport({ readable: one.readable, writable: other.writable }),
    streamTransport({ readable: other.readable, writable: one.writable }),
  ];
}
