/** Tests sessions with adapters that send invalid messages, or too many messages. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Problem } from "@wirewright/dap/connection";
import {
  launch,
  SessionError,
  type DebugSession,
  type SessionOptions,
} from "@wirewright/dap/session";
import { answer, event, type ScriptedAdapter } from "../../support/scripted-adapter.js";
import { answering, quick, reopening } from "../../support/played-session.js";
import { until } from "../../support/scripted-connection.js";

/** Returns the client's responses to adapter requests: true, or the error message. */
function answersOf(adapter: ScriptedAdapter): readonly unknown[] {
  return adapter.written
    .filter(({ type }) => type === "response")
    .map(({ success, message }) => (success === true ? true : message));
}

const asking = (parameters: unknown): object => ({
  type: "request",
  command: "startDebugging",
  arguments: parameters,
});

describe("invalid messages", () => {
  test("a call that waits for an event fails with the reason if the event is invalid", async () => {
    const adapter = answering();
    const problems: string[] = [];
    const session = await launch(adapter, {
      arguments: {},
      connection: { onProblem: ({ code }) => void problems.push(code) },
    });
    const waits = Promise.allSettled([
      session.waitForStop({ timeoutMs: 60_000 }),
      session.connection.once("stopped", { timeoutMs: 60_000 }),
    ]);
    await adapter.arrive([event("stopped", { reason: "step", threadId: "1" })]);
    const reason =
      'InvalidMessageError: The message is invalid: `/body/threadId`: expected an integer from -2^31 to 2^31-1, received "1"';
    assert.deepEqual(
      (await waits).map((each) => each.status === "rejected" && String(each.reason)),
      [reason, reason],
    );
    assert.deepEqual(problems, ["ERR_INVALID_MESSAGE"]);
    await adapter.arrive([event("stopped", { reason: "step", threadId: 1 })]);
    assert.equal((await session.waitForStop()).kind, "stopped");
    await session.disconnect(quick);
  });

  test("a result that lacks a required property fails the request with the reason", async () => {
    const adapter = answering({ evaluate: (request) => [answer(request, { type: "x" })] });
    const session = await launch(adapter, { arguments: {} });
    await assert.rejects(session.connection.request("evaluate", { expression: "1" }), {
      message:
        /^The response to "evaluate" is invalid: `\/body\/result`: expected a string, received nothing/,
    });
    await session.disconnect(quick);
  });
});

describe("startDebugging", () => {
  test("an invalid startDebugging request gets a failure response", async () => {
    const { opened, open } = reopening();
    const session = await launch(open, { arguments: {} });
    const wrong = [
      undefined,
      null,
      5,
      { request: "evil", configuration: {} },
      { request: "__proto__", configuration: {} },
      { request: "disconnect", configuration: {} },
      { request: "launch" },
      { request: "launch", configuration: null },
    ];
    const [root] = opened;
    await root!.arrive(wrong.map(asking));
    await until(() => answersOf(root!).length === wrong.length);
    assert.deepEqual(answersOf(root!), [
      'The request "startDebugging" is invalid: `/arguments`: expected an object, received nothing',
      'The request "startDebugging" is invalid: `/arguments`: expected an object, received 5',
      'The request "startDebugging" is invalid: `/arguments/configuration`: expected an object, received nothing',
      ...["undefined", "evil", "__proto__", "disconnect"].map(
        (name) =>
          `Cannot start a child session: \`request\` must be "launch" or "attach", not "${name}"`,
      ),
      "Cannot start a child session: `configuration` must be an object",
    ]);
    assert.equal(opened.length, 1);
    await session.disconnect(quick);
  });

  test("child sessions that keep opening children are refused at the limits, and the error names the limit", async () => {
    const child = { request: "launch", configuration: {} };
    const { opened, open } = reopening({
      configurationDone: (request) => [answer(request), asking(child), asking(child)],
    });
    const failures: unknown[] = [];
    const options: SessionOptions = {
      maxChildDepth: 2,
      maxChildren: 4,
      onChildFailure: (error) => void failures.push(error),
    };
    const session = await launch(open, { arguments: {}, ...options });
    // The limit of 4 children refuses 2 of 6 children, and the depth limit refuses the other 4.
    await until(() => failures.length === 6);
    assert.equal(opened.length, 5);
    assert.ok(failures.every((error) => error instanceof SessionError));
    assert.deepEqual([...new Set(failures.map((error) => (error as Error).message))].sort(), [
      "Cannot start a child session: maxChildDepth is reached: 2 levels of child sessions",
      "Cannot start a child session: maxChildren is reached: 4 child sessions at a time",
    ]);
    await session.disconnect(quick);
  });
});

