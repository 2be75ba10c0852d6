import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import * as acp from "@wirewright/acp-breakpoints";
import * as acpConnections from "@wirewright/acp-breakpoints/connection";
import * as acpNode from "@wirewright/acp-breakpoints/node";
import * as ruby from "@wirewright/ruby-debug-ide";
import * as rubyConnections from "@wirewright/ruby-debug-ide/connection";
import * as rubyNode from "@wirewright/ruby-debug-ide/node";
import * as sqltools from "@wirewright/sqltools";
import * as sqltoolsConnections from "@wirewright/sqltools/connection";
import * as sqltoolsNode from "@wirewright/sqltools/node";
import { fromRoot } from "../support/paths.js";
import { withOptions } from "../support/options-in-reports.js";

/** Calls a function with options, some of which are unknown. */
type Call = (options: object) => unknown;
type Calls = Readonly<Record<string, Call>>;
type AnyFunction = (...parameters: never[]) => unknown;

/** Returns a module's function or class as a function that takes any arguments. */
const callOf =
  (module: object, name: string) =>
  (...parameters: readonly unknown[]): unknown =>
    (module as Readonly<Record<string, AnyFunction>>)[name]!(...(parameters as never[]));

const codec = (module: object, own: object = {}): Calls => ({
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
function connections(module: object, side: string, [request, event]: readonly [string, string]): Calls {
  const { bridge, connect, inlineTransports, Refusal, webSocketTransport } = module as Connections;
  const open = (): ReturnType<Connections["inlineTransports"]>[0] => inlineTransports()[0];
  const bytes = (): never =>
    acpNode.nodeTransport(new PassThrough(), new PassThrough()) as unknown as never;
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

const node = (module: object, spawn: string): Calls => ({
  createMessageTransform: (options) => callOf(module, "createMessageTransform")(options),
  createMessageWriter: (options) =>
    callOf(module, "createMessageWriter")(new PassThrough(), options),
  [spawn]: (options) => callOf(module, spawn)(process.execPath, [], options),
  spawnTransport: (options) => callOf(module, "spawnTransport")(process.execPath, [], options),
  tcpTransport: (options) => callOf(module, "tcpTransport")(1, options),
});

const spelling = { spelling: "0.7.5" };
const write = (): void => undefined;

/**
 * A call to each function, constructor and method that takes options, by package, entry point and
 * name.
 */
const calls: Readonly<Record<string, Readonly<Record<string, Calls>>>> = {
  "acp-breakpoints": {
    index: {
      ...codec(acp),
      BreakpointBridge: (options) =>
        new acp.BreakpointBridge({ onChanged: () => undefined, ...options }),
      bridgeBreakpoints: (options) =>
        acp.bridgeBreakpoints({ onChanged: () => undefined, ...options }),
    },
    connection: connections(acpConnections, "client", ["session/new", "session/update"]),
    node: node(acpNode, "spawnAgent"),
  },
  sqltools: {
    index: codec(sqltools),
    connection: connections(sqltoolsConnections, "client", ["connection/list", "connection/complete"]),
    node: node(sqltoolsNode, "spawnService"),
  },
  "ruby-debug-ide": {
    index: codec(ruby, spelling),
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
  "Notation.createDecoder": "called with options that createDecoder has checked",
};

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
        Object.keys(functions).sort(),
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
    const rest = name === "ruby-debug-ide" ? [] : ["dialects"];
    assert.deepEqual(others.sort(), [...rest, "types", "validators"]);
  }
});

test("this test covers every package except @wirewright/dap", () => {
  const packages = readdirSync(fromRoot("test/golden/api"), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => each.name);
  assert.deepEqual(packages.sort(), [...Object.keys(calls), "dap"].sort());
});
