import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterMicrotasks } from "../../../runtime/connection/arrival-order.js";
import { deferred } from "../../../runtime/base/promises.js";
import { fromRoot } from "../../support/paths.js";
import { event, outcomeOf, response, scripted, layers } from "../../support/scripted-connection.js";

suite("once", () => {
  test('once() resolves to the first event that matches "where"', async () => {
    const { connection, transport } = scripted("client");
    const stop = connection.once("stopped", {
      where: ({ threadId }, { seq }) => threadId === 2 && seq === 0,
    });
    void transport.say(
      event("stopped", { reason: "entry", threadId: 1 }),
      event("stopped", { reason: "step", threadId: 2 }),
    );
    assert.deepEqual(await stop, { reason: "step", threadId: 2 });
  });

  test('once() rejects with the exception thrown by "where", and stops listening', async () => {
    let calls = 0;
    const { connection, transport, codes } = scripted("client");
    const stop = connection.once("stopped", {
      where: () => {
        calls++;
        throw new Error("oops");
      },
    });
    const outcome = outcomeOf(stop);
    void transport.say(event("stopped", { reason: "a" }), event("stopped", { reason: "b" }));
    assert.equal(await outcome, "rejected with oops");
    assert.deepEqual([calls, codes()], [1, []]);
  });

  test("once() finds an event that arrived since a mark", async () => {
    const { connection, transport } = scripted("client");
    const early = connection.mark();
    await transport.say(event("stopped", { reason: "entry", threadId: 1 }));
    const late = connection.mark();
    const stops = [
      connection.once("stopped", { since: early }),
      connection.once("stopped", { since: early, where: ({ reason }) => reason === "step" }),
      connection.once("stopped", { since: late }),
      connection.once("stopped"),
    ].map(outcomeOf);
    await transport.say(event("stopped", { reason: "step", threadId: 1 }));
    const step = 'resolved to {"reason":"step","threadId":1}';
    assert.deepEqual(await Promise.all(stops), [
      'resolved to {"reason":"entry","threadId":1}',
      step,
      step,
      step,
    ]);
  });

  test("a mark finds events after the connection has ended", async () => {
    const { connection, transport } = scripted("client");
    const since = connection.mark();
    await transport.say(event("terminated", { restart: true }));
    transport.end();
    await connection.closed;
    assert.deepEqual(await connection.once("terminated", { since }), { restart: true });
    await assert.rejects(connection.once("exited", { since }), { code: "ERR_CONNECTION_CLOSED" });
  });

  test("once() keeps at most 4,096 events, or 4 MiB, since a mark", async () => {
    const { connection, transport } = scripted("client");
    const since = connection.mark();
    await transport.say(event("stopped", { reason: "first" }));
    const output = event("output", { output: "x" });
    await transport.sayAll(Array<object>(4_095).fill(output));
    assert.deepEqual(await connection.once("stopped", { since }), { reason: "first" });
    await transport.say(output);
    const short = { since, timeoutMs: 1 };
    await assert.rejects(connection.once("stopped", short), { code: "ERR_TIMEOUT" });
    await transport.say(event("output", { output: "y".repeat(5 * 1024 * 1024) }));
    const { output: kept } = await connection.once("output", { since });
    assert.equal(kept.length, 5 * 1024 * 1024);
  });

  test("once() uses the connection's default timeout", async () => {
    const { connection } = scripted("client", { timeoutMs: 5 });
    await assert.rejects(connection.once("stopped"), {
      code: "ERR_TIMEOUT",
      message: 'Timed out after 5 ms waiting for "stopped"',
    });
    const unlimited = connection.once("stopped", { timeoutMs: 0 });
    assert.equal(await outcomeOf(unlimited), "pending");
    await connection.close();
  });
});

