import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { Duplex, PassThrough, Readable, Writable } from "node:stream";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import * as acp from "../../../generated/acp-breakpoints/connection.js";
import { createDecoder, createEncoder } from "../../../generated/dap/index.js";
import { defineAdapter } from "../../../generated/dap/adapter.js";
import {
  connect,
  portTransport,
  Refusal,
  type RequestError,
  streamTransport,
  type Connection,
  type ConnectOptions,
  type Problem,
  type Transport,
} from "../../../generated/dap/connection.js";
import { connectTcp, nodeTransport, spawnAdapter } from "../../../generated/dap/node.js";
import { response as answer, turn, turns, until } from "../../support/scripted-connection.js";

/** Two ends of a pipe in memory. */
function pair(): [Transport, Transport] {
  const [one, other] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  return [
    streamTransport({ readable: one.readable, writable: other.writable }),
    streamTransport({ readable: other.readable, writable: one.writable }),
  ];
}

/** A client whose adapter is the test: what the client writes, and bytes for it. */
function scripted(options: ConnectOptions<"client"> = {}): {
  readonly client: Connection<"client">;
  readonly written: Record<string, unknown>[];
  readonly problems: string[];
  readonly say: (...messages: readonly object[]) => Promise<void>;
  readonly raw: (text: string) => Promise<void>;
  readonly end: () => void;
} {
  const written: Record<string, unknown>[] = [];
  const problems: string[] = [];
  const input = new PassThrough();
  const decoder = createDecoder({
    onMessage: (classified) => {
      if (classified.status !== "malformed") written.push(classified.message as never);
    },
  });
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      decoder.push(chunk);
      done();
    },
  });
  const client = connect("client", nodeTransport(input, output), {
    onProblem: ({ code }) => void problems.push(code),
    ...options,
  });
  const encoder = createEncoder();
  return {
    client,
    written,
    problems,
    say: (...messages) => {
      for (const message of messages) input.write(encoder.encode(message as never));
      return turns();
    },
    raw: (text) => {
      input.write(text);
      return turns();
    },
    end: () => void input.end(),
  };
}

function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `resolved to ${JSON.stringify(value)}`,
    (error: RequestError) => `${error.code} ${error.command}: ${error.message}`,
  );
}

test("responses find their requests by number alone, in any order", async () => {
  const { client, written, say, problems } = scripted();
  const threads = client.request("threads");
  const next = client.request("next", { threadId: 3 });
  assert.deepEqual(written, [
    { seq: 1, type: "request", command: "threads" },
    { seq: 2, type: "request", command: "next", arguments: { threadId: 3 } },
  ]);
  await say(answer(2, { command: "other" }), answer(1, { body: { threads: [] } }));
  assert.deepEqual([await threads, await next], [{ threads: [] }, undefined]);
  assert.equal(client.pending, 0);
  assert.deepEqual(problems, []);
});

test("a failure is one error, with the best text there is", async () => {
  const { client, say } = scripted();
  const cases: readonly (readonly [object, string])[] = [
    [
      {
        message: "short",
        body: { error: { id: 1, format: "No {name} in {place} {}", variables: { name: "x" } } },
      },
      "No x in {place} {}",
    ],
    [{ message: "short", body: { error: { id: 1, format: 'a {"json": 1}' } } }, 'a {"json": 1}'],
    [{ message: "short", body: {} }, "short"],
    [{ body: { error: { id: 1, format: "No {name}", variables: null } } }, "No {name}"],
    [{ body: { error: { id: 1, format: "No {name}", variables: "name" } } }, "No {name}"],
    [{ message: "no {x}", body: { error: { id: 1, variables: { x: "x" } } } }, "no {x}"],
    [{ body: null }, 'The request "threads" failed'],
    [{ message: "", body: { error: { id: 1, format: "" } } }, 'The request "threads" failed'],
  ];
  for (const [index, [fields, text]] of cases.entries()) {
    const asked = client.request("threads");
    asked.catch(() => undefined);
    const response = answer(index + 1, { success: false, ...fields });
    await say(response);
    await assert.rejects(asked, (error: RequestError) => {
      assert.deepEqual(
        [error.code, error.command, error.message, error.response],
        ["ERR_REQUEST_FAILED", "threads", text, response],
      );
      return true;
    });
  }
});

