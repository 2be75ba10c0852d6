import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import * as acp from "@wirewright/acp-breakpoints";
import * as acpConnections from "@wirewright/acp-breakpoints/connection";
import * as acpNode from "@wirewright/acp-breakpoints/node";
import * as adapters from "@wirewright/dap/adapter";
import * as connections from "@wirewright/dap/connection";
import * as dap from "@wirewright/dap";
import * as node from "@wirewright/dap/node";
import * as sessions from "@wirewright/dap/session";
import * as testing from "@wirewright/dap/testing";
import * as ruby from "@wirewright/ruby-debug-ide";
import * as rubyConnections from "@wirewright/ruby-debug-ide/connection";
import * as rubyNode from "@wirewright/ruby-debug-ide/node";
import * as sqltools from "@wirewright/sqltools";
import * as sqltoolsConnections from "@wirewright/sqltools/connection";
import * as sqltoolsNode from "@wirewright/sqltools/node";
import * as tool from "../../cli/index.js";
import { fromRoot } from "../support/paths.js";

/**
 * Lists the functions and methods in an API report that take options. Methods are written as
 * `Type.method`.
 */
function withOptions(report: string): readonly string[] {
  const found: string[] = [];
  let type = "";
  for (const line of report.split("\n")) {
    const head = /^export (?:declare )?(?:class|interface|type|const|function) (\w+)/.exec(line);
    type = head?.[1] ?? type;
    if (!/\boptions\??: |\bOptions\b.*[)=]|: \w*Options\b.*\)/.test(line)) continue;
    if (/^\s+(static )?\[|^ {4}readonly /.test(line)) continue;
    const method = /^ {4}(\w+)[<(]/.exec(line)?.[1];
    found.push(method === undefined ? type : `${type}.${method}`);
  }
  return [...new Set(found)].sort();
}

/** Calls a function with options, some of which are unknown. */
type Call = (options: object) => unknown;
type Calls = Readonly<Record<string, Call>>;
type AnyFunction = (...parameters: never[]) => unknown;

/** Returns a module's function or class as a function that takes any arguments. */
const callOf =
  (module: object, name: string) =>
  (...parameters: readonly unknown[]): unknown =>
    (module as Readonly<Record<string, AnyFunction>>)[name]!(...(parameters as never[]));

const codecCalls = (module: object, own: object = {}): Calls => ({
  createDecoder: (options) =>
    callOf(module, "createDecoder")({ onMessage: () => undefined, ...own, ...options }),
  createDecoderStream: (options) => callOf(module, "createDecoderStream")({ ...own, ...options }),
  createEncoder: (options) => callOf(module, "createEncoder")({ ...own, ...options }),
  createFrameDecoder: (options) =>
    callOf(module, "createFrameDecoder")({ onFrame: () => undefined, ...own, ...options }),
  readMessages: (options) =>
    (callOf(module, "readMessages")([], { ...own, ...options }) as AsyncGenerator).next(),
});

const socket = {
  ...{ binaryType: "", readyState: 1, bufferedAmount: 0 },
  ...{ send: () => undefined, close: () => undefined, addEventListener: () => undefined },
};

type Connections = typeof acpConnections;

/** Creates the calls for the entry point `connection`, which is the same in all packages. */
function connectionCalls(module: object, side: string, [request, event]: readonly [string, string]): Calls {
  const { bridge, connect, inlineTransports, Refusal, webSocketTransport } = module as Connections;
  const open = (): ReturnType<Connections["inlineTransports"]>[0] => inlineTransports()[0];
  const bytes = (): never =>
    node.nodeTransport(new PassThrough(), new PassThrough()) as unknown as never;
  const opened = (): object => connect(side as "client", open());
  const of = (name: string, parameters: readonly unknown[]): unknown => {
    const connection = opened();
    return (connection as Readonly<Record<string, AnyFunction>>)[name]!.apply(
      connection,
      parameters as never[],
    );
  };
  return {
    connect: (options) => connect(side as "client", open(), options),
    bridge: (options) => bridge(bytes(), bytes(), options),
    "Bridge.close": (options) => bridge(bytes(), bytes()).close(options),
    "Bridge.requestCustom": (options) =>
      bridge(bytes(), bytes()).requestCustom("client", "x", {}, options),
    webSocketTransport: (options) => webSocketTransport(socket, options),
    Refusal: (options) => new Refusal("no", options),
    "Connection.requestCustom": (options) => of("requestCustom", ["x", {}, options]),
    "Connection.on": (options) => of("on", [event, () => undefined, options]),
    "Connection.onCustom": (options) => of("onCustom", ["x", () => undefined, options]),
    "Connection.events": (options) => of("events", [event, options]),
    "Connection.once": (options) => of("once", [event, options]),
    "Connection.close": (options) => of("close", [options]),
    RequestParameters: (options) => of("request", [request, {}, options]),
  };
}

const nodeCalls = (module: object, spawn: string): Calls => ({
  createMessageTransform: (options) => callOf(module, "createMessageTransform")(options),
  createMessageWriter: (options) =>
    callOf(module, "createMessageWriter")(new PassThrough(), options),
  [spawn]: (options) => callOf(module, spawn)(process.execPath, [], options),
  spawnTransport: (options) => callOf(module, "spawnTransport")(process.execPath, [], options),
  tcpTransport: (options) => callOf(module, "tcpTransport")(1, options),
});

