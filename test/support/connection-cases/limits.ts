import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import {
  event,
  outcomeOf,
  request,
  response,
  scripted,
  turn,
  until,
  type Fields,
} from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";

export function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
}

/** Cases covering timeouts, and the memory that a peer can make a connection use. */
export const limitCases: readonly ConnectionCase[] = [
  ...[0, -0, Infinity, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 100, 30 * 86_400_000, 1e300].flatMap(
    (timeoutMs): readonly ConnectionCase[] => [
      {
        name: `a request with timeoutMs ${timeoutMs}`,
        async run() {
          const { connection, transport } = scripted("client", { timeoutMs: 1 });
          const asked = connection.request("threads", undefined, { timeoutMs });
          const awaited = connection.once("stopped", { timeoutMs });
          await assert.rejects(connection.request("threads"), { code: "ERR_TIMEOUT" });
          await turn();
          assert.deepEqual(
            [await outcomeOf(asked), await outcomeOf(awaited), connection.pending],
            ["pending", "pending", 1],
          );
          await transport.say(response(1));
          await asked;
          await connection.close();
        },
      },
      {
        name: `a connection with timeoutMs ${timeoutMs}`,
        async run() {
          const { connection } = scripted("client", { timeoutMs });
          const asked = connection.request("threads");
          const other = connection.request("threads", undefined, { timeoutMs: 1 });
          await assert.rejects(other, { code: "ERR_TIMEOUT" });
          await turn();
          assert.equal(await outcomeOf(asked), "pending");
          await connection.close();
        },
      },
    ],
  ),
  {
    name: "times that are none",
    async run() {
      const { connection, transport } = scripted("client");
      for (const timeoutMs of [NaN, -1, -Infinity, "5" as never, null as never]) {
        const error = {
          name: "TypeError",
          message: /: the option "timeoutMs" must be a number of milliseconds, at least 0, not /,
        };
        await assert.rejects(connection.request("threads", undefined, { timeoutMs }), error);
        await assert.rejects(connection.once("stopped", { timeoutMs }), error);
        assert.throws(() => scripted("client", { timeoutMs }), error);
      }
      assert.deepEqual([connection.pending, transport.written], [0, []]);
    },
  },
  {
    name: "a timeout longer than a timer supports is split up",
    async run() {
      const { setTimeout: original } = globalThis;
      const delays: number[] = [];
      let fire: () => void = () => undefined;
      globalThis.setTimeout = ((callback: () => void, delay: number) => {
        delays.push(delay);
        fire = callback;
        return 0;
      }) as never;
      let asked: Promise<unknown>;
      try {
        const { connection } = scripted("client");
        asked = connection.request("threads", undefined, { timeoutMs: 2 ** 32 });
        for (let count = 0; count < 3; count++) fire();
      } finally {
        globalThis.setTimeout = original;
      }
      assert.deepEqual(delays, [2 ** 31 - 1, 2 ** 31 - 1, 2]);
      await assert.rejects(asked, {
        message: 'Timed out after 4294967296 ms waiting for the response to "threads"',
      });
    },
  },
  {
    name: "timers and signal listeners are removed along with what they were created for",
    async run() {
      const before = activeTimers();
      const { connection, transport } = scripted("client");
      const { signal } = new AbortController();
      const options = { signal, timeoutMs: 60_000 };
      const listeners = (): number => getEventListeners(signal, "abort").length;
      const asked = [1, 2, 3, 4].map(() => connection.request("threads", undefined, options));
      const awaited = [connection.once("stopped", options), connection.once("thread", options)];
      // All calls share one listener, because removing one of many listeners takes linear time.
      assert.deepEqual([listeners(), activeTimers() - before], [1, 6]);
      await transport.say(response(1), response(3, { success: false, message: "no" }));
      await transport.say(event("stopped", { reason: "step" }));
      await asked[0];
      await awaited[0];
      await assert.rejects(asked[2]!);
      assert.deepEqual([listeners(), activeTimers() - before], [1, 3]);
      await connection.close();
      for (const promise of [asked[1]!, asked[3]!, awaited[1]!])
        assert.equal(await outcomeOf(promise), "ERR_CONNECTION_CLOSED");
      await until(() => activeTimers() === before);
      assert.deepEqual([listeners(), connection.pending], [0, 0]);

      // Refused messages do not leave any listeners or timers.
      await assert.rejects(connection.request("threads", undefined, options));
      await assert.rejects(connection.once("stopped", options));
      const open = scripted("client", { checkOutgoing: "strict" });
      const refused = open.connection.request("next", { threadId: "1" } as never, options);
      await assert.rejects(refused, { code: "ERR_INVALID_MESSAGE" });
      assert.deepEqual([listeners(), activeTimers() - before, open.connection.pending], [0, 0, 0]);
    },
  },
  {
    name: "timers and listeners are removed when requests are aborted or time out",
    async run() {
      const before = activeTimers();
      const { connection } = scripted("client");
      const controller = new AbortController();
      const { signal } = controller;
      const listeners = (): number => getEventListeners(signal, "abort").length;
      const late = connection.request("threads", undefined, { signal, timeoutMs: 1 });
      await assert.rejects(late, { code: "ERR_TIMEOUT" });
      assert.equal(listeners(), 0);
      const aborted = [1, 2].map(() =>
        connection.request("threads", undefined, { signal, timeoutMs: 60_000 }),
      );
      const awaited = connection.once("stopped", { signal, timeoutMs: 60_000 });
      controller.abort(new Error("enough"));
      for (const promise of [...aborted, awaited])
        await assert.rejects(promise, (error) => error === signal.reason);
      assert.deepEqual([listeners(), activeTimers(), connection.pending], [0, before, 0]);
    },
  },
  {
    name: "announcements that exceed the limits",
    async run() {
      const { connection, transport, codes } = scripted("client");
      const update = (capabilities: unknown): object => event("capabilities", { capabilities });
      const many = (count: number, prefix: string): object =>
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`${prefix}${index}`, true]),
        );
      await transport.say(update({ supportsStepBack: true }), update(many(999, "a")));
      assert.deepEqual(connection.capabilities, { supportsStepBack: true, ...many(999, "a") });
      await transport.say(update(many(1, "b")), update({ supportsStepBack: false }));
      assert.deepEqual(
        [connection.capabilities?.supportsStepBack, codes()],
        [false, ["ERR_OVERLOADED"]],
      );
      assert.equal(Object.keys(connection.capabilities!).length, 1_000);
      await transport.say(update({ a0: "x".repeat(17 * 1024 * 1024) }), update([]), update(null));
      assert.equal((connection.capabilities as Fields)["a0"], true);
      assert.deepEqual(codes(), ["ERR_OVERLOADED", "ERR_OVERLOADED", "ERR_INVALID_MESSAGE"]);
    },
  },
  {
    name: "announcements named like members that every object has",
    async run() {
      const { connection, transport } = scripted("client", { unannounced: "refuse" });
      const initialized = connection.request("initialize", { adapterID: "a" });
      const body = JSON.parse('{"__proto__":{"supportsStepBack":true},"constructor":1}') as object;
      await transport.say(response(1, { body }));
      await initialized;
      await transport.say(event("capabilities", { capabilities: body }));
      assert.equal(
        await outcomeOf(connection.request("stepBack", { threadId: 1 })),
        "ERR_REQUEST_NOT_ANNOUNCED",
      );
      assert.equal(({} as Fields)["supportsStepBack"], undefined);
      assert.deepEqual(Object.keys(connection.capabilities!), ["__proto__", "constructor"]);
      assert.equal(Object.getPrototypeOf(connection.capabilities!), Object.prototype);
    },
  },
  {
    name: "invalid numbers in responses and cancel requests",
    async run() {
      const { transport, codes } = scripted("adapter");
      for (const number of [null, {}, [], "1", 1.5, -1, true, { toString: 1 }])
        await transport.say(response(number), request(number, "cancel", { requestId: number }));
      assert.deepEqual(codes(), Array(8).fill("ERR_RESPONSE_UNSOLICITED"));
      assert.equal(transport.written.length, 8);
    },
  },
];
