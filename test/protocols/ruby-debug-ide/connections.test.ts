import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createClient,
  createServer,
  type ClientOptions,
  type LaneProblem,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import {
  recordingClient,
  frames,
  stopped,
  outcome,
  isSettled,
  never,
} from "../../support/ruby-debug-ide.js";
import { until } from "../../support/scripted-connection.js";
import { bytesOf, textOf } from "../../support/framed-text.js";

/**
 * Long enough to notice a clamped timer: if its delay is too large, Node fires the timer after one
 * millisecond.
 */
function outlastClampedTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

test("timeouts that exceed a timer's range are not cut to one millisecond, and 0 and Infinity mean no limit", async () => {
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
      assert.throws(() => createClient({ write: () => undefined, [name]: timeoutMs }), {
        name: "TypeError",
        message: new RegExp(`option "${name}" must be a number of milliseconds, at least 0, not `),
      });
  const late = createClient({ write: () => undefined, timeoutMs: 1 });
  assert.equal(await outcome(late.send("where")), "ERR_TIMEOUT");
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

test("close() settles within its time limit, whatever the transport does", async () => {
  const transports: readonly (readonly [what: string, options: Partial<ClientOptions>])[] = [
    ["accepts everything", { write: () => undefined }],
    ["never completes a write", { write: never }],
    ["never finishes closing", { write: () => undefined, close: never }],
    ["does not report its end", { write: () => undefined, close: () => undefined }],
    ["fails to write", { write: () => Promise.reject(new Error("gone")) }],
    [
      "fails to close",
      {
        write: () => undefined,
        close: () => {
          throw new Error("gone");
        },
      },
    ],
  ];
  for (const [what, options] of transports) {
    for (const graceMs of [0, 10]) {
      const calls: string[] = [];
      const client = createClient({ write: () => undefined, ...options, ...recordEnd(calls) });
      const sent = [client.send("where"), client.send("cont"), client.send("where")].map(outcome);
      const started = Date.now();
      await client.close({ graceMs });
      await client.closed;
      assert.ok(Date.now() - started < 1_500, `a transport that ${what}, ${graceMs}`);
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
    await server.close({ graceMs: 10 });
    assert.equal(calls[0], "destroy", what);
    assert.equal(calls.length, 2);
  }
});

test("close() refuses an invalid timeout, and the connection stays open", async () => {
  const client = createClient({ write: () => undefined });
  for (const graceMs of [NaN, -1])
    await assert.rejects(client.close({ graceMs }), /^TypeError: close: the option "graceMs"/);
  assert.equal(client.isClosed, false);
  await client.close();
});

test("a second close() may set a shorter timeout than the first", async () => {
  const client = createClient({ write: never });
  const sent = outcome(client.send("cont"));
  const first = client.close({ graceMs: Infinity });
  assert.equal(await isSettled(first), false);
  await client.close({ graceMs: 1 });
  await first;
  assert.equal(await sent, "ERR_CONNECTION_CLOSED");
});

test("close() writes the pending messages in order", async () => {
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
  const closed = client.close({ graceMs: Infinity });
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

test("a command without an answer settles when it is written", async () => {
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

test("commands reject when the connection closes, except for a command that has already received text as its answer", async () => {
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

test("a failed expression is reported even if its exception cannot be written", async () => {
  const { client, log, run } = recordingClient();
  run("eval raise Broken");
  run("pp Broken.new");
  run("var inspect Broken.new");
  for (const message of ["a", "b", "c"])
    client.push(bytesOf(`<processingException type="RuntimeError" message="${message}"/>`));
  await nextTurn();
  assert.deepEqual(log, [
    "eval raise Broken: ERR_COMMAND_FAILED a",
    "pp Broken.new: ERR_COMMAND_FAILED b",
    "var inspect Broken.new: ERR_COMMAND_FAILED c",
  ]);
  assert.equal(client.waiting, 0);
});

test("catch accepts each version's answer: catchpointSet, conditionSet, a message, or an error", async () => {
  const { client, log, run } = recordingClient();
  for (let count = 0; count < 4; count++) run("catch ZeroDivisionError");
  run("var const x");
  client.push(bytesOf('<catchpointSet exception="ZeroDivisionError"/><conditionSet bp_id="1"/>'));
  client.push(bytesOf("<message>Should be Class/Module: x</message><message>set</message>"));
  client.push(bytesOf("<error>Unknown class</error>"));
  await nextTurn();
  assert.deepEqual(log, [
    "catch ZeroDivisionError: catchpointSet",
    "catch ZeroDivisionError: conditionSet",
    "var const x: ERR_COMMAND_FAILED Should be Class/Module: x",
    "catch ZeroDivisionError: message",
    "catch ZeroDivisionError: ERR_COMMAND_FAILED Unknown class",
  ]);
  assert.equal(client.waiting, 0);
});
