/** Tests the rules that `defineAdapter` applies around handlers, message by message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Capabilities } from "@wirewright/dap";
import { type Adapter, type AdapterConnection, defineAdapter } from "@wirewright/dap/adapter";
import { request, turns, type Fields } from "../../support/scripted-connection.js";
import { open, initialize, answer, launch } from "../../support/opened-adapter.js";
import { event } from "../../support/scripted-adapter.js";

const standard = { supportsCancelRequest: true, supportsConfigurationDoneRequest: true };

describe("an adapter begins a session", () => {
  test("the initialize response contains the capabilities, and the initialized event follows it", async () => {
    const { say } = open(defineAdapter({ handlers: { launch } }));
    const written = await say(initialize());
    assert.deepEqual(written, [answer(1, "initialize", standard), event("initialized")]);
  });

  test("a capability is announced if all of its handlers are defined", async () => {
    const announced = async (adapter: Adapter): Promise<unknown> => {
      const [response] = await open(adapter).say(initialize());
      return (response as Fields)["body"];
    };
    const capabilities: Capabilities = {};
    const stepBack = (): void => undefined;
    const some = defineAdapter({
      capabilities: { supportsConfigurationDoneRequest: false, supportsLogPoints: true },
      handlers: { launch, stepBack, terminate: launch },
    });
    assert.deepEqual(await announced(some), {
      supportsCancelRequest: true,
      supportsConfigurationDoneRequest: false,
      supportsLogPoints: true,
      supportsTerminateRequest: true,
    });
    const all = defineAdapter({ handlers: { launch, stepBack, reverseContinue: launch } });
    assert.deepEqual(await announced(all), { ...standard, supportsStepBack: true });
    const withheld = defineAdapter({
      capabilities: { supportsStepBack: false },
      handlers: { launch, stepBack, reverseContinue: launch },
    });
    assert.deepEqual(await announced(withheld), { ...standard, supportsStepBack: false });
    assert.deepEqual(capabilities, {});
  });

  test("a capability without its handlers is also refused at run time", () => {
    const capabilities = { supportsStepBack: true } as object;
    for (const handlers of [{}, { launch: undefined, next: launch }])
      assert.throws(() => defineAdapter({ handlers: handlers as never }), {
        name: "TypeError",
        message:
          'Cannot define the adapter: without a handler for "launch" or "attach", no session can start',
      });
    assert.throws(() => defineAdapter({ capabilities, handlers: { launch } }), {
      name: "TypeError",
      message:
        'Cannot define the adapter: it announces supportsStepBack, but has no handler for "stepBack"',
    });
  });

  test('an initialize handler can add capabilities, and initialized: "manual" leaves the event to the adapter', async () => {
    const adapter = defineAdapter({
      initialized: "manual",
      handlers: {
        launch: (_, { after, connection }) => after(() => connection.notify("initialized")),
        initialize: ({ clientID }) => ({ supportsLogPoints: clientID === "x" }),
      },
    });
    const { say } = open(adapter);
    const body = { ...standard, supportsLogPoints: true };
    assert.deepEqual(await say(initialize({ clientID: "x" })), [answer(1, "initialize", body)]);
    const written = await say(request(2, "launch", {}));
    assert.deepEqual(written, [answer(2, "launch"), event("initialized")]);
  });

  test("configured resolves at configurationDone, or immediately if the adapter does not announce that request", async () => {
    const handlers = {
      launch: async (_: object, { configured }: { readonly configured: Promise<void> }) =>
        configured,
    };
    const { say } = open(defineAdapter({ handlers }));
    await say(initialize());
    assert.deepEqual(await say(request(2, "launch", {})), []);
    const written = await say(request(3, "configurationDone"));
    assert.deepEqual(written, [answer(3, "configurationDone"), answer(2, "launch")]);
    const capabilities = { supportsConfigurationDoneRequest: false } as const;
    const other = open(defineAdapter({ capabilities, handlers }));
    await other.say(initialize());
    assert.deepEqual(await other.say(request(2, "launch", {})), [answer(2, "launch")]);
  });

  test("requests that every client sends succeed without handlers, and other requests fail", async () => {
    const { say, connection } = open(defineAdapter({ handlers: { attach: launch } }));
    const message = "This adapter does not support breakpoints";
    const source = { path: "/a" };
    const written = await say(
      request(1, "setBreakpoints", { source, breakpoints: [{ line: 3 }] }),
      request(2, "setBreakpoints", { source, lines: [4] }),
      request(3, "setExceptionBreakpoints", { filters: [] }),
      request(4, "threads"),
      request(5, "cancel", { requestId: 1 }),
      request(6, "launch", {}),
      request(7, "disconnect"),
    );
    const unverified = (line: number): object => ({
      breakpoints: [{ id: 1, verified: false, line, message }],
    });
    assert.deepEqual(written, [
      answer(1, "setBreakpoints", unverified(3)),
      answer(2, "setBreakpoints", unverified(4)),
      answer(3, "setExceptionBreakpoints"),
      answer(4, "threads", { threads: [{ id: 1, name: "main" }] }),
      answer(5, "cancel"),
      {
        type: "response",
        request_seq: 6,
        command: "launch",
        success: false,
        message: "unknown request: launch",
        body: {
          error: {
            id: 1,
            format: 'The {role} does not support the request "{name}"',
            variables: { name: "launch", role: "adapter" },
          },
        },
      },
      answer(7, "disconnect"),
    ]);
    assert.equal(await connection.closed, undefined);
  });
});

describe("an adapter orders events and responses", () => {
  const stopped = event("stopped", { reason: "step" });

  function stepping(next: (connection: AdapterConnection) => unknown): Adapter {
    return defineAdapter({
      handlers: {
        launch,
        next: (_, { connection }) => next(connection) as void,
        pause: (_, { connection }) => void connection.notify("stopped", { reason: "pause" }),
      },
    });
  }

  test("a stopped event from a handler is sent after the response", async () => {
    const { say } = open(
      stepping((connection) => {
        void connection.notify("output", { output: "a" });
        void connection.notify("stopped", { reason: "step" });
        void connection.notify("output", { output: "b" });
      }),
    );
    assert.deepEqual(await say(request(1, "next", { threadId: 1 })), [
      event("output", { output: "a" }),
      answer(1, "next"),
      stopped,
      event("output", { output: "b" }),
    ]);
  });

  test("events and the response stay in order if the handler awaits or fails", async () => {
    const waiting = stepping(async (connection) =>
      connection.notify("stopped", { reason: "step" }),
    );
    const written = await open(waiting).say(request(1, "next", { threadId: 1 }));
    assert.deepEqual(written, [answer(1, "next"), stopped]);
    const failing = stepping(async (connection) => {
      await connection.notify("stopped", { reason: "step" });
      throw new Error("lost");
    });
    const [failure, then] = await open(failing).say(request(1, "next", { threadId: 1 }));
    assert.deepEqual([(failure as Fields)["message"], then], ["lost", stopped]);
  });

  test("a stopped event waits for the responses to all open requests that may cause it, and later messages wait for the event", async () => {
    let answerNext: () => void = () => undefined;
    const { say } = open(stepping(() => new Promise<void>((resolve) => (answerNext = resolve))));
    const paused = event("stopped", { reason: "pause" });
    const next = request(1, "next", { threadId: 1 });
    assert.deepEqual(await say(next, request(2, "pause", { threadId: 1 })), [answer(2, "pause")]);
    answerNext();
    assert.deepEqual(await say(), [answer(1, "next"), paused]);
  });

  test('notifyCustom("stopped") sends the event immediately', async () => {
    const adapter = stepping((connection) =>
      connection.notifyCustom("stopped", { reason: "step" }),
    );
    const written = await open(adapter).say(request(1, "next", { threadId: 1 }));
    assert.deepEqual(written, [stopped, answer(1, "next")]);
  });

  test("a stopped event that cannot be sent is reported, and the response is still sent", async () => {
    const cyclic: Record<string, unknown> = { reason: "step" };
    cyclic["self"] = cyclic;
    const { say, problems } = open(
      stepping((connection) => void connection.notify("stopped", cyclic as never)),
    );
    assert.deepEqual(await say(request(1, "next", { threadId: 1 })), [answer(1, "next")]);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["ERR_REQUEST_HANDLER"],
    );
  });

  test("after() runs its callbacks in order after the response, unless the request failed", async () => {
    const calls: string[] = [];
    const adapter = defineAdapter({
      handlers: {
        launch(_, { after, connection }) {
          after(() => connection.notify("output", { output: "1" }));
          after(() => connection.notify("output", { output: "2" }));
        },
        attach(_, { after }) {
          after(() => calls.push("attached"));
          throw new Error("no");
        },
      },
    });
    const { say } = open(adapter);
    assert.deepEqual(await say(request(1, "launch", {})), [
      answer(1, "launch"),
      event("output", { output: "1" }),
      event("output", { output: "2" }),
    ]);
    await say(request(2, "attach", {}));
    assert.deepEqual(calls, []);
  });

  test("exceptions and rejections in after() callbacks are reported", async () => {
    const adapter = defineAdapter({
      handlers: {
        launch(_, { after }) {
          after(() => {
            throw new Error("one");
          });
          after(() => Promise.reject(new Error("two")));
        },
      },
    });
    const { say, problems } = open(adapter);
    assert.deepEqual(await say(request(1, "launch", {})), [answer(1, "launch")]);
    assert.deepEqual(
      problems.map(({ code, message, cause }) => [code, message, (cause as Error).message]),
      ["one", "two"].map((cause) => [
        "ERR_REQUEST_HANDLER",
        `A function that runs after the response to "launch" failed: ${cause}`,
        cause,
      ]),
    );
  });

  test("after() callbacks wait for a slow transport", async () => {
    const calls: string[] = [];
    const { say, transport } = open(
      defineAdapter({ handlers: { launch: (_, { after }) => after(() => calls.push("written")) } }),
    );
    let accept: () => void = () => undefined;
    transport.onWrite = () => new Promise<void>((resolve) => (accept = resolve));
    await say(request(1, "launch", {}));
    assert.deepEqual(calls, []);
    accept();
    await turns();
    assert.deepEqual(calls, ["written"]);
  });
});

describe("an adapter orders requests that arrive while it handles initialize", () => {
  const names = (written: readonly object[]): readonly string[] =>
    (written as readonly Fields[]).map(({ command, event: name, success, request_seq: seq }) =>
      command === undefined ? name : `${seq} ${command}${success === true ? "" : " failed"}`,
    );
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  test("launch and disconnect run only after the initialize response", async () => {
    const ran: string[] = [];
    for (const own of [
      {},
      { initialize: async () => (await later(), void ran.push("initialize")) },
    ]) {
      ran.length = 0;
      const adapter = defineAdapter({
        handlers: { ...own, launch: () => void ran.push("launch") },
      });
      const { say, transport } = open(adapter);
      await say(initialize(), request(2, "launch"), request(3, "disconnect"));
      await later();
      await turns();
      const responses = transport.written.filter(({ type }) => type === "response");
      assert.deepEqual(names(responses), ["1 initialize", "2 launch", "3 disconnect"]);
      assert.equal(ran.at(-1), "launch");
    }
  });

  test("a second initialize is refused, unless the first one was refused", async () => {
    const { say } = open(defineAdapter({ handlers: { launch } }));
    const written = await say(initialize(), request(2, "initialize", { adapterID: "a" }));
    assert.deepEqual(names(written.filter((each) => (each as Fields)["type"] === "response")), [
      "1 initialize",
      "2 initialize failed",
    ]);
    const again = open(defineAdapter({ handlers: { launch } }));
    const answered = await again.say(
      initialize({ pathFormat: "odd" }),
      request(2, "initialize", { adapterID: "a" }),
      request(3, "threads"),
    );
    assert.deepEqual(names(answered.filter((each) => (each as Fields)["type"] === "response")), [
      "1 initialize failed",
      "2 initialize",
      "3 threads",
    ]);
  });

  test("an initialize handler that never settles does not block cancel, disconnect or the end of the connection", async () => {
    let launched = 0;
    const adapter = defineAdapter({
      handlers: {
        initialize: () => new Promise<never>(() => undefined),
        launch: () => void launched++,
      },
    });
    const { say, connection, transport } = open(adapter);
    const first = await say(
      initialize(),
      request(2, "launch"),
      request(3, "cancel", { requestId: 2 }),
      request(4, "launch"),
      request(5, "disconnect"),
    );
    assert.deepEqual(names(first), ["3 cancel", "2 launch failed"]);
    await connection.closed;
    assert.deepEqual(names(transport.responsesTo(5)), ["5 disconnect"]);
    assert.equal(launched, 0);
  });
});
