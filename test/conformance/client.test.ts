import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { ScenarioServer, clientChecks, scenarios } from "../../conformance/index.js";
import { runOwnSession } from "../../conformance/published/clients/own-session.js";
import { testClient } from "../../conformance/published/run-clients.js";
import { frameOf } from "../../conformance/session/wire.js";
import { openProtocol } from "../../generator/index.js";
import { createDecoder } from "../../generated/dap/codec.js";

type Message = { readonly [field: string]: any };

const protocol = await openProtocol("dap");

test("the session of @wirewright/dap passes all checks that apply", async () => {
  const client = { name: "own", title: "own", version: "", source: "", run: runOwnSession };
  const { checks } = await testClient(client);
  assert.deepEqual(
    checks.filter(({ status }) => status === "fail"),
    [],
  );
  assert.ok(checks.filter(({ status }) => status === "pass").length >= 24);
});

interface Client {
  readonly send: (command: string, args?: object, more?: object) => void;
  readonly write: (bytes: Uint8Array | string) => void;
  readonly socket: Socket;
}

/** A client that does the least, with a mistake. */
async function failuresOf(
  scenario: string,
  change: {
    readonly initialize?: object;
    readonly on?: (message: Message, client: Client) => boolean;
    readonly begin?: (client: Client) => boolean;
  },
): Promise<readonly string[]> {
  const server = new ScenarioServer(
    scenarios.filter(({ name }) => name === scenario),
    protocol,
  );
  const socket = connect(await server.listen(0), "127.0.0.1");
  let seq = 0;
  const client: Client = {
    socket,
    write: (bytes) => void socket.write(bytes),
    send: (command, args, more = {}) =>
      void socket.write(
        frameOf({
          seq: ++seq,
          type: "request",
          command,
          ...(args === undefined ? {} : { arguments: args }),
          ...more,
        }),
      ),
  };
  const answer = (message: Message): void => {
    if (change.on?.(message, client) === true) return;
    const { event, command, type } = message;
    if (type === "response" && command === "initialize") client.send("launch", {});
    if (event === "initialized") {
      client.send("setExceptionBreakpoints", { filters: [] });
      client.send("configurationDone");
    }
    if (event === "stopped") client.send("continue", { threadId: 1 });
    if (event === "terminated") client.send("disconnect", {});
    if (type === "request")
      socket.write(
        frameOf({
          seq: ++seq,
          type: "response",
          request_seq: message["seq"],
          command,
          success: false,
          message: "no",
        }),
      );
  };
  const decoder = createDecoder({
    onMessage: (found) => {
      if (found.status !== "malformed") answer(found.message as Message);
    },
  });
  socket.on("data", (bytes) => decoder.push(bytes)).on("error", () => undefined);
  if (change.begin?.(client) !== true)
    client.send("initialize", { adapterID: "test", ...change.initialize });
  const { checks } = await server.result;
  socket.destroy();
  return checks.filter(({ status }) => status === "fail").map(({ check }) => check);
}

const once = (name: string, act: (client: Client) => void) => {
  let isDone = false;
  return (message: Message, client: Client): boolean => {
    const isFit =
      (message["event"] ?? message["command"]) === name && message["type"] !== "request";
    if (isDone || !isFit) return false;
    isDone = true;
    act(client);
    return false;
  };
};

const instead =
  (name: string, act: (client: Client) => void) => (message: Message, client: Client) => {
    if ((message["event"] ?? message["command"]) !== name) return false;
    act(client);
    return true;
  };

test("a client without mistakes fails no check", async () => {
  assert.deepEqual(await failuresOf("plain", {}), []);
});

