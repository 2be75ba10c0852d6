import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import * as adapters from "@wirewright/dap/adapter";
import * as connections from "@wirewright/dap/connection";
import * as dap from "@wirewright/dap";
import * as node from "@wirewright/dap/node";
import * as sessions from "@wirewright/dap/session";
import * as testing from "@wirewright/dap/testing";
import * as tool from "../../cli/index.js";
import { fromRoot } from "../support/paths.js";
import { withOptions } from "../support/options-in-reports.js";

/** Calls a function with options, some of which are unknown. */
type Call = (options: never) => unknown;

const open = (): connections.Transport => connections.inlineTransports()[0];
const bytes = (): connections.Transport =>
  node.nodeTransport(new PassThrough(), new PassThrough());
const client = (): connections.Connection<"client"> => connections.connect("client", open());
const socket = {
  ...{ binaryType: "", readyState: 1, bufferedAmount: 0 },
  ...{ send: () => undefined, close: () => undefined, addEventListener: () => undefined },
};
const adapter = adapters.defineAdapter({ handlers: { launch: () => undefined } });
const nothing = { arguments: {} };
const recording = '{"from":"client","message":{"seq":1,"type":"request","command":"initialize"}}';
const session = (): Promise<sessions.DebugSession> =>
  sessions.launch(testing.scriptAdapter({ launch: {} }), nothing);
const step =
  (name: "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "pause") =>
  async (options: never): Promise<unknown> =>
    (await session())[name](options);

/** A call to each function, constructor and method that takes options, by entry point and name. */
const calls: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  index: {
    createDecoder: (options: object) => dap.createDecoder({ onMessage: () => undefined, ...options }),
    createDecoderStream: (options) => dap.createDecoderStream(options),
    createEncoder: (options) => dap.createEncoder(options),
    createFrameDecoder: (options: object) =>
      dap.createFrameDecoder({ onFrame: () => undefined, ...options }),
    readMessages: (options) => dap.readMessages([], options).next(),
  },
  connection: {
    connect: (options) => connections.connect("client", open(), options),
    bridge: (options) => connections.bridge(bytes(), bytes(), options),
    "Bridge.close": (options) => connections.bridge(bytes(), bytes()).close(options),
    "Bridge.requestCustom": (options) =>
      connections.bridge(bytes(), bytes()).requestCustom("client", "x", {}, options),
    webSocketTransport: (options) => connections.webSocketTransport(socket, options),
    PathMapper: (options) => new connections.PathMapper({ "/a": "/b" }, options),
    Refusal: (options) => new connections.Refusal("no", options),
    "Connection.requestCustom": (options) => client().requestCustom("x", {}, options),
    "Connection.on": (options) => client().on("stopped", () => undefined, options),
    "Connection.onCustom": (options) => client().onCustom("x", () => undefined, options),
    "Connection.events": (options) => client().events("stopped", options),
    "Connection.once": (options) => client().once("stopped", options),
    "Connection.close": (options) => client().close(options),
    RequestParameters: (options) => client().request("threads", undefined, options),
  },
  node: {
    createMessageTransform: (options) => node.createMessageTransform(options),
    createMessageWriter: (options) => node.createMessageWriter(new PassThrough(), options),
    runAdapter: (options) => node.runAdapter(adapter, options),
    serveAdapter: (options) => node.serveAdapter(adapter, options),
    spawnAdapter: (options) => node.spawnAdapter(process.execPath, [], options),
    spawnTransport: (options) => node.spawnTransport(process.execPath, [], options),
    tcpTransport: (options) => node.tcpTransport(1, options),
    terminalProcesses: (options) => node.terminalProcesses(options),
  },
  adapter: {
    Adapter: (options) => adapter(open(), options),
    inlineAdapter: (options) => adapters.inlineAdapter(adapter, options),
    defineAdapter: (options: object) =>
      adapters.defineAdapter({ handlers: { launch: () => undefined }, ...options }),
  },
  session: {
    attach: (options: object) => sessions.attach(open(), { ...nothing, ...options }),
    launch: (options: object) => sessions.launch(open(), { ...nothing, ...options }),
    printSnapshot: (options) => sessions.printSnapshot({ frames: [] }, options),
    "SessionMembers.waitForStop": async (options) => (await session()).waitForStop(options),
    "SessionMembers.waitForEnd": async (options) => (await session()).waitForEnd(options),
    "SessionMembers.waitForOutput": async (options) => (await session()).waitForOutput("x", options),
    "SessionMembers.continue": step("continue"),
    "SessionMembers.next": step("next"),
    "SessionMembers.stepIn": step("stepIn"),
    "SessionMembers.stepOut": step("stepOut"),
    "SessionMembers.stepBack": step("stepBack"),
    "SessionMembers.reverseContinue": step("reverseContinue"),
    "SessionMembers.goto": async (options) => (await session()).goto(1, options),
    "SessionMembers.pause": step("pause"),
    "SessionMembers.snapshot": async (options) => (await session()).snapshot(options),
    "SessionMembers.setBreakpoints": async (options) =>
      (await session()).setBreakpoints("a", [], options),
    "SessionMembers.setFunctionBreakpoints": async (options) =>
      (await session()).setFunctionBreakpoints([], options),
    "SessionMembers.setExceptionFilters": async (options) =>
      (await session()).setExceptionFilters([], options),
    "SessionMembers.restart": async (options) => (await session()).restart(options),
    "SessionMembers.terminate": async (options) => (await session()).terminate(options),
    "SessionMembers.disconnect": async (options) => (await session()).disconnect(options),
  },
  testing: {
    recordGolden: (options) => testing.recordGolden(options),
    replay: (options) => testing.replay(recording, options),
    testClient: (options) => testing.testClient(open(), options),
    "TestClientMembers.launch": (options: object) =>
      testing.testClient(open()).launch({ ...nothing, ...options }),
    "TestClientMembers.attach": (options: object) =>
      testing.testClient(open()).attach({ ...nothing, ...options }),
    "TestClientMembers.hitBreakpoint": (options: object) =>
      testing.testClient(open()).hitBreakpoint({ path: "/a", line: 1 }, { ...nothing, ...options }),
    "TestClientMembers.waitForEvent": (options) =>
      testing.testClient(open()).waitForEvent("stopped", options),
    "TestClientMembers.waitForCustomEvent": (options) =>
      testing.testClient(open()).waitForCustomEvent("x", options),
  },
};

