import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { connect } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import {
  createClient,
  createServer,
  type Client,
  type ClientOptions,
  type LaneError,
  type LaneProblem,
  type Server,
  type ServerOptions,
} from "../../../generated/ruby-debug-ide/connection.js";
import { listenForSubProcesses } from "../../../generated/ruby-debug-ide/node.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { until } from "../../support/scripted-connection.js";

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const frames = "<frames></frames>";
const stopped = {
  element: "suspended",
  body: { file: "a", line: 1, threadId: 1, frames: 1 },
} as const;

/** Code of what a promise is rejected with, or what it resolves to. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(({ code, name }: LaneError) => code ?? name);
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const settle = (): void => void (is = true);
  promise.then(settle, settle);
  await nextTurn();
  return is;
}

/** Node fires a timer with a delay that it cannot take after a millisecond, with a warning. */
function outlastClampedTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

const never = (): Promise<void> => new Promise(() => undefined);

/** How a misbehaving callback is told, and what its cause reads like. */
const misbehaviours: readonly (readonly [name: string, cause: string, isSync: boolean])[] = [
  ["throws", "thrown", true],
  ["throws what is no error", "object", true],
  ["throws nothing", "undefined", true],
  ["throws what cannot be read", "unreadable", true],
  ["rejects", "rejected", false],
  ["rejects with what is no error", "object", false],
  ["gives a thenable that rejects", "refused", false],
  ["gives a thenable that throws", "then", false],
  ["gives what cannot be asked for then", "getter", false],
];

test("no callback, handler, transport or check ends the process, whatever it throws or rejects with", async () => {
  const script = fromRoot("build/test/support/lane-callbacks.js");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    "--unhandled-rejections=strict",
    script,
  ]);
  assert.equal(stderr, "");
  const breakdown = (reason: string): string =>
    `<error>INTERNAL ERROR!!! ${reason}</error><error></error>`;
  const expected = misbehaviours.flatMap(([name, cause, isSync]) => {
    const thrown = isSync ? `, push threw ${cause}` : "";
    const reason =
      cause === "object" || cause === "unreadable" ? "A value without a message was thrown" : cause;
    return [
      `onEvent ${name}: ${cause}, answered`,
      `onNote ${name}: ${cause}, answered`,
      `onUnexpected ${name}: ${cause}, answered`,
      `onNoise ${name}: ${thrown}, answered`,
      `onError ${name}: ${thrown}, answered`,
      `alone ${name}: push threw ${isSync ? cause : "nothing"}`,
      `write ${name}: ${"ERR_CONNECTION_CLOSED,".repeat(3).slice(0, -1)}, ERR_TRANSPORT, ERR_CONNECTION_CLOSED`,
      `close ${name}: ERR_CONNECTION_CLOSED`,
      `where ${name}: ${breakdown(reason)} open`,
      `info break ${name}: ${breakdown(reason)} ERR_COMMAND_HANDLER`,
      `check of a client ${name}: ${isSync ? cause : "Cannot use an asynchronous check: it must throw before it returns"}`,
      `check of a server ${name}: ERR_COMMAND_HANDLER`,
      `dispatcher ${name}: The listener to a process threw`,
    ];
  });
  const missing = breakdown(
    "Cannot write a eval element without its expression, at /body/expression",
  );
  const noMessage = breakdown("Cannot write a message without a name, at /element");
  const noAnswer = breakdown("the handler of &quot;where&quot; returned no answer");
  assert.deepEqual(stdout.trimEnd().split("\n"), [
    ...expected,
    `answer, a field that is missing: ${missing}`,
    `answer, a BigInt: ${missing}`,
    `answer, a cycle: ${breakdown("Cannot write a frame element without its no, at /body/frames/0/no")}`,
    `answer, null: ${noMessage}`,
    `answer, a number: ${noMessage}`,
    `answer, no answer: ${noAnswer}`,
    `answer, no answers: ${noAnswer}`,
    `answer, one that can be written and one that cannot: ${breakdown("Cannot write a value that is not a list, at /body/frames")}`,
    `answer, one in a thenable: ${frames}`,
    `answer, one that cannot be read: ${breakdown("get")}`,
  ]);
});

