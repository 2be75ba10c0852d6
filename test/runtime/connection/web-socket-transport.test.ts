import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import * as acp from "@wirewright/acp-breakpoints/connection";
import {
  connect,
  webSocketTransport,
  type Connection,
  type WebSocketOptions,
} from "@wirewright/dap/connection";

/** Opens two connected sockets. The first one may still be connecting. */
async function pair(): Promise<{ ours: WebSocket; theirs: WebSocket; close: () => void }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const ours = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [theirs] = (await once(server, "connection")) as [WebSocket];
  return { ours, theirs, close: () => server.close() };
}

for (const frames of ["binary", "text"] as const)
  suite(`${frames} frames`, () => {
    test("both sides send requests over a WebSocket", async () => {
      const { ours, theirs, close } = await pair();
      const client = connect("client", webSocketTransport(ours, { frames }), {
        handlers: { runInTerminal: ({ args }) => ({ processId: args.length }) },
      });
      const adapter: Connection<"adapter"> = connect(
        "adapter",
        webSocketTransport(theirs, { frames }),
        {
          handlers: {
            threads: async () => {
              const { processId = 0 } = await adapter.request("runInTerminal", {
                args: ["a", "b"],
                cwd: "/",
              });
              return { threads: [{ id: processId, name: "größe 😀\r\n\r\n{" }] };
            },
          },
        },
      );
      assert.deepEqual(await client.request("threads"), {
        threads: [{ id: 2, name: "größe 😀\r\n\r\n{" }],
      });
      await client.close();
      assert.equal(await adapter.closed, undefined);
      close();
    });

    test("megabytes of data are sent as fast as the peer accepts them", async () => {
      const { ours, theirs, close } = await pair();
      const output = "x".repeat(500_000);
      let arrived = 0;
      const client = connect("client", webSocketTransport(ours, { frames }));
      client.on("output", (body) => void (arrived += body.output.length));
      const adapter = connect("adapter", webSocketTransport(theirs, { frames }));
      for (let count = 0; count < 40; count++) await adapter.notify("output", { output });
      await adapter.close();
      assert.equal(await client.closed, undefined);
      assert.equal(arrived, 40 * output.length);
      close();
    });
  });

test("messages written before the socket is open are sent when it opens", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (socket: WebSocket) => {
    connect("adapter", webSocketTransport(socket), {
      handlers: { threads: () => ({ threads: [] }) },
    });
  });
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  assert.equal(socket.readyState, 0);
  const client = connect("client", webSocketTransport(socket));
  const answers = [1, 2, 3].map(() => client.request("threads"));
  assert.deepEqual(await Promise.all(answers), Array(3).fill({ threads: [] }));
  await client.close();
  server.close();
});

test("a missing server ends the connection with an error", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const client = connect("client", webSocketTransport(new WebSocket(`ws://127.0.0.1:${port}`)));
  await assert.rejects(client.request("threads"), { code: "ERR_CONNECTION_CLOSED" });
  assert.match(String(await client.closed), /ECONNREFUSED/);
});

test("a closed socket's code is reported, and codes other than 1000 are errors", async () => {
  for (const [code, isError] of [
    [1_000, false],
    [4_000, true],
  ] as const) {
    const { ours, theirs, close } = await pair();
    const client = connect("client", webSocketTransport(ours));
    const asked = client.request("threads");
    theirs.close(code, "enough");
    await assert.rejects(asked, {
      message: `Cannot get a response to "threads": the connection is closed: the WebSocket was closed with code ${code}: enough`,
    });
    assert.equal((await client.closed) !== undefined, isError);
    close();
  }
});

test("a text frame contains a message or part of the stream", async () => {
  const { ours, theirs, close } = await pair();
  const client = connect("client", webSocketTransport(ours));
  const seen: string[] = [];
  client.on("output", ({ output }) => void seen.push(output));
  const event = (output: string): string =>
    JSON.stringify({ seq: 1, type: "event", event: "output", body: { output } });
  const [one, two, three] = [event("één"), event("zwei"), event("three")];
  theirs.send(one);
  theirs.send(`Content-Length: ${two.length}\r\n`);
  theirs.send(`\r\n${two}`);
  theirs.send(Buffer.from(`Content-Length: ${three.length}\r\n\r\n${three}`));
  theirs.close();
  await client.closed;
  assert.deepEqual(seen, ["één", "zwei", "three"]);
  close();
});

test("messages that end with a line feed work over a WebSocket", async () => {
  const { ours, theirs, close } = await pair();
  const options: WebSocketOptions = { frames: "text", framing: "lines" };
  const client = acp.connect("client", acp.webSocketTransport(ours, options));
  const texts: string[] = [];
  theirs.on("message", (data) => {
    texts.push(String(data));
    const { id } = JSON.parse(String(data)) as { id: number };
    theirs.send(JSON.stringify({ jsonrpc: "2.0", id, result: { mine: id } }));
  });
  assert.deepEqual(await client.requestCustom("mine"), { mine: 1 });
  assert.deepEqual(texts, ['{"id":1,"jsonrpc":"2.0","method":"mine"}']);
  await client.close();
  close();
});
