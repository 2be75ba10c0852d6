/** Encodes messages, and renumbers encoded ones as a proxy does. */
import assert from "node:assert/strict";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { WriteableStreamMessageWriter } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { createEncoder, peek } from "@wirewright/dap";
import { Bench } from "./comparison.js";
import { workloads, type Message } from "./workloads.js";

/** Takes what a socket takes. Like a socket, it converts strings to bytes before it writes them. */
class Sink {
  chunks: Uint8Array[] = [];

  write(data: string | Uint8Array, encoding?: BufferEncoding): boolean {
    this.chunks.push(typeof data === "string" ? Buffer.from(data, encoding) : data);
    return true;
  }
}

type Write = (message: Message) => void | Promise<void>;

/** Creates writers that each have a sink of their own: sharing one would slow all of them down. */
const writers: Readonly<Record<string, (sink: Sink) => Write>> = {
  wirewright(sink) {
    const encoder = createEncoder();
    return (message) => void sink.write(encoder.encode(message as never));
  },
  official(sink) {
    const server = new ProtocolServer() as unknown as {
      _writableStream: Sink;
      _sequence: number;
      _send(type: string, message: Message): void;
    };
    server._writableStream = sink;
    return (message) => {
      // The library numbers messages itself.
      server._sequence = message.seq;
      server._send(message.type, message);
    };
  },
  "vscode-jsonrpc"(sink) {
    const nothing = { dispose: () => undefined };
    const writer = new WriteableStreamMessageWriter({
      onClose: () => nothing,
      onError: () => nothing,
      onEnd: () => nothing,
      end: () => undefined,
      write: (data: string | Uint8Array, encoding?: BufferEncoding) => (
        sink.write(data, encoding),
        Promise.resolve()
      ),
    });
    return (message) => writer.write(message as never);
  },
};

const bench = new Bench("encode");
for (const { name, messages, framed } of workloads) {
  const competitors: Record<string, () => Promise<number>> = {};
  for (const [writer, create] of Object.entries(writers)) {
    const sink = new Sink();
    const write = create(sink);
    for (const message of messages) await write(message);
    // vscode-jsonrpc writes a space less in the header.
    assert.equal(
      String(Buffer.concat(sink.chunks)).replaceAll("Length:{", "Length: {"),
      String(framed),
    );
    competitors[writer] = async () => {
      sink.chunks = [];
      for (const message of messages) {
        const writing = write(message);
        if (writing !== undefined) await writing;
      }
      return Buffer.concat(sink.chunks).length;
    };
  }
  const count = messages.length;
  await bench.compare("encoding", { work: name, count, expected: framed.length, competitors });
}
for (const { name, messages } of workloads) {
  const bodies = messages.map((message) => Buffer.from(JSON.stringify(message)));
  const renumber = (body: Buffer): Uint8Array => peek.renumber(body, 4711)!;
  const parseAndEncode = (body: Buffer): Uint8Array => {
    const text = JSON.stringify({ ...(JSON.parse(String(body)) as Message), seq: 4711 });
    return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  for (const body of bodies)
    assert.equal(String(Buffer.from(renumber(body))), String(parseAndEncode(body)));
  await bench.compare("renumbering", {
    work: name,
    count: messages.length,
    expected: bodies.reduce((sum, body) => sum + parseAndEncode(body).length, 0),
    competitors: {
      "peek.renumber": () => bodies.reduce((sum, body) => sum + renumber(body).length, 0),
      "parse and encode": () => bodies.reduce((sum, body) => sum + parseAndEncode(body).length, 0),
    },
  });
}
await bench.finish();
