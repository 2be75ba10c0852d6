import assert from "node:assert/strict";
import type { Middleware } from "@wirewright/dap/connection";
import { event, outcomeOf, request, response, scripted, turn } from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";

export const oops = (): never => {
  throw new Error("oops");
};

/** Hook results that are not messages. */
const rubbish: readonly (readonly [name: string, hook: () => unknown])[] = [
  ["throws", oops],
  [
    "throws an object without a prototype",
    () => {
      throw Object.create(null);
    },
  ],
  ["returns a text", () => "message"],
  ["returns a list", () => []],
  ["returns a promise", async () => ({})],
  ["rejects", async () => oops()],
  ["returns a proxy that throws", () => new Proxy({}, { get: oops, has: oops, ownKeys: oops })],
];

const beforeSend: readonly ConnectionCase[] = rubbish.map(([name, hook]) => ({
  name: `a beforeSend that ${name}`,
  async run(): Promise<void> {
    let isOn = true;
    const { transport, connection } = scripted("adapter", {
      middleware: [{ beforeSend: (message) => (isOn ? (hook() as object) : message) }],
      handlers: { threads: () => ({ threads: [] }), pause: async () => undefined },
    });
    await transport.say(
      request(7, "threads"),
      request(8, "pause", { threadId: 1 }),
      request(9, "unknown"),
    );
    const asked = connection.requestCustom("mine");
    assert.match(await outcomeOf(asked), /^(rejected|ERR_ENCODE)/);
    assert.throws(() => connection.notify("initialized"));
    assert.deepEqual(
      transport.written.map((each) => [each["request_seq"], each["success"]]),
      [
        [7, false],
        [9, false],
        [8, false],
      ],
    );
    isOn = false;
    await transport.say(request(10, "threads"));
    assert.deepEqual(
      transport.responsesTo(10).map(({ success }) => success),
      [true],
    );
    assert.deepEqual([connection.pending, connection.isClosed], [0, false]);
  },
}));

const afterSend: readonly ConnectionCase[] = rubbish.map(([name, hook]) => ({
  name: `an afterSend that ${name}`,
  async run(): Promise<void> {
    const { transport, connection, codes } = scripted("adapter", {
      middleware: [{ afterSend: () => hook() as undefined }],
      handlers: { threads: () => ({ threads: [] }) },
    });
    await transport.say(request(7, "threads"));
    await connection.notify("initialized");
    await turn();
    assert.deepEqual(
      transport.written.map((each) => [each["type"], each["success"]]),
      [
        ["response", true],
        ["event", undefined],
      ],
    );
    const isFailure = /throws|rejects/.test(name);
    assert.deepEqual(codes(), isFailure ? ["ERR_MIDDLEWARE", "ERR_MIDDLEWARE"] : []);
  },
}));

const afterReceive: readonly ConnectionCase[] = rubbish.map(([name, hook]) => ({
  name: `an afterReceive that ${name}`,
  async run(): Promise<void> {
    let isOn = true;
    const { transport, connection, codes } = scripted("adapter", {
      middleware: [{ afterReceive: (message) => (isOn ? (hook() as object) : message) }],
      handlers: { threads: () => ({ threads: [] }) },
    });
    const asked = connection.requestCustom("mine");
    await transport.say(request(7, "threads"), response(1), event("mine"));
    await assert.rejects(asked, { code: "ERR_MIDDLEWARE" });
    isOn = false;
    await transport.say(request(8, "threads"));
    assert.deepEqual(
      transport.written.slice(1).map((each) => [each["request_seq"], each["success"]]),
      [
        [7, false],
        [8, true],
      ],
    );
    assert.deepEqual(codes(), Array(3).fill("ERR_MIDDLEWARE"));
  },
}));

