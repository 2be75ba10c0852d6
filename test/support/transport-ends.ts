import assert from "node:assert/strict";
import {
  connect,
  type Connection,
  type ConnectOptions,
  type Transport,
  streamTransport,
} from "@wirewright/dap/connection";
import { outcomeOf } from "./scripted-connection.js";

/** Creates a client and collects the codes of its problems. */
export function client(
  transport: Transport,
  options: ConnectOptions<"client"> = {},
): { readonly connection: Connection<"client">; readonly codes: string[] } {
  const codes: string[] = [];
  const connection = connect("client", transport, {
    onProblem: ({ code }) => void codes.push(code),
    ...options,
  });
  return { connection, codes };
}

/** Asserts that all pending calls reject and that the connection has ended. */
export async function assertOver(
  { connection, codes }: ReturnType<typeof client>,
  asked: Promise<unknown>,
  problems: readonly string[],
): Promise<void> {
  await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
  await connection.closed;
  assert.deepEqual(codes, problems);
  assert.equal(await outcomeOf(connection.flushed()), "ERR_CONNECTION_CLOSED");
}

/** Creates two connected in-memory transports. */
export function pair(): [Transport, Transport] {
  const [one, other] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  return [
    streamTransport({ readable: one.readable, writable: other.writable }),
    streamTransport({ readable: other.readable, writable: one.writable }),
  ];
}
