import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createClient,
  createServer,
  type Client,
  type LaneError,
  type LaneProblem,
  type Server,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import { listenForSubProcesses } from "@wirewright/ruby-debug-ide/node";
import { until } from "../../support/scripted-connection.js";
import { frames, stopped, outcome, isSettled, never } from "../../support/ruby-connections.js";
import { bytesOf, textOf } from "../../support/framed-text.js";

test("under strict recovery, a fault ends the connection with a problem, as does a failed write", async () => {
  const problems: (LaneProblem | undefined)[] = [];
  const onClose = (problem?: LaneProblem): void => void problems.push(problem);
  const strict = createClient({ write: () => undefined, recovery: "strict", onClose });
  const waiting = strict.send("where");
  strict.push(bytesOf("<suspended x>"));
  strict.push(bytesOf(frames));
  await assert.rejects(waiting, {
    code: "ERR_CONNECTION_CLOSED",
    message:
      'Cannot get an answer to "where": the connection was closed: Cannot read the start of a suspended element',
    cause: problems[0],
  });
  assert.equal(problems[0]?.code, "ERR_ELEMENT");

  const gone = new Error("gone");
  let writes = 0;
  const failing = createClient({
    write: () => {
      if (++writes === 2) throw gone;
    },
    onClose,
  });
  const sent = [failing.send("where"), failing.send("info break"), failing.send("where")];
  const results = await Promise.allSettled(sent);
  for (const result of results) {
    assert.equal(result.status, "rejected");
    assert.equal((result.reason as LaneError).code, "ERR_CONNECTION_CLOSED");
    assert.deepEqual((result.reason as LaneError).cause, problems[1]);
  }
  assert.deepEqual(problems[1], {
    code: "ERR_TRANSPORT",
    message: "Cannot write: gone",
    cause: gone,
  });
  assert.equal(writes, 2, "nothing is written after a failure");
  assert.equal(problems.length, 2);
});

test("commands in excess of maxWaiting are refused before they are sent", async () => {
  let writes = 0;
  const client = createClient({ write: () => void writes++, maxWaiting: 3 });
  const sent = Array.from({ length: 5 }, () => outcome(client.send("where")));
  assert.deepEqual([client.waiting, writes], [3, 3]);
  client.push(bytesOf(frames));
  assert.deepEqual((await Promise.all(sent.slice(3))).sort(), [
    "ERR_COMMANDS_WAITING",
    "ERR_COMMANDS_WAITING",
  ]);
  const last = outcome(client.send("where"));
  await client.close();
  assert.equal(await last, "ERR_CONNECTION_CLOSED");
  for (const maxWaiting of [0, -1, NaN, 1.5])
    assert.throws(() => createClient({ write: () => undefined, maxWaiting }), TypeError);
});

test("a text answer that exceeds its limit is dropped, and its remaining bytes do not answer another command", async () => {
  const written: string[] = [];
  const client = createClient({
    write: (bytes) => void written.push(textOf(bytes)),
    limits: { maxBodyBytes: 10 },
    textSilenceMs: 5,
  });
  const sent = [client.send("pp", { expression: "a" }), client.send("pp", { expression: "b" })];
  const results = sent.map(outcome);
  client.push(bytesOf("12345678\n"));
  client.push(bytesOf("1234\n"));
  assert.equal(await results[0], "ERR_ANSWER_TOO_LONG");
  client.push(bytesOf("1234\n"));
  assert.deepEqual(written, ["pp a\n"]);
  await until(() => written.length === 2);
  client.push(bytesOf("b\n"));
  assert.deepEqual(await results[1], { element: "#text", body: { text: "b\n" } });
  await client.close();
});

test("a peer that sends too many commands is disconnected", async () => {
  const flood = async (
    options: Partial<ServerOptions>,
    line: string,
    count: number,
  ): Promise<unknown> => {
    let problem: LaneProblem | undefined;
    const server = createServer({
      write: () => undefined,
      handlers: { "info break": never as never },
      onClose: (given) => void (problem = given),
      ...options,
    });
    server.push(bytesOf(line.repeat(count)));
    const isClosed = await isSettled(server.closed);
    if (!isClosed) await server.close();
    return isClosed ? problem?.code : "open";
  };
  assert.equal(await flood({}, "where\n", 10_000), "open");
  assert.equal(await flood({}, "where\n", 10_001), "ERR_COMMANDS_WAITING");
  assert.equal(await flood({}, "info break\n", 10_001), "open", "one of them is at work");
  assert.equal(await flood({}, "info break\n", 10_002), "ERR_COMMANDS_WAITING");
  assert.equal(await flood({ maxWaiting: 2 }, "where;where\n", 2), "ERR_COMMANDS_WAITING");
  const limits = { maxBodyBytes: 100 };
  assert.equal(await flood({ limits }, `p ${"x".repeat(48)}\n`, 2), "open");
  assert.equal(await flood({ limits }, `p ${"x".repeat(48)}\n`, 3), "ERR_COMMANDS_WAITING");
});

