/** Tests session and connection errors that describe a misbehaving peer. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import type { Problem } from "@wirewright/dap/connection";
import { readMessages } from "@wirewright/dap";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import { assertValid } from "@wirewright/dap/validators";
import { answer, event, refusal, type ScriptedAdapter } from "../../support/scripted-adapter.js";
import { answering, quick } from "../../support/played-session.js";
import { scripted, until, type Fields } from "../../support/scripted-connection.js";

describe("a session reports an adapter that prints text", () => {
  const usage = "console.log('usage: adapter [options]');";

  /**
   * Launches a script as an adapter. Returns the error, and the reported problems other than
   * transport problems.
   */
  async function launched(script: string, timeoutMs: number): Promise<[Error, string[]]> {
    const problems: Problem[] = [];
    const adapter = await spawnAdapter(process.execPath, ["-e", script], {
      timeoutMs,
      exitGraceMs: 10,
      onProblem: (problem) => void problems.push(problem),
    });
    const error = await launch(adapter, { arguments: {} }).then(
      () => assert.fail("launched"),
      (thrown: Error) => thrown,
    );
    await adapter.connection.close();
    const texts = problems
      .filter(({ code }) => code !== "ERR_TRANSPORT")
      .map(({ code, message }) => `${code}: ${message}`);
    return [error, texts];
  }

  test("the problem and the timeout error contain the text that an idle adapter printed", async () => {
    const [error, problems] = await launched(`${usage} setTimeout(() => {}, 60_000)`, 1_500);
    const received = "received no message, only 25 bytes: usage: adapter [options]\\n";
    assert.equal(
      error.message,
      `Timed out after 1500 ms waiting for the response to "initialize"; ${received}`,
    );
    assert.deepEqual(problems, [`ERR_NO_MESSAGE: The connection has ${received}`]);
  });

  for (const status of [0, 2])
    test(`the problem and the error contain the text that an adapter printed before it exited with ${status}`, async () => {
      const [error, problems] = await launched(`${usage} process.exitCode = ${status}`, 10_000);
      assert.equal(
        error.message,
        'Cannot get a response to "initialize": the connection is closed, having received no ' +
          "message, only 25 bytes: usage: adapter [options]\\n: " +
          `the process ended with exit code ${status}`,
      );
      assert.deepEqual(problems, [
        "ERR_TRUNCATED: The stream ended inside a header: usage: adapter [options]\\n",
      ]);
    });

  test("the excerpt of the printed text is limited, and an incomplete message is not reported as text", async () => {
    const { connection, transport, problems } = scripted("client", { timeoutMs: 5 });
    const asked = connection.request("threads");
    void transport.onBytes(Buffer.from(`${"x".repeat(100)}\n`));
    void transport.onBytes(Buffer.from(`${"y".repeat(100)}\n`));
    await assert.rejects(asked, ({ message }: Error) =>
      message.endsWith(`; received no message, only 202 bytes: ${"x".repeat(80)}…`),
    );
    await connection.close();
    await assert.rejects(connection.request("threads"), /having received no message, only 202/);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["ERR_NO_MESSAGE"],
    );
  });

  test("no text is reported if a message has arrived, or if the adapter printed nothing", async () => {
    for (const early of [[event("output", { output: "a" })], []]) {
      const { connection, transport, problems } = scripted("client", { timeoutMs: 5 });
      const asked = connection.request("threads");
      if (early.length > 0) void transport.say(...early);
      void transport.onBytes(Buffer.from(early.length > 0 ? "text\n" : ""));
      await assert.rejects(asked, {
        message: 'Timed out after 5 ms waiting for the response to "threads"',
      });
      await connection.close();
      assert.deepEqual(problems, []);
    }
  });

  test("the problem for noise between messages contains the noise", () => {
    const { transport, problems } = scripted("client");
    void transport.say(event("initialized"));
    void transport.onBytes(Buffer.from("a debug \u001b here\n"));
    void transport.say(event("initialized"));
    assert.deepEqual(
      problems.map(({ message }) => message),
      ["Skipped 15 bytes that do not belong to a message: a debug . here\\n"],
    );
  });
});

