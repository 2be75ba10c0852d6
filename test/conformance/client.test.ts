import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { ScenarioServer, clientChecks, scenarios } from "../../conformance/index.js";
import { runOwnSession, testClient } from "../../conformance/published/run-clients.js";
import { frameOf } from "../../conformance/session/wire.js";
import { openProtocol } from "../../cli/index.js";
import { createDecoder } from "@wirewright/dap";

type Message = { readonly [field: string]: any };

const protocol = await openProtocol("dap");

test("our session client passes every client check that applies to it", async () => {
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
  readonly answer: (request: Message, outcome: object) => void;
  /** Writes a message with a custom header. `N` in the header stands for the body length. */
  readonly writeWith: (head: string, command: string) => void;
  readonly socket: Socket;
}

interface Change {
  /** Additional arguments for the `initialize` request. */
  readonly initialize?: object;
  /**
   * Called for each message. If it returns true, the client itself does not react to the message.
   */
  readonly on?: (message: Message, client: Client) => boolean;
}

/**
 * Runs a minimal client that makes one mistake in a scenario. Returns the ids of the failed checks.
 */
async function failuresOf(scenario: string, change: Change): Promise<readonly string[]> {
  const server = new ScenarioServer(
    scenarios.filter(({ name }) => name === scenario),
    protocol,
    { limitMs: 8_000 },
  );
  const socket = connect(await server.listen(0), "127.0.0.1");
  let seq = 0;
  const client: Client = {
    socket,
    writeWith: (head, command) => {
      const body = JSON.stringify({ seq: ++seq, type: "request", command });
      socket.write(`${head.replace("N", String(body.length))}\r\n\r\n${body}`);
    },
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
    answer: ({ seq: to, command }, outcome) =>
      void socket.write(
        frameOf({ seq: ++seq, type: "response", request_seq: to, command, ...outcome }),
      ),
  };
  let hasDone = false;
  const react = (message: Message): void => {
    if (change.on?.(message, client) === true) return;
    const { event, command, type } = message;
    if (type === "response" && command === "initialize") {
      hasDone = message["body"]?.supportsConfigurationDoneRequest === true;
      client.send("launch", {});
    }
    if (event === "initialized") {
      client.send("setExceptionBreakpoints", { filters: [] });
      if (hasDone) client.send("configurationDone");
    }
    if (event === "stopped") client.send("continue", { threadId: 1 });
    if (event === "terminated") client.send("disconnect", {});
    if (type === "request") client.answer(message, refusal);
  };
  const decoder = createDecoder({
    onMessage: (found) => {
      if (found.status !== "malformed") react(found.message as Message);
    },
  });
  socket.on("data", (bytes) => decoder.push(bytes)).on("error", () => undefined);
  client.send("initialize", { adapterID: "test", ...change.initialize });
  const { checks } = await server.result;
  socket.destroy();
  return checks.filter(({ status }) => status === "fail").map(({ check }) => check);
}

const refusal = { success: false, message: "no", body: { error: { id: 1, format: "no" } } };

const isNamed = (message: Message, name: string): boolean =>
  (message["event"] ?? message["command"]) === name && message["type"] !== "request";

/** Makes the client perform an additional action when the first message with this name arrives. */
function once(name: string, act: (client: Client) => void): Change {
  let isDone = false;
  return {
    on(message, client) {
      if (isDone || !isNamed(message, name)) return false;
      isDone = true;
      act(client);
      return false;
    },
  };
}

/** Replaces the client's reaction to messages with this name. */
const instead = (name: string, act: (client: Client) => void): Change => ({
  on(message, client) {
    if (!isNamed(message, name)) return false;
    act(client);
    return true;
  },
});

/** Makes the client respond to the adapter's requests with the given outcome. */
const answering = (outcome: object, initialize: object = {}): Change => ({
  initialize,
  on(message, { answer }) {
    if (message["type"] !== "request") return false;
    answer(message, outcome);
    return true;
  },
});

/** Sends `initialize` a second time, and ignores the responses. */
const twice: Change = {
  on(message, { send }) {
    if (isNamed(message, "stopped")) send("initialize", { adapterID: "again" });
    if (isNamed(message, "initialize")) answered++;
    return answered > 1 && (isNamed(message, "initialize") || isNamed(message, "initialized"));
  },
};
let answered = 0;

const leave = ({ socket }: Client): void => void socket.destroy();
const nothing = (): void => undefined;

for (const { name } of scenarios)
  test(`a client without mistakes passes all checks in the ${name} scenario`, async () => {
    assert.deepEqual(await failuresOf(name, {}), []);
  });

/**
 * For each check, a mistake that violates it, and the scenario in which the client makes that
 * mistake.
 */
const mistakes: Readonly<Record<string, readonly [string, Change]>> = {
  "base-01": ["plain", once("initialized", ({ socket }) => void socket.write("noise\n"))],
  "base-02": [
    "plain",
    once("stopped", ({ writeWith }) => writeWith("Content-length: N", "threads")),
  ],
  "base-03": [
    "plain",
    once("stopped", ({ writeWith }) => writeWith("Content-Length: N\r\nX-Trace: x", "threads")),
  ],
  "base-04": ["plain", once("stopped", ({ send }) => send("threads", undefined, { seq: 90 }))],
  "base-05": ["plain", once("stopped", ({ send }) => send("scopes", {}))],
  "base-06": [
    "plain",
    once("stopped", ({ send }) => send("stackTrace", { threadId: 1, levels: null })),
  ],
  "base-07": [
    "plain",
    once("stopped", ({ send }) => send("startDebugging", { configuration: {}, request: "launch" })),
  ],
  "init-01": ["plain", twice],
  "init-02": ["few-capabilities", once("stopped", ({ send }) => send("modules", {}))],
  "init-03": [
    "plain",
    once("stopped", ({ send }) => send("setExceptionBreakpoints", { filters: ["unknown"] })),
  ],
  "conf-01": [
    "initialized-late",
    once("initialize", ({ send }) =>
      send("setBreakpoints", { source: { path: "/x" }, breakpoints: [] }),
    ),
  ],
  "conf-02": ["plain", once("stopped", ({ send }) => send("configurationDone"))],
  "conf-03": ["plain", once("stopped", ({ send }) => send("launch", {}))],
  "conf-04": [
    "launch-late",
    instead("initialized", ({ send }) => send("setExceptionBreakpoints", { filters: [] })),
  ],
  "conf-05": ["initialized-late", instead("initialized", leave)],
  "conf-06": ["plain", instead("initialized", ({ send }) => send("configurationDone"))],
  "ref-01": ["plain", once("stopped", ({ send }) => send("scopes", { frameId: 99 }))],
  "ref-02": [
    "plain",
    {
      on(message, { send }) {
        if (message["event"] === "stopped") send("stackTrace", { threadId: 1 });
        if (message["command"] === "stackTrace") send("continue", { threadId: 1 });
        if (message["command"] === "continue") send("scopes", { frameId: 1 });
        return message["event"] === "stopped";
      },
    },
  ],
  "rev-01": ["unknown-request", { on: (message) => message["type"] === "request" }],
  "rev-02": ["unknown-request", answering({ success: true })],
  "rev-03": [
    "terminal",
    answering(
      { success: false, message: "", body: { error: { id: 1, format: "" } } },
      { supportsRunInTerminalRequest: true },
    ),
  ],
  "chd-01": ["child", answering({ success: true }, { supportsStartDebuggingRequest: true })],
  "evt-01": ["unknown-event", instead("wirewrightUnknown", leave)],
  "evt-02": ["continued", instead("continued", leave)],
  "evt-03": [
    "breakpoints-move",
    {
      on(message, client) {
        if (isNamed(message, "breakpoint")) leave(client);
        if (isNamed(message, "initialized"))
          client.send("setBreakpoints", { source: { path: "/x" }, breakpoints: [{ line: 1 }] });
        return isNamed(message, "breakpoint");
      },
    },
  ],
  "evt-04": ["output", instead("output", leave)],
  "rsp-01": [
    "slow",
    instead("stopped", (client) => {
      client.send("threads");
      setTimeout(() => leave(client), 500);
    }),
  ],
  "rsp-02": [
    "huge",
    {
      on(message, client) {
        if (isNamed(message, "threads")) leave(client);
        if (isNamed(message, "stopped")) client.send("threads");
        return isNamed(message, "stopped") || isNamed(message, "threads");
      },
    },
  ],
  "prg-01": [
    "progress",
    {
      ...once("progressEnd", ({ send }) => send("cancel", { progressId: "other" })),
      initialize: { supportsProgressReporting: true },
    },
  ],
  "end-01": ["plain", instead("terminated", nothing)],
  "end-02": ["plain", once("disconnect", ({ send }) => send("threads"))],
  "end-03": [
    "terminate-veto",
    {
      on(message, { send }) {
        if (isNamed(message, "stopped")) send("terminate", {});
        return isNamed(message, "stopped") || isNamed(message, "terminated");
      },
    },
  ],
};

for (const [check, [scenario, change]] of Object.entries(mistakes))
  test(`a client with one mistake fails only the check ${check}`, async () => {
    assert.deepEqual(await failuresOf(scenario, change), [check]);
  });

test("each client check has a mistake and a unique id", () => {
  const ids = clientChecks.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  assert.deepEqual(Object.keys(mistakes), ids);
});