/** Mistakes by check: a scenario, and what the client does. */
const mistakes: Readonly<Record<string, readonly [string, Parameters<typeof failuresOf>[1]]>> = {
  "base-01": ["plain", { on: once("initialized", ({ write }) => write("noise\n")) }],
  "base-02": [
    "plain",
    {
      on: once("initialized", ({ write }) => {
        const body = '{"seq":3,"type":"request","command":"threads"}';
        write(`Content-length: ${body.length}\r\n\r\n${body}`);
      }),
    },
  ],
  "base-03": [
    "plain",
    {
      on: once("stopped", ({ write }) => {
        const body = '{"seq":5,"type":"request","command":"threads"}';
        write(`Content-Length: ${body.length}\r\nContent-Type: x\r\n\r\n${body}`);
      }),
    },
  ],
  "base-04": [
    "plain",
    { on: once("stopped", ({ send }) => send("threads", undefined, { seq: 1 })) },
  ],
  "base-05": ["plain", { on: once("stopped", ({ send }) => send("scopes", {})) }],
  "base-06": [
    "plain",
    {
      on: once("stopped", ({ send }) =>
        send("setExceptionBreakpoints", { filters: [], filterOptions: null }),
      ),
    },
  ],
  "base-07": [
    "plain",
    {
      on: once("stopped", ({ send }) =>
        send("startDebugging", { configuration: {}, request: "launch" }),
      ),
    },
  ],
  "init-01": [
    "plain",
    { on: once("stopped", ({ send }) => send("initialize", { adapterID: "again" })) },
  ],
  "init-02": [
    "few-capabilities",
    { on: instead("initialized", ({ send }) => send("configurationDone")) },
  ],
  "init-03": [
    "plain",
    {
      on: once("stopped", ({ send }) => send("setExceptionBreakpoints", { filters: ["unknown"] })),
    },
  ],
  "conf-01": [
    "initialized-late",
    {
      on: once("initialize", ({ send }) =>
        send("setBreakpoints", { source: { path: "/x" }, breakpoints: [] }),
      ),
    },
  ],
  "conf-02": ["plain", { on: once("stopped", ({ send }) => send("configurationDone")) }],
  "conf-03": ["plain", { on: once("stopped", ({ send }) => send("launch", {})) }],
  "conf-04": ["launch-late", { on: instead("initialized", () => undefined) }],
  "conf-05": ["initialized-late", { on: instead("initialized", () => undefined) }],
  "conf-06": ["plain", { on: instead("initialized", ({ send }) => send("configurationDone")) }],
  "ref-01": ["plain", { on: once("stopped", ({ send }) => send("scopes", { frameId: 99 })) }],
  "ref-02": [
    "plain",
    {
      on: (message, { send }) => {
        if (message["event"] === "stopped") send("stackTrace", { threadId: 1 });
        if (message["command"] === "stackTrace") {
          send("continue", { threadId: 1 });
          return true;
        }
        if (message["command"] === "continue") send("scopes", { frameId: 1 });
        return message["event"] === "stopped";
      },
    },
  ],
  "rev-01": ["unknown-request", { on: (message) => message["type"] === "request" }],
  "rev-02": [
    "unknown-request",
    {
      on: (message, { socket }) => {
        if (message["type"] !== "request") return false;
        const head = { type: "response", request_seq: message["seq"], command: message["command"] };
        socket.write(frameOf({ seq: 50, ...head, success: true }));
        return true;
      },
    },
  ],
  "chd-01": [
    "child",
    {
      initialize: { supportsStartDebuggingRequest: true },
      on: (message, { socket }) => {
        if (message["type"] !== "request") return false;
        const head = { type: "response", request_seq: message["seq"], command: message["command"] };
        socket.write(frameOf({ seq: 5, ...head, success: true }));
        return true;
      },
    },
  ],
  "evt-01": [
    "unknown-event",
    { on: instead("wirewrightUnknown", ({ socket }) => socket.destroy()) },
  ],
  "evt-02": [
    "continued",
    {
      on: ({ event }, { socket }) => {
        if (event === "continued") socket.destroy();
        return event === "stopped" || event === "continued";
      },
    },
  ],
  "evt-04": ["output", { on: instead("output", ({ socket }) => socket.destroy()) }],
  "rsp-01": [
    "slow",
    {
      on: instead("stopped", ({ send, socket }) => {
        send("threads");
        setTimeout(() => socket.destroy(), 500);
      }),
    },
  ],
  "end-02": ["plain", { on: once("disconnect", ({ send }) => send("threads")) }],
};

for (const [check, [scenario, change]] of Object.entries(mistakes))
  test(`a client with a mistake fails ${check}`, async () => {
    const failed = await failuresOf(scenario, change);
    assert.ok(failed.includes(check), `failed: ${failed.join(" ")}`);
  });

test("checks of clients have ids of their own", () => {
  const ids = clientChecks.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});
