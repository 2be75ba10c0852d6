import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { ReadableStreamMessageReader } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { FrameDecoder } from "../../../runtime/index.js";
import { everyCut, logOf, randomCuts, readFrameCases } from "../../support/frame-cases.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { pushPieces } from "../../support/stream-oracles.js";

for (const file of [
  "content-length.md",
  "lines.md",
  "nul.md",
  "decimal-nul.md",
  "length-prefix.md",
]) {
  for (const { name, bytes, log, options } of readFrameCases(`test/cases/${file}`)) {
    test(`a decoder gives the same result no matter how the bytes are split: ${name}`, () => {
      for (const { name: cut, cuts } of everyCut(bytes.length)) {
        assert.deepEqual(
          logOf(bytes, cuts, options),
          log,
          `${cut}: logOf(bytes, ${JSON.stringify(cuts).slice(0, 200)})`,
        );
      }
    });
  }
}

interface RecordedFrame {
  readonly dir: "in" | "out";
  readonly off: number;
  readonly headLen: number;
  readonly bodyLen: number;
  /**
   * The number of bytes at the end of the stream that are not a frame. Only an entry without
   * lengths has this field.
   */
  readonly trailing?: number;
}

function readLines<Line>(path: string): Line[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

for (const { name: session, folder } of recordedSessions) {
  for (const direction of ["in", "out"] as const) {
    test(`a decoder reads the recording of ${session} (${direction}) both as recorded and split in other ways`, () => {
      const bytes = readFileSync(join(folder, `${direction}.bin`));
      const frames = readLines<RecordedFrame>(join(folder, "frames.jsonl")).filter(
        ({ dir }) => dir === direction,
      );
      const want = frames.map(({ off, headLen, bodyLen, trailing }) =>
        trailing === undefined
          ? `${off}+${headLen}+${bodyLen}`
          : `ERR_TRUNCATED ${off}+${trailing}`,
      );
      const recorded = readLines<{ dir: string; off: number; len: number }>(
        join(folder, "chunks.jsonl"),
      )
        .filter(({ dir, off }) => dir === direction && off > 0)
        .map(({ off }) => off);
      for (const { name, cuts } of [
        { name: "as recorded", cuts: recorded },
        { name: "whole", cuts: [] },
        ...randomCuts(bytes.length, 12, 7),
      ]) {
        const places: string[] = [];
        const decoder = new FrameDecoder({
          onMessage: (message, frame) => {
            places.push(`${frame.offset}+${frame.headerLength}+${frame.bodyLength}`);
            if (places.length % 50 === 1) {
              const raw = bytes.subarray(
                frame.offset,
                frame.offset + frame.headerLength + frame.bodyLength,
              );
              assert.deepEqual(Buffer.from(frame.raw), Buffer.from(raw), "raw bytes");
              assert.deepEqual(message, JSON.parse(Buffer.from(frame.body).toString()), "message");
            }
          },
          onFault: ({ code, offset, length }) => places.push(`${code} ${offset}+${length}`),
        });
        pushPieces(decoder, bytes, cuts);
        decoder.end();
        assert.deepEqual(places, want, name);
      }
    });
  }
}

/** Creates a stream that every decoder accepts, similar to the streams in the peers' own tests. */
function acceptedStream(): { bytes: Buffer; messages: object[] } {
  const messages = Array.from({ length: 60 }, (_, index) => ({
    seq: index + 1,
    type: "event",
    event: "output",
    body: {
      output: ["plain", "é日本😀", "\ud83d", '\u2028 \\ " \n', "x".repeat(index * 37)][index % 5],
      n: index,
      nested: [{ a: [] }, null, true, 1.5e300],
    },
  }));
  const bytes = Buffer.concat(
    messages.map((message) => {
      const body = Buffer.from(JSON.stringify(message));
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
  );
  return { bytes, messages };
}

test("a decoder delivers the same messages as the official library and vscode-jsonrpc", async () => {
  const { bytes, messages } = acceptedStream();
  for (const { name, cuts } of randomCuts(bytes.length, 10, 3)) {
    const pieces = [...cuts, bytes.length].map((cut, index) =>
      bytes.subarray(cuts[index - 1] ?? 0, cut),
    );
    const ours: object[] = [];
    const decoder = new FrameDecoder({
      onMessage: (message) => ours.push(message),
      onFault: (error) => assert.fail(error.message),
    });
    const official: unknown[] = [];
    class Server extends ProtocolServer {
      override handleMessage(message: never): void {
        official.push(message);
      }
    }
    const server = new Server() as unknown as { _rawData: Buffer; _handleData(data: Buffer): void };
    server._rawData = Buffer.alloc(0);
    let feed: (chunk: Uint8Array) => void = () => undefined;
    const nothing = { dispose: () => undefined };
    const reader = new ReadableStreamMessageReader({
      onClose: () => nothing,
      onError: () => nothing,
      onEnd: () => nothing,
      onData: (listener: (chunk: Uint8Array) => void) => ((feed = listener), nothing),
    });
    const jsonrpc: unknown[] = [];
    await new Promise<void>((resolve) => {
      reader.listen((message) => void (jsonrpc.push(message) === messages.length && resolve()));
      for (const piece of pieces) {
        decoder.push(piece);
        server._handleData(piece);
        feed(piece);
      }
    });
    assert.deepEqual(ours, messages, name);
    assert.deepEqual(official, ours, name);
    assert.deepEqual(jsonrpc, ours, name);
  }
});
