import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineAdapter } from "@wirewright/dap/adapter";
import {
  bridge,
  connect,
  inlineTransports,
  portTransport,
  type Problem,
  type Transport,
} from "@wirewright/dap/connection";
import { launch } from "@wirewright/dap/session";
import { outcomeOf, turns } from "../../support/scripted-connection.js";

type Pair = () => readonly [Transport, Transport];

/** A transport without bytes and one with bytes. Both must behave the same. */
const pairs: Readonly<Record<string, Pair>> = {
  "inline transports": inlineTransports,
  "transports over a MessageChannel": () => {
    const { port1, port2 } = new MessageChannel();
    return [portTransport(port1), portTransport(port2)];
  },
};

for (const [name, open] of Object.entries(pairs))
  describe(name, () => {
    test("a session", async () => {
      const adapter = defineAdapter({
        session: () => ({ line: 1 }),
        handlers: {
          launch(_, { connection, configured }) {
            void configured.then(() => {
              void connection.notify("output", { output: "Σ 😀\n" });
              void connection.notify("stopped", { reason: "entry", threadId: 1 });
            });
          },
          stackTrace: (_, { session }) => ({
            stackFrames: [{ id: 1, name: "main", line: session.line, column: 1 }],
          }),
          scopes: () => ({ scopes: [] }),
          next(_, { session, connection }) {
            session.line++;
            void connection.notify("stopped", { reason: "step", threadId: 1 });
          },
        },
      });
      const [near, far] = open();
      const served = adapter(far);
      const session = await launch(near, { arguments: {}, connection: { timeoutMs: 20_000 } });
      const stop = await session.waitForStop();
      assert.equal(stop.kind === "stopped" && stop.reason, "entry");
      for (const line of [2, 3]) {
        await session.next();
        assert.equal((await session.snapshot()).frames[0]!.line, line);
      }
      assert.equal(session.output.text(), "Σ 😀\n");
      assert.equal((await session.terminate()).kind, "ended");
      assert.equal(await served.closed, undefined);
    });

    test("messages arrive in order and after the code that sends them, and none is lost between two awaits", async () => {
      const [near, far] = open();
      const client = connect("client", near, { timeoutMs: 20_000 });
      const adapter = connect("adapter", far);
      const seen: number[] = [];
      client.onCustom("vendor/count", (body) => void seen.push(body as number));
      for (let count = 0; count < 1_000; count++) void adapter.notifyCustom("vendor/count", count);
      assert.deepEqual(seen, []);
      adapter.handle("next", () => {
        void adapter.notifyCustom("stopped", { reason: "early" });
        queueMicrotask(() => void adapter.notifyCustom("stopped", { reason: "late" }));
      });
      const early = client.once("stopped");
      await client.request("next", { threadId: 1 });
      assert.equal((await early).reason, "early");
      const { reason } = await client.once("stopped");
      assert.equal(reason, "late");
      assert.deepEqual(seen, [...Array(1_000).keys()]);
      await client.close();
      await adapter.closed;
    });

    test("the receiver gets a copy of the JSON values, and the sender refuses other values", async () => {
      const [near, far] = open();
      const client = connect("client", near, { timeoutMs: 20_000 });
      const adapter = connect("adapter", far);
      const received: unknown[] = [];
      client.onCustom("vendor/value", (body) => void received.push(body));
      const date = new Date(0);
      const shared = { list: [1], none: undefined, number: NaN, date, map: new Map([[1, 2]]) };
      const sent = adapter.notifyCustom("vendor/value", shared);
      shared.list.push(2);
      await sent;
      const cycle: { self?: object } = {};
      cycle.self = cycle;
      for (const [value, code, path] of [
        [{ deep: [1n] }, "ERR_ENCODE_BIGINT", "/body/deep/0"],
        [cycle, "ERR_ENCODE_CYCLE", "/body/self"],
        [{ toJSON: () => assert.fail("oops") }, "ERR_ENCODE_TOJSON", "/body"],
      ] as const)
        assert.throws(() => void adapter.notifyCustom("vendor/value", value), {
          code,
          pointer: path,
        });
      await adapter.notifyCustom("vendor/value", JSON.parse('{"__proto__":1}'));
      await client.requestCustom("none").catch(() => undefined);
      assert.equal(
        JSON.stringify(received),
        '[{"list":[1],"number":null,"date":"1970-01-01T00:00:00.000Z","map":{}},{"__proto__":1}]',
      );
      (received[0] as { list: number[] }).list.push(3);
      assert.deepEqual(shared.list, [1, 2]);
      await client.close();
    });

    test("writing waits for a slow reader", async () => {
      const [near, far] = open();
      const adapter = connect("adapter", near);
      const large = { output: "x".repeat(600_000) };
      adapter.notify("output", large);
      await adapter.flushed();
      adapter.notify("output", large);
      const second = adapter.flushed();
      await turns();
      assert.equal(await outcomeOf(second), "pending");
      const client = connect("client", far);
      await second;
      await adapter.close();
      assert.equal(await client.closed, undefined);
    });

    test("messages sent before the end arrive, and later messages do not", async () => {
      const [near, far] = open();
      const client = connect("client", near);
      const adapter = connect("adapter", far);
      const seen: unknown[] = [];
      client.on("output", ({ output }) => void seen.push(output));
      void adapter.notify("output", { output: "last" });
      await adapter.close();
      assert.equal(await client.closed, undefined);
      assert.deepEqual(seen, ["last"]);
      await assert.rejects(client.request("threads"), { code: "ERR_CONNECTION_CLOSED" });
    });
  });

describe("inline transports carry only messages", () => {
  test("a bridge refuses inline transports", () => {
    const [near] = inlineTransports();
    const [other] = inlineTransports();
    assert.throws(() => bridge(near, other), {
      name: "TypeError",
      message:
        "Cannot transfer bytes over an inline transport, which carries only messages: use a MessageChannel",
    });
  });

  test("text that is not a message is reported, and the next message arrives", async () => {
    const [near, far] = inlineTransports();
    const problems: Problem[] = [];
    const client = connect("client", near, { onProblem: (problem) => void problems.push(problem) });
    const seen: unknown[] = [];
    client.on("initialized", () => void seen.push("initialized"));
    for (const text of ["{no}", "[]", '{"seq":1,"type":"event","event":"initialized"}', "7"])
      void far.messages!.write(text);
    await turns();
    assert.deepEqual(
      [seen, problems.map(({ code }) => code)],
      [["initialized"], ["ERR_JSON", "ERR_NOT_OBJECT", "ERR_NOT_OBJECT"]],
    );
    // The engine says what is wrong with the JSON.
    assert.match(problems[0]!.message, /^Cannot parse a message: \S/);
    assert.equal(problems[1]!.message, "Cannot use a message that is not an object");
    await client.close({ graceMs: 0 });
    assert.throws(() => far.messages!.write("{}"), /the inline transport is closed/);
  });
});
