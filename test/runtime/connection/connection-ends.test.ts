import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type Transport } from "@wirewright/dap/connection";
import {
  event,
  outcomeOf,
  request,
  response,
  scripted,
  turn,
  until,
  type Scripted,
} from "../../support/scripted-connection.js";

type Adapter = Scripted<"adapter">;

const never = (): Promise<never> => new Promise(() => undefined);
const broken = (): Error => new Error("broken pipe");

/**
 * Ways in which closing a transport succeeds or fails, each with the calls that the connection
 * makes.
 */
const closings: readonly (readonly [
  name: string,
  change: (transport: Adapter["transport"]) => void,
  calls: readonly string[],
])[] = [
  ["closes", () => undefined, ["close"]],
  ["does not read", (transport) => (transport.onWrite = never), ["close"]],
  [
    "neither reads nor closes",
    (transport) => {
      transport.onWrite = never;
      transport.onClose = never;
    },
    ["close", "destroy"],
  ],
  ["never closes", (transport) => (transport.onClose = never), ["close", "destroy"]],
  [
    "throws when it is closed",
    (transport) => {
      transport.onClose = () => {
        throw broken();
      };
    },
    ["close", "destroy"],
  ],
  [
    "rejects when it is closed",
    (transport) => (transport.onClose = () => Promise.reject(broken())),
    ["close", "destroy"],
  ],
  [
    "throws when it is destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = () => {
        throw broken();
      };
    },
    ["close", "destroy"],
  ],
  [
    "rejects when it is destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = () => Promise.reject(broken());
    },
    ["close", "destroy"],
  ],
  [
    "never closes and is never destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = never;
    },
    ["close", "destroy"],
  ],
];

for (const [name, change, calls] of closings)
  test(`close() of a transport that ${name}`, async () => {
    const { connection, transport, codes } = scripted("client");
    change(transport);
    const asked = connection.request("threads");
    const awaited = connection.once("stopped");
    connection.notifyCustom("mine");
    const notified = connection.flushed();
    const closed = connection.close({ graceMs: 40 });
    assert.equal(connection.isClosed, true);
    assert.deepEqual(
      [await outcomeOf(asked), await outcomeOf(awaited)],
      ["ERR_CONNECTION_CLOSED", "ERR_CONNECTION_CLOSED"],
    );
    await closed;
    assert.notEqual(await outcomeOf(notified), "pending");
    assert.equal(await connection.closed, undefined);
    assert.deepEqual([codes(), transport.calls], [[], calls]);
  });

/** Things a transport does that end a connection, each with the calls that result. */
const failures: readonly (readonly [
  name: string,
  act: (adapter: Adapter) => unknown,
  error: string,
])[] = [
  [
    "a write that throws",
    ({ connection, transport }) => {
      transport.onWrite = () => {
        throw broken();
      };
      connection.notify("initialized");
      return connection.flushed().catch(() => undefined);
    },
    "broken pipe",
  ],
  [
    "a write that rejects",
    ({ connection, transport }) => {
      transport.onWrite = () => Promise.reject(broken());
      connection.notify("initialized");
      return connection.flushed().catch(() => undefined);
    },
    "broken pipe",
  ],
  [
    "a response that cannot be written",
    ({ transport }) => {
      transport.onWrite = () => {
        throw broken();
      };
      return transport.say(request(7, "threads"));
    },
    "broken pipe",
  ],
  ["a read that fails", ({ transport }) => transport.end(broken()), "broken pipe"],
  [
    "a read that fails with an object without a prototype",
    ({ transport }) => transport.end(Object.create(null)),
    "The transport failed: A value without a message was thrown",
  ],
  [
    "a chunk of text instead of bytes",
    ({ transport }) => transport.onBytes("Content-Length: 2\r\n\r\n{}" as never),
    "Expected bytes, received a string",
  ],
];

for (const [name, act, error] of failures)
  test(name, async () => {
    const adapter = scripted("adapter");
    const { connection, transport, codes } = adapter;
    const asked = connection.requestCustom("mine");
    await act(adapter);
    assert.deepEqual(
      [await outcomeOf(asked), (await connection.closed)?.message],
      ["ERR_CONNECTION_CLOSED", error],
    );
    assert.equal(await outcomeOf(connection.flushed()), "ERR_CONNECTION_CLOSED");
    assert.equal(await outcomeOf(connection.requestCustom("mine")), "ERR_CONNECTION_CLOSED");
    assert.deepEqual([codes(), transport.calls], [["ERR_TRANSPORT"], ["destroy"]]);
    // Nothing that happens after the connection has ended has any effect.
    transport.end(broken());
    await transport.say(request(8, "threads"), event("mine"));
    await connection.close();
    assert.deepEqual([codes(), transport.calls], [["ERR_TRANSPORT"], ["destroy"]]);
  });

