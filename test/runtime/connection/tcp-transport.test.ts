import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test } from "node:test";
import { connect, streamTransport } from "@wirewright/dap/connection";
import { tcpTransport, nodeTransport } from "@wirewright/dap/node";

function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Finds a port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await close(server);
  return port;
}

/** Waits until a given number of connection attempts have been made. */
function attempts(count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    const channel = "net.client.socket";
    const onSocket = (): void => {
      if (++seen < count) return;
      unsubscribe(channel, onSocket);
      resolve();
    };
    subscribe(channel, onSocket);
  });
}

test("tcpTransport() without retryForMs rejects with the system error", async () => {
  const port = await freePort();
  await assert.rejects(tcpTransport(port), { code: "ECONNREFUSED" });
  await assert.rejects(tcpTransport(port, { host: "127.0.0.1" }), { code: "ECONNREFUSED" });
});

test("tcpTransport() waits for a port that opens later", async () => {
  const port = await freePort();
  const server = createServer((socket) => {
    connect("adapter", nodeTransport(socket, socket), {
      handlers: { threads: () => ({ threads: [] }) },
    });
  });
  // The second connection attempt begins after the first one has failed.
  const secondAttempt = attempts(2);
  const connecting = tcpTransport(port, { retryForMs: 30_000 });
  await secondAttempt;
  await listen(server, port);
  const client = connect("client", await connecting);
  assert.deepEqual(await client.request("threads"), { threads: [] });
  await client.close();
  await close(server);
});

test("tcpTransport() rejects with the last error when its time runs out", async () => {
  const port = await freePort();
  const began = performance.now();
  await assert.rejects(tcpTransport(port, { retryForMs: 200 }), { code: "ECONNREFUSED" });
  assert.ok(performance.now() - began >= 100);
  await assert.rejects(
    tcpTransport(port, { retryForMs: -1 }),
    /^TypeError: tcpTransport: the option/,
  );
});

test("a signal ends the attempts of tcpTransport()", async () => {
  const port = await freePort();
  const reason = new Error("enough");
  const controller = new AbortController();
  const secondAttempt = attempts(2);
  const connecting = tcpTransport(port, { retryForMs: 60_000, signal: controller.signal });
  void secondAttempt.then(() => controller.abort(reason));
  await assert.rejects(connecting, reason);
  await assert.rejects(tcpTransport(port, { signal: AbortSignal.abort(reason) }), reason);
});

test("await using closes a connection", async () => {
  const [ours, theirs] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const transport = streamTransport({ readable: theirs.readable, writable: ours.writable });
  const client = connect("client", transport);
  await client[Symbol.asyncDispose]();
  assert.equal(client.isClosed, true);
});