test("double, late and unsolicited responses are problems, and nothing else", async () => {
  const { client, say, problems } = scripted();
  const asked = client.request("threads");
  await say(answer(9), answer(1), answer(1));
  await asked;
  const late = client.request("threads", undefined, { timeoutMs: 10 });
  assert.equal(
    await failure(late),
    'ERR_REQUEST_TIMEOUT threads: Timed out after 10 ms waiting for the response to "threads"',
  );
  await say(answer(2), { type: "odd" }, { seq: 1, type: "event", event: "terminated" });
  assert.deepEqual(problems, [
    "ERR_RESPONSE_UNSOLICITED",
    "ERR_RESPONSE_DOUBLE",
    "ERR_RESPONSE_LATE",
    "ERR_MESSAGE_KIND",
  ]);
});

test("a signal gives a request up and tells the adapter, if it can be told", async () => {
  const { client, written, say, problems } = scripted();
  const controller = new AbortController();
  const asked = client.request("evaluate", { expression: "a" }, { signal: controller.signal });
  controller.abort();
  assert.equal(
    await failure(asked),
    'ERR_REQUEST_ABORTED evaluate: The request "evaluate" was aborted',
  );
  assert.equal(
    await failure(client.request("threads", undefined, { signal: controller.signal })),
    'ERR_REQUEST_ABORTED threads: The request "threads" was aborted',
  );
  await say(answer(1));
  assert.deepEqual(
    written.map(({ command }) => command),
    ["evaluate"],
  );
  assert.deepEqual(problems.splice(0), ["ERR_RESPONSE_LATE"]);

  const initialized = client.request("initialize", { adapterID: "a" });
  await say(answer(2, { body: { supportsCancelRequest: true } }));
  await initialized;
  const again = new AbortController();
  const other = client.request("evaluate", { expression: "b" }, { signal: again.signal });
  again.abort();
  await failure(other);
  await say(answer(3, { success: false, message: "cancelled" }), answer(4));
  assert.deepEqual(written.at(-1), {
    seq: 4,
    type: "request",
    command: "cancel",
    arguments: { requestId: 3 },
  });
  assert.deepEqual(problems, []);
});

test("requests that were not announced are sent, warned of or refused, as asked", async () => {
  const capabilities = { supportsStepBack: true };
  const outcome = async (gates: "send" | "warn" | "refuse"): Promise<unknown> => {
    const { client, say, problems, written } = scripted({ gates });
    const initialized = client.request("initialize", { adapterID: "a" });
    await say(answer(1, { body: capabilities }));
    await initialized;
    assert.deepEqual(client.capabilities, capabilities);
    void client.request("stepBack", { threadId: 1 }).catch(() => undefined);
    const refused = failure(client.request("goto", { threadId: 1, targetId: 1 }));
    await turns();
    await say({
      seq: 0,
      type: "event",
      event: "capabilities",
      body: { capabilities: { supportsGotoTargetsRequest: true } },
    });
    void client.request("goto", { threadId: 1, targetId: 1 }).catch(() => undefined);
    await turns();
    const sent = written.map(({ command }) => command);
    await client.close();
    return [sent, problems, (await refused).slice(0, 60)];
  };
  const closed = 'ERR_CONNECTION_CLOSED goto: Cannot get a response to "goto": ';
  assert.deepEqual(await outcome("send"), [
    ["initialize", "stepBack", "goto", "goto"],
    [],
    closed.slice(0, 60),
  ]);
  assert.deepEqual(await outcome("warn"), [
    ["initialize", "stepBack", "goto", "goto"],
    ["ERR_NOT_ANNOUNCED"],
    closed.slice(0, 60),
  ]);
  assert.deepEqual(await outcome("refuse"), [
    ["initialize", "stepBack", "goto"],
    [],
    'ERR_REQUEST_NOT_ANNOUNCED goto: Cannot send "goto": the adapter has not announced it'.slice(
      0,
      60,
    ),
  ]);
});