describe("a session ignores invalid messages", () => {
  test("an invalid event is reported and not used", async () => {
    const problems: Problem[] = [];
    const adapter = answering();
    const session = await launch(adapter, {
      arguments: {},
      connection: { onProblem: (problem) => void problems.push(problem) },
    });
    await adapter.arrive([
      event("stopped", { reason: 5 }),
      event("stopped"),
      event("continued"),
      event("output", { output: 5 }),
      event("breakpoint", { reason: "new" }),
      event("exited", { exitCode: "x" }),
    ]);
    assert.deepEqual([session.stop, session.exitCode], [undefined, undefined]);
    assert.deepEqual([session.output.text(), session.breakpoints.all], ["", []]);
    assert.equal((await session.waitForEnd()).reason, "exited");
    assert.deepEqual(
      problems.map(({ code, issues }) => [code, issues!.map(({ pointer }) => pointer)]),
      [
        ["ERR_INVALID_MESSAGE", ["/body/reason"]],
        ["ERR_INVALID_MESSAGE", ["/body"]],
        ["ERR_INVALID_MESSAGE", ["/body"]],
        ["ERR_INVALID_MESSAGE", ["/body/output"]],
        ["ERR_INVALID_MESSAGE", ["/body/breakpoint"]],
        ["ERR_INVALID_MESSAGE", ["/body/exitCode"]],
      ],
    );
    await session.disconnect(quick);
  });

  test("runInTerminal without arguments is refused, and the callback is not called", async () => {
    const adapter = answering();
    const session = await launch(adapter, {
      arguments: {},
      runInTerminal: () => assert.fail("called"),
    });
    await adapter.arrive([{ type: "request", command: "runInTerminal", arguments: { args: 5 } }]);
    await until(() => answersOf(adapter).length === 1);
    assert.match(String(answersOf(adapter)[0]), /^The request "runInTerminal" is invalid: /);
    await session.disconnect(quick);
  });

  test("breakpoint events with new ids take constant time, and the session keeps only the latest breakpoints", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {} });
    const timeOf = async (eventOf: (number: number) => object, first: number): Promise<number> => {
      const events = Array.from({ length: 500 }, (_, index) => eventOf(first + index));
      const before = process.cpuUsage();
      await adapter.arrive(events);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const breakpoints: number[] = [];
    const threads: number[] = [];
    for (let first = 0; first < 20_000; first += 500) {
      const breakpointOf = (id: number): object =>
        event("breakpoint", { reason: "new", breakpoint: { id, verified: true } });
      breakpoints.push(await timeOf(breakpointOf, first));
      // The session ignores thread events, so they show the minimum time per event.
      const threadOf = (threadId: number): object => event("thread", { reason: "new", threadId });
      threads.push(await timeOf(threadOf, first));
    }
    const kept = session.breakpoints.all;
    assert.ok(kept.length >= 4_096 && kept.length <= 8_192, String(kept.length));
    assert.equal(kept.at(-1)!.id, 19_999);
    await session.disconnect(quick);
    // Use the minimum of several measurements to exclude the influence of other processes.
    const [last, plain] = [breakpoints, threads].map((times) => Math.min(...times.slice(-12)));
    assert.ok(last! < 6 * plain!, `${last} µs, and ${plain} µs for events that are not used`);
  });
});

