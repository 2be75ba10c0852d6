import { PassThrough, Writable } from "node:stream";
import { createDecoder, createEncoder } from "@wirewright/dap";
import {
  connect,
  type RequestError,
  type Connection,
  type ConnectOptions,
} from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { turns } from "./scripted-connection.js";

/** Connects a client to the test, which plays the adapter and exchanges raw bytes with it. */
export function scripted(options: ConnectOptions<"client"> = {}): {
  readonly client: Connection<"client">;
  readonly written: Record<string, unknown>[];
  readonly problems: string[];
  readonly say: (...messages: readonly object[]) => Promise<void>;
  readonly raw: (text: string) => Promise<void>;
  readonly end: () => void;
} {
  const written: Record<string, unknown>[] = [];
  const problems: string[] = [];
  const input = new PassThrough();
  const decoder = createDecoder({
    onMessage: (classified) => {
      if (classified.status !== "malformed") written.push(classified.message as never);
    },
  });
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      decoder.push(chunk);
      done();
    },
  });
  const client = connect("client", nodeTransport(input, output), {
    onProblem: ({ code }) => void problems.push(code),
    ...options,
  });
  const encoder = createEncoder();
  return {
    client,
    written,
    problems,
    say: (...messages) => {
      for (const message of messages) input.write(encoder.encode(message as never));
      return turns();
    },
    raw: (text) => {
      input.write(text);
      return turns();
    },
    end: () => void input.end(),
  };
}

export function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    ({ code, command, message }: RequestError) =>
      `${code}${command === undefined ? "" : ` ${command}`}: ${message}`,
  );
}
