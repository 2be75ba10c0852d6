import assert from "node:assert/strict";
import * as sqltools from "@wirewright/sqltools";

export type Message = Readonly<Record<string, unknown>>;

export type Classified = sqltools.Classified;

/** Decodes a stream split at the given offsets. */
export function decode(
  bytes: Uint8Array,
  dialect?: sqltools.Dialect,
  cuts: readonly number[] = [],
): { readonly messages: readonly Classified[]; readonly errors: readonly string[] } {
  const messages: Classified[] = [];
  const errors: string[] = [];
  const decoder = sqltools.createDecoder({
    ...(dialect === undefined ? {} : { dialect }),
    onMessage: (message) => void messages.push(message),
    onFault: ({ code, offset }) => void errors.push(`${code} at ${offset}`),
  });
  [0, ...cuts].forEach((start, index) => decoder.push(bytes.subarray(start, cuts[index])));
  decoder.end();
  return { messages, errors };
}

export function only(bytes: Uint8Array, dialect?: sqltools.Dialect): Classified {
  const { messages, errors } = decode(bytes, dialect);
  assert.deepEqual([messages.length, errors], [1, []]);
  return messages[0]!;
}

export const connect = { jsonrpc: "2.0", id: 1, method: "connection/connect" };
