import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { Duplex, PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import * as acp from "@wirewright/acp-breakpoints/connection";
import { createEncoder } from "@wirewright/dap";
import { defineAdapter } from "@wirewright/dap/adapter";
import {
  connect,
  portTransport,
  Refusal,
  type RequestError,
  type Connection,
  type Problem,
} from "@wirewright/dap/connection";
import { tcpTransport, nodeTransport, spawnAdapter } from "@wirewright/dap/node";
import { failure, turn, turns, until } from "../../support/scripted-connection.js";
import { pair } from "../../support/transport-ends.js";

/** An adapter that adds numbers, used to test transports. */
const adding = defineAdapter({
  handlers: {
    launch: () => undefined,
    evaluate: async ({ expression }) => ({ result: `= ${expression} é`, variablesReference: 0 }),
  },
});

async function converse(client: Connection<"client">): Promise<void> {
  assert.deepEqual(await client.request("initialize", { adapterID: "a" }), {
    supportsCancelRequest: true,
    supportsConfigurationDoneRequest: true,
  });
  const asked = Array.from({ length: 50 }, (_, index) =>
    client.request("evaluate", { expression: "x".repeat(index * 1_000) }),
  );
  const lengths = (await Promise.all(asked)).map((body) => body.result.length);
  assert.deepEqual(
    lengths,
    Array.from({ length: 50 }, (_, index) => index * 1_000 + 4),
  );
  await client.close();
}

test("two peers exchange messages over WHATWG streams", async () => {
  const [one, other] = pair();
  const adapter = adding(other);
  await converse(connect("client", one));
  await adapter.closed;
});

test("two peers exchange messages over a message port, which waits for a slow reader", async () => {
  const { port1, port2 } = new MessageChannel();
  const adapter = adding(portTransport(port2));
  await converse(connect("client", portTransport(port1)));
  await adapter.closed;

  const channel = new MessageChannel();
  const sender = portTransport(channel.port1 as never);
  const receiver = portTransport(channel.port2 as never);
  assert.equal(sender.write(new Uint8Array(1_000)), undefined);
  let isDone = false;
  const blocked = Promise.resolve(sender.write(new Uint8Array(2_000_000))).then(
    () => (isDone = true),
  );
  await turns();
  assert.equal(isDone, false);
  const lengths: number[] = [];
  await new Promise<void>((resolve) =>
    receiver.read(
      ({ length }) => {
        lengths.push(length);
        if (lengths.length === 2) void blocked.then(() => sender.close());
      },
      () => resolve(),
    ),
  );
  await blocked;
  assert.deepEqual(lengths, [1_000, 2_000_000]);
});

test("two peers exchange messages over TCP", async (context) => {
  const server = createServer((socket) => void adding(nodeTransport(socket, socket)));
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = await tcpTransport((server.address() as AddressInfo).port);
  await converse(connect("client", transport));
  await assert.rejects(tcpTransport(1), { code: "ECONNREFUSED" });
});

test("spawnAdapter() rejects with a ProcessStartError if the process cannot be started", async () => {
  await assert.rejects(spawnAdapter("/no/such/adapter"), {
    name: "ProcessStartError",
    code: "ERR_PROCESS_START",
    command: "/no/such/adapter",
    tried: ["/no/such/adapter"],
    installed: [],
    message: 'Cannot start "/no/such/adapter": there is no such file',
  });
});

test("writing waits for a slow reader, and every frame is written with a single call", async () => {
  const writes: number[] = [];
  let letOn: () => void = () => undefined;
  const slow = new Duplex({
    writableHighWaterMark: 1,
    read: () => undefined,
    write(chunk: Uint8Array, _encoding, done) {
      writes.push(chunk.length);
      letOn = done;
    },
  });
  const adapter = connect("adapter", nodeTransport(slow, slow));
  const sent = [1, 2, 3].map((threadId) =>
    adapter.notify("thread", { reason: "started", threadId }),
  );
  for (let count = 1; count <= 3; count++) {
    await until(() => writes.length >= count);
    await turns();
    assert.equal(writes.length, count);
    letOn();
  }
  await Promise.all(sent);
  assert.deepEqual(writes, [104, 104, 104]);
});

test("reading pauses while too many requests are queued", async () => {
  let chunks = 0;
  const frame = createEncoder().encode({ seq: 1, type: "request", command: "threads" });
  const source = Readable.from(
    (function* () {
      for (; chunks < 50; chunks++) yield Buffer.from(frame);
    })(),
    { highWaterMark: 1 },
  );
  const waiting: (() => void)[] = [];
  const adapter = connect("adapter", nodeTransport(source, new PassThrough().resume()), {
    maxAnswering: 4,
    maxQueuedBytes: 1_000,
    handlers: {
      threads: () => new Promise((resolve) => waiting.push(() => resolve({ threads: [] }))),
    },
  });
  await until(() => waiting.length === 4);
  await turns();
  assert.ok(chunks < 12, String(chunks));
  while (!adapter.isClosed) {
    waiting.shift()?.();
    await turn();
  }
  assert.equal(chunks, 50);
});

test("both sides send requests over JSON-RPC", async () => {
  const [one, other] = pair();
  const problems: Problem[] = [];
  const updates: unknown[] = [];
  const client = acp.connect("client", one, {
    onProblem: (problem) => problems.push(problem),
    handlers: {
      "fs/read_text_file": ({ path }) => {
        if (path === "/gone")
          throw new Refusal("gone", { error: { code: -32002, data: { path } } as object });
        return { content: "é" };
      },
    },
  });
  const agent = acp.connect("agent", other, {
    handlers: {
      initialize: ({ protocolVersion }) => ({ protocolVersion }),
      "session/prompt": async ({ sessionId }, { signal }) => {
        await agent.notify("session/update", {
          sessionId,
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "…" } },
        });
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      },
    },
  });
  client.on("session/update", ({ sessionId }) => void updates.push(sessionId));
  assert.deepEqual(await client.request("initialize", { protocolVersion: 1 }), {
    protocolVersion: 1,
  });
  assert.deepEqual(await agent.request("fs/read_text_file", { sessionId: "s", path: "/a" }), {
    content: "é",
  });
  await assert.rejects(
    agent.request("fs/read_text_file", { sessionId: "s", path: "/gone" }),
    (error: RequestError) => {
      assert.deepEqual(
        [error.message, (error.response as any).error],
        ["gone", { code: -32002, message: "gone", data: { path: "/gone" } }],
      );
      return true;
    },
  );
  assert.equal(
    await failure(agent.requestCustom("_vendor/x", {})),
    'ERR_REQUEST_FAILED _vendor/x: The method "_vendor/x" is not supported',
  );
  const controller = new AbortController();
  const prompt = client.request(
    "session/prompt",
    { sessionId: "s", prompt: [] },
    { signal: controller.signal },
  );
  await until(() => updates.length > 0);
  controller.abort();
  await assert.rejects(prompt, { name: "AbortError" });
  await turns();
  assert.deepEqual(updates, ["s"]);
  assert.deepEqual(problems, []);
  await client.close();
  await agent.closed;
});
