/** The decoders to compare, each as a function from chunks to messages. */
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { ProtocolClient } from "@vscode/debugadapter-testsupport/lib/protocolClient.js";
import { ReadableStreamMessageReader } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { BareDecoder } from "./bare-decoder.js";
import { FrameDecoder } from "../../runtime/index.js";

/**
 * Pushes all chunks, calls `each` with every message, and resolves once all messages have arrived.
 * All decoders iterate by index, because with one-byte chunks an array iterator would take up a
 * considerable share of the time.
 */
export type Decode = (
  chunks: readonly Buffer[],
  count: number,
  each: (message: unknown) => void,
) => void | Promise<void>;

export const ours: Decode = (chunks, _count, each) => {
  const decoder = new FrameDecoder({ onMessage: each });
  for (let at = 0; at < chunks.length; at++) decoder.push(chunks[at]!);
  decoder.end();
};

export const bare: Decode = (chunks, _count, each) => {
  const decoder = new BareDecoder(each);
  for (let at = 0; at < chunks.length; at++) decoder.push(chunks[at]!);
};

class Server extends ProtocolServer {
  each: (message: unknown) => void = () => undefined;
  override handleMessage(message: never): void {
    this.each(message);
  }
}

/** Decodes with the official adapter library. */
export const official: Decode = (chunks, _count, each) => {
  const server = new Server();
  server.each = each;
  const raw = server as unknown as { _rawData: Buffer; _handleData(data: Buffer): void };
  raw._rawData = Buffer.alloc(0);
  for (let at = 0; at < chunks.length; at++) raw._handleData(chunks[at]!);
};

/** Decodes with the official client library, which parses inside `dispatch`. */
export const testsupport: Decode = (chunks, _count, each) => {
  const client = new ProtocolClient() as unknown as {
    dispatch(body: string): void;
    handleData(data: Buffer): void;
  };
  client.dispatch = (body) => each(JSON.parse(body));
  for (let at = 0; at < chunks.length; at++) client.handleData(chunks[at]!);
};

export const jsonrpc: Decode = async (chunks, count, each) => {
  let feed: (chunk: Uint8Array) => void = () => undefined;
  const nothing = { dispose: () => undefined };
  const reader = new ReadableStreamMessageReader({
    onClose: () => nothing,
    onError: () => nothing,
    onEnd: () => nothing,
    onData: (listener: (chunk: Uint8Array) => void) => ((feed = listener), nothing),
  });
  let arrived = 0;
  await new Promise<void>((resolve) => {
    reader.listen((message) => {
      each(message);
      if (++arrived === count) resolve();
    });
    for (let at = 0; at < chunks.length; at++) feed(chunks[at]!);
  });
};

export const acp: Decode = async (chunks, _count, each) => {
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < chunks.length; at++) controller.enqueue(chunks[at]!);
      controller.close();
    },
  });
  const { readable } = ndJsonStream(new WritableStream(), input);
  const reader = readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) each(next.value);
};

/**
 * Decodes with the line reader from the MCP SDK, but without the SDK's schema check, which would
 * take most of the time.
 */
export const mcp: Decode = (chunks, _count, each) => {
  const buffer = new ReadBuffer({ maxBufferSize: 1 << 28 }) as unknown as {
    append(chunk: Buffer): void;
    _buffer: Buffer | undefined;
  };
  for (let at = 0; at < chunks.length; at++) {
    buffer.append(chunks[at]!);
    for (;;) {
      const feed = buffer._buffer?.indexOf("\n") ?? -1;
      if (feed < 0) break;
      const line = buffer._buffer!.toString("utf8", 0, feed).replace(/\r$/, "");
      buffer._buffer = buffer._buffer!.subarray(feed + 1);
      each(JSON.parse(line));
    }
  }
};