test("times that no timer takes are not taken for a millisecond; 0 and Infinity stand for none", async () => {
  for (const timeoutMs of [0, Infinity, 2 ** 31, 30 * 24 * 3_600_000, 2 ** 53]) {
    const client = createClient({ write: () => undefined, timeoutMs });
    const sent = client.send("where");
    await outlastClampedTimers();
    assert.equal(await isSettled(sent), false, String(timeoutMs));
    client.push(bytesOf(frames));
    assert.deepEqual((await sent).body, { frames: [] });
    await client.close();
  }
  for (const timeoutMs of [NaN, -1, "5" as unknown as number, null as unknown as number])
    for (const name of ["timeoutMs", "textSilenceMs"] as const)
      if (!(timeoutMs === null && name === "textSilenceMs"))
        assert.throws(() => createClient({ write: () => undefined, [name]: timeoutMs }), {
          name: "RangeError",
          message: `Cannot use ${name} ${timeoutMs}: expected a number of milliseconds from 0`,
          code: "ERR_OUT_OF_RANGE",
        });
  const late = createClient({ write: () => undefined, timeoutMs: 1 });
  assert.equal(await outcome(late.send("where")), "ERR_ANSWER_LATE");
  assert.equal(late.waiting, 0);
  const client = createClient({ write: () => undefined, textSilenceMs: Infinity });
  const text = client.send("pp", { expression: "a" });
  client.push(bytesOf("1\n"));
  await outlastClampedTimers();
  assert.equal(await isSettled(text), false);
  client.end();
  assert.deepEqual((await text).body, { text: "1\n" });
});

function recordEnd(calls: string[]): Pick<ClientOptions, "destroy" | "onClose"> {
  return {
    destroy: () => void calls.push("destroy"),
    onClose: (problem?: LaneProblem) => void calls.push(problem?.code ?? "closed"),
  };
}

test("close settles within its bound, whatever the transport does", async () => {
  const transports: readonly (readonly [what: string, options: Partial<ClientOptions>])[] = [
    ["takes everything", { write: () => undefined }],
    ["is never done with a write", { write: never }],
    ["is never done with its end", { write: () => undefined, close: never }],
    ["says nothing of its end", { write: () => undefined, close: () => undefined }],
    ["fails to write", { write: () => Promise.reject(new Error("gone")) }],
    [
      "fails to end",
      {
        write: () => undefined,
        close: () => {
          throw new Error("gone");
        },
      },
    ],
  ];
  for (const [what, options] of transports) {
    for (const timeoutMs of [0, 10]) {
      const calls: string[] = [];
      const client = createClient({ write: () => undefined, ...options, ...recordEnd(calls) });
      const sent = [client.send("where"), client.send("cont"), client.send("where")].map(outcome);
      const started = Date.now();
      await client.close({ timeoutMs });
      await client.closed;
      assert.ok(Date.now() - started < 1_500, `a transport that ${what}, ${timeoutMs}`);
      const [where, , second] = await Promise.all(sent);
      assert.deepEqual([where, second], ["ERR_CONNECTION_CLOSED", "ERR_CONNECTION_CLOSED"], what);
      assert.equal(client.waiting, 0);
      assert.equal(client.isClosed, true);
      assert.equal(calls[0], "destroy");
      assert.equal(calls.length, 2);
      assert.equal(await outcome(client.send("where")), "ERR_CONNECTION_CLOSED");
    }
    const calls: string[] = [];
    const server = createServer({
      write: () => undefined,
      ...(options as Partial<ServerOptions>),
      ...recordEnd(calls),
      handlers: { where: never as never },
    });
    server.stop(stopped);
    server.push(bytesOf("where\nwhere\n"));
    await server.close({ timeoutMs: 10 });
    assert.equal(calls[0], "destroy", what);
    assert.equal(calls.length, 2);
  }
});

