/** Sessions with adapters that the tests play, message by message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestError, type Transport } from "../../../generated/dap/connection.js";
import {
  attach,
  launch,
  type DebugSession,
  type ProgramEnd,
  type ProgramStop,
  type SessionOptions,
} from "../../../generated/dap/session.js";
import { answer, event, refusal, ScriptedAdapter } from "../../support/scripted-adapter.js";
import { until, type Fields } from "../../support/scripted-connection.js";

const quick = { disconnectMs: 20, closeMs: 20, terminateMs: 20 };
const stopped = (reason: string, threadId = 1): object => event("stopped", { reason, threadId });

/** What the adapter of most tests does. */
interface Behaviour {
  readonly capabilities?: object;
  readonly answers?: { readonly [command: string]: (request: Fields) => readonly object[] };
}

function play(
  { capabilities = {}, answers = {} }: Behaviour = {},
  chunks?: (bytes: Uint8Array) => readonly Uint8Array[],
): ScriptedAdapter {
  const flags = { supportsConfigurationDoneRequest: true, ...capabilities };
  return new ScriptedAdapter((request) => {
    const own = answers[String(request["command"])];
    if (own !== undefined) return own(request);
    if (request["command"] === "initialize") return [answer(request, flags), event("initialized")];
    if (request["command"] === "setBreakpoints") return [answer(request, set(request))];
    if (request["command"] === "threads")
      return [answer(request, { threads: [{ id: 1, name: "main" }] })];
    return [answer(request)];
  }, chunks);
}

/** Breakpoints that are set where they are asked for. */
function set(request: Fields): object {
  const lines = request["arguments"].breakpoints as { readonly line: number }[];
  return { breakpoints: lines.map(({ line }) => ({ id: line, verified: true, line })) };
}

function shown(state: ProgramStop | ProgramEnd): readonly unknown[] {
  return state.kind === "stopped"
    ? [state.kind, state.reason, state.threadId]
    : [state.kind, state.reason, state.exitCode];
}

const options: SessionOptions = {
  breakpoints: { "/a.c": [3, { line: 9, condition: "x > 1" }] },
  connection: { timeoutMs: 10_000 },
};

