import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { agent, client, RequestError } from "@agentclientprotocol/sdk";
import debugadapter from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import {
  bridgeBreakpoints,
  type BreakpointChangedParams,
  type BridgeOptions,
  type DebugCapabilities,
  type DebugSession,
} from "../../../generated/acp-breakpoints/index.js";
import { createDialect } from "../../../generated/acp-breakpoints/dialects.js";
import { isValidBreakpointState } from "../../../generated/acp-breakpoints/validate.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { connect } from "../../../generated/dap/connection.js";
import { nodeTransport } from "../../../generated/dap/node.js";
import { until } from "../../support/scripted-connection.js";

const all: DebugCapabilities = {
  supportsConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsExceptionFilterOptions: true,
};

/** A session that sets whatever it is asked for, and writes it down. */
function fakeSession(
  capabilities: DebugCapabilities = all,
): DebugSession & { readonly asked: [string, object][]; fail?: string } {
  let id = 100;
  const session = {
    capabilities,
    asked: [] as [string, object][],
    fail: undefined as string | undefined,
    request(command: string, args: object): Promise<unknown> {
      session.asked.push([command, args]);
      if (session.fail !== undefined) return Promise.reject(new Error(session.fail));
      const { breakpoints = [] } = args as { breakpoints?: readonly { line?: number }[] };
      return Promise.resolve({
        breakpoints: breakpoints.map(({ line }) => ({
          id: ++id,
          verified: true,
          ...(line === undefined ? {} : { line }),
        })),
      });
    },
  };
  return session as ReturnType<typeof fakeSession>;
}

function bridge(options: Partial<BridgeOptions> = {}) {
  const changed: BreakpointChangedParams[] = [];
  const made = bridgeBreakpoints({ onChanged: (params) => void changed.push(params), ...options });
  return { changed, bridge: made };
}

const source = { path: "/w/a.ts" };

test("what is not enabled is kept and not sent, ids stay, and all is replayed to a session that starts", async () => {
  const { bridge: it, changed } = bridge();
  const asked = [{ line: 42 }, { line: 55, enabled: false }];
  const none = await it.setBreakpoints({ source, breakpoints: asked });
  assert.deepEqual(none.breakpoints, [
    { id: 1, verified: false, message: "There is no debug session", line: 42 },
    { id: 2, verified: false, message: "Kept, but not enabled", line: 55 },
  ]);
  const session = fakeSession();
  await it.attach(session);
  assert.deepEqual(session.asked, [["setBreakpoints", { source, breakpoints: [{ line: 42 }] }]]);
  assert.deepEqual(changed, [
    { reason: "changed", breakpoint: { id: 1, verified: true, line: 42 } },
  ]);
  const toggled = await it.setBreakpoints({
    source,
    breakpoints: [{ line: 42, enabled: false }, { line: 55, enabled: true }, { line: 60 }],
  });
  assert.deepEqual(toggled.breakpoints, [
    { id: 1, verified: false, message: "Kept, but not enabled", line: 42 },
    { id: 2, verified: true, line: 55 },
    { id: 3, verified: true, line: 60 },
  ]);
  assert.ok(toggled.breakpoints.every((state) => isValidBreakpointState(state)));
  assert.deepEqual((await it.setBreakpoints({ source, breakpoints: [] })).breakpoints, []);
  assert.deepEqual(session.asked.at(-1), ["setBreakpoints", { source, breakpoints: [] }]);
});

test("what a debugger cannot do is said and not sent without it", async () => {
  const { bridge: it } = bridge();
  const session = fakeSession({});
  await it.attach(session);
  const { breakpoints } = await it.setBreakpoints({
    source,
    breakpoints: [{ line: 1, condition: "x" }, { line: 2, logMessage: "{x}" }, { line: 3 }],
  });
  assert.deepEqual(breakpoints, [
    { id: 1, verified: false, message: "The debugger knows no conditions", line: 1 },
    { id: 2, verified: false, message: "The debugger knows no log messages", line: 2 },
    { id: 3, verified: true, line: 3 },
  ]);
  assert.deepEqual(session.asked, [["setBreakpoints", { source, breakpoints: [{ line: 3 }] }]]);
  const functions = await it.setFunctionBreakpoints({ breakpoints: [{ name: "f" }] });
  assert.deepEqual(functions.breakpoints, [
    { id: 4, verified: false, message: "The debugger knows no function breakpoints" },
  ]);
});

