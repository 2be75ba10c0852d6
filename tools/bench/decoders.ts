/** Our decoder and those of other libraries, each as a function from chunks to messages. */
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { ReadableStreamMessageReader } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { createDecoder } from "@wirewright/dap";

/** Calls `onMessage` with each message in the chunks. */
export type Decode = (
  chunks: readonly Buffer[],
  onMessage: (message: unknown) => void,
) => void | Promise<void>;

export const wirewright: Decode = (chunks, onMessage) => {
  const decoder = createDecoder({ onMessage: ({ message }) => onMessage(message) });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
};

class Server extends ProtocolServer {
  onMessage: (message: unknown) => void = () => undefined;
  override handleMessage(message: never): void {
    this.onMessage(message);
  }
}

/** The official library's reader, without the stream that feeds it. */
export const official: Decode = (chunks, onMessage) => {
  const server = new Server();
  server.onMessage = onMessage;
  const reader = server as unknown as { _rawData: Buffer; _handleData(data: Buffer): void };
  reader._rawData = Buffer.alloc(0);
  for (const chunk of chunks) reader._handleData(chunk);
};

const nothing = { dispose: () => undefined };

/** Creates a decoder that waits for `count` messages, because vscode-jsonrpc delivers them later. */
export function vscodeJsonrpc(count: number): Decode {
  return async (chunks, onMessage) => {
    let feed: (chunk: Uint8Array) => void = () => undefined;
    const reader = new ReadableStreamMessageReader({
      onClose: () => nothing,
      onError: () => nothing,
      onEnd: () => nothing,
      onData: (listener: (chunk: Uint8Array) => void) => ((feed = listener), nothing),
    });
    let arrived = 0;
    await new Promise<void>((resolve) => {
      reader.listen((message) => {
        onMessage(message);
        if (++arrived === count) resolve();
      });
      for (const chunk of chunks) feed(chunk);
    });
  };
}
