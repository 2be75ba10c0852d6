/**
 * Compares encoding, `peek` and `renumber` with the official library, vscode-jsonrpc and plain
 * JSON.
 */
import assert from "node:assert/strict";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { WriteableStreamMessageWriter } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { FrameEncoder } from "../../runtime/index.js";
import { peek } from "@wirewright/dap";
import { workloads, type Workload } from "./codec-corpus.js";
import { contest } from "./contest.js";
import type { Work } from "./measure.js";
import { selects, type Bench, type Report } from "./report.js";

interface Sink {
  write(data: string | Uint8Array, encoding?: BufferEncoding): boolean;
  bytes: number;
  last: Buffer;
}

/**
 * Creates a stream that counts the bytes written to it and accepts the same values as a Node
 * stream.
 */
function sink(): Sink {
  return {
    bytes: 0,
    last: Buffer.alloc(0),
    write(data, encoding) {
      // Like a socket, convert strings to bytes before writing.
      this.last =
        typeof data === "string"
          ? Buffer.from(data, encoding)
          : Buffer.isBuffer(data)
            ? data
            : Buffer.from(data.buffer, data.byteOffset, data.length);
      this.bytes += this.last.length;
      return true;
    },
  };
}

/**
 * Returns functions that write one message, each to its own sink. Sharing a sink would slow all of
 * them down.
 */
function writers(): Readonly<Record<"official" | "vscode-jsonrpc", readonly [Sink, WriteOne]>> {
  const officials = sink();
  const server = new ProtocolServer() as unknown as {
    _writableStream: unknown;
    _send(type: string, message: object): void;
  };
  server._writableStream = officials;
  const jsonrpcs = sink();
  const nothing = { dispose: () => undefined };
  const writer = new WriteableStreamMessageWriter({
    onClose: () => nothing,
    onError: () => nothing,
    onEnd: () => nothing,
    end: () => undefined,
    write: (data: string | Uint8Array, encoding?: BufferEncoding) => (
      jsonrpcs.write(data, encoding),
      Promise.resolve()
    ),
  });
  return {
    official: [officials, (message) => server._send(message.type, message)],
    "vscode-jsonrpc": [jsonrpcs, (message) => writer.write(message as never)],
  };
}

type Message = { seq: number; readonly type: string };
type WriteOne = (message: Message) => void | Promise<void>;

/** Writes a message and returns the bytes of the last write that reached the sink. */
async function lastWritten(
  [sink, write]: readonly [Sink, WriteOne],
  message: Message,
): Promise<Buffer> {
  await write(message);
  return sink.last;
}

async function encodeWorks(load: Workload, report: Report): Promise<Record<string, Work>> {
  const encoder = new FrameEncoder();
  const ours = sink();
  const { official, "vscode-jsonrpc": jsonrpc } = writers();
  const messages = load.messages.map((message) => structuredClone(message) as Message);
  const count = messages.length;
  const last = messages.at(-1)!;
  // The official library sets `seq` itself, so it has to write first.
  const frame = await lastWritten(official, last);
  assert.deepEqual(Buffer.from(encoder.encode(last)), frame);
  // vscode-jsonrpc writes the header and the body separately.
  assert.equal(String(await lastWritten(jsonrpc, last)), JSON.stringify(last));
  report.outcome(`encode ${load.name}`, frame.toString());
  return {
    ours: () => {
      ours.bytes = 0;
      for (let at = 0; at < count; at++) ours.write(encoder.encode(messages[at]!));
      return ours.bytes;
    },
    "JSON.stringify alone": () => {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += JSON.stringify(messages[at]).length;
      return sum;
    },
    "ours, one batch": () => encoder.encodeAll(messages).length,
    official: () => {
      const [sink, write] = official;
      sink.bytes = 0;
      for (let at = 0; at < count; at++) void write(messages[at]!);
      return sink.bytes;
    },
    "vscode-jsonrpc": async () => {
      const [sink, write] = jsonrpc;
      sink.bytes = 0;
      for (let at = 0; at < count; at++) await write(messages[at]!);
      return sink.bytes;
    },
  };
}

function proxyWorks(load: Workload): Record<string, Work> {
  const bodies = load.messages.map((message) => Buffer.from(JSON.stringify(message)));
  const usual = (body: Buffer): Uint8Array => {
    const message = JSON.parse(body.toString()) as { seq: number };
    message.seq = 4711;
    const text = JSON.stringify(message);
    return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  for (const body of bodies)
    assert.deepEqual(Buffer.from(peek.renumber(body, 4711)!), Buffer.from(usual(body)));
  const each =
    (work: (body: Buffer) => number): Work =>
    () => {
      let sum = 0;
      for (let at = 0; at < bodies.length; at++) sum += work(bodies[at]!);
      return sum;
    };
  return {
    renumber: each((body) => peek.renumber(body, 4711)!.length),
    "parse, renumber, stringify, frame": each((body) => usual(body).length),
    peek: each((body) => (peek(body)!.id as number) + 1),
    "JSON.parse": each((body) => (JSON.parse(body.toString()) as { seq: number }).seq + 1),
  };
}

export const bench: Bench = async (report, options) => {
  const turns = { ...options, turnMs: 10, warmMs: 250 };
  const { tiny, output, outputWide, stack, mixed, large } = workloads;
  const encoding = report.table("encoding", ["work"], { ours: "ns per message" });
  for (const load of [tiny, output, outputWide, stack, mixed, large]) {
    if (!selects(options, ["encode", load.name])) continue;
    const works = await encodeWorks(load, report);
    encoding.row([load.name], await contest(works, load.messages.length, turns));
  }
  const forwarding = report.table("forwarding", ["work"], { renumber: "ns per message" });
  for (const load of [tiny, output, outputWide, stack, large])
    if (selects(options, ["forward", load.name]))
      forwarding.row([load.name], await contest(proxyWorks(load), load.messages.length, turns));
};