const open = (): connections.Transport => connections.inlineTransports()[0];
const adapter = adapters.defineAdapter({ handlers: { launch: () => undefined } });
const nothing = { arguments: {} };
const recording = '{"from":"client","message":{"seq":1,"type":"request","command":"initialize"}}';
const session = (): Promise<sessions.DebugSession> =>
  sessions.launch(testing.scriptAdapter({ launch: {} }), nothing);
const step =
  (name: "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "pause") =>
  async (options: object): Promise<unknown> =>
    (await session())[name](options);

const spelling = { spelling: "0.7.5" };
const write = (): void => undefined;

/**
 * A call to each function, constructor and method that takes options, by package, entry point and
 * name.
 */
const calls: Readonly<Record<string, Readonly<Record<string, Calls>>>> = {
  dap: {
    index: codecCalls(dap),
    connection: {
      ...connectionCalls(connections, "client", ["threads", "stopped"]),
      PathMapper: (options) => new connections.PathMapper({ "/a": "/b" }, options),
    },
    node: {
      ...nodeCalls(node, "spawnAdapter"),
      runAdapter: (options) => node.runAdapter(adapter, options),
      serveAdapter: (options) => node.serveAdapter(adapter, options),
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
  },
  "acp-breakpoints": {
    index: {
      ...codecCalls(acp),
      BreakpointBridge: (options) =>
        new acp.BreakpointBridge({ onChanged: () => undefined, ...options }),
      bridgeBreakpoints: (options) =>
        acp.bridgeBreakpoints({ onChanged: () => undefined, ...options }),
    },
    connection: connectionCalls(acpConnections, "client", ["session/new", "session/update"]),
    node: nodeCalls(acpNode, "spawnAgent"),
  },
  sqltools: {
    index: codecCalls(sqltools),
    connection: connectionCalls(sqltoolsConnections, "client", ["connection/list", "connection/complete"]),
    node: nodeCalls(sqltoolsNode, "spawnService"),
  },
  "ruby-debug-ide": {
    index: codecCalls(ruby, spelling),
    connection: {
      createClient: (options) =>
        rubyConnections.createClient({ write, ...options } as never),
      createServer: (options) =>
        rubyConnections.createServer({ write, handlers: {}, ...options } as never),
      "Client.close": (options) =>
        rubyConnections.createClient({ write } as never).close(options),
      "Client.sendLine": (options) =>
        rubyConnections.createClient({ write } as never).sendLine("where", options),
      RequestParameters: (options) =>
        rubyConnections.createClient({ write } as never).send("where", undefined, options),
      "Server.close": (options) =>
        rubyConnections.createServer({ write, handlers: {} } as never).close(options),
    },
    node: {
      createMessageTransform: (options) =>
        rubyNode.createMessageTransform({ ...spelling, ...options } as never),
      createMessageWriter: (options) =>
        rubyNode.createMessageWriter(new PassThrough(), { ...spelling, ...options } as never),
      listenForSubProcesses: (options) => rubyNode.listenForSubProcesses(0, options as never),
    },
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
  "Notation.createDecoder": "called with options that createDecoder has checked",
};

/** Functions that take options even though the API report does not show it. */
const unnamed: ReadonlySet<string> = new Set(["Adapter", "defineAdapter"]);

/**
 * Returns all words in the declarations of a package's message types. A message type may have a
 * property that looks like an option; such properties are checked by validators.
 */
const messageTypes = (name: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(fromRoot(`test/golden/api/${name}/types.txt`), "utf8").matchAll(/\w+/g)].map(
      ([word]) => word,
    ),
  );

for (const [name, entries] of Object.entries(calls))
  for (const [entry, functions] of Object.entries(entries))
    test(`each function in ${name}/${entry} that takes options refuses unknown options`, async () => {
      const report = readFileSync(fromRoot(`test/golden/api/${name}/${entry}.txt`), "utf8");
      const [own = ""] = report.split("// Not exported\n");
      const types = messageTypes(name);
      const named = withOptions(own).map((each) =>
        each === "BreakpointBridge.constructor" ? "BreakpointBridge" : each,
      );
      assert.deepEqual(
        named.filter((each) => unchecked[each] === undefined && !types.has(each)),
        Object.keys(functions)
          .filter((each) => !unnamed.has(each))
          .sort(),
      );
      for (const [called, call] of Object.entries(functions))
        await assert.rejects(
          async () => call({ xyzzy: 1 }),
          /: unknown option "xyzzy"\. (Options: |Did you mean )/,
          called,
        );
    });

test("all functions that take options are covered, except validators, which never throw", () => {
  for (const [name, entries] of Object.entries(calls)) {
    const others = readdirSync(fromRoot(`test/golden/api/${name}`))
      .map((file) => file.slice(0, -".txt".length))
      .filter((entry) => entries[entry] === undefined);
    const rest = name === "ruby-debug-ide" || name === "dap" ? [] : ["dialects"];
    assert.deepEqual(others.sort(), [...rest, "types", "validators"]);
  }
});

test("this test covers every package", () => {
  const packages = readdirSync(fromRoot("test/golden/api"), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => each.name);
  assert.deepEqual(packages.sort(), Object.keys(calls).sort());
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