test("a bound of close that is no time is refused, and the connection stays open", async () => {
  const client = createClient({ write: () => undefined });
  for (const timeoutMs of [NaN, -1])
    await assert.rejects(client.close({ timeoutMs }), { code: "ERR_OUT_OF_RANGE" });
  assert.equal(client.isClosed, false);
  await client.close();
});

test("a second close may be more impatient than the first", async () => {
  const client = createClient({ write: never });
  const sent = outcome(client.send("cont"));
  const first = client.close({ timeoutMs: Infinity });
  assert.equal(await isSettled(first), false);
  await client.close({ timeoutMs: 1 });
  await first;
  assert.equal(await sent, "ERR_CONNECTION_CLOSED");
});

test("what was written goes out, one behind the other, before the connection is closed", async () => {
  const log: string[] = [];
  const settle: (() => void)[] = [];
  const client = createClient({
    write: (bytes) => {
      log.push(textOf(bytes));
      return new Promise<void>((resolve) => settle.push(resolve));
    },
    close: () => void log.push("close"),
    destroy: () => void log.push("destroy"),
  });
  const sent = [client.send("cont"), client.send("next"), client.send("where")].map(outcome);
  const closed = client.close({ timeoutMs: Infinity });
  assert.deepEqual(log, ["cont\n"]);
  settle.shift()!();
  await until(() => settle.length > 0);
  assert.deepEqual(log, ["cont\n", "next\n"]);
  settle.shift()!();
  await until(() => settle.length > 0);
  settle.shift()!();
  await closed;
  assert.deepEqual(log, ["cont\n", "next\n", "where\n", "close", "destroy"]);
  assert.deepEqual((await Promise.all(sent)).at(-1), "ERR_CONNECTION_CLOSED");
});

test("a command that nothing answers is settled when it is written", async () => {
  let settle = (): void => undefined;
  const client = createClient({
    write: () => new Promise<void>((resolve) => (settle = resolve)),
  });
  const sent = client.send("cont");
  assert.equal(await isSettled(sent), false);
  settle();
  assert.equal(await sent, undefined);
  await client.close();
});

test("a command that is held behind a text is settled when the connection closes", async () => {
  const client = createClient({ write: () => undefined });
  const sent = [
    client.send("pp", { expression: "a" }),
    client.send("pp", { expression: "b" }),
    client.send("where"),
  ].map(outcome);
  client.push(bytesOf("1\n"));
  client.end();
  assert.deepEqual(await Promise.all(sent), [
    { element: "#text", body: { text: "1\n" } },
    "ERR_CONNECTION_CLOSED",
    "ERR_CONNECTION_CLOSED",
  ]);
  assert.equal(client.waiting, 0);
});

test("a fault in strict recovery, and a failed write, end the connection with a problem", async () => {
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
    text: "Cannot write: gone",
    cause: gone,
  });
  assert.equal(writes, 2, "nothing is written behind a failure");
  assert.equal(problems.length, 2);
});

test("more commands than may wait are refused before they are sent", async () => {
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
    assert.throws(() => createClient({ write: () => undefined, maxWaiting }), RangeError);
});

test("a text that is too long is given up, and the rest of it answers nothing else", async () => {
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

test("the other side cannot make commands wait without end", async () => {
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

test("a reader that is slow makes handlers wait", async () => {
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
  await server.close({ timeoutMs: 0 });
});

test("answers of a lane keep the order of its commands, however long each takes", async () => {
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

test("an event that cannot be written does not stop the program, nor is half an answer written", async () => {
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

test("a client and a server that call each other at once", async () => {
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

test("processes that call: no bound is none, close cuts them off, and what they say is safe to print", async () => {
  const errors: string[] = [];
  const dispatcher = await listenForSubProcesses(0, {
    onProcess: () => assert.fail("none says where it listens"),
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
  // Its greeting is on the way when close cuts it off.
  await nextTurn();
  await dispatcher.close();
  await silent;
  assert.deepEqual(errors, ['Cannot read the port of a process: ".[2J..1m.::x" is not a port']);
  for (const timeoutMs of [NaN, -1])
    await assert.rejects(listenForSubProcesses(0, { onProcess: () => undefined, timeoutMs }), {
      name: "RangeError",
    });
});
