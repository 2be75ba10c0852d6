/**
 * Sends requests to a process over pipes, with our connection, vscode-jsonrpc and the official
 * library on both sides. The figure is the time until the response arrives. Our connection also runs
 * without checks of incoming messages, which are on by default.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ProtocolClient } from "@vscode/debugadapter-testsupport/lib/protocolClient.js";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { Bench } from "./comparison.js";

interface StackTrace {
  readonly stackFrames: readonly unknown[];
}

type Ask = (levels: number) => Promise<StackTrace>;

const servers: ChildProcess[] = [];

function start(library: string): ChildProcess {
  const program = fileURLToPath(new URL("./connection-server.js", import.meta.url));
  const server = spawn(process.execPath, [program, library], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  servers.push(server);
  return server;
}

function wirewright(checkIncoming: "wire" | "off"): Ask {
  const server = start(checkIncoming);
  const transport = nodeTransport(server.stdout!, server.stdin!);
  const connection = connect("client", transport, { checkIncoming });
  return (levels) => connection.request("stackTrace", { threadId: 1, levels });
}

function vscodeJsonrpc(): Ask {
  const server = start("vscode-jsonrpc");
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout!),
    new StreamMessageWriter(server.stdin!),
  );
  connection.listen();
  return (levels) => connection.sendRequest("stackTrace", { threadId: 1, levels });
}

function official(): Ask {
  const server = start("official");
  const client = new (class extends ProtocolClient {
    begin(): void {
      this.connect(server.stdout!, server.stdin!);
    }
  })();
  client.begin();
  return async (levels) =>
    ((await client.send("stackTrace", { threadId: 1, levels })) as { readonly body: StackTrace })
      .body;
}

const peers: Readonly<Record<string, Ask>> = {
  wirewright: wirewright("wire"),
  "wirewright, unchecked": wirewright("off"),
  "vscode-jsonrpc": vscodeJsonrpc(),
  official: official(),
};

const bench = new Bench("connection");
for (const { work, count, concurrency, levels } of [
  { work: "one at a time", count: 200, concurrency: 1, levels: 0 },
  { work: "64 at once", count: 1_280, concurrency: 64, levels: 0 },
  { work: "20 stack frames, one at a time", count: 200, concurrency: 1, levels: 20 },
  { work: "20 stack frames, 64 at once", count: 640, concurrency: 64, levels: 20 },
])
  await bench.compare("requests", {
    work,
    count,
    expected: levels * count,
    competitors: Object.fromEntries(
      Object.entries(peers).map(([name, ask]) => [
        name,
        async () => {
          let frames = 0;
          for (let sent = 0; sent < count; sent += concurrency) {
            const asked = Array.from({ length: concurrency }, () => ask(levels));
            for (const { stackFrames } of await Promise.all(asked)) frames += stackFrames.length;
          }
          return frames;
        },
      ]),
    ),
  });
for (const server of servers) server.kill();
await bench.finish();
process.exit();