test("every request of the other side is answered once, whatever its handler does", async () => {
  const { say, written, problems } = scripted({
    handlers: {
      runInTerminal: ({ cwd }) => {
        if (cwd === "/throw") throw new Error("no terminal {here}");
        if (cwd === "/refuse")
          throw new Refusal("short", {
            message: "notStopped",
            body: { error: { id: 9, format: "long" } },
          });
        if (cwd === "/unwritable") return { processId: 1n as never };
        return { processId: 5 };
      },
    },
  });
  const ask = (seq: number, command: string, args?: object): object => ({
    seq,
    type: "request",
    command,
    ...(args === undefined ? {} : { arguments: args }),
  });
  const run = (seq: number, cwd: string): object => ask(seq, "runInTerminal", { args: [], cwd });
  await say(
    run(7, "/"),
    run(8, "/throw"),
    run(9, "/refuse"),
    run(10, "/unwritable"),
    ask(11, "startDebugging", {}),
    ask(12, "mine"),
    ask(12, "cancel", { requestId: 99 }),
  );
  const failed = (
    seq: number,
    request_seq: number,
    command: string,
    message: string,
    error: object,
  ): object => ({
    seq,
    type: "response",
    request_seq,
    command,
    success: false,
    message,
    body: { error },
  });
  const unknown = (name: string): object => ({
    id: 1,
    format: 'The {role} has no handler of "{name}": check its capabilities, or add one',
    variables: { name, role: "client" },
  });
  assert.deepEqual(written, [
    {
      seq: 1,
      type: "response",
      request_seq: 7,
      command: "runInTerminal",
      success: true,
      body: { processId: 5 },
    },
    failed(2, 8, "runInTerminal", "no terminal {here}", {
      id: 2,
      format: "{text}",
      variables: { text: "no terminal {here}" },
    }),
    failed(3, 9, "runInTerminal", "notStopped", {
      id: 9,
      format: "long",
      variables: { text: "short" },
    }),
    failed(5, 10, "runInTerminal", "Cannot send a BigInt, at /body/processId", {
      id: 2,
      format: "{text}",
      variables: { text: "Cannot send a BigInt, at /body/processId" },
    }),
    failed(6, 11, "startDebugging", "unknown request: startDebugging", unknown("startDebugging")),
    failed(7, 12, "mine", "unknown request: mine", unknown("mine")),
    { seq: 8, type: "response", request_seq: 12, command: "cancel", success: true },
  ]);
  assert.deepEqual(problems, ["ERR_REQUEST_HANDLER", "ERR_REQUEST_HANDLER"]);
});

test("events go to their listeners; a listener that throws stops nobody", async () => {
  const unhandled: object[] = [];
  const { client, say, problems } = scripted({ onUnhandled: (message) => unhandled.push(message) });
  const heard: unknown[] = [];
  client.on("output", () => {
    throw new Error("oops");
  });
  const off = client.on("output", ({ output }, { event }) => void heard.push(output, event));
  client.onCustom("vendor/heat", (body) => void heard.push(body));
  const stopped = client.once("stopped");
  const terminated = failure(client.once("terminated", { timeoutMs: 5 }));
  const event = (name: string, body: object): object => ({
    seq: 0,
    type: "event",
    event: name,
    body,
  });
  await say(
    event("output", { output: "é" }),
    event("vendor/heat", { celsius: 1 }),
    event("stopped", { reason: "step" }),
    event("thread", { reason: "started", threadId: 1 }),
  );
  off();
  await say(event("output", { output: "again" }));
  assert.deepEqual(heard, ["é", "output", { celsius: 1 }]);
  assert.deepEqual(await stopped, { reason: "step" });
  assert.equal(
    await terminated,
    'ERR_REQUEST_TIMEOUT terminated: Timed out after 5 ms waiting for "terminated"',
  );
  assert.deepEqual(unhandled, [event("thread", { reason: "started", threadId: 1 })]);
  assert.deepEqual(problems, ["ERR_EVENT_HANDLER", "ERR_EVENT_HANDLER"]);
});

