import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClientPositions, defineAdapter, Handles } from "../../../generated/dap/adapter.js";
import { connect, recordingHead, recordMessages } from "../../../generated/dap/connection.js";
import { readRecording } from "../../../generator/session/recording.js";
import { readProtocol } from "../../../generator/index.js";
import { request, ScriptedTransport, turns } from "../../support/scripted-connection.js";
import { open, initialize, answer, event, launch } from "../../support/opened-adapter.js";

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
  const ids: string[] = [];
  const adapter = defineAdapter({
    handlers: {
      async launch(_, { progress }) {
        const loading = progress("Loading", { cancellable: true, percentage: -5 });
        ids.push(loading.id);
        loading.update("half", 50);
        await new Promise((resolve) => loading.signal.addEventListener("abort", resolve));
        loading.update(undefined, 200);
      },
    },
  });
  const supported = initialize({ supportsProgressReporting: true });
  const progressId = "progress-1";
  const start = { title: "Loading", requestId: 2, cancellable: true, percentage: 0 };

  test("progress is shown, cancelled by its id, and ends before the response", async () => {
    const { say } = open(adapter);
    await say(supported);
    ids.length = 0;
    assert.deepEqual(await say(request(2, "launch", {})), [
      event("progressStart", { progressId, ...start }),
      event("progressUpdate", { progressId, message: "half", percentage: 50 }),
    ]);
    assert.deepEqual(ids, [progressId]);
    assert.deepEqual(await say(request(3, "cancel", { progressId })), [
      answer(3, "cancel"),
      event("progressUpdate", { progressId, percentage: 100 }),
      event("progressEnd", { progressId }),
      answer(2, "launch"),
    ]);
  });

  test("progress is cancelled with its request", async () => {
    const { say } = open(adapter);
    await say(supported, request(2, "launch", {}));
    const written = await say(request(3, "cancel", { requestId: 2 }));
    assert.deepEqual(written.at(-1), {
      ...{ type: "response", request_seq: 2, command: "launch", success: false },
      message: "cancelled",
    });
    assert.deepEqual(written.at(-2), event("progressEnd", { progressId }));
  });

  test("progress is not shown to a client that does not support it", async () => {
    const { say } = open(adapter);
    await say(initialize());
    assert.deepEqual(await say(request(2, "launch", {})), []);
    const written = await say(request(3, "cancel", { progressId }));
    assert.deepEqual(written, [answer(3, "cancel"), answer(2, "launch")]);
  });

  test("progress may belong to no request", async () => {
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

  test("positions are converted for a client that counts otherwise", async () => {
    const { say } = open(adapter);
    await say(initialize());
    const written = await say(set(source.path));
    assert.deepEqual(written, [answer(2, "setBreakpoints", body(7, 1))]);
  });

  test("positions are those of the protocol by default, whatever the client wants", async () => {
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

  test("positions are left alone where the adapter converts them itself", async () => {
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
