import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConnectionClosedError,
  type ConnectOptions,
  type Middleware,
} from "@wirewright/dap/connection";
import {
  event,
  outcomeOf,
  request,
  response,
  scripted,
  turn,
} from "../../support/scripted-connection.js";

const oops = (): never => {
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

for (const [name, hook] of rubbish)
  test(`a beforeSend that ${name}`, async () => {
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
  });

for (const [name, hook] of rubbish)
  test(`an afterSend that ${name}`, async () => {
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
  });

for (const [name, hook] of rubbish)
  test(`an afterReceive that ${name}`, async () => {
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
  });

test("an error names the value that a middleware returned instead of a message", async () => {
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
});
test("a middleware that returns nothing leaves messages unchanged", async () => {
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
});
test("a middleware that holds messages back and drops them", async () => {
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
});
test("a middleware that aborts or closes while a request is being sent", async () => {
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
});

test("an afterReceive that returns an unreadable response", async () => {
  const { transport, connection, codes } = scripted("client", {
    middleware: [
      {
        afterReceive: (message) =>
          Object.defineProperties({ ...message }, { success: { get: oops }, body: { get: oops } }),
      },
    ],
  });
  const asked = connection.request("threads");
  await transport.say(response(1));
  await assert.rejects(asked, { code: "ERR_MIDDLEWARE" });
  assert.deepEqual(codes(), ["ERR_MIDDLEWARE"]);
});

/** Callbacks that throw, reject, or return a thenable that rejects. */
const failing: readonly (readonly [name: string, act: () => any])[] = [
  ["throws", oops],
  ["rejects", async () => oops()],
  [
    "returns a thenable that rejects",
    () => ({ then: (_: unknown, fail: (e: unknown) => void) => fail(1) }),
  ],
];

for (const [name, act] of failing) {
  test(`a listener that ${name}`, async () => {
    const { transport, connection, codes } = scripted("client");
    let heard = 0;
    connection.on("initialized", act);
    connection.on("initialized", () => void heard++);
    await transport.say(event("initialized"), event("initialized"));
    await turn();
    assert.deepEqual([heard, codes()], [2, ["ERR_EVENT_HANDLER", "ERR_EVENT_HANDLER"]]);
  });
  test(`onUnhandled and onNoise that ${name.replace(/s\b/, "")}`, async () => {
    const { transport, connection, codes } = scripted("client", {
      onUnhandled: act,
      onNoise: act,
    });
    const asked = connection.request("threads");
    await transport.onBytes(Buffer.from("printed\n"));
    await transport.say(event("initialized"), response(1));
    await asked;
    await turn();
    assert.deepEqual([...codes()].sort(), ["ERR_CALLBACK", "ERR_CALLBACK", "ERR_NOISE"]);
  });
  test(`an onProblem that ${name}`, async () => {
    const options: ConnectOptions<"client"> = { onProblem: act };
    const { transport, connection } = scripted("client", options);
    const asked = connection.request("threads");
    await transport.onBytes(Buffer.from("printed\n"));
    await transport.say({ type: "odd" }, response(9), response(1));
    await asked;
    transport.end(new Error("gone"));
    assert.equal((await connection.closed)?.message, "gone");
  });
}

test("an end of the connection that nobody handles", async () => {
  const { transport, connection } = scripted("client");
  transport.onWrite = () => new Promise(() => undefined);
  void connection.request("threads");
  void connection.requestCustom("mine", {}, { timeoutMs: 1_000 });
  void connection.once("stopped");
  connection.notifyCustom("mine");
  void connection.flushed();
  transport.end(new Error("gone"));
  void connection.request("threads");
  connection.notifyCustom("mine");
  void connection.flushed();
  void connection.once("stopped");
  void connection.close();
  await connection.closed;
  await turn();
  assert.equal(connection.pending, 0);
  const error: unknown = await connection.flushed().catch((cause: unknown) => cause);
  assert.ok(error instanceof ConnectionClosedError);
  assert.deepEqual(
    [error.code, error.message],
    ["ERR_CONNECTION_CLOSED", "Cannot send: the connection is closed: gone"],
  );
});