describe("launch() and attach()", () => {
  /** When the adapter says `initialized`, answers `launch`, and says that the program has stopped. */
  const ready = ["with initialize", "after initialize", "with launch", "before launch's answer"];
  const answered = ["at once", "before the last answer", "after the last answer"];
  const stops = ["with the answer to launch", "with the last answer", "later"];
  const cuts: { readonly [name: string]: (bytes: Uint8Array) => readonly Uint8Array[] } = {
    whole: (bytes) => [bytes],
    halves: (bytes) => [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)],
    messages: (bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      return text.split(/(?=Content-Length)/).map((each) => Buffer.from(each, "latin1"));
    },
  };

  test("every legal order of the start leads to the same session", async () => {
    let count = 0;
    for (const request of ["launch", "attach"] as const)
      for (const supportsConfigurationDoneRequest of [true, false])
        for (const initialized of ready)
          for (const answers of answered)
            for (const stop of stops)
              for (const [cut, chunks] of Object.entries(cuts)) {
                const order = { request, initialized, answers, stop, cut };
                const adapter = inOrder({ ...order, supportsConfigurationDoneRequest, chunks });
                const start = request === "launch" ? launch : attach;
                const session = await start(adapter, { arguments: { program: "a" }, ...options });
                const state = await session.waitForStop();
                const { requests } = adapter;
                assert.deepEqual(
                  {
                    state: shown(state),
                    breakpoints: session.breakpoints.of("/a.c").map(({ line }) => line),
                    requests,
                  },
                  {
                    state: ["stopped", "entry", 1],
                    breakpoints: [3, 9],
                    requests: [
                      ...["initialize", request, "setBreakpoints"],
                      supportsConfigurationDoneRequest
                        ? "configurationDone"
                        : "setExceptionBreakpoints",
                    ],
                  },
                  JSON.stringify(order),
                );
                await session.disconnect(quick);
                count++;
              }
    assert.equal(count, 432);
  });

  function inOrder(order: {
    readonly request: string;
    readonly initialized: string;
    readonly answers: string;
    readonly stop: string;
    readonly supportsConfigurationDoneRequest: boolean;
    readonly chunks: (bytes: Uint8Array) => readonly Uint8Array[];
  }): ScriptedAdapter {
    const { supportsConfigurationDoneRequest, initialized, answers, stop } = order;
    const last = supportsConfigurationDoneRequest ? "configurationDone" : "setExceptionBreakpoints";
    let launched: Fields = {};
    const started = (): readonly object[] => [
      answer(launched),
      ...(stop === "with the answer to launch" ? [stopped("entry")] : []),
    ];
    const adapter = new ScriptedAdapter((request) => {
      const { command } = request;
      const isReady = event("initialized");
      if (command === "initialize") {
        if (initialized === "after initialize") setImmediate(() => void adapter.arrive([isReady]));
        return [
          answer(request, { supportsConfigurationDoneRequest }),
          ...(initialized === "with initialize" ? [isReady] : []),
        ];
      }
      if (command === order.request) {
        launched = request;
        const now = answers === "at once" ? started() : [];
        if (initialized === "with launch") return [...now, isReady];
        return initialized === "before launch's answer" ? [isReady, ...now] : now;
      }
      if (command === last) {
        if (stop === "later") setTimeout(() => void adapter.arrive([stopped("entry")]), 1);
        return [
          ...(answers === "before the last answer" ? started() : []),
          answer(request),
          ...(answers === "after the last answer" ? started() : []),
          ...(stop === "with the last answer" ? [stopped("entry")] : []),
        ];
      }
      return [answer(request, command === "setBreakpoints" ? set(request) : undefined)];
    }, order.chunks);
    return adapter;
  }

  test("what the client says, and which breakpoints it sets", async () => {
    const adapter = play({
      capabilities: {
        supportsFunctionBreakpoints: true,
        exceptionBreakpointFilters: [
          { filter: "all", label: "All" },
          { filter: "uncaught", label: "Uncaught", default: true },
        ],
      },
      answers: { setFunctionBreakpoints: (request) => [refusal(request, "no such function")] },
    });
    const session = await launch(adapter, {
      arguments: { program: "a" },
      ...options,
      functionBreakpoints: ["main"],
      initialize: { adapterID: "mine", locale: "de" },
    });
    assert.deepEqual(
      adapter.written.map(({ command, arguments: given }) => [command, given]),
      [
        [
          "initialize",
          {
            adapterID: "mine",
            clientID: "wirewright",
            clientName: "wirewright",
            pathFormat: "path",
            linesStartAt1: true,
            columnsStartAt1: true,
            supportsVariableType: true,
            supportsVariablePaging: true,
            locale: "de",
          },
        ],
        ["launch", { program: "a" }],
        [
          "setBreakpoints",
          {
            source: { path: "/a.c" },
            breakpoints: [{ line: 3 }, { line: 9, condition: "x > 1" }],
          },
        ],
        ["setFunctionBreakpoints", { breakpoints: [{ name: "main" }] }],
        ["setExceptionBreakpoints", { filters: ["uncaught"] }],
        ["configurationDone", {}],
      ],
    );
    assert.deepEqual(session.breakpoints.functions, [
      { verified: false, message: "no such function" },
    ]);
    await session.disconnect(quick);
  });

  test("a refused launch is the one error, also while initialized is awaited", async () => {
    for (const isReady of [true, false]) {
      const adapter = play({
        answers: {
          initialize: (request) => [
            answer(request, {}),
            ...(isReady ? [event("initialized")] : []),
          ],
          launch: (request) => [refusal(request, "no such file")],
        },
      });
      await assert.rejects(launch(adapter, { arguments: {}, ...options }), (error: unknown) => {
        assert.ok(error instanceof RequestError);
        assert.deepEqual([error.code, error.message], ["ERR_REQUEST_FAILED", "no such file"]);
        return true;
      });
      await until(() => adapter.calls.includes("close"));
    }
  });

  test("an adapter that dies at any step gives one error, or the end of the program", async () => {
    const outcomes: string[] = [];
    for (const step of [
      ...["initialize", "launch", "setBreakpoints", "configurationDone", "threads", "next"],
    ]) {
      const adapter = play({
        answers: {
          configurationDone: (request) => [answer(request), stopped("entry")],
          ...{ [step]: () => [] },
        },
      });
      const write = adapter.write.bind(adapter);
      adapter.write = (bytes) => {
        write(bytes);
        if (adapter.requests.at(-1) === step) setImmediate(() => adapter.end(new Error("died")));
      };
      const outcome = await (async () => {
        const session = await launch(adapter, { arguments: {}, ...options });
        const stop = await session.waitForStop();
        if (step === "threads") await session.request("threads");
        return shown(stop.kind === "stopped" ? await session.next() : stop).join(" ");
      })().catch(({ code }: RequestError) => code);
      outcomes.push(`${step}: ${outcome}`);
    }
    assert.deepEqual(outcomes, [
      "initialize: ERR_CONNECTION_CLOSED",
      "launch: ERR_CONNECTION_CLOSED",
      "setBreakpoints: ERR_CONNECTION_CLOSED",
      "configurationDone: ERR_CONNECTION_CLOSED",
      "threads: ERR_CONNECTION_CLOSED",
      "next: ended closed ",
    ]);
  });

  test("an adapter that never says initialized is not waited for without end", async () => {
    const adapter = play({ answers: { initialize: (request) => [answer(request, {})] } });
    await assert.rejects(launch(adapter, { arguments: {}, connection: { timeoutMs: 30 } }), {
      name: "TimeoutError",
      message: 'Timed out after 30 ms waiting for "initialized"',
    });
  });
});