const hooks: readonly ConnectionCase[] = [
  ...beforeSend,
  ...afterSend,
  ...afterReceive,
  {
    name: "an error names the value that a middleware returned instead of a message",
    async run() {
      const returned: readonly (readonly [value: unknown, name: string])[] = [
        [[], "an array"],
        ["message", "a string"],
        [7, "a number"],
        [Promise.resolve({}), "a promise"],
        [Object.assign(() => undefined, { then: () => undefined }), "a promise"],
      ];
      const sentence = (hook: string, name: string): string =>
        `Cannot use the result of ${hook}: expected a message, null or undefined, received ${name}`;
      for (const [value, name] of returned) {
        const sending = scripted("adapter", {
          middleware: [{ beforeSend: () => value as object }],
        });
        await assert.rejects(sending.connection.requestCustom("mine"), {
          name: "TypeError",
          message: sentence("beforeSend", name),
        });
        const receiving = scripted("client", {
          middleware: [{ afterReceive: () => value as object }],
        });
        await receiving.transport.say(event("mine"));
        assert.deepEqual(
          receiving.problems.map(({ code, cause }) => [code, (cause as Error).message]),
          [["ERR_MIDDLEWARE", sentence("afterReceive", name)]],
        );
      }
    },
  },
  {
    name: "a middleware that returns nothing leaves messages unchanged",
    async run() {
      const seen: unknown[] = [];
      const watch: Middleware = {
        beforeSend(message) {
          seen.push(message);
        },
        afterReceive(message) {
          seen.push(message);
        },
      };
      const { connection, transport } = scripted("client", { middleware: [watch, watch] });
      const asked = connection.requestCustom("mine");
      await transport.say(response(1));
      await asked;
      assert.equal(transport.written.length, 1);
      const [sent] = transport.written;
      assert.deepEqual(seen, [sent, sent, response(1), response(1)]);
    },
  },
  {
    name: "a middleware that holds messages back and drops them",
    async run() {
      const hold: Middleware = { beforeSend: () => null };
      const held = scripted("adapter", {
        middleware: [hold],
        handlers: { pause: () => undefined },
      });
      await held.transport.say(request(7, "pause"));
      assert.equal(await outcomeOf(held.connection.requestCustom("mine")), "ERR_MIDDLEWARE");
      held.connection.notify("initialized");
      assert.deepEqual(
        [held.transport.written, held.problems.map(({ code, message }) => [code, message])],
        [[], [["ERR_MIDDLEWARE", 'A middleware dropped the response to "pause"']]],
      );

      const drop: Middleware = { afterReceive: () => null };
      const dropping = scripted("adapter", { middleware: [drop] });
      const asked = dropping.connection.requestCustom("mine");
      await dropping.transport.say(request(7, "pause"), response(1), event("mine"));
      await assert.rejects(asked, { code: "ERR_MIDDLEWARE" });
      assert.deepEqual(
        dropping.transport.responsesTo(7).map(({ success, message }) => [success, message]),
        [[false, "A middleware dropped the request"]],
      );
      assert.deepEqual(dropping.codes(), []);
    },
  },
  {
    name: "a middleware that aborts or closes while a request is being sent",
    async run() {
      const controller = new AbortController();
      const aborting = scripted("client", {
        middleware: [
          {
            beforeSend: (message) => {
              controller.abort();
              return message;
            },
          },
        ],
      });
      const { signal } = controller;
      const aborted = aborting.connection.request("threads", undefined, { signal });
      await assert.rejects(aborted, { name: "AbortError" });
      assert.deepEqual([aborting.transport.written, aborting.connection.pending], [[], 0]);

      const closing = scripted("client", {
        middleware: [
          {
            beforeSend: (message) => {
              void closing.connection.close();
              return message;
            },
          },
        ],
      });
      assert.equal(await outcomeOf(closing.connection.request("threads")), "ERR_CONNECTION_CLOSED");
      await closing.connection.closed;
    },
  },
];

const untouchable: ConnectionCase = {
  name: "an afterReceive that returns an unreadable response",
  async run() {
    const { transport, connection, codes } = scripted("client", {
      middleware: [
        {
          afterReceive: (message) =>
            Object.defineProperties(
              { ...message },
              { success: { get: oops }, body: { get: oops } },
            ),
        },
      ],
    });
    const asked = connection.request("threads");
    await transport.say(response(1));
    await assert.rejects(asked, { code: "ERR_MIDDLEWARE" });
    assert.deepEqual(codes(), ["ERR_MIDDLEWARE"]);
  },
};

export const middlewareCases: readonly ConnectionCase[] = [...hooks, untouchable];
