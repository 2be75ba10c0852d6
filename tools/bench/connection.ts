/**
 * Measures requests between two processes over pipes: the processor time of both processes,
 * compared with vscode-jsonrpc and the official library. The contestants take turns, and their
 * results are compared before anything is measured.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ProtocolClient } from "@vscode/debugadapter-testsupport/lib/protocolClient.js";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { processorTime, turnsOf } from "./measure.js";
import { figureOf, ratioOf, selects, type Bench } from "./report.js";

interface Peer {
  readonly name: string;
  readonly server: ChildProcess;
  /** Requests a stack trace with `frames` frames. Resolves to the number of frames received. */
  ask(frames: number): Promise<number>;
}

const peerFile = fileURLToPath(new URL("./connection-peer.js", import.meta.url));

function start(kind: string): ChildProcess {
  return spawn(process.execPath, [peerFile, kind], { stdio: ["pipe", "pipe", "inherit", "ipc"] });
}

type Body = { readonly stackFrames: readonly unknown[] };

const starts: readonly (() => Peer)[] = [
  () => {
    const server = start("wirewright");
    const connection = connect("client", nodeTransport(server.stdout!, server.stdin!));
    return {
      name: "wirewright",
      server,
      ask: async (levels: number) =>
        (await connection.request("stackTrace", { threadId: 1, levels })).stackFrames.length,
    };
  },
  () => {
    const server = start("vscode-jsonrpc");
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout!),
      new StreamMessageWriter(server.stdin!),
    );
    connection.listen();
    return {
      name: "vscode-jsonrpc",
      server,
      ask: async (levels: number) =>
        (await connection.sendRequest<Body>("stackTrace", { threadId: 1, levels })).stackFrames
          .length,
    };
  },
  () => {
    const server = start("official");
    const client = new (class extends ProtocolClient {
      begin(): void {
        this.connect(server.stdout!, server.stdin!);
      }
    })();
    client.begin();
    return {
      name: "official",
      server,
      ask: async (levels: number) => {
        const { body } = (await client.send("stackTrace", { threadId: 1, levels })) as {
          body: Body;
        };
        return body.stackFrames.length;
      },
    };
  },
];

/** Returns the processor time that both processes have used so far, in nanoseconds. */
async function usedByBoth({ server }: Peer): Promise<number> {
  server.send("usage");
  const [usage] = (await once(server, "message")) as [number];
  return usage + processorTime();
}

/**
 * Measures requests at a given concurrency. Returns the nanoseconds per request, summed over both
 * processes.
 */
async function measure(peer: Peer, count: number, atOnce: number, frames: number): Promise<number> {
  const from = await usedByBoth(peer);
  for (let sent = 0; sent < count; sent += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => peer.ask(frames)));
  return ((await usedByBoth(peer)) - from) / count;
}

const works = [
  { work: "one at a time", count: 1_000, atOnce: 1, frames: 0 },
  { work: "64 at once", count: 6_400, atOnce: 64, frames: 0 },
  { work: "stack traces of 20 frames, one at a time", count: 1_000, atOnce: 1, frames: 20 },
  { work: "stack traces of 20 frames, 64 at once", count: 3_200, atOnce: 64, frames: 20 },
] as const;

export const bench: Bench = async (report, options) => {
  const table = report.table("requests", ["requests"], { wirewright: "ns" });
  const peers = starts.map((start) => start());
  for (const peer of peers)
    for (const frames of [0, 20]) assert.equal(await peer.ask(frames), frames, peer.name);
  for (const { work, count, atOnce, frames } of works) {
    if (!selects(options, [work])) continue;
    const times = peers.map((): number[] => []);
    // Warms up until the engines have compiled all the code, which takes longest with the largest
    // messages.
    for (const peer of peers) await measure(peer, options.isQuick ? 3_200 : 20_000, atOnce, frames);
    for (let round = 0; round < options.rounds; round++)
      for (const index of turnsOf(peers.length, round))
        times[index]!.push(await measure(peers[index]!, count, atOnce, frames));
    const [own, ...others] = times;
    table.row([work], {
      wirewright: figureOf(own!),
      ...Object.fromEntries(
        others.map((each, index) => [peers[index + 1]!.name, ratioOf(each, own!)]),
      ),
    });
  }
  for (const { server } of peers) server.kill();
};