test("several sessions: one that has set it is enough, and one that ends leaves the others", async () => {
  const { bridge: it, changed } = bridge();
  const [good, bad] = [fakeSession(), fakeSession()];
  bad.fail = "no such file there";
  await it.attach(good);
  await it.attach(bad);
  const { breakpoints } = await it.setBreakpoints({ source, breakpoints: [{ line: 7 }] });
  assert.deepEqual(breakpoints, [{ id: 1, verified: true, line: 7 }]);
  it.detach(good);
  assert.deepEqual(changed, [
    {
      reason: "changed",
      breakpoint: { id: 1, verified: false, message: "no such file there", line: 7 },
    },
  ]);
});

test("events of the adapter reach the agent under the bridge's ids", async () => {
  const { bridge: it, changed } = bridge();
  const session = fakeSession();
  await it.attach(session);
  await it.setBreakpoints({ source, breakpoints: [{ line: 7 }] });
  await it.handleBreakpointEvent(session, {
    reason: "changed",
    breakpoint: { id: 101, verified: true, line: 9 },
  });
  await it.handleBreakpointEvent(session, {
    reason: "new",
    breakpoint: { id: 500, verified: true },
  });
  await it.handleBreakpointEvent(session, {
    reason: "changed",
    breakpoint: { id: 999, verified: true },
  });
  await it.handleBreakpointEvent(fakeSession(), { reason: "new", breakpoint: { verified: true } });
  assert.deepEqual(changed, [
    { reason: "changed", breakpoint: { id: 1, verified: true, line: 9 } },
    { reason: "new", breakpoint: { id: 2, verified: true } },
  ]);
  // The line that was asked for is what a later session gets.
  const later = fakeSession();
  await it.attach(later);
  assert.deepEqual(later.asked, [["setBreakpoints", { source, breakpoints: [{ line: 7 }] }]]);
});

test("the user's breakpoints stay, and requests to one session keep their order", async () => {
  const { bridge: it } = bridge({ userBreakpoints: () => [{ line: 99 }] });
  const session = fakeSession();
  await it.attach(session);
  await Promise.all([
    it.setBreakpoints({ source, breakpoints: [{ line: 1 }] }),
    it.setBreakpoints({ source, breakpoints: [{ line: 2 }] }),
  ]);
  assert.deepEqual(session.asked.at(-1), [
    "setBreakpoints",
    { source, breakpoints: [{ line: 2 }, { line: 99 }] },
  ]);
});

test("exception filters: known ones only, conditions where they are understood", async () => {
  const exceptionFilters = [
    { filter: "uncaught", label: "Uncaught" },
    { filter: "caught", label: "Caught", supportsCondition: true },
  ];
  const { bridge: it } = bridge({ exceptionFilters });
  const session = fakeSession({});
  await it.attach(session);
  await it.setExceptionBreakpoints({
    filters: ["uncaught"],
    filterOptions: [{ filterId: "caught" }],
  });
  assert.deepEqual(session.asked, [
    ["setExceptionBreakpoints", { filters: ["uncaught", "caught"] }],
  ]);
  const refused = (
    params: Parameters<typeof it.setExceptionBreakpoints>[0],
    message: string,
  ): Promise<void> => assert.rejects(it.setExceptionBreakpoints(params), { code: -32602, message });
  await refused({ filters: ["nope"] }, 'There is no exception filter "nope"');
  const conditional = { filters: [], filterOptions: [{ filterId: "caught", condition: "x" }] };
  await refused(conditional, 'The exception filter "caught" takes no condition');
  it.detach(session);
  const able = fakeSession();
  await it.attach(able);
  await it.setExceptionBreakpoints(conditional);
  assert.deepEqual(able.asked.at(-1), ["setExceptionBreakpoints", conditional]);
});