test("what waits is given up when the adapter ends, even in the middle of an answer", async () => {
  const { client, raw, end, problems } = scripted();
  const asked = failure(client.request("threads"));
  const awaited = failure(client.once("stopped"));
  await raw('Content-Length: 90\r\n\r\n{"seq":1,"type":"respo');
  end();
  const closed =
    "the connection is closed, having received no message, only 44 bytes: " +
    'Content-Length: 90\\r\\n\\r\\n{"seq":1,"type":"respo';
  assert.equal(
    await asked,
    `ERR_CONNECTION_CLOSED threads: Cannot get a response to "threads": ${closed}`,
  );
  assert.equal(
    await awaited,
    `ERR_CONNECTION_CLOSED stopped: Cannot get a response to "stopped": ${closed}`,
  );
  await client.closed;
  assert.equal(client.isClosed, true);
  assert.equal(
    await failure(client.request("threads")),
    `ERR_CONNECTION_CLOSED threads: Cannot get a response to "threads": ${closed}`,
  );
  assert.deepEqual(problems, ["ERR_TRUNCATED"]);
});

test("noise, damaged frames and bodies that are no messages end nothing", async () => {
  const { client, raw, say, problems } = scripted();
  const asked = client.request("threads");
  await raw("printed by somebody\n");
  await raw("Content-Length: 3\r\n\r\n[1]Content-Length: x\r\n\r\n");
  await say(answer(1, { body: { threads: [] } }));
  assert.deepEqual(await asked, { threads: [] });
  assert.deepEqual(problems, ["ERR_NOISE", "ERR_NOT_OBJECT", "ERR_LENGTH_INVALID"]);
});

test("limits, and what is no UTF-8, are as the settings say", async () => {
  const small = scripted({ limits: { maxBodyBytes: 100 } });
  await small.say({ seq: 0, type: "event", event: "output", body: { output: "x".repeat(100) } });
  assert.deepEqual(small.problems, ["ERR_BODY_TOO_LONG"]);
  const latin = (text: string): Buffer => Buffer.from(text, "latin1");
  const heard: unknown[] = [];
  const body = '{"seq":0,"type":"event","event":"output","body":{"output":"\u00e9"}}';
  for (const invalidUtf8 of ["error", "replace", undefined] as const) {
    const { client, raw, problems } = scripted(invalidUtf8 === undefined ? {} : { invalidUtf8 });
    client.on("output", ({ output }) => void heard.push(output));
    await raw(latin(`Content-Length: ${body.length}\r\n\r\n${body}`) as never);
    assert.deepEqual(problems, invalidUtf8 === "error" ? ["ERR_UTF8"] : []);
  }
  assert.deepEqual(heard, ["\ufffd", "\ufffd"]);
});

test("what nobody listens to any more is unhandled", async () => {
  const unhandled: object[] = [];
  const { client, say } = scripted({ onUnhandled: (message) => unhandled.push(message) });
  const event = { seq: 0, type: "event", event: "output", body: { output: "x" } };
  const off = client.on("output", () => undefined);
  await say(event);
  off();
  await say(event);
  assert.deepEqual(unhandled, [event]);
});