describe("a session", () => {
  const started = async (
    behaviour: Behaviour = {},
    more: SessionOptions = {},
  ): Promise<{
    readonly adapter: ScriptedAdapter;
    readonly session: DebugSession;
  }> => {
    const adapter = play(behaviour);
    const session = await launch(adapter, { arguments: {}, ...options, ...more });
    return { adapter, session };
  };

  test("steps give the next stop, before or after the answer, or the end", async () => {
    const { adapter, session } = await started({
      answers: {
        configurationDone: (request) => [answer(request), stopped("entry", 7)],
        next: (request) => [stopped("step", 7), answer(request)],
        stepIn: (request) => [answer(request), stopped("step", 8)],
        stepOut: (request) => [refusal(request, "not now")],
        pause: (request) => [answer(request), stopped("pause", 1)],
        continue: (request) => [
          answer(request),
          event("exited", { exitCode: 3 }),
          event("terminated"),
        ],
      },
    });
    const seen: unknown[] = [shown(await session.waitForStop())];
    seen.push(shown(await session.next()), shown(await session.stepIn({ granularity: "line" })));
    await assert.rejects(session.stepOut(), { message: "not now" });
    seen.push(session.stop?.reason, shown(await session.waitForStop()));
    seen.push(shown(await session.pause()), shown(await session.continue()));
    seen.push(shown(await session.waitForStop()), session.stop);
    assert.deepEqual(seen, [
      ...[["stopped", "entry", 7], ["stopped", "step", 7], ["stopped", "step", 8], "step"],
      ...[
        ["stopped", "step", 8],
        ["stopped", "step", 8],
        ["ended", "exited", 3],
      ],
      ...[["ended", "exited", 3], undefined],
    ]);
    assert.deepEqual(adapter.written.find(({ command }) => command === "stepIn")!["arguments"], {
      threadId: 7,
      granularity: "line",
    });
    await session.disconnect(quick);
  });

  test("waiting ends with the timeout, by a signal, and when the connection ends", async () => {
    const { adapter, session } = await started();
    await assert.rejects(session.waitForStop({ timeoutMs: 5 }), {
      name: "TimeoutError",
      message: "Timed out after 5 ms waiting for the program to stop",
    });
    const controller = new AbortController();
    const aborted = session.waitForStop({ signal: controller.signal });
    controller.abort();
    await assert.rejects(aborted, (error) => error === controller.signal.reason);
    const waiting = session.waitForStop();
    adapter.end();
    assert.deepEqual(shown(await waiting), ["ended", "closed", undefined]);
  });

  test("output is kept, streamed and waited for across events", async () => {
    const output = (text: string, category?: string): object =>
      event("output", { output: text, ...(category && { category }) });
    const { adapter, session } = await started({
      answers: {
        initialize: (request) => [
          output("early\n"),
          answer(request, { supportsConfigurationDoneRequest: true }),
          event("initialized"),
        ],
      },
    });
    assert.equal((await session.waitForOutput("early"))[0], "early");
    const waiting = session.waitForOutput(/port (\d+)\n/, { category: "stdout" });
    await adapter.arrive([
      ...[output("po", "stdout"), output("port 1", "stderr"), output("rt 80", "stdout")],
      ...[output("80\nmore port 9\n", "stdout"), output("secret", "telemetry")],
    ]);
    assert.equal((await waiting)[1], "8080");
    const again = await session.waitForOutput(/port (\d+)\n/, { category: "stdout" });
    assert.equal(again[1], "9");
    assert.equal(session.output.text("stdout"), "port 8080\nmore port 9\n");
    const never = session.waitForOutput("never");
    await Promise.all([
      session.disconnect(quick),
      assert.rejects(never, /ended before it printed/),
    ]);
    const all: string[] = [];
    for await (const { output: text } of session.output) all.push(text);
    assert.deepEqual(all, [...["early\n", "po", "port 1", "rt 80", "80\nmore port 9\n", "secret"]]);
  });

  test("breakpoint events update what is kept", async () => {
    const { adapter, session } = await started();
    const breakpoint = (reason: string, body: object): object =>
      event("breakpoint", { reason, breakpoint: body });
    await adapter.arrive([
      breakpoint("changed", { id: 3, verified: true, line: 4 }),
      breakpoint("removed", { id: 9, verified: true }),
      breakpoint("new", { id: 20, verified: true, line: 20 }),
    ]);
    assert.deepEqual(
      session.breakpoints.all.map(({ id, line, verified }) => [id, line, verified]),
      [
        [3, 4, true],
        [9, 9, false],
        [20, 20, true],
      ],
    );
    const [moved] = await session.setBreakpoints("/a.c", [12]);
    assert.deepEqual(moved, { id: 12, verified: true, line: 12 });
    assert.equal(session.breakpoints.of("/a.c").length, 1);
    await session.disconnect(quick);
  });

  test("disconnect() and terminate() end sessions whose adapters never answer", async () => {
    const { adapter, session } = await started({
      capabilities: { supportsTerminateRequest: true, supportTerminateDebuggee: true },
      answers: { disconnect: () => [], terminate: () => [] },
    });
    assert.deepEqual(shown(await session.terminate(quick)), ["ended", "closed", undefined]);
    assert.deepEqual(adapter.requests.slice(-2), ["terminate", "disconnect"]);
    assert.deepEqual(adapter.written.at(-1)!["arguments"], { terminateDebuggee: true });
    await until(() => adapter.calls.includes("close"));
    await session.disconnect();
  });

  test("await using disconnects", async () => {
    const { adapter, session } = await started();
    const { asyncDispose } = Symbol as unknown as { readonly asyncDispose?: symbol };
    if (asyncDispose === undefined) return;
    await (session as never as { [key: symbol]: () => Promise<void> })[asyncDispose]!();
    assert.equal(adapter.requests.at(-1), "disconnect");
    assert.equal(session.connection.isClosed, true);
  });

  test("restart() asks the adapter, or opens it again with the breakpoints", async () => {
    const { adapter, session } = await started({
      capabilities: { supportsRestartRequest: true },
      answers: { restart: (request) => [answer(request), stopped("entry")] },
    });
    assert.equal(await session.restart(), session);
    assert.deepEqual(shown(await session.waitForStop()), ["stopped", "entry", 1]);
    await session.disconnect(quick);
    assert.equal(adapter.requests.filter((name) => name === "launch").length, 1);
    const opened: ScriptedAdapter[] = [];
    const open = (): Transport => {
      opened.push(play());
      return opened.at(-1)!;
    };
    const first = await launch(open, { arguments: {}, ...options });
    await first.setBreakpoints("/b.c", [5]);
    const second = await first.restart();
    assert.notEqual(second, first);
    assert.deepEqual(
      opened[1]!.written.map(({ command, arguments: given }) => [command, given.source?.path]),
      [
        ["initialize", undefined],
        ["launch", undefined],
        ["setBreakpoints", "/a.c"],
        ["setBreakpoints", "/b.c"],
        ["setExceptionBreakpoints", undefined],
        ["configurationDone", undefined],
      ].filter(([name]) => name !== "setExceptionBreakpoints"),
    );
    await second.disconnect(quick);
    const { session: lone } = await started();
    await assert.rejects(lone.restart(), /Give launch a function/);
    await lone.disconnect(quick);
  });
});