test("a read that fails while the client waits for an event", async () => {
  const { connection, transport } = scripted("client");
  const stopped = connection.once("stopped");
  transport.end(broken());
  assert.equal(await outcomeOf(stopped), "ERR_CONNECTION_CLOSED");
  assert.equal(await outcomeOf(connection.once("stopped")), "ERR_CONNECTION_CLOSED");
});
test("close() again, with less time", async () => {
  const { connection, transport } = scripted("client");
  transport.onClose = never;
  const patient = connection.close({ graceMs: Infinity });
  await until(() => transport.calls.length === 1);
  const impatient = connection.close({ graceMs: 0 });
  await Promise.all([patient, impatient]);
  assert.deepEqual(transport.calls, ["close", "destroy"]);
});
test("close() again, with more time", async () => {
  const { connection, transport } = scripted("client");
  transport.onClose = never;
  const began = performance.now();
  const first = connection.close({ graceMs: 20 });
  await connection.close({ graceMs: 20_000 });
  await first;
  assert.ok(performance.now() - began < 2_000);
  assert.deepEqual(transport.calls, ["close", "destroy"]);
});
test("close() with an invalid time limit", async () => {
  const { connection, transport } = scripted("client");
  for (const graceMs of [NaN, -1, "1000" as never])
    await assert.rejects(connection.close({ graceMs }), {
      name: "TypeError",
      message: `close: the option "graceMs" must be a number of milliseconds, at least 0, not ${
        typeof graceMs === "string" ? `"${graceMs}"` : String(graceMs)
      }`,
    });
  assert.deepEqual([connection.isClosed, transport.calls], [false, []]);
  await connection.close();
});
test("a transport without destroy", async () => {
  for (const end of [undefined, broken()]) {
    const calls: string[] = [];
    let over: (error?: unknown) => void = () => undefined;
    const transport: Transport = {
      read: (_, onEnd) => void (over = onEnd),
      write: never,
      close: () => void calls.push("close"),
    };
    const connection = connect("client", transport);
    const asked = connection.request("threads");
    over(end);
    assert.equal(await outcomeOf(asked), "ERR_CONNECTION_CLOSED");
    await connection.close({ graceMs: 40 });
    assert.deepEqual([calls, await connection.closed], [["close"], end]);
  }
});
test("a fault in strict recovery", async () => {
  const { connection, transport, codes } = scripted("client", { recovery: "strict" });
  const asked = connection.request("threads");
  await transport.onBytes(Buffer.from("printed\r\n\r\n"));
  await assert.rejects(asked, ({ code, message, cause }: any) => {
    assert.equal(code, "ERR_CONNECTION_CLOSED");
    assert.match(message, /^Cannot get a response to "threads": the connection is closed: \w/);
    assert.ok(cause instanceof Error);
    return true;
  });
  assert.ok((await connection.closed) instanceof Error);
  assert.deepEqual([codes().length, transport.calls], [1, ["close"]]);
  await transport.say(response(1));
  assert.equal(codes().length, 1);
});
test("a transport that fails with a value that is not an error", async () => {
  const { connection, transport, problems } = scripted("client");
  const asked = connection.request("threads");
  transport.end("pulled out");
  const message = "The transport failed: pulled out";
  await assert.rejects(asked, {
    code: "ERR_CONNECTION_CLOSED",
    message: 'Cannot get a response to "threads": the connection is closed: pulled out',
  });
  const closed = await connection.closed;
  assert.deepEqual([closed?.message, closed?.cause], [message, "pulled out"]);
  assert.deepEqual(problems, [{ code: "ERR_TRANSPORT", message, cause: "pulled out" }]);
});
test("the other side ends the connection and gives a reason", async () => {
  const { connection, transport, codes } = scripted("client");
  const asked = connection.request("threads");
  transport.end(undefined, "it has gone home");
  await assert.rejects(asked, {
    code: "ERR_CONNECTION_CLOSED",
    message: 'Cannot get a response to "threads": the connection is closed: it has gone home',
  });
  assert.deepEqual([await connection.closed, codes()], [undefined, []]);
  assert.deepEqual(transport.calls, ["close"]);
});
test("frames are sent one by one, on a slow transport as soon as it accepts more", async () => {
  const { connection, transport } = scripted("adapter");
  const taken: (() => void)[] = [];
  transport.onWrite = () => new Promise<void>((resolve) => taken.push(resolve));
  const sent = ["a", "b", "c"].map((name) => {
    connection.notifyCustom(name);
    return connection.flushed();
  });
  await turn();
  assert.deepEqual([transport.written.length, await outcomeOf(sent[0]!)], [1, "pending"]);
  for (const [index, promise] of sent.entries()) {
    taken[index]!();
    await promise;
  }
  assert.deepEqual(
    transport.written.map((each) => each["event"]),
    ["a", "b", "c"],
  );
});
test("messages that are waiting to be written when a write fails", async () => {
  const { connection, transport } = scripted("adapter");
  let fail: (error: Error) => void = () => undefined;
  transport.onWrite = () => new Promise<void>((_, reject) => (fail = reject));
  const sent = ["a", "b"].map((name) => {
    connection.notifyCustom(name);
    return connection.flushed();
  });
  fail(broken());
  for (const promise of sent)
    await assert.rejects(promise, {
      code: "ERR_CONNECTION_CLOSED",
      message: "Cannot send: the connection is closed: broken pipe",
    });
  assert.equal(transport.written.length, 1);
});
test("a handler whose signal is aborted when the connection ends", async () => {
  let isAborted = false;
  const { transport, connection } = scripted("adapter", {
    handlers: {
      threads: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            isAborted = true;
            reject(signal.reason as Error);
          }),
        ),
    },
  });
  // The peer sends two requests with the same id. Both get a response.
  await transport.say(request(7, "threads"), request(7, "threads"));
  await connection.close();
  assert.deepEqual(
    [isAborted, transport.written.map(({ message }) => message)],
    [true, ["cancelled", "cancelled"]],
  );
});