describe("steps depend on the program's state", () => {
  test("a step rejects immediately while the program is running", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {} });
    await assert.rejects(session.next(), {
      code: "ERR_SESSION_RUNNING",
      message: 'Cannot send "next": the program is running. Wait for a stop, or pause it',
    });
    assert.ok(!adapter.requests.includes("next"));
    await session.disconnect(quick);
  });

  test("a step's error mentions a child session that has stopped", async () => {
    const { opened, open } = reopening();
    const session = await launch(open, { arguments: {} });
    await opened[0]!.arrive([asking({ request: "launch", configuration: {} })]);
    await until(() => opened[1]?.requests.includes("configurationDone") === true);
    await opened[1]!.arrive([
      event("output", { output: "of the child", category: "stdout" }),
      event("stopped", { reason: "entry", threadId: 1 }),
    ]);
    await session.waitForStop();
    assert.equal(session.output.text("stdout"), "of the child");
    await assert.rejects(session.continue(), {
      code: "ERR_SESSION_RUNNING",
      message:
        'Cannot send "continue": this session is running. The child session 1 has stopped ' +
        "(entry): use `stop.session.continue()`",
    });
    await session.disconnect(quick);
  });

  test("restart() after the program has ended opens a new session", async () => {
    const { opened, open } = reopening({
      initialize: (request) => [
        answer(request, { supportsRestartRequest: true }),
        event("initialized"),
      ],
    });
    const session = await launch(open, { arguments: { program: "a" } });
    assert.equal(await session.restart(), session);
    assert.deepEqual(
      opened[0]!.written.find(({ command }) => command === "restart")!["arguments"],
      { arguments: { program: "a" } },
    );
    await opened[0]!.arrive([event("exited", { exitCode: 0 })]);
    const next = await session.restart();
    assert.notEqual(next, session);
    assert.equal(opened[0]!.requests.filter((name) => name === "restart").length, 1);
    assert.equal(opened[1]!.requests[1], "launch");
    await next.disconnect(quick);
  });

  test("of many calls of restart() at once, one opens an adapter, and the others are refused", async () => {
    const { opened, open } = reopening();
    const session = await launch(open, { arguments: {} });
    const calls = await Promise.allSettled(Array.from({ length: 50 }, () => session.restart()));
    const [next, ...others] = calls;
    assert.equal(opened.length, 2);
    assert.deepEqual(
      new Set(others.map((each) => each.status === "rejected" && String(each.reason))),
      new Set(["SessionError: Cannot restart: the session is restarting"]),
    );
    await (next as PromiseFulfilledResult<DebugSession>).value.disconnect(quick);
  });

  test("restart() passes the data from the terminated event to the next session only", async () => {
    const restart = { a: [1] };
    const { opened, open } = reopening();
    const first = await launch(open, { arguments: { program: "a" } });
    await opened[0]!.arrive([event("exited", { exitCode: 3 }), event("terminated", { restart })]);
    assert.deepEqual(await first.waitForEnd(), {
      kind: "ended",
      reason: "exited",
      exitCode: 3,
      error: undefined,
      restart,
    });
    const second = await first.restart();
    await opened[1]!.arrive([event("terminated", { restart: false })]);
    const third = await second.restart();
    assert.deepEqual(
      opened.map(
        ({ written }) => written.find(({ command }) => command === "launch")!["arguments"],
      ),
      [{ program: "a" }, { program: "a", __restart: restart }, { program: "a" }],
    );
    await third.disconnect(quick);
  });

  test("restart() waits no longer than its timeoutMs for a silent adapter", async () => {
    const silent = answering({ disconnect: () => [] });
    const session = await launch(() => silent, { arguments: {} });
    await silent.arrive([event("exited", { exitCode: 0 })]);
    const start = performance.now();
    await session.restart({ timeoutMs: 100 }).catch(() => undefined);
    assert.ok(performance.now() - start < 1_500);
  });
});

describe("options", () => {
  test("an unknown option is refused with a suggestion", async () => {
    const adapter = answering();
    await assert.rejects(launch(adapter, { arguments: {}, breakpoint: {} } as never), {
      name: "TypeError",
      message: 'launch: unknown option "breakpoint". Did you mean "breakpoints"?',
    });
    await assert.rejects(launch(adapter, {} as never), /the option "arguments" is missing/);
    const session = await launch(adapter, { arguments: {} });
    await assert.rejects(session.waitForStop({ timeout: 5 } as never), /"timeoutMs"\?$/);
    await assert.rejects(session.snapshot({ item: 5 } as never), /"items"\?$/);
    await session.disconnect(quick);
  });
});