test("requests that make no sense are refused with their codes", async () => {
  const { bridge: it } = bridge({
    isAllowed: (path) => path.startsWith("/w/"),
    exists: (path) => path !== "/w/gone.ts",
    functionBreakpoints: false,
  });
  const refused = (path: string, line: number, code: number): Promise<void> =>
    assert.rejects(it.setBreakpoints({ source: { path }, breakpoints: [{ line }] }), { code });
  await refused("a.ts", 1, -32602);
  await refused("/etc/passwd", 1, -32602);
  await refused("/w/gone.ts", 1, -32002);
  await refused("/w/a.ts", 0, -32602);
  await refused("/w/a.ts", 1.5, -32602);
  await assert.rejects(it.setFunctionBreakpoints({ breakpoints: [] }), { code: -32601 });
  await assert.rejects(it.setExceptionBreakpoints({ filters: [] }), { code: -32601 });
});

/** An adapter made with the library that most adapters are made with. */
class Adapter extends debugadapter.DebugSession {
  /** Moves the first breakpoint that was set. */
  moveBreakpoint: () => void = () => assert.fail("there is no breakpoint");

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = { supportsConditionalBreakpoints: true };
    this.sendResponse(response);
    this.sendEvent(new debugadapter.InitializedEvent());
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    const breakpoints = (args.breakpoints ?? []).map(({ line }) => ({
      id: line * 10,
      verified: line < 50,
      line: line + 1,
    }));
    response.body = { breakpoints };
    this.sendResponse(response);
    const [first] = breakpoints;
    if (first === undefined) return;
    // One right behind the answer, one when the test says so.
    this.sendEvent(new debugadapter.BreakpointEvent("changed", { ...first, line: 44 }));
    const later = new debugadapter.BreakpointEvent("changed", { ...first, line: 45 });
    this.moveBreakpoint = () => this.sendEvent(later);
  }
}

test("an agent on the real SDK sets breakpoints in a real adapter", async () => {
  const [toAdapter, fromAdapter] = [new PassThrough(), new PassThrough()];
  const adapter = new Adapter();
  adapter.setRunAsServer(true);
  adapter.start(toAdapter, fromAdapter);
  const debug = connect("client", nodeTransport(fromAdapter, toAdapter));
  const ready = debug.once("initialized");
  const capabilities = (await debug.request("initialize", {
    adapterID: "a",
    pathFormat: "path",
  })) as DebugCapabilities;
  await ready;
  const session: DebugSession = {
    capabilities,
    request: (command, args) => debug.requestCustom(command, args),
  };

  const spoken = createDialect("vendor");
  const heard: unknown[] = [];
  let notify: (params: BreakpointChangedParams) => void = () => undefined;
  const it = bridgeBreakpoints({ onChanged: (params) => notify(params) });
  debug.on("breakpoint", (body) => void it.handleBreakpointEvent(session, body as never));
  const editor = client().onRequest(
    "_breakpoints.example.dev/set_breakpoints",
    (params: unknown) => params,
    async ({ params }) => {
      const message = {
        jsonrpc: "2.0",
        id: 1,
        method: "_breakpoints.example.dev/set_breakpoints",
        params,
      };
      const read = spoken.read(message) as { params: Parameters<typeof it.setBreakpoints>[0] };
      try {
        return await it.setBreakpoints(read.params);
      } catch (error) {
        const { code, message: why } = error as { code: number; message: string };
        throw new RequestError(code, why);
      }
    },
  );
  editor.onConnect((connection) => {
    notify = (params) =>
      void connection.agent.notify("_breakpoints.example.dev/breakpoint_changed", params);
  });
  await it.attach(session);
  const told = new Promise<void>((resolve) => {
    const speaker = agent().onNotification(
      "_breakpoints.example.dev/breakpoint_changed",
      (params: unknown) => params,
      ({ params }) => {
        heard.push(params);
        if ((params as BreakpointChangedParams).breakpoint.line === 45) resolve();
      },
    );
    void speaker.connectWith(editor, async (context) => {
      const ask = (path: string): Promise<unknown> =>
        context.request("_breakpoints.example.dev/set_breakpoints", {
          source: { path },
          breakpoints: [{ line: 42 }, { line: 87, condition: "a" }, { line: 9, logMessage: "b" }],
        });
      heard.push(await ask("/w/a.ts"));
      adapter.moveBreakpoint();
      heard.push(await ask("a.ts").catch((error: { code: number }) => error.code));
      await told;
    });
  });
  await told;
  // What was asked for last has been answered, too.
  await until(() => heard.includes(-32602));
  assert.deepEqual(
    heard.filter((each) => typeof each === "object" && "breakpoints" in each!),
    [
      {
        breakpoints: [
          { id: 1, verified: true, line: 43 },
          { id: 2, verified: false, line: 88 },
          { id: 3, verified: false, message: "The debugger knows no log messages", line: 9 },
        ],
      },
    ],
  );
  assert.deepEqual(
    heard.filter((each) => typeof each === "object" && "reason" in each!),
    [44, 45].map((line) => ({ reason: "changed", breakpoint: { id: 1, verified: true, line } })),
  );
  assert.ok(heard.includes(-32602));
});

