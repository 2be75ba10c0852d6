/** What `defineAdapter` does besides calling handlers, message by message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Capabilities } from "../../../generated/dap/index.js";
import { type Adapter, type AdapterConnection } from "../../../generated/dap/adapter.js";
import { ClientPositions, defineAdapter, Handles } from "../../../generated/dap/adapter.js";
import {
  connect,
  recordingHead,
  recordMessages,
  type Problem,
} from "../../../generated/dap/connection.js";
import { readRecording } from "../../../generator/session/recording.js";
import { readProtocol } from "../../../generator/index.js";
import {
  request,
  ScriptedTransport,
  turns,
  type Fields,
} from "../../support/scripted-connection.js";

interface Opened<Session> {
  readonly transport: ScriptedTransport;
  readonly connection: ReturnType<Adapter<Session>>;
  readonly problems: Problem[];
  /** Says messages, and returns what was written since, without seq. */
  readonly say: (...messages: readonly object[]) => Promise<readonly object[]>;
}

function open<Session>(adapter: Adapter<Session>): Opened<Session> {
  const transport = new ScriptedTransport();
  const problems: Problem[] = [];
  const onProblem = (problem: Problem): void => void problems.push(problem);
  const connection = adapter(transport, { onProblem });
  const say = async (...messages: readonly object[]): Promise<readonly object[]> => {
    const from = transport.written.length;
    await transport.sayAll(messages);
    await turns();
    return transport.written.slice(from).map(({ seq: _, ...rest }) => rest);
  };
  return { transport, connection, problems, say };
}

const initialize = (more: object = {}): object =>
  request(1, "initialize", { adapterID: "a", ...more });

function answer(request_seq: number, command: string, body?: object): object {
  const answered = { type: "response", request_seq, command, success: true };
  return body === undefined ? answered : { ...answered, body };
}

function event(name: string, body?: object): object {
  return { type: "event", event: name, ...(body === undefined ? {} : { body }) };
}

const launch = (): void => undefined;
const standard = { supportsCancelRequest: true, supportsConfigurationDoneRequest: true };