describe("a session that cannot start rejects", () => {
  test("launch() rejects when its timeout expires, and then closes the adapter", async () => {
    const adapter = await spawnAdapter(process.execPath, [
      "-e",
      "process.stdin.resume(); process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000)",
    ]);
    const began = performance.now();
    await assert.rejects(launch(adapter, { arguments: {}, timeoutMs: 300 }), {
      code: "ERR_TIMEOUT",
    });
    assert.ok(performance.now() - began < 1_500);
    assert.equal(adapter.process.exitCode ?? adapter.process.signalCode, null);
    await adapter.connection.closed;
    assert.equal(adapter.process.signalCode, "SIGKILL");
  });

  test("a session sends nothing after disconnect", async () => {
    // The setBreakpoints response arrives after launch has failed and disconnect has been sent.
    let waiting: Fields = {};
    const adapter: ScriptedAdapter = answering({
      launch: () => [],
      setBreakpoints: (request) => {
        waiting = request;
        return [refusal(launchRequest(), "There is no a.out")];
      },
      disconnect: (request) => [answer(waiting, { breakpoints: [] }), answer(request)],
    });
    const launchRequest = (): Fields =>
      adapter.written.find(({ command }) => command === "launch")!;
    const breakpoints = { "/a.c": [1], "/b.c": [2] };
    await assert.rejects(launch(adapter, { arguments: {}, breakpoints }), /There is no a\.out/);
    await until(() => adapter.calls.includes("close"));
    // Both sources were sent at once, before.
    const sources = ["setBreakpoints", "setBreakpoints"];
    assert.deepEqual(adapter.requests, ["initialize", "launch", ...sources, "disconnect"]);
  });

  test("a session sends nothing after a callback calls disconnect()", async () => {
    // Without `configurationDone`, the filters would follow the breakpoints.
    for (const capabilities of [{ supportsConfigurationDoneRequest: true }, {}]) {
      const adapter: ScriptedAdapter = answering({
        initialize: (request) => [answer(request, capabilities), event("initialized")],
        setBreakpoints: (request) => [event("output", { output: "a" }), answer(request)],
      });
      const started = launch(adapter, {
        arguments: {},
        breakpoints: { "/a.c": [1], "/b.c": [2] },
        onEvent: ({ event: name }, session) => {
          if (name === "output") void session.disconnect(quick);
        },
      });
      await assert.rejects(started, { code: "ERR_SESSION_ENDED" });
      // Both sources were sent at once, before.
      const sources = ["setBreakpoints", "setBreakpoints"];
      assert.deepEqual(adapter.requests, ["initialize", "launch", ...sources, "disconnect"]);
    }
  });
});

describe("a session that has ended rejects calls", () => {
  test("methods of an ended session reject without sending requests", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {} });
    await session.terminate(quick);
    const count = adapter.requests.length;
    const calls = {
      continue: () => session.continue(),
      next: () => session.next(),
      pause: () => session.pause(),
      snapshot: () => session.snapshot(),
      setBreakpoints: () => session.setBreakpoints("/a.c", [1]),
    };
    for (const [name, call] of Object.entries(calls))
      await assert.rejects(call(), {
        name: "SessionError",
        code: "ERR_SESSION_ENDED",
        message: `Cannot ${name === "setBreakpoints" ? "set breakpoints" : name === "snapshot" ? "read a snapshot" : `send "${name}"`}: the session has ended (closed)`,
      });
    assert.equal(adapter.requests.length, count);
  });

  test("methods reject after the program has ended, even if the adapter is still running", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {} });
    await adapter.arrive([event("exited", { exitCode: 3 })]);
    await session.waitForEnd();
    await assert.rejects(session.next(), {
      message: 'Cannot send "next": the session has ended (exited with exit code 3)',
    });
    await session.disconnect(quick);
  });

  test("methods reject with the error that ended the connection", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {} });
    const lost = new Error("the adapter died");
    adapter.end(lost);
    await session.waitForEnd();
    const message = 'Cannot send "next": the session has ended (closed): the adapter died';
    await assert.rejects(session.next(), { message, cause: lost });
  });

  test("a step resolves if the adapter exits while the step requests threads", async () => {
    const adapter: ScriptedAdapter = answering({
      threads: () => {
        setImmediate(() => adapter.end());
        return [];
      },
    });
    const session = await launch(adapter, { arguments: {} });
    await adapter.arrive([event("stopped", { reason: "pause" })]);
    assert.equal((await session.next()).kind, "ended");
    await session.disconnect(quick);
  });
});

