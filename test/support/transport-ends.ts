import assert from "node:assert/strict";
import {
  connect,
  type Connection,
  type ConnectOptions,
  type Transport,
} from "@wirewright/dap/connection";
import { outcomeOf } from "./scripted-connection.js";

export const timeout = 20_000;

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
