import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestError } from "@wirewright/dap/connection";
import { attach, launch } from "@wirewright/dap/session";
import { answer, event, refusal, ScriptedAdapter } from "../../support/scripted-adapter.js";
import { until, type Fields } from "../../support/scripted-connection.js";
import { options, play, quick, set, shown, stopped } from "../../support/played-session.js";

describe("launch() and attach() start a session", () => {
  /** The points at which the adapter sends `initialized`, the `launch` response and `stopped`. */
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

  test("launch() works with every valid startup order of responses and events", async () => {
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
                      "initialize",
                      request,
                      "setBreakpoints",
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

  test("launch() sends the expected messages and breakpoints", async () => {
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

  test("launch() rejects only with the adapter's refusal, even while it waits for initialized", async () => {
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

  test("if the adapter dies at any step, one call rejects or the program counts as ended", async () => {
    const outcomes: string[] = [];
    for (const step of [
      "initialize",
      "launch",
      "setBreakpoints",
      "configurationDone",
      "threads",
      "next",
    ]) {
      const adapter = play({
        answers: {
          configurationDone: (request) => [answer(request), stopped("entry")],
          [step]: () => [],
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

  test("launch() rejects at its timeout if the adapter never sends initialized", async () => {
    const adapter = play({ answers: { initialize: (request) => [answer(request, {})] } });
    await assert.rejects(launch(adapter, { arguments: {}, connection: { timeoutMs: 30 } }), {
      name: "TimeoutError",
      message: 'Timed out after 30 ms waiting for "initialized"',
    });
  });
});
