import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import { bridge, connect, inlineTransports } from "@wirewright/dap/connection";
import { nodeTransport, serveAdapter, spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { inProcess, testClient } from "@wirewright/dap/testing";
import { createClient, createServer } from "@wirewright/ruby-debug-ide/connection";
import { listenForSubProcesses } from "@wirewright/ruby-debug-ide/node";

const adapter = defineAdapter({ handlers: { launch: () => undefined } });
const nothing = (): void => undefined;
const bytes = () => nodeTransport(new PassThrough(), new PassThrough());
const stopped = { closed: Promise.resolve() };

/** Opens an object. Returns it along with a promise that settles when the object is closed. */
type Open = () => Promise<readonly [opened: AsyncDisposable, closed: Promise<unknown>]>;

const closable: Readonly<Record<string, Open>> = {
  async Connection() {
    const opened = connect("client", inlineTransports()[0]);
    return [opened, opened.closed];
  },
  async AdapterConnection() {
    const opened = adapter(inlineTransports()[0]);
    return [opened, opened.closed];
  },
  async Bridge() {
    const opened = bridge(bytes(), bytes());
    return [opened, opened.closed];
  },
  async SpawnedAdapter() {
    const opened = await spawnAdapter(process.execPath, ["-e", "process.stdin.resume()"]);
    return [opened, opened.connection.closed];
  },
  async AdapterServer() {
    const opened = await serveAdapter(adapter, { port: 0 });
    return [opened, stopped.closed];
  },
  async DebugSession() {
    const opened = await launch(inProcess(adapter), { arguments: {} });
    return [opened, opened.connection.closed];
  },
  async TestClient() {
    const opened = testClient(inProcess(adapter));
    const { connection } = await opened.launch({ arguments: {} });
    return [opened, connection.closed];
  },
  async Client() {
    const opened = createClient({ write: nothing });
    return [opened, opened.closed];
  },
  async Server() {
    const opened = createServer({ write: nothing, handlers: {} });
    return [opened, opened.closed];
  },
  async Dispatcher() {
    const opened = await listenForSubProcesses(0, { onProcess: nothing });
    return [opened, stopped.closed];
  },
};

for (const [name, open] of Object.entries(closable))
  test(`\`await using\` closes ${name}`, { timeout: 30_000 }, async () => {
    const [opened, closed] = await open();
    assert.ok(Symbol.asyncDispose in opened);
    await opened[Symbol.asyncDispose]();
    await closed;
  });
