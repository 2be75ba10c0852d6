/**
 * Requests between two processes over pipes: throughput and latency, compared with vscode-jsonrpc
 * and the official library. Interleaved; results are compared first.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ProtocolClient } from "@vscode/debugadapter-testsupport/lib/protocolClient.js";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { connect } from "../generated/dap/connection.js";
import { nodeTransport } from "../generated/dap/node.js";
import { turnsOf } from "./measure.js";
import { median, printTable } from "./table.js";

interface Peer {
  readonly name: string;
  /** Requests a stack trace of a size. Resolves to the number of frames. */
  ask(frames: number): Promise<number>;
  close(): void;
}

const peerFile = fileURLToPath(new URL("./connection-peer.js", import.meta.url));

function start(kind: string): ChildProcess {
  return spawn(process.execPath, [peerFile, kind], { stdio: ["pipe", "pipe", "inherit"] });
}

type Body = { readonly stackFrames: readonly unknown[] };

const peers: readonly Peer[] = [
  (() => {
    const child = start("wirewright");
    const connection = connect("client", nodeTransport(child.stdout!, child.stdin!));
    return {
      name: "wirewright",
      ask: async (levels: number) =>
        (await connection.request("stackTrace", { threadId: 1, levels })).stackFrames.length,
      close: () => void connection.close().then(() => child.kill()),
    };
  })(),
  (() => {
    const child = start("vscode-jsonrpc");
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout!),
      new StreamMessageWriter(child.stdin!),
    );
    connection.listen();
    return {
      name: "vscode-jsonrpc",
      ask: async (levels: number) =>
        (await connection.sendRequest<Body>("stackTrace", { threadId: 1, levels })).stackFrames
          .length,
      close: () => {
        connection.dispose();
        child.kill();
      },
    };
  })(),
  (() => {
    const child = start("official");
    const client = new (class extends ProtocolClient {
      begin(): void {
        this.connect(child.stdout!, child.stdin!);
      }
    })();
    client.begin();
    return {
      name: "official library",
      ask: async (levels: number) => {
        const { body } = (await client.send("stackTrace", { threadId: 1, levels })) as {
          body: Body;
        };
        return body.stackFrames.length;
      },
      close: () => void child.kill(),
    };
  })(),
];

/** Milliseconds for a number of requests with a given concurrency. */
async function measure(peer: Peer, count: number, atOnce: number, frames: number): Promise<number> {
  const from = process.hrtime.bigint();
  for (let sent = 0; sent < count; sent += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => peer.ask(frames)));
  return Number(process.hrtime.bigint() - from) / 1e6;
}

for (const peer of peers)
  for (const frames of [0, 20]) assert.equal(await peer.ask(frames), frames, peer.name);

const works = [
  { work: "one at a time, empty", count: 2_000, atOnce: 1, frames: 0 },
  { work: "one at a time, 20 frames", count: 2_000, atOnce: 1, frames: 20 },
  { work: "64 at once, empty", count: 12_800, atOnce: 64, frames: 0 },
  { work: "64 at once, 20 frames", count: 6_400, atOnce: 64, frames: 20 },
] as const;
const rows: string[][] = [];
for (const { work, count, atOnce, frames } of works) {
  const times = peers.map((): number[] => []);
  for (const peer of peers) await measure(peer, count / 4, atOnce, frames);
  for (let round = 0; round < 7; round++)
    for (const index of turnsOf(peers.length, round))
      times[index]!.push(await measure(peers[index]!, count, atOnce, frames));
  const own = median(times[0]!);
  rows.push([
    work,
    `${Math.round((count / own) * 1_000)}/s, ${((own / count) * 1_000).toFixed(1)} us`,
    ...times.slice(1).map((each) => (median(each) / own).toFixed(2)),
  ]);
}
console.log(`Node ${process.versions.node}; how many times as long the others take`);
printTable(["work", ...peers.map(({ name }) => name)], rows);
for (const peer of peers) peer.close();