describe("breakpoints are shown and sent as plain data", () => {
  test("inspecting a session shows its breakpoints as plain data", async () => {
    const body = { breakpoints: [{ id: 4, verified: true, line: 3 }] };
    const adapter = answering({ setBreakpoints: (request) => [answer(request, body)] });
    const session = await launch(adapter, { arguments: {}, breakpoints: { "/a.c": [3] } });
    assert.equal(inspect(session.breakpoints), inspect({ "/a.c": body.breakpoints }));
    assert.equal(JSON.stringify(session.breakpoints), JSON.stringify({ "/a.c": body.breakpoints }));
    assert.deepEqual(session.breakpoints.all, body.breakpoints);
    await session.disconnect(quick);
  });

  test("the client sends setBreakpoints without the deprecated lines property", async () => {
    const adapter = answering();
    const session = await launch(adapter, { arguments: {}, breakpoints: { "/a.c": [3] } });
    assert.deepEqual(
      adapter.written.find(({ command }) => command === "setBreakpoints")!["arguments"],
      {
        source: { path: "/a.c" },
        breakpoints: [{ line: 3 }],
      },
    );
    await session.disconnect(quick);
  });

  test("assertValid() throws for an invalid message", () => {
    assert.throws(() => assertValid({ seq: 1, type: "request" } as never), {
      code: "ERR_INVALID_MESSAGE",
      message: /^The message is invalid: /,
    });
  });

  test("the failure response to a request without a handler contains the request's name", async () => {
    const { transport } = scripted("adapter");
    void transport.say({ seq: 1, type: "request", command: "stepIn" });
    const [response] = transport.responsesTo(1);
    assert.equal(response!["message"], "unknown request: stepIn");
    assert.deepEqual(response!["body"], {
      error: {
        id: 1,
        format: 'The {role} does not support the request "{name}"',
        variables: { name: "stepIn", role: "adapter" },
      },
    });
  });

  test("readMessages() rejects if the bytes contain no message", async () => {
    const lines = Buffer.from('{"seq":1,"type":"event","event":"initialized"}\n{"seq":2}\n');
    const read = async (options?: object): Promise<void> => {
      for await (const each of readMessages([lines], options)) assert.fail(JSON.stringify(each));
    };
    await assert.rejects(read(), {
      code: "ERR_NO_MESSAGE",
      message:
        'Cannot find a message in 57 bytes: these are lines of JSON without Content-Length headers, as in a recording: {"seq":1,"type":"event","event":"initialized"}\\n',
    });
    const errors: string[] = [];
    await read({ onFault: ({ message }: Error) => void errors.push(message) });
    assert.deepEqual(errors, [
      "Found JSON on a separate line, without a header: is the framing 'lines'?",
      "Skipped 10 bytes that do not belong to a message",
    ]);
    for (const nothing of ["", "\r\n\n"])
      for await (const each of readMessages([Buffer.from(nothing)])) assert.fail(String(each));
  });
});

test("a session ignores a stop that arrives after its end", async () => {
  const adapter = answering({
    threads: (request) => [
      event("exited", { exitCode: 0 }),
      event("stopped", { reason: "step", threadId: 1 }),
      answer(request, { threads: [] }),
    ],
  });
  const session = await launch(adapter, { arguments: {} });
  await session.connection.request("threads");
  assert.deepEqual(await session.waitForStop(), {
    kind: "ended",
    reason: "exited",
    exitCode: 0,
    error: undefined,
  });
  await session.disconnect(quick);
});
