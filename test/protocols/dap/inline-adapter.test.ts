/**
 * Tests an adapter that runs in its editor's process. The host has the same signature as the one in
 * VS Code.
 */
import assert from "node:assert/strict";
import { createContext, runInContext } from "node:vm";
import { test } from "node:test";
import { build } from "esbuild";
import { recordMessages } from "@wirewright/dap/connection";
import { defineAdapter, inlineAdapter } from "@wirewright/dap/adapter";
import { fromRoot } from "../../support/paths.js";
import { turns, until } from "../../support/scripted-connection.js";

/** The declarations that an extension sees, modelled on those of VS Code. */
declare namespace vscode {
  class Disposable {
    static from(...disposables: { dispose: () => any }[]): Disposable;
    constructor(callOnDispose: () => any);
    dispose(): any;
  }
  type Event<T> = (
    listener: (event: T) => any,
    thisArgs?: any,
    disposables?: Disposable[],
  ) => Disposable;
  interface DebugProtocolMessage {}
  interface DebugAdapter extends Disposable {
    readonly onDidSendMessage: Event<DebugProtocolMessage>;
    handleMessage(message: DebugProtocolMessage): void;
  }
}

/** Runs an inline implementation the way VS Code does. */
class FakeHost {
  readonly received: any[] = [];
  readonly #adapter: vscode.DebugAdapter;
  readonly #disposables: vscode.Disposable[] = [];
  #seq = 0;

