/**
 * Timeouts, requests that are aborted or time out, the cancel requests that this causes, and the
 * memory that a peer can make a connection use.
 */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { connect as connectAcp } from "@wirewright/acp-breakpoints/connection";
import {
  event,
  outcomeOf,
  request,
  response,
  scripted,
  ScriptedTransport,
  turn,
  until,
  type Fields,
} from "../../support/scripted-connection.js";

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
}

const areTimersDone = (): Promise<void> => until(() => activeTimers() === 0);

for (const timeoutMs of [
  0,
  -0,
  Infinity,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 31 + 100,
  30 * 86_400_000,
  1e300,
]) {
  test(`a request with timeoutMs ${timeoutMs}`, async () => {
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
  });
  test(`a connection with timeoutMs ${timeoutMs}`, async () => {
    const { connection } = scripted("client", { timeoutMs });
    const asked = connection.request("threads");
    const other = connection.request("threads", undefined, { timeoutMs: 1 });
    await assert.rejects(other, { code: "ERR_TIMEOUT" });
    await turn();
    assert.equal(await outcomeOf(asked), "pending");
    await connection.close();
  });
}
test("times that are none", async () => {
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
});
test("a timeout longer than a timer supports is split up", async () => {
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
});
test("timers and signal listeners are removed along with what they were created for", async () => {
  await areTimersDone();
  const { connection, transport } = scripted("client");
  const { signal } = new AbortController();
  const options = { signal, timeoutMs: 60_000 };
  const listeners = (): number => getEventListeners(signal, "abort").length;
  const asked = [1, 2, 3, 4].map(() => connection.request("threads", undefined, options));
  const awaited = [connection.once("stopped", options), connection.once("thread", options)];
  // All calls share one listener, because removing one of many listeners takes linear time.
  assert.deepEqual([listeners(), activeTimers()], [1, 6]);
  await transport.say(response(1), response(3, { success: false, message: "no" }));
  await transport.say(event("stopped", { reason: "step" }));
  await asked[0];
  await awaited[0];
  await assert.rejects(asked[2]!);
  assert.deepEqual([listeners(), activeTimers()], [1, 3]);
  await connection.close();
  for (const promise of [asked[1]!, asked[3]!, awaited[1]!])
    assert.equal(await outcomeOf(promise), "ERR_CONNECTION_CLOSED");
  await areTimersDone();
  assert.deepEqual([listeners(), connection.pending], [0, 0]);

  // Refused messages do not leave any listeners or timers.
  await assert.rejects(connection.request("threads", undefined, options));
  await assert.rejects(connection.once("stopped", options));
  const open = scripted("client", { checkOutgoing: "strict" });
  const refused = open.connection.request("next", { threadId: "1" } as never, options);
  await assert.rejects(refused, { code: "ERR_INVALID_MESSAGE" });
  assert.deepEqual([listeners(), activeTimers(), open.connection.pending], [0, 0, 0]);
});
test("timers and listeners are removed when requests are aborted or time out", async () => {
  await areTimersDone();
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
  assert.deepEqual([listeners(), activeTimers(), connection.pending], [0, 0, 0]);
});
test("announcements that exceed the limits", async () => {
  const { connection, transport, codes } = scripted("client");
  const update = (capabilities: unknown): object => event("capabilities", { capabilities });
  const many = (count: number, prefix: string): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, true]));
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
});
test("announcements named like members that every object has", async () => {
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
});
test("invalid numbers in responses and cancel requests", async () => {
  const { transport, codes } = scripted("adapter");
  for (const number of [null, {}, [], "1", 1.5, -1, true, { toString: 1 }])
    await transport.say(response(number), request(number, "cancel", { requestId: number }));
  assert.deepEqual(codes(), Array(8).fill("ERR_RESPONSE_UNSOLICITED"));
  assert.equal(transport.written.length, 8);
});