/** Functions that do not check their options, each with the reason. */
const unchecked: Readonly<Record<string, string>> = {
  "ConnectionClosedError.constructor": "the options of Error",
  "TimeoutError.constructor": "the options of Error",
  "ProgressReports.start": "a message to send: validators check messages",
  "AdapterContext.progress": "a message to send: validators check messages",
  "AdapterConnection.progress": "a message to send: validators check messages",
  "TestClientMembers.constructor": "testClient creates it",
  "TestClientMembers.assertStoppedAt": "passed on to SessionMembers.waitForStop",
  "TestClientMembers.assertEnded": "passed on to SessionMembers.waitForEnd",
  "TestClientMembers.assertOutput": "passed on to SessionMembers.waitForOutput",
};

/** Functions that take options even though the API report does not show it. */
const unnamed: ReadonlySet<string> = new Set(["Adapter", "defineAdapter"]);

for (const [entry, functions] of Object.entries(calls))
  test(`each function in the entry point ${entry} that takes options refuses unknown options`, async () => {
    const report = readFileSync(fromRoot(`test/golden/api/dap/${entry}.txt`), "utf8");
    const [own = ""] = report.split("// Not exported\n");
    assert.deepEqual(
      withOptions(own).filter((name) => unchecked[name] === undefined),
      Object.keys(functions)
        .filter((name) => !unnamed.has(name))
        .sort(),
    );
    for (const [name, call] of Object.entries(functions))
      await assert.rejects(
        async () => call({ xyzzy: 1 } as never),
        /: unknown option "xyzzy"\. (Options: |Did you mean )/,
        name,
      );
  });

test("all functions that take options are covered, except validators", () => {
  const others = readdirSync(fromRoot("test/golden/api/dap"))
    .map((file) => file.slice(0, -".txt".length))
    .filter((entry) => calls[entry] === undefined);
  assert.deepEqual(others, ["types", "validators"]);
});

test("spawnAdapter reports an unknown option under its own name, with its own list of options", async () => {
  const options = { nonsense: 1 } as object;
  await assert.rejects(
    node.spawnAdapter("x", [], options),
    /^TypeError: spawnAdapter: unknown option "nonsense"\. Options: .*exitGraceMs, killGraceMs, process$/,
  );
});

test("the tool's functions refuse unknown options", async () => {
  const bad = { xyzzy: 1 } as never;
  const dap71 = await tool.readProtocol("dap");
  const diff = tool.diffProtocols(dap71, dap71);
  const versions = await tool.diffVersions("dap", "dap");
  const range = await tool.diffRange("1.70.0..1.71.0");
  const functions: Readonly<Record<string, () => unknown>> = {
    "LintSession.constructor": () => new tool.LintSession(bad, bad),
    compareVersions: () => tool.compareVersions([dap71], bad),
    diffProtocols: () => tool.diffProtocols(dap71, dap71, bad),
    diffRange: () => tool.diffRange("1.70.0..1.71.0", bad),
    diffVersions: () => tool.diffVersions("dap", "dap", bad),
    emitPackage: () => tool.emitPackage(dap71, bad),
    generate: () => tool.generate("dap", bad),
    lint: () => tool.lint([], bad).next(),
    openProtocol: () => tool.openProtocol("dap", bad),
    openProtocolSource: () => tool.openProtocolSource("dap", "dap", bad),
    openRecording: () => tool.openRecording([], dap71, bad),
    printDiff: () => tool.printDiff(versions, "text", bad),
    printRecordingPage: () => tool.printRecordingPage([], "dap", bad),
    printRange: () => tool.printRange(range, "text", bad),
    readProtocol: () => tool.readProtocol("dap", bad),
    selectFindings: () => tool.selectFindings(diff, bad),
    sessionStats: () => tool.sessionStats("none", bad),
    writeOutput: () => tool.writeOutput("none", new Map(), bad),
  };
  const report = readFileSync(fromRoot("test/golden/api/wirewright.txt"), "utf8");
  const [own = ""] = report.split("// Not exported\n");
  const named = withOptions(own).filter((name) => !["FetchText", "ReadEvent"].includes(name));
  assert.deepEqual(
    named.filter((name) => functions[name] === undefined),
    [],
  );
  for (const [name, call] of Object.entries(functions))
    await assert.rejects(async () => call(), /^TypeError: \w+: unknown option "xyzzy"/, name);
});
