import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport, tcpTransport } from "@wirewright/dap/node";

const count = 100_000;
/**
 * In one turn of the event loop, Node reads 64 KiB from a socket 32 times. A response or event is
 * more than 60 bytes long.
 */
const mostInTurn = 35_000;

/** Counts calls, and the maximum number of calls in a single turn of the event loop. */
class Turns {
  calls = 0;
  most = 0;
  #own = 0;

  call(): void {
    this.calls++;
    if (this.#own++ === 0) setImmediate(() => this.#next());
    this.most = Math.max(this.most, this.#own);
  }

  #next(): void {
    this.#own = 0;
  }
}

test("100,000 requests in flight and 100,000 events do not block the event loop", async (context) => {
  const server = createServer((socket) => {
    const adapter = connect("adapter", nodeTransport(socket, socket), {
      maxAnswering: count,
      handlers: {
        // Once all requests have arrived, the handler resolves all responses.
        threads: async () => {
          if (++asked === count) answer();
          await answered;
          return { threads: [] };
        },
        next: () => {
          for (let sent = 0; sent < count; sent++) adapter.notify("output", { output: "line\n" });
        },
      },
    });
  });
  context.after(() => server.close());
  let asked = 0;
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connect("client", await tcpTransport((server.address() as AddressInfo).port));
  const [responses, events] = [new Turns(), new Turns()];
  const waiting: Promise<unknown>[] = [];
  while (waiting.length < count) {
    for (let sent = 0; sent < 1_000; sent++)
      waiting.push(client.request("threads").then(() => responses.call()));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  client.on("output", () => events.call());
  await client.request("next", { threadId: 1 });
  while (events.calls < count) await new Promise((resolve) => setImmediate(resolve));
  await client.close();
  assert.deepEqual([responses.calls, events.calls], [count, count]);
  for (const { most } of [responses, events]) assert.ok(most <= mostInTurn, `${most} in a turn`);
});