test("a response without a result has no field for it", async () => {
  const sent: object[] = [];
  const { say } = scripted({
    middleware: [{ beforeSend: (message) => (sent.push(message), message) }],
    handlers: { runInTerminal: () => undefined as never },
  });
  await say({
    ...{ seq: 3, type: "request", command: "runInTerminal" },
    arguments: { args: [], cwd: "/" },
  });
  assert.deepEqual(sent, [
    { seq: 1, type: "response", request_seq: 3, command: "runInTerminal", success: true },
  ]);
});

test("a request that the protocol does not define is handled by its name", async () => {
  const { client, say, written } = scripted();
  client.handleCustom("vendor/heat", (parameters) => ({ celsius: parameters }));
  await say({ seq: 3, type: "request", command: "vendor/heat", arguments: { at: 1 } });
  assert.deepEqual(written, [
    {
      seq: 1,
      type: "response",
      request_seq: 3,
      command: "vendor/heat",
      success: true,
      body: { celsius: { at: 1 } },
    },
  ]);
});

test("middleware sees messages and bytes, may change them, and may hold them back", async () => {
  const log: string[] = [];
  const { client, written, say } = scripted({
    middleware: [
      {
        beforeSend: (message) =>
          (message as { command?: string }).command === "pause"
            ? undefined
            : { ...message, mark: 1 },
        afterSend: (message, bytes) =>
          void log.push(`> ${Object.keys(message).length} ${bytes.length}`),
        afterReceive: (message, bytes) => {
          log.push(`< ${Buffer.from(bytes).toString().slice(0, 18)}`);
          return (message as { event?: string }).event === "output" ? undefined : message;
        },
      },
    ],
  });
  const heard: unknown[] = [];
  client.on("output", () => void heard.push("output"));
  void client.request("pause", { threadId: 1 }).catch(() => undefined);
  const asked = client.request("threads");
  await say({ seq: 0, type: "event", event: "output", body: { output: "x" } }, answer(2));
  await asked;
  assert.deepEqual(written, [{ seq: 2, type: "request", command: "threads", mark: 1 }]);
  assert.deepEqual(heard, []);
  assert.deepEqual(log, ["> 4 77", "< Content-Length: 63", "< Content-Length: 71"]);
});

/** An adapter that adds, for the transports. */
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

test("over WHATWG streams", async () => {
  const [one, other] = pair();
  const adapter = adding(other);
  await converse(connect("client", one));
  await adapter.closed;
});

test("over a message port, which waits for a slow reader", async () => {
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

test("over TCP", async (context) => {
  const server = createServer((socket) => void adding(nodeTransport(socket, socket)));
  context.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = await connectTcp((server.address() as AddressInfo).port);
  await converse(connect("client", transport));
  await assert.rejects(connectTcp(1), { code: "ECONNREFUSED" });
});

test("a process that cannot be started is an error of the system", async () => {
  await assert.rejects(spawnAdapter("/no/such/adapter"), { code: "ENOENT" });
});

test("writing waits for a slow reader, and every frame is one write", async () => {
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

test("reading waits while too many requests are in line", async () => {
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

test("a conversation in JSON-RPC, both sides asking", async () => {
  const [one, other] = pair();
  const problems: Problem[] = [];
  const updates: unknown[] = [];
  const client = acp.connect("client", one, {
    onProblem: (problem) => problems.push(problem),
    handlers: {
      "fs/read_text_file": ({ path }) => {
        if (path === "/gone")
          throw new Refusal("gone", { error: { code: -32002, data: { path } } });
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
    'ERR_REQUEST_FAILED _vendor/x: There is no method "_vendor/x" here',
  );
  const controller = new AbortController();
  const prompt = client.request(
    "session/prompt",
    { sessionId: "s", prompt: [] },
    { signal: controller.signal },
  );
  await until(() => updates.length > 0);
  controller.abort();
  assert.match(await failure(prompt), /^ERR_REQUEST_ABORTED session\/prompt/);
  await turns();
  assert.deepEqual(updates, ["s"]);
  assert.deepEqual(problems, []);
  await client.close();
  await agent.closed;
});