test("a silent peer gets one cancel request for each abandoned request", async () => {
  await areTimersDone();
  const { connection, transport } = await cancelling({ timeoutMs: 2 });
  const asked = Array.from({ length: 10 }, () => connection.request("threads"));
  for (const promise of asked) await assert.rejects(promise, { code: "ERR_TIMEOUT" });
  for (let count = 0; count < 5; count++) await turn();
  assert.deepEqual(
    transport.written.slice(10).map((each) => [each["command"], each["arguments"]]),
    Array.from({ length: 10 }, (_, index) => ["cancel", { requestId: index + 2 }]),
  );
  assert.deepEqual([connection.pending, activeTimers()], [0, 0]);
});
test("twenty thousand aborts while the peer is silent, before it finally answers", async () => {
  const { connection, transport, codes } = await cancelling();
  const controller = new AbortController();
  const { signal } = controller;
  const asked = Array.from({ length: 20_000 }, () =>
    connection.request("threads", undefined, { signal }),
  );
  assert.equal(connection.pending, 20_000);
  controller.abort();
  assert.equal(connection.pending, 0);
  const settled = await Promise.allSettled(asked);
  assert.ok(settled.every(({ status }) => status === "rejected"));
  assert.equal(transport.written.length, 40_000);
  const cancels = transport.written.slice(-1_000).map(({ seq }) => response(seq));
  await transport.say(...cancels);
  assert.deepEqual(codes(), []);
  await transport.say(cancels[0]!);
  assert.deepEqual(codes(), ["ERR_RESPONSE_DOUBLE"]);
});
test("a cancel request sent by the program itself is not cancelled", async () => {
  const { connection, transport } = await cancelling();
  const asked = connection.request("cancel", { requestId: 1 }, { timeoutMs: 1 });
  await assert.rejects(asked, { code: "ERR_TIMEOUT" });
  assert.deepEqual(
    transport.written.map(({ command }) => command),
    ["cancel"],
  );
});
test("a cancel request that cannot be sent", async () => {
  const { connection, transport, codes, problems } = await cancelling({
    middleware: [
      {
        beforeSend: (message) => {
          if ((message as Fields)["command"] === "cancel") throw new Error("oops");
          return message;
        },
      },
    ],
  });
  const controller = new AbortController();
  const asked = connection.request("threads", undefined, { signal: controller.signal });
  controller.abort();
  await assert.rejects(asked, { name: "AbortError" });
  assert.deepEqual(
    problems.map(({ code, message }) => [code, message]),
    [["ERR_MIDDLEWARE", 'Cannot cancel "threads": oops']],
  );
  assert.equal(transport.written.length, 1);
  await transport.say(response(2));
  assert.deepEqual(codes(), ["ERR_MIDDLEWARE", "ERR_RESPONSE_LATE"]);
});
test("a cancel request that a middleware holds back", async () => {
  const { connection, transport, codes } = await cancelling({
    middleware: [
      {
        beforeSend: (message) => ((message as Fields)["command"] === "cancel" ? null : message),
      },
    ],
  });
  const asked = connection.request("threads", undefined, { timeoutMs: 1 });
  await assert.rejects(asked, { code: "ERR_TIMEOUT" });
  assert.deepEqual(
    transport.written.map(({ command }) => command),
    ["threads"],
  );
  // The peer does not know that the request was abandoned, so its response is reported as late.
  await transport.say(response(transport.written[0]!["seq"]));
  assert.deepEqual(codes(), ["ERR_RESPONSE_LATE"]);
});
test("a cancellation that is an event and does not pass the check", async () => {
  const transport = new ScriptedTransport();
  const codes: string[] = [];
  const client = connectAcp("client", transport, {
    onProblem: ({ code }) => void codes.push(code),
    checkOutgoing: "strict",
    middleware: [
      {
        beforeSend: (message) =>
          (message as Fields)["method"] === "$/cancel_request"
            ? { ...message, params: {} }
            : message,
      },
    ],
  });
  const asked = client.requestCustom("mine", {}, { timeoutMs: 1 });
  await assert.rejects(asked, { code: "ERR_TIMEOUT" });
  assert.deepEqual(codes, ["ERR_MIDDLEWARE"]);
});
test("responses after an abort", async () => {
  const untold = scripted("client");
  const told = await cancelling();
  for (const { connection, transport, codes } of [untold, told]) {
    const controller = new AbortController();
    const { signal } = controller;
    const asked = connection.request("threads", undefined, { signal });
    controller.abort();
    await assert.rejects(asked, { name: "AbortError" });
    const number = transport.written[0]!["seq"] as number;
    await transport.say(response(number), response(number), response(99));
    assert.deepEqual(
      codes(),
      transport === untold.transport
        ? ["ERR_RESPONSE_LATE", "ERR_RESPONSE_LATE", "ERR_RESPONSE_UNSOLICITED"]
        : ["ERR_RESPONSE_DOUBLE", "ERR_RESPONSE_UNSOLICITED"],
    );
  }
});

const announced = { body: { supportsCancelRequest: true } };

/** Connects a client to an adapter that supports cancellation. */
async function cancelling(
  options: Parameters<typeof scripted<"client">>[1] = {},
): Promise<ReturnType<typeof scripted<"client">>> {
  const all = scripted("client", options);
  const initialized = all.connection.request("initialize", { adapterID: "a" });
  await all.transport.say(response(1, announced));
  await initialized;
  all.transport.written.length = 0;
  return all;
}