const python = ["/usr/bin/python3", "python3"].find(
  (name) => spawnSync(name, ["-c", "import debugpy"], { timeout: 20_000 }).status === 0,
);

test(
  "a program under debugpy stops where the agent said",
  { skip: python === undefined ? "needs Python with debugpy" : false, timeout: 60_000 },
  async () => {
    await withFolder(async (folder) => {
      const program = join(folder, "program.py");
      writeFileSync(
        program,
        "total = 0\nfor number in range(5):\n    total += number\nprint(total)\n",
      );
      const { bridge: it } = bridge();
      await it.setBreakpoints({
        source: { path: program },
        breakpoints: [
          { line: 1, enabled: false },
          { line: 3, condition: "number == 3" },
        ],
      });
      const child = spawn(python!, ["-m", "debugpy.adapter"], {
        stdio: ["pipe", "pipe", "ignore"],
      });
      try {
        const debug = connect("client", nodeTransport(child.stdout, child.stdin));
        const capabilities = (await debug.request("initialize", {
          adapterID: "debugpy",
          linesStartAt1: true,
          columnsStartAt1: true,
          pathFormat: "path",
        })) as DebugCapabilities;
        const ready = debug.once("initialized");
        const stopped = debug.once("stopped");
        const launched = debug.request("launch", {
          program,
          console: "internalConsole",
          python: [python],
          justMyCode: true,
        });
        await ready;
        const session: DebugSession = {
          capabilities,
          request: (command, args) => debug.requestCustom(command, args),
        };
        await it.attach(session);
        await debug.request("configurationDone");
        await launched;
        const { threadId, reason } = await stopped;
        assert.equal(reason, "breakpoint");
        const { stackFrames } = (await debug.request("stackTrace", { threadId: threadId! })) as {
          stackFrames: readonly { line: number }[];
        };
        assert.equal(stackFrames[0]!.line, 3);
        const { breakpoints } = await it.setBreakpoints({
          source: { path: program },
          breakpoints: [{ line: 1, enabled: false }, { line: 3 }],
        });
        assert.deepEqual(
          breakpoints.map(({ id, verified }) => [id, verified]),
          [
            [1, false],
            [2, true],
          ],
        );
        await debug.request("disconnect", { terminateDebuggee: true }).catch(() => undefined);
      } finally {
        child.kill();
      }
    });
  },
);