describe("snapshot()", () => {
  const list = Array.from({ length: 250 }, (_, index) => ({
    name: String(index),
    value: "v",
    variablesReference: 0,
  }));
  const answers: Behaviour["answers"] = {
    configurationDone: (request) => [answer(request), stopped("entry")],
    stackTrace: (request) => {
      const { levels } = request["arguments"] as { readonly levels: number };
      const frames = Array.from({ length: 3 }, (_, index) => ({
        ...{ id: index + 1, name: `f${index}`, line: index, column: 1 },
        source: { path: "/a.c" },
      }));
      return [answer(request, { stackFrames: frames.slice(0, levels), totalFrames: 3 })];
    },
    scopes: (request) => [
      answer(request, {
        scopes: [
          { name: "Locals", variablesReference: 1, expensive: false },
          { name: "Globals", variablesReference: 9, expensive: true, namedVariables: 500 },
        ],
      }),
    ],
    variables: (request) => {
      const { variablesReference, start = 0, count } = request["arguments"] as Fields;
      const inside: { readonly [reference: number]: readonly object[] } = {
        1: [
          {
            name: "list",
            value: "[…]",
            type: "list",
            variablesReference: 2,
            indexedVariables: 250,
          },
          { name: "self", value: "{…}", variablesReference: 3 },
          { name: "text", value: "é".repeat(1000), variablesReference: 0 },
        ],
        2: list,
        3: [{ name: "self", value: "{…}", variablesReference: 3 }],
      };
      const all = inside[variablesReference]!;
      return [
        answer(request, {
          variables: count === undefined ? all : all.slice(start, start + count),
        }),
      ];
    },
  };

  test("snapshot() reads level by level, in pages, and says what is cut and why", async () => {
    const adapter = play({ answers });
    const session = await launch(adapter, { arguments: {}, ...options });
    await session.waitForStop();
    const { frames, cut } = await session.snapshot({ frames: 2, items: 120, valueBytes: 11 });
    assert.deepEqual(cut, { reason: "frames", count: 1 });
    assert.deepEqual(
      frames.map(({ name, scopes }) => [name, scopes.map((each) => each.name)]),
      [
        ["f0", ["Locals", "Globals"]],
        ["f1", []],
      ],
    );
    const [locals, globals] = frames[0]!.scopes;
    assert.deepEqual(globals!.cut, { reason: "expensive", count: 500 });
    const [first, self, text] = locals!.variables;
    assert.deepEqual(text, {
      ...{ name: "text", value: "é".repeat(5), variablesReference: 0, isShortened: true },
    });
    assert.deepEqual(
      [first!.variables!.length, first!.variables![115]!.name, first!.cut],
      [116, "115", { reason: "items", count: 134 }],
    );
    assert.deepEqual([self!.variables!.length, self!.cut], [1, undefined]);
    assert.deepEqual(self!.variables![0]!.cut, { reason: "depth" });
    const pages = adapter.written
      .filter(({ command }) => command === "variables")
      .map(({ arguments: { variablesReference, start, count } }) => [
        ...[variablesReference, start, count],
      ]);
    assert.deepEqual(pages, [
      [1, undefined, undefined],
      [2, 0, 58],
      [3, undefined, undefined],
      [2, 58, 58],
    ]);
    await session.disconnect(quick);
  });

  test("a budget of depth and of bytes holds, whatever points to itself", async () => {
    const session = await launch(play({ answers }), { arguments: {}, ...options });
    await session.waitForStop();
    const deep = await session.snapshot({ depth: 4, items: 2_000, frames: 1 });
    let at = deep.frames[0]!.scopes[0]!.variables[1]!;
    let depth = 1;
    for (; at.variables !== undefined; depth++) at = at.variables[0]!;
    assert.deepEqual([depth, at.cut], [4, { reason: "depth" }]);
    const small = await session.snapshot({ bytes: 100 });
    assert.ok(Buffer.byteLength(JSON.stringify(small)) < 2_000);
    assert.match(JSON.stringify(small), /"reason":"bytes"/);
    await session.disconnect(quick);
  });
});