describe("the beginning of a session", () => {
  test("initialize is answered with the capabilities, and then initialized is sent", async () => {
    const { say } = open(defineAdapter({ handlers: { launch } }));
    const written = await say(initialize());
    assert.deepEqual(written, [answer(1, "initialize", standard), event("initialized")]);
  });

  test("handlers announce their capabilities, once all of a capability are there", async () => {
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

  test("a capability without its handlers is refused also where no compiler has looked", () => {
    const capabilities = { supportsStepBack: true } as object;
    for (const handlers of [{}, { launch: undefined, next: launch }])
      assert.throws(() => defineAdapter({ handlers: handlers as never }), {
        name: "TypeError",
        message:
          'Cannot define the adapter: it has no handler of "launch" or "attach", so that no session can start',
      });
    assert.throws(() => defineAdapter({ capabilities, handlers: { launch } }), {
      name: "TypeError",
      message:
        'Cannot define the adapter: it announces supportsStepBack, but has no handler of "stepBack"',
    });
  });

  test("a handler of initialize adds to the capabilities; initialized may be left to the adapter", async () => {
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

  test("configured resolves at configurationDone, or at once if that is not announced", async () => {
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

  test("what every client sends is answered without handlers; launch and the rest are not", async () => {
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
        ...{ type: "response", request_seq: 6, command: "launch", success: false },
        message: "unknown request: launch",
        body: {
          error: {
            id: 1,
            format: 'The {role} has no handler of "{name}": check its capabilities, or add one',
            variables: { name: "launch", role: "adapter" },
          },
        },
      },
      answer(7, "disconnect"),
    ]);
    assert.equal(await connection.closed, undefined);
  });
});

describe("events and responses", () => {
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

  test("a stop that a handler reports comes after its response", async () => {
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

  test("also if the handler is asynchronous and awaits that, or fails", async () => {
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

  test("a stop waits for each request that it follows, and what comes after the stop waits with it", async () => {
    let answerNext: () => void = () => undefined;
    const { say } = open(stepping(() => new Promise<void>((resolve) => (answerNext = resolve))));
    const paused = event("stopped", { reason: "pause" });
    const next = request(1, "next", { threadId: 1 });
    assert.deepEqual(await say(next, request(2, "pause", { threadId: 1 })), [answer(2, "pause")]);
    answerNext();
    assert.deepEqual(await say(), [answer(1, "next"), paused]);
  });

  test("a custom event with the name of a stop is sent at once", async () => {
    const adapter = stepping((connection) =>
      connection.notifyCustom("stopped", { reason: "step" }),
    );
    const written = await open(adapter).say(request(1, "next", { threadId: 1 }));
    assert.deepEqual(written, [stopped, answer(1, "next")]);
  });

  test("a stop that cannot be sent is a problem, and the response is sent", async () => {
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

  test("after runs behind the response, in order, and not when the request fails", async () => {
    const said: string[] = [];
    const adapter = defineAdapter({
      handlers: {
        launch(_, { after, connection }) {
          after(() => connection.notify("output", { output: "1" }));
          after(() => connection.notify("output", { output: "2" }));
        },
        attach(_, { after }) {
          after(() => said.push("attached"));
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
    assert.deepEqual(said, []);
  });

  test("what throws or rejects in after is reported", async () => {
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
      problems.map(({ code, cause }) => [code, (cause as Error).message]),
      [
        ["ERR_REQUEST_HANDLER", "one"],
        ["ERR_REQUEST_HANDLER", "two"],
      ],
    );
  });

  test("after waits for a transport that is slow", async () => {
    const said: string[] = [];
    const { say, transport } = open(
      defineAdapter({ handlers: { launch: (_, { after }) => after(() => said.push("written")) } }),
    );
    let accept: () => void = () => undefined;
    transport.onWrite = () => new Promise<void>((resolve) => (accept = resolve));
    await say(request(1, "launch", {}));
    assert.deepEqual(said, []);
    accept();
    await turns();
    assert.deepEqual(said, ["written"]);
  });
});

describe("sessions", () => {
  test("each connection has a session of its own, which is disposed of once", async () => {
    const disposed: number[] = [];
    let count = 0;
    const adapter = defineAdapter({
      session: () => ({ number: ++count, program: "" }),
      dispose: ({ number }) => void disposed.push(number),
      handlers: {
        launch: (args: { program: string }, { session }) => void (session.program = args.program),
        evaluate: (_, { session }) => ({ result: session.program, variablesReference: 0 }),
      },
    });
    const [one, other] = [open(adapter), open(adapter)];
    await one.say(request(1, "launch", { program: "a" }));
    await other.say(request(1, "launch", { program: "b" }));
    const asked = request(2, "evaluate", { expression: "" });
    const answered = (result: string): object[] => [
      answer(2, "evaluate", { result, variablesReference: 0 }),
    ];
    assert.deepEqual(await one.say(asked), answered("a"));
    assert.deepEqual(await other.say(asked), answered("b"));
    assert.deepEqual([one.connection.session.number, other.connection.session.number], [1, 2]);
    one.transport.end();
    await one.connection.disposed;
    assert.deepEqual(disposed, [1]);
    await other.say(request(3, "disconnect"));
    await other.connection.disposed;
    assert.deepEqual(disposed, [1, 2]);
  });

  test("a session that cannot be created closes the connection", async () => {
    const transport = new ScriptedTransport();
    const adapter = defineAdapter({
      session: () => {
        throw new Error("no session");
      },
      handlers: { launch },
    });
    assert.throws(() => adapter(transport), { message: "no session" });
    await turns();
    assert.deepEqual(transport.calls, ["close"]);
  });

  test("context says whose request it is", async () => {
    const seen: unknown[] = [];
    const adapter = defineAdapter({
      handlers: {
        launch: (_, { request, connection }) => void seen.push(request.seq, connection),
      },
    });
    const { say, connection } = open(adapter);
    await say(request(5, "launch", {}));
    assert.deepEqual(seen, [5, connection]);
  });

  test("handles are forgotten before the program resumes, and no reference is used twice", async () => {
    const adapter = defineAdapter({
      session: (connection) => new Handles<string>(connection),
      handlers: {
        launch,
        next: (_, { session }) => void session.add("later"),
        pause: () => undefined,
      },
    });
    const { say, connection } = open(adapter);
    const handles = connection.session;
    assert.deepEqual(
      [handles.add("a"), handles.add("b"), handles.get(2), handles.get(3)],
      [...[1, 2, "b", undefined]],
    );
    await say(request(1, "pause", { threadId: 1 }));
    assert.equal(handles.get(1), "a");
    await say(request(2, "next", { threadId: 1 }));
    assert.deepEqual(
      [1, 2, 3].map((each) => handles.get(each)),
      [undefined, undefined, "later"],
    );
    handles.reset();
    assert.equal(handles.get(3), undefined);
  });
});

describe("progress", () => {
  const adapter = defineAdapter({
    handlers: {
      async launch(_, { progress }) {
        const loading = progress("Loading", { cancellable: true, percentage: -5 });
        loading.update("half", 50);
        await new Promise((resolve) => loading.signal.addEventListener("abort", resolve));
        loading.update(undefined, 200);
      },
    },
  });
  const supported = initialize({ supportsProgressReporting: true });
  const progressId = "progress-1";
  const start = { title: "Loading", requestId: 2, cancellable: true, percentage: 0 };

  test("is shown, cancelled by its id, and ends before the response", async () => {
    const { say } = open(adapter);
    await say(supported);
    assert.deepEqual(await say(request(2, "launch", {})), [
      event("progressStart", { progressId, ...start }),
      event("progressUpdate", { progressId, message: "half", percentage: 50 }),
    ]);
    assert.deepEqual(await say(request(3, "cancel", { progressId })), [
      answer(3, "cancel"),
      event("progressUpdate", { progressId, percentage: 100 }),
      event("progressEnd", { progressId }),
      answer(2, "launch"),
    ]);
  });

  test("is cancelled with its request", async () => {
    const { say } = open(adapter);
    await say(supported, request(2, "launch", {}));
    const written = await say(request(3, "cancel", { requestId: 2 }));
    assert.deepEqual(written.at(-1), {
      ...{ type: "response", request_seq: 2, command: "launch", success: false },
      message: "cancelled",
    });
    assert.deepEqual(written.at(-2), event("progressEnd", { progressId }));
  });

  test("is not shown to a client that does not support it", async () => {
    const { say } = open(adapter);
    await say(initialize());
    assert.deepEqual(await say(request(2, "launch", {})), []);
    const written = await say(request(3, "cancel", { progressId }));
    assert.deepEqual(written, [answer(3, "cancel"), answer(2, "launch")]);
  });

  test("may belong to no request", async () => {
    const { say, connection, transport } = open(adapter);
    await say(supported);
    const indexing = connection.progress("Indexing", { message: "a" });
    indexing.end("done");
    indexing.end("again");
    indexing.update("late");
    assert.deepEqual(
      transport.written.slice(2).map(({ event, body }) => [event, body]),
      [
        ["progressStart", { progressId, title: "Indexing", message: "a" }],
        ["progressEnd", { progressId, message: "done" }],
      ],
    );
  });
});

describe("positions", () => {
  const source = { path: "/a b/c.txt" };
  const adapter = defineAdapter({
    positions: { linesStartAt1: false, columnsStartAt1: false },
    handlers: {
      launch,
      setBreakpoints: ({ breakpoints = [], lines, source: { path = "" } }) => ({
        breakpoints: breakpoints.map(({ line, column = -1 }) => ({
          ...{ verified: true, line, endLine: line + 1, column },
          message: `${path} ${lines?.join()}`,
        })),
      }),
    },
  });
  const set = (path: string): object =>
    request(2, "setBreakpoints", {
      source: { path },
      lines: [7],
      breakpoints: [{ line: 7, column: 1 }],
    });
  const body = (line: number, column: number): object => ({
    breakpoints: [
      { verified: true, line, endLine: line + 1, column, message: `${source.path} ${6}` },
    ],
  });

  test("are converted for a client that counts otherwise", async () => {
    const { say } = open(adapter);
    await say(initialize());
    const written = await say(set(source.path));
    assert.deepEqual(written, [answer(2, "setBreakpoints", body(7, 1))]);
  });

  test("are those of the protocol by default, whatever the client wants", async () => {
    const seen: unknown[] = [];
    const plain = defineAdapter({
      handlers: {
        launch,
        setBreakpoints(args) {
          seen.push(args);
          return { breakpoints: [{ verified: true, line: 7, source }] };
        },
      },
    });
    const { say } = open(plain);
    await say(initialize({ linesStartAt1: false, columnsStartAt1: false, pathFormat: "uri" }));
    const written = await say(
      request(2, "setBreakpoints", {
        source: { path: "file:///a%20b/c.txt" },
        breakpoints: [{ line: 6, column: 0 }],
      }),
    );
    assert.deepEqual(seen, [{ source, breakpoints: [{ line: 7, column: 1 }] }]);
    const converted = { verified: true, line: 6, source: { path: "file:///a%20b/c.txt" } };
    assert.deepEqual(written, [answer(2, "setBreakpoints", { breakpoints: [converted] })]);
  });

  test("are left alone where the adapter does that itself", async () => {
    const seen: unknown[] = [];
    const own = defineAdapter({
      positions: "client",
      handlers: {
        launch,
        stackTrace: () => ({ stackFrames: [] }),
        goto: (args) => void seen.push(args),
        gotoTargets: ({ line }) => ({ targets: [{ id: 1, label: "", line }] }),
      },
    });
    const { say } = open(own);
    await say(initialize({ linesStartAt1: false }));
    const written = await say(request(2, "gotoTargets", { source, line: 0 }));
    assert.deepEqual(written, [
      answer(2, "gotoTargets", { targets: [{ id: 1, label: "", line: 0 }] }),
    ]);
  });

  test("single values are converted in both directions", () => {
    const zero = { linesStartAt1: false, columnsStartAt1: false };
    const toZero = new ClientPositions(zero);
    const toOne = new ClientPositions({}, zero);
    assert.deepEqual(
      [toZero, toOne, new ClientPositions()].map((each) => [
        ...[each.lineToClient(3), each.lineFromClient(3), each.lineToClient(0)],
        ...[each.columnToClient(3), each.columnFromClient(3), each.areEqual],
      ]),
      [
        [2, 4, 0, 2, 4, false],
        [4, 2, 1, 4, 2, false],
        [3, 3, 0, 3, 3, true],
      ],
    );
  });

  test("paths and URIs are converted, and what is neither is left alone", () => {
    const positions = new ClientPositions({ pathFormat: "uri" });
    const pairs = [
      ["/a b/ü#?%.txt", "file:///a%20b/%C3%BC%23%3F%25.txt"],
      ["C:\\a b\\c.txt", "file:///C:/a%20b/c.txt"],
      ["\\\\host\\share\\c.txt", "file://host/share/c.txt"],
      ["untitled:1", "untitled:1"],
      ["<stdin>", "<stdin>"],
      ["git:/a/b", "git:/a/b"],
    ] as const;
    for (const [path, uri] of pairs) {
      assert.equal(positions.pathToClient(path), uri);
      assert.equal(positions.pathFromClient(uri), path);
    }
    assert.equal(positions.pathFromClient("file:///c%3A/d"), "c:\\d");
    assert.equal(positions.pathFromClient("file:///%zz"), "file:///%zz");
    const reverse = new ClientPositions({}, { pathFormat: "uri" });
    assert.deepEqual(
      [reverse.pathToClient("file:///a"), reverse.pathFromClient("/a")],
      ["/a", "file:///a"],
    );
  });
});

test("a recording has the messages as they are on the wire, and its tool reads it", async () => {
  const lines = [recordingHead(new Date(0))];
  const transport = new ScriptedTransport();
  const connection = connect("adapter", transport, {
    middleware: [recordMessages("adapter", (line) => void lines.push(line), 3)],
    handlers: { threads: () => ({ threads: [] }) },
  });
  await transport.say(request(1, "threads"));
  await transport.say(request(2, "threads"));
  await connection.close();
  assert.deepEqual(
    { ...JSON.parse(lines[0]!), version: "" },
    {
      ...{ recording: "wirewright", form: 1, protocol: "dap", version: "" },
      ...{ roles: ["client", "adapter"], began: "1970-01-01T00:00:00.000Z" },
    },
  );
  const name = "session.jsonl";
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const entries = readRecording([{ name, bytes }], await readProtocol("dap"));
  const asked = { seq: 1, type: "request", command: "threads" };
  assert.deepEqual(
    entries.map(({ from, offset, session, message }) => ({ from, offset, session, message })),
    [
      { from: "client", offset: 0, session: 3, message: asked },
      { from: "adapter", offset: 0, session: 3, message: transport.written[0] },
      { from: "client", offset: 68, session: 3, message: { ...asked, seq: 2 } },
      { from: "adapter", offset: 123, session: 3, message: transport.written[1] },
    ],
  );
});