suite("a waiting call's error includes another call's failure", () => {
  const failed = response(1, { success: false, message: "There is no a.out" });

  test("the failed call is the cause of the error if the waiting call times out", async () => {
    const { connection, transport } = scripted("client", { timeoutMs: 20 });
    const ready = connection.once("initialized");
    const launched = connection.request("launch", {});
    await transport.say(failed);
    await assert.rejects(ready, ({ code, message, cause }) => {
      assert.deepEqual([code, cause.code], ["ERR_TIMEOUT", "ERR_REQUEST_FAILED"]);
      const text = 'Timed out after 20 ms waiting for "initialized"; meanwhile "launch" failed: ';
      return message === `${text}There is no a.out`;
    });
    await assert.rejects(launched, { code: "ERR_REQUEST_FAILED", message: "There is no a.out" });
  });

  test("the failed call is the cause of the error if the connection ends", async () => {
    const { connection, transport } = scripted("client");
    const launched = connection.request("launch", {});
    const asked = connection.request("threads");
    await transport.say(failed);
    transport.end(undefined, "the process ended with exit code 0");
    await assert.rejects(asked, ({ message, cause }) => {
      assert.equal(cause.code, "ERR_REQUEST_FAILED");
      return message.endsWith('exit code 0; meanwhile "launch" failed: There is no a.out');
    });
    await assert.rejects(launched, { code: "ERR_REQUEST_FAILED" });
  });
});

suite("failed calls are unhandled rejections only if no other call reports them", () => {
  const run = (kind: string): readonly unknown[] => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fromRoot("build/test/support/failing-client.js"), kind],
      { encoding: "utf8", timeout: 60_000 },
    );
    return [status, stdout.trim(), /^RequestError.*$/m.exec(stderr)?.[0] ?? stderr];
  };

  for (const kind of ["answer", "timeout", "later", "request"])
    test(`failed calls are not unhandled rejections while another call reports them: ${kind}`, () => {
      const caught = {
        answer: "ERR_TIMEOUT because of ERR_REQUEST_FAILED",
        timeout: "ERR_TIMEOUT",
        later: "ERR_REQUEST_FAILED",
        request: "ERR_REQUEST_FAILED",
      }[kind];
      assert.deepEqual(run(kind), [0, `caught ${caught}`, ""]);
    });

  test("an unhandled failure of a single call ends the process, like other rejections", () => {
    const [status, stdout, error] = run("alone");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(String(error), /There is no a\.out/);
  });

  test("an unhandled failure ends the process if the waiting call has no time limit", () => {
    const [status, stdout, error] = run("endless");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(String(error), /There is no a\.out/);
  });
});

/** A channel that closes itself after a second so that the process can exit. */
class ClosingChannel {
  readonly port1: MessagePort;
  readonly port2: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = port1;
    this.port2 = port2;
    setTimeout(() => port1.close(), 1_000);
  }
}

suite("a scheduled callback runs once the queue of promise callbacks is empty", () => {
  const hosts = {
    nextTick: { process },
    "a substitute for nextTick": {
      process: { versions: {}, nextTick: queueMicrotask },
      setImmediate,
    },
    setImmediate: { setImmediate },
    MessageChannel: { MessageChannel: ClosingChannel },
    "neither of them": {},
  };
  for (const [name, host] of Object.entries(hosts))
    test(`a scheduled callback runs after pending promise callbacks on a host with ${name}`, async () => {
      const order: string[] = [];
      const { promise, resolve } = deferred<void>();
      const schedule = afterMicrotasks(() => {
        order.push("after");
        resolve();
      }, host as object);
      schedule();
      void layers(50, Promise.resolve()).then(() => order.push("past 50 layers"));
      await promise;
      assert.deepEqual(order, ["past 50 layers", "after"]);
    });
});

test("listeners for * get every event, after the listeners for its name", async () => {
  const unhandled: object[] = [];
  const { connection, transport } = scripted("client", {
    onUnhandled: (message) => void unhandled.push(message),
  });
  const seen: unknown[] = [];
  const stop = connection.on("*", (body, message) => void seen.push([message.event, body]));
  connection.on("output", ({ output }) => void seen.push(output));
  const events = [
    event("output", { output: "a" }),
    event("vendor/x", 7),
    event("*", "b"),
    event("initialized"),
  ];
  await transport.sayAll(events);
  assert.deepEqual(seen, [
    "a",
    ["output", { output: "a" }],
    ["vendor/x", 7],
    ["*", "b"],
    ["initialized", undefined],
  ]);
  stop();
  await transport.sayAll(events);
  assert.deepEqual(unhandled, events.slice(1));
});
