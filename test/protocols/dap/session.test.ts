/** Tests sessions with scripted adapters, message by message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Transport } from "@wirewright/dap/connection";
import { launch, type DebugSession, type SessionOptions } from "@wirewright/dap/session";
import { type ScriptedAdapter, answer, event, refusal } from "../../support/scripted-adapter.js";
import { until } from "../../support/scripted-connection.js";
import {
  type Behaviour,
  options,
  play,
  quick,
  shown,
  stopped,
} from "../../support/played-session.js";

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

  test("steps resolve to the next stop, before or after the response, or to the end of the program", async () => {
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
      ["stopped", "entry", 7],
      ["stopped", "step", 7],
      ["stopped", "step", 8],
      "step",
      ["stopped", "step", 8],
      ["stopped", "step", 8],
      ["ended", "exited", 3],
      ["ended", "exited", 3],
      undefined,
    ]);
    assert.deepEqual(adapter.written.find(({ command }) => command === "stepIn")!["arguments"], {
      threadId: 7,
      granularity: "line",
    });
    await session.disconnect(quick);
  });

  test("waitForStop() rejects at its timeout or when its signal is aborted, and resolves when the connection ends", async () => {
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

  test("the session keeps output, which can be iterated over and awaited across events", async () => {
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
      output("po", "stdout"),
      output("port 1", "stderr"),
      output("rt 80", "stdout"),
      output("80\nmore port 9\n", "stdout"),
      output("secret", "telemetry"),
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
    assert.deepEqual(all, ["early\n", "po", "port 1", "rt 80", "80\nmore port 9\n", "secret"]);
  });

  test("breakpoint events update session.breakpoints", async () => {
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

  test("disconnect() and terminate() end the session even if the adapter never responds", async () => {
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

  test("await using disconnects the session", async () => {
    const { adapter, session } = await started();
    const { asyncDispose } = Symbol as unknown as { readonly asyncDispose?: symbol };
    if (asyncDispose === undefined) return;
    await (session as never as { [key: symbol]: () => Promise<void> })[asyncDispose]!();
    assert.equal(adapter.requests.at(-1), "disconnect");
    assert.equal(session.connection.isClosed, true);
  });

  test("restart() sends a request, or reopens the adapter with the same breakpoints", async () => {
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
    await assert.rejects(lone.restart(), /Pass launch a function/);
    await lone.disconnect(quick);
  });
});