test("handlers wait for a slow reader", async () => {
  const settle: (() => void)[] = [];
  let calls = 0;
  const server = createServer({
    write: () => new Promise<void>((resolve) => settle.push(resolve)),
    handlers: {
      "info break": () => {
        calls++;
        return { element: "breakpoints", body: { breakpoints: [] } };
      },
    },
  });
  server.push(bytesOf("info break\n".repeat(100)));
  assert.equal(calls, 1);
  settle.shift()!();
  await until(() => settle.length > 0);
  assert.equal(calls, 2);
  await server.close({ graceMs: 0 });
});

test("answers in a lane follow the order of the commands, no matter how long each takes", async () => {
  const written: string[] = [];
  let release = (): void => undefined;
  const server = createServer({
    write: (bytes) => void written.push(textOf(bytes)),
    handlers: {
      break: async (values) => {
        const location = values?.location ?? "";
        if (location === "slow:1") await new Promise<void>((resolve) => (release = resolve));
        return { element: "breakpointAdded", body: { no: 1, location } };
      },
      where: () => ({ element: "frames", body: { frames: [] } }),
    },
  });
  server.push(bytesOf("b slow:1\nb quick:1\nwhere\n"));
  server.stop(stopped);
  await nextTurn();
  assert.deepEqual(written.splice(0), [
    '<suspended file="a" line="1" threadId="1" frames="1"/>',
    frames,
  ]);
  release();
  await until(() => written.length === 2);
  assert.deepEqual(written, [
    '<breakpointAdded no="1" location="slow:1"/>',
    '<breakpointAdded no="1" location="quick:1"/>',
  ]);
  await server.close();
});

test("an event that cannot be written does not count as a stop, and no partial event is written", async () => {
  const written: string[] = [];
  const server = createServer({
    write: (bytes) => void written.push(textOf(bytes)),
    handlers: {},
  });
  assert.throws(() => server.stop({ element: "suspended", body: {} } as never), {
    code: "ERR_ENCODE_FIELD",
  });
  assert.deepEqual([server.isStopped, written], [false, []]);
  await server.close();
  server.stop(stopped);
  assert.deepEqual(written, [], "nothing is written once it is closed");
});

test("a client and a server can call each other synchronously", async () => {
  const events: string[] = [];
  const client: Client = createClient({
    write: (bytes) => server.push(bytes),
    onEvent: ({ element }) => {
      events.push(element);
      void client.send("where").then(({ element: answer }) => events.push(answer));
      client.push(bytesOf("<threads></threads>"));
    },
    onUnexpected: () => void events.push("unexpected"),
  });
  const server: Server = createServer({
    write: (bytes) => client.push(bytes),
    handlers: {
      where: () => ({ element: "frames", body: { frames: [] } }),
      start: () => server.stop(stopped),
      "info break": () => ({ element: "breakpoints", body: { breakpoints: [] } }),
    },
  });
  assert.deepEqual((await client.send("info break")).body, { breakpoints: [] });
  await client.send("start");
  await until(() => events.length === 3);
  assert.deepEqual(events, ["suspended", "unexpected", "frames"]);
  await Promise.all([client.close(), server.close()]);
});

test("listenForSubProcesses() accepts Infinity as timeoutMs, its close() ends open calls, and its error texts are safe to print", async () => {
  const errors: string[] = [];
  const dispatcher = await listenForSubProcesses(0, {
    onProcess: () => assert.fail("no process reports where it listens"),
    onError: ({ message }) => errors.push(message),
    timeoutMs: Infinity,
  });
  const call = (answer?: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: dispatcher.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve());
      socket.on("data", () => (answer === undefined ? undefined : socket.end(answer)));
      socket.on("end", () => socket.destroy());
    });
  await call("\u001b[2J\u009b1m\n::x");
  const silent = call();
  // The process is already connected when close() ends the call.
  await nextTurn();
  await dispatcher.close();
  await silent;
  assert.deepEqual(errors, ['Cannot read the port of a process: ".[2J..1m.::x" is not a port']);
  for (const timeoutMs of [NaN, -1])
    await assert.rejects(listenForSubProcesses(0, { onProcess: () => undefined, timeoutMs }), {
      name: "TypeError",
    });
});
