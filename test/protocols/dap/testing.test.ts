/** Tests the test client with scripted adapters. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  scriptAdapter,
  SessionAssertionError,
  testClient,
  type AdapterScript,
  type ScriptedAdapter,
} from "@wirewright/dap/testing";

/** Creates an adapter for a program that stops on line 3 of /a.c and prints a line. */
function stopping(more: AdapterScript = {}): ScriptedAdapter {
  return scriptAdapter({
    configurationDone(request, adapter) {
      adapter.answer(request);
      adapter.event("output", { category: "stdout", output: "he" });
      adapter.event("output", { category: "stdout", output: "llo\n" });
      adapter.event("stopped", { reason: "breakpoint", threadId: 1 });
    },
    stackTrace: {
      stackFrames: [{ id: 1, name: "main", line: 3, column: 5, source: { path: "/a.c" } }],
    },
    next(request, adapter) {
      adapter.event("terminated"); // The events precede the response to `next`.
      adapter.event("exited", { exitCode: 2 });
      adapter.answer(request);
    },
    ...more,
  });
}

async function failureOf(promise: Promise<unknown>): Promise<SessionAssertionError> {
  const error = await promise.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SessionAssertionError, String(error));
  return error;
}

describe("testClient()", () => {
  test("testClient() runs a whole session", async () => {
    await using client = testClient(stopping());
    const stop = await client.hitBreakpoint(
      { path: "/a.c", line: 3 },
      { arguments: { program: "a" } },
    );
    assert.equal(stop.reason, "breakpoint");
    await client.assertStoppedAt({ path: /a\.c$/, line: 3, column: 5, name: "main" });
    assert.equal((await client.assertOutput("hello", { category: "stdout" }))[0], "hello");
    // Events that arrive before a call are not missed, and each call returns the next one.
    assert.deepEqual(await client.waitForEvent("stopped"), { reason: "breakpoint", threadId: 1 });
    const outputs = [await client.waitForEvent("output"), await client.waitForEvent("output")];
    assert.deepEqual(
      outputs.map(({ output }) => output),
      ["he", "llo\n"],
    );
    await client.session.next();
    assert.deepEqual(await client.assertEnded(2), {
      kind: "ended",
      reason: "terminated",
      exitCode: 2,
      error: undefined,
    });
  });

  test("testClient() waits for events, including custom events", async () => {
    const adapter = stopping();
    const client = testClient(adapter);
    await client.launch({ arguments: {} });
    const waiting = client.waitForEvent("thread", { where: ({ threadId }) => threadId === 2 });
    const other = client.waitForCustomEvent<{ port: number }>("vendor/ready");
    adapter.event("thread", { reason: "started", threadId: 1 });
    adapter.event("thread", { reason: "started", threadId: 2 });
    adapter.event("vendor/ready", { port: 1 });
    assert.deepEqual(await waiting, { reason: "started", threadId: 2 });
    assert.deepEqual(await other, { port: 1 });
    await client.stop();
    await client.stop();
  });

  const events = [
    "Events:",
    "  initialized",
    '  output {"category":"stdout","output":"he"}',
    '  output {"category":"stdout","output":"llo\\n"}',
    '  stopped {"reason":"breakpoint","threadId":1}',
  ];
  const output = ["Output:", "  hello"];

  test("hitBreakpoint() fails and names the location if the program stops elsewhere", async () => {
    const client = testClient(stopping());
    const error = await failureOf(
      client.hitBreakpoint(
        { path: "/a.c", line: 9 },
        { arguments: {}, expected: { reason: "breakpoint" } },
      ),
    );
    assert.deepEqual(error.message.split("\n"), [
      "Expected a stop at /a.c:9 (breakpoint), but the program stopped at /a.c:3:5 in main (breakpoint)",
      ...events,
      ...output,
    ]);
    assert.deepEqual(
      [error.name, error.code, error.actual, error.expected],
      [
        "AssertionError",
        "ERR_ASSERTION",
        { path: "/a.c", line: 3, reason: "breakpoint" },
        { path: "/a.c", line: 9, reason: "breakpoint" },
      ],
    );
    await client.stop();
  });

  test("hitBreakpoint() fails with the reason if a breakpoint is not verified", async () => {
    const adapter = (): ScriptedAdapter =>
      stopping({
        setBreakpoints: { breakpoints: [{ verified: false, line: 3, message: "no code here" }] },
      });
    const client = testClient(adapter());
    const error = await failureOf(
      client.hitBreakpoint({ path: "/a.c", line: 3 }, { arguments: {} }),
    );
    assert.equal(
      error.message.split("\n")[0],
      "The breakpoint at /a.c:3 is not verified: no code here",
    );
    await client.stop();
    const other = testClient(adapter());
    await other.hitBreakpoint({ path: "/a.c", line: 3, verified: false }, { arguments: {} });
    await other.stop();
  });

  test("hitBreakpoint() reports an unverified breakpoint if the program stops elsewhere", async () => {
    const client = testClient(
      stopping({
        setBreakpoints: { breakpoints: [{ verified: false, line: 9, message: "no code here" }] },
      }),
    );
    const error = await failureOf(
      client.hitBreakpoint({ path: "/a.c", line: 9 }, { arguments: {} }),
    );
    assert.equal(
      error.message.split("\n")[0],
      "Expected a stop at /a.c:9 (breakpoint), but the program stopped at /a.c:3:5 in main (breakpoint). The breakpoint at /a.c:9 is not verified: no code here",
    );
    await client.stop();
  });

  test("hitBreakpoint() succeeds if the breakpoint is verified only after it was set", async () => {
    const client = testClient(
      stopping({
        setBreakpoints(request, adapter) {
          adapter.answer(request, { breakpoints: [{ id: 7, verified: false }] });
          const breakpoint = { id: 7, verified: true, line: 3 };
          adapter.event("breakpoint", { reason: "changed", breakpoint });
        },
      }),
    );
    await client.hitBreakpoint({ path: "/a.c", line: 3 }, { arguments: {} });
    await client.stop();
  });

  test("hitBreakpoint() fails if the program has ended", async () => {
    const client = testClient(
      stopping({
        configurationDone(request, adapter) {
          adapter.answer(request);
          adapter.event("exited", { exitCode: 1 });
          adapter.event("terminated");
        },
      }),
    );
    const error = await failureOf(
      client.hitBreakpoint({ path: "/a.c", line: 3 }, { arguments: {} }),
    );
    assert.deepEqual(error.message.split("\n"), [
      "Expected a stop at /a.c:3 (breakpoint), but the program ended (exited, exit code 1)",
      "Events:",
      "  initialized",
      '  exited {"exitCode":1}',
    ]);
    assert.equal(
      (await failureOf(client.assertEnded(0))).message.split("\n")[0],
      "Expected exit code 0, but got 1",
    );
    await client.stop();
  });

  test("assertEnded() fails if the program has stopped", async () => {
    const client = testClient(stopping());
    await client.launch({ arguments: {} });
    const error = await failureOf(client.assertEnded());
    assert.equal(
      error.message.split("\n")[0],
      "Expected the program to end, but it stopped (breakpoint)",
    );
    await client.stop();
  });

  for (const [what, wait, text] of [
    ["an event", "event", 'Waiting for the event "module" was aborted'],
    ["output", "output", 'Waiting for the output "bye" was aborted'],
    ["a stop", "stop", "Waiting for the program to stop was aborted"],
  ] as const)
    test(`the error for an aborted wait for ${what} lists the events`, async () => {
      const controller = new AbortController();
      const reports: string[] = [];
      const adapter = stopping();
      const client = testClient(adapter, {
        signal: controller.signal,
        onAbort: (text: string) => void reports.push(text),
      });
      await client.launch({ arguments: {} });
      await client.assertOutput("hello");
      if (wait === "stop") {
        adapter.event("continued", { threadId: 1 });
        await client.waitForEvent("continued");
      }
      const waits = {
        event: () => client.waitForEvent("module"),
        output: () => client.assertOutput("bye"),
        stop: () => client.assertStoppedAt({ line: 3 }),
      };
      const waiting = failureOf(waits[wait]());
      controller.abort();
      const { message } = await waiting;
      const more = wait === "stop" ? ['  continued {"threadId":1}'] : [];
      assert.deepEqual(message.split("\n"), [text, ...events, ...more, ...output]);
      assert.deepEqual(reports, [message]);
      await client.stop();
    });

  test("pending waits fail when the session ends", async () => {
    const adapter = stopping();
    const client = testClient(adapter);
    await client.launch({ arguments: {} });
    const event = failureOf(client.waitForEvent("module"));
    const output = failureOf(client.assertOutput(/bye \d/));
    await client.assertStoppedAt({});
    adapter.end(new Error("out of memory"));
    assert.match((await event).message, /^The session ended before the event "module"\nEvents:/);
    assert.match((await output).message, /^The session ended before it printed "\/bye/);
    const ended = await failureOf(client.assertStoppedAt({ line: 1 }));
    assert.match(
      ended.message,
      /^Expected a stop at 1, but the program ended \(closed, out of memory\)/,
    );
    await client.stop();
  });

  test("the error for a failed start contains the adapter's message", async () => {
    const client = testClient(
      scriptAdapter({
        launch(request, adapter) {
          adapter.event("output", { category: "console", output: "no compiler\n" });
          adapter.refuse(request, "cannot build");
        },
      }),
    );
    const error = await failureOf(client.launch({ arguments: {} }));
    assert.match(error.message, /^Cannot launch: cannot build\nEvents:\n {2}initialized\n/);
    assert.match(error.message, /Output:\n {2}no compiler$/);
    assert.throws(() => client.session, /No session has started/);
    await client.stop();
  });

  test("client.account stays short no matter how many events arrive", async () => {
    const adapter = stopping();
    const client = testClient(adapter);
    await client.launch({ arguments: {} });
    for (let count = 0; count < 12_000; count++)
      adapter.event("output", { output: `${count} ${"x".repeat(1_000)}\n` });
    await client.assertOutput("11999");
    const lines = client.account.split("\n");
    assert.ok(client.account.length < 6_000, `${client.account.length}`);
    assert.equal(lines[1], "  (11992 before)");
    assert.match(lines.at(-1)!, /^ {2}11999 x+…$/);
    await client.stop();
  });
});