describe("child sessions and terminals", () => {
  test("startDebugging opens a child with the breakpoints, and ends it with its parent", async () => {
    const opened: ScriptedAdapter[] = [];
    const open = (): Transport => {
      const isChild = opened.length > 0;
      const adapter = play({
        answers: {
          configurationDone: (request) => [
            answer(request),
            isChild
              ? stopped("breakpoint", 5)
              : {
                  ...{ type: "request", command: "startDebugging" },
                  arguments: { request: "attach", configuration: { __pendingTargetId: "7" } },
                },
          ],
        },
      });
      opened.push(adapter);
      return adapter;
    };
    const children: DebugSession[] = [];
    const events: string[] = [];
    const root = await launch(open, {
      arguments: {},
      ...options,
      onChild: (child) => void children.push(child),
      onEvent: ({ event: name }, session) =>
        void events.push(`${session.parent === undefined ? "root" : "child"} ${name}`),
    });
    const stop = await root.waitForStop();
    assert.deepEqual(shown(stop), ["stopped", "breakpoint", 5]);
    assert.ok(stop.kind === "stopped" && stop.session !== root);
    assert.equal(stop.session.parent, root);
    assert.deepEqual(root.children, [stop.session]);
    assert.equal(opened[0]!.written[0]!["arguments"].supportsStartDebuggingRequest, true);
    assert.equal(opened[0]!.written.at(-1)!["success"], true);
    assert.deepEqual(
      opened[1]!.written
        .slice(1, 3)
        .map(({ command, arguments: { source, __pendingTargetId } }) => [
          ...[command, source?.path, __pendingTargetId],
        ]),
      [
        ["attach", undefined, "7"],
        ["setBreakpoints", "/a.c", undefined],
      ],
    );
    await root.setBreakpoints("/a.c", [30]);
    assert.deepEqual(
      opened.map((each) =>
        (each.written.at(-1)!["arguments"].breakpoints as { line: number }[]).map(
          ({ line }) => line,
        ),
      ),
      [[30], [30]],
    );
    await root.disconnect(quick);
    assert.deepEqual(
      opened.map((each) => each.requests.at(-1)),
      ["disconnect", "disconnect"],
    );
    assert.deepEqual(
      [root.children, stop.session.connection.isClosed, children],
      [[], true, [stop.session]],
    );
    assert.deepEqual(events, ["root initialized", "child initialized", "child stopped"]);
  });

  test("a child that fails is reported, and its parent continues", async () => {
    const asking = {
      ...{ type: "request", command: "startDebugging" },
      arguments: { request: "launch", configuration: { program: "b" } },
    };
    const root = play({ answers: { configurationDone: (request) => [answer(request), asking] } });
    const failures: string[] = [];
    const failed = new Promise<void>((resolve) => {
      void launch(root, {
        arguments: {},
        ...options,
        connectChild: () => play({ answers: { launch: (request) => [refusal(request, "no b")] } }),
        onChildFailure: (error, { configuration }) => {
          failures.push(`${(error as Error).message} ${JSON.stringify(configuration)}`);
          resolve();
        },
      });
    });
    await failed;
    assert.deepEqual(failures, ['no b {"program":"b"}']);
    root.end();
  });

  test("runInTerminal is answered by the client", async () => {
    const asking = {
      ...{ type: "request", command: "runInTerminal" },
      arguments: { args: ["a", "b"], cwd: "/" },
    };
    const adapter = play({
      answers: { launch: (request) => [answer(request), asking] },
    });
    const session = await launch(adapter, {
      arguments: {},
      ...options,
      runInTerminal: ({ args }) => ({ processId: args.length }),
    });
    assert.equal(adapter.written[0]!["arguments"].supportsRunInTerminalRequest, true);
    assert.deepEqual(adapter.written.find(({ type }) => type === "response")!["body"], {
      processId: 2,
    });
    await session.disconnect(quick);
  });
});
