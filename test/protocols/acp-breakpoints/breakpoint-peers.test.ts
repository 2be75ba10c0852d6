import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { agent, client, RequestError } from "@agentclientprotocol/sdk";
import debugadapter from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import {
  bridgeBreakpoints,
  type BridgeError,
  type BreakpointChangedParams,
  type DebugCapabilities,
  type DebugSession,
} from "@wirewright/acp-breakpoints";
import { createDialect } from "@wirewright/acp-breakpoints/dialects";
import { python, skipWithoutDebugpy } from "../../support/debugpy.js";
import { withFolder } from "../../support/compile.js";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { until } from "../../support/scripted-connection.js";
import { bridge } from "../../support/breakpoint-bridges.js";

/** An adapter that, like most adapters, uses the official library. */
class Adapter extends debugadapter.DebugSession {
  /** Reports that the first breakpoint has moved. */
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
    // One event follows the response, and another one when the test requests it.
    this.sendEvent(new debugadapter.BreakpointEvent("changed", { ...first, line: 44 }));
    const later = new debugadapter.BreakpointEvent("changed", { ...first, line: 45 });
    this.moveBreakpoint = () => this.sendEvent(later);
  }
}

test("an agent using the real SDK sets breakpoints in a real adapter", async () => {
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
        const { error: refused, message: why } = error as BridgeError;
        throw new RequestError(refused.code, why);
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
  // Wait for the responses to the last requests.
  await until(() => heard.includes(-32602));
  assert.deepEqual(
    heard.filter((each) => typeof each === "object" && "breakpoints" in each!),
    [
      {
        breakpoints: [
          { id: 1, verified: true, line: 43 },
          { id: 2, verified: false, line: 88 },
          {
            id: 3,
            verified: false,
            message: "The debugger does not support log messages",
            line: 9,
          },
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

test(
  "a program running under debugpy stops at the agent's breakpoint",
  { skip: skipWithoutDebugpy },
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
