/**
 * Encoding, `peek` and `renumber`, compared with the official library, vscode-jsonrpc and plain
 * JSON.
 */
import assert from "node:assert/strict";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { WriteableStreamMessageWriter } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { FrameEncoder } from "../runtime/index.js";
import { peek } from "../generated/dap/index.js";
import { workloads, type Workload } from "./codec-corpus.js";
import { measure, type Work } from "./measure.js";
import { median, medianRatio, printTable } from "./table.js";

const rounds = Number(process.env["ROUNDS"] ?? 15);

/** Medians of the ratios to the first contestant per round, and its time per message. */
async function compare(
  count: number,
  contestants: Readonly<Record<string, Work>>,
): Promise<string[]> {
  const times = await measure(Object.values(contestants), { rounds, turnMs: 10, warmMs: 300 });
  const [first, ...others] = times;
  return [
    `${(median(first!) / count).toFixed(0)} ns`,
    ...others.map((each) => medianRatio(each, first!).toFixed(2)),
  ];
}

/** A stream that counts what is written, as Node's would accept it. */
function sink(): {
  write(data: string | Uint8Array, encoding?: BufferEncoding): boolean;
  bytes: number;
  last: Buffer;
} {
  return {
    bytes: 0,
    last: Buffer.alloc(0),
    write(data, encoding) {
      // A socket converts strings to bytes before it writes.
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

async function encodeRow(load: Workload): Promise<string[]> {
  const encoder = new FrameEncoder();
  const ours = sink();
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
  const messages = load.messages.map((message) => structuredClone(message) as { type: string });
  const count = messages.length;
  const expected = JSON.stringify(messages.at(-1));
  ours.write(encoder.encode(messages.at(-1)!));
  assert.ok(ours.last.toString().endsWith(expected));
  return [
    load.name,
    // Each has its own loop and sink: shared ones would be slow for all.
    ...(await compare(count, {
      ours: () => {
        ours.bytes = 0;
        for (let at = 0; at < count; at++) ours.write(encoder.encode(messages[at]!));
        return ours.bytes;
      },
      official: () => {
        officials.bytes = 0;
        for (let at = 0; at < count; at++) server._send(messages[at]!.type, messages[at]!);
        return officials.bytes;
      },
      jsonrpc: async () => {
        jsonrpcs.bytes = 0;
        for (let at = 0; at < count; at++) await writer.write(messages[at]! as never);
        return jsonrpcs.bytes;
      },
      stringify: () => {
        let sum = 0;
        for (let at = 0; at < count; at++) sum += JSON.stringify(messages[at]).length;
        return sum;
      },
      batch: () => encoder.encodeInto(messages).length,
    })),
  ];
}

async function proxyRow(load: Workload): Promise<string[]> {
  const bodies = load.messages.map((message) => Buffer.from(JSON.stringify(message)));
  const usual = (body: Buffer): Uint8Array => {
    const message = JSON.parse(body.toString()) as { seq: number };
    message.seq = 4711;
    const text = JSON.stringify(message);
    return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  assert.deepEqual(Buffer.from(peek.renumber(bodies[0]!, 4711)!), Buffer.from(usual(bodies[0]!)));
  const each =
    (work: (body: Buffer) => number): Work =>
    () => {
      let sum = 0;
      for (let at = 0; at < bodies.length; at++) sum += work(bodies[at]!);
      return sum;
    };
  return [
    load.name,
    ...(await compare(bodies.length, {
      renumber: each((body) => peek.renumber(body, 4711)!.length),
      "parse, renumber, stringify, frame": each((body) => usual(body).length),
      peek: each((body) => (peek(body)!.id as number) + 1),
      parse: each((body) => (JSON.parse(body.toString()) as { seq: number }).seq + 1),
    })),
  ];
}

const { tiny, output, outputWide, stack, large } = workloads;
console.log(
  `Node ${process.version}; medians of ${rounds} interleaved rounds; ratios to the first column's time\n`,
);
const encodeRows: string[][] = [];
for (const load of [tiny, output, outputWide]) encodeRows.push(await encodeRow(load));
printTable(
  ["encode", "ours, per message", "official", "jsonrpc", "JSON.stringify alone", "ours, one batch"],
  encodeRows,
);
console.log();
const proxyRows: string[][] = [];
for (const load of [tiny, output, outputWide, stack, large]) proxyRows.push(await proxyRow(load));
printTable(
  ["proxy", "renumber, per message", "usual way", "peek at all fields", "JSON.parse"],
  proxyRows,
);