  constructor(adapter: vscode.DebugAdapter) {
    this.#adapter = adapter;
    adapter.onDidSendMessage(this.#receive, this, this.#disposables);
  }

  async request(command: string, parameters?: object): Promise<any> {
    const seq = ++this.#seq;
    this.#adapter.handleMessage({ seq, type: "request", command, arguments: parameters });
    const find = (): any => this.received.find(({ request_seq }) => request_seq === seq);
    await until(() => find() !== undefined);
    return find();
  }

  dispose(): void {
    for (const each of this.#disposables) each.dispose();
    this.#adapter.dispose();
  }

  #receive(message: vscode.DebugProtocolMessage): void {
    this.received.push(message);
  }
}

const log: string[] = [];
const adapter = defineAdapter({
  session: () => ({ line: 1 }),
  onClose: () => void log.push("disposed"),
  handlers: {
    launch({ trace }: { readonly trace?: boolean }, { connection, configured }) {
      if (trace === true) connection.addMiddleware(recordMessages("adapter", writeLine));
      void configured.then(() => connection.notify("stopped", { reason: "entry", threadId: 1 }));
    },
    next: (_, { session, connection }) => {
      session.line++;
      connection.notify("stopped", { reason: "step", threadId: 1 });
    },
  },
});

const lines: string[] = [];
function writeLine(line: string): void {
  lines.push(line);
}

test("VS Code runs an adapter in its own process", async () => {
  log.length = 0;
  const host = new FakeHost(inlineAdapter(adapter));
  const initialized = await host.request("initialize", { adapterID: "a", pathFormat: "path" });
  assert.equal(initialized.body.supportsConfigurationDoneRequest, true);
  await host.request("launch", {});
  await host.request("configurationDone");
  await host.request("next", { threadId: 1 });
  await turns();
  assert.deepEqual(
    host.received.map(({ type, event, command }) => [type, event ?? command]),
    [
      ["response", "initialize"],
      ["event", "initialized"],
      ["response", "launch"],
      ["response", "configurationDone"],
      ["event", "stopped"],
      ["response", "next"],
      ["event", "stopped"],
    ],
  );
  host.dispose();
  await until(() => log.length > 0);
  assert.deepEqual(log, ["disposed"]);
});

test("each session has its own state, and each listener gets its own copy of a message", async () => {
  const first = inlineAdapter(adapter);
  const seen: object[] = [];
  first.onDidSendMessage((message) => void seen.push(message));
  first.onDidSendMessage((message) => void seen.push(message));
  first.handleMessage({
    seq: 1,
    type: "request",
    command: "initialize",
    arguments: { adapterID: "a" },
  });
  await until(() => seen.length >= 2);
  assert.notEqual(seen[0], seen[1]);
  assert.deepEqual(seen[0], seen[1]);
  first.dispose();
});

test("a listener that throws is reported, and other listeners still get the message", async () => {
  const problems: unknown[] = [];
  const inline = inlineAdapter(adapter, { onProblem: ({ code }) => void problems.push(code) });
  const seen: object[] = [];
  const cause = new Error("no");
  inline.onDidSendMessage(() => {
    throw cause;
  });
  inline.onDidSendMessage((message) => void seen.push(message));
  inline.handleMessage({
    seq: 1,
    type: "request",
    command: "initialize",
    arguments: { adapterID: "a" },
  });
  await until(() => seen.length === 2);
  assert.deepEqual(problems, ["ERR_CALLBACK", "ERR_CALLBACK"]);
  inline.dispose();
  await turns();
  inline.handleMessage({ seq: 2, type: "request", command: "threads" });
  await turns();
  assert.equal(seen.length, 2);
});

test("a launch handler can start recording the session", async () => {
  lines.length = 0;
  const host = new FakeHost(inlineAdapter(adapter));
  await host.request("initialize", { adapterID: "a" });
  await host.request("launch", { trace: true });
  await host.request("configurationDone");
  await turns();
  const recorded = lines.map((line) => JSON.parse(line).message);
  assert.deepEqual(
    recorded.map(({ type, event, command }) => [type, event ?? command]),
    [
      ["response", "launch"],
      ["request", "configurationDone"],
      ["response", "configurationDone"],
      ["event", "stopped"],
    ],
  );
  host.dispose();
});

test("an inline adapter runs in a browser, without Node", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { defineAdapter, inlineAdapter } from "@wirewright/dap/adapter";
        const adapter = defineAdapter({ handlers: { launch: () => undefined } });
        globalThis.inline = inlineAdapter(adapter);`,
      resolveDir: fromRoot("."),
    },
    bundle: true,
    format: "iife",
    platform: "browser",
    write: false,
  });
  const context = createContext({
    TextEncoder,
    TextDecoder,
    setTimeout,
    clearTimeout,
    performance,
    URL,
    AbortController,
  });
  runInContext(outputFiles[0]!.text, context);
  const { inline } = context as unknown as { readonly inline: vscode.DebugAdapter };
  const host = new FakeHost(inline);
  assert.equal((await host.request("initialize", { adapterID: "a" })).success, true);
  assert.equal((await host.request("launch", {})).success, true);
  host.dispose();
});

test("an unknown pathFormat is refused, as in the official library", async () => {
  for (const [pathFormat, success] of [
    ["path", true],
    ["uri", true],
    [undefined, true],
    ["url", false],
  ] as const) {
    const host = new FakeHost(inlineAdapter(adapter));
    const response = await host.request("initialize", { adapterID: "a", pathFormat });
    assert.equal(response.success, success, pathFormat);
    if (!success) {
      assert.equal(response.message, 'The path format "url" is not supported. Use "path" or "uri"');
      assert.equal(response.body.error.id, 2018);
    }
    host.dispose();
  }
  const own = defineAdapter({ positions: "client", handlers: { launch: () => undefined } });
  const host = new FakeHost(inlineAdapter(own));
  assert.equal(
    (await host.request("initialize", { adapterID: "a", pathFormat: "url" })).success,
    true,
  );
  host.dispose();
});

test("initialize can be repeated after a failure but is refused after a success", async () => {
  const host = new FakeHost(inlineAdapter(adapter));
  const results: unknown[] = [];
  for (const pathFormat of ["url", "path", "path"]) {
    const { success, message } = await host.request("initialize", { adapterID: "a", pathFormat });
    results.push(success || message);
  }
  assert.deepEqual(results, [
    'The path format "url" is not supported. Use "path" or "uri"',
    true,
    "The session is already initialized",
  ]);
  host.dispose();
});

test("a value that is not a message is refused, and the adapter still answers", async () => {
  const inline = inlineAdapter(adapter);
  const host = new FakeHost(inline);
  for (const value of [undefined, () => undefined, Symbol("x"), { toJSON: () => undefined }])
    assert.throws(() => inline.handleMessage(value as object), {
      name: "TypeError",
      message: /^handleMessage: expected a message, not /,
    });
  const initialized = await host.request("initialize", { adapterID: "a" });
  assert.equal(initialized.success, true);
  host.dispose();
});
