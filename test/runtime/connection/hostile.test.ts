/** Peers that send more requests than a connection handles or queues, or do not read responses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect as connectAcp } from "@wirewright/acp-breakpoints/connection";
import {
  framesOf,
  outcomeOf,
  request,
  response,
  scripted,
  ScriptedTransport,
  turn,
  until,
  type Fields,
} from "../../support/scripted-connection.js";

/**
 * Creates handlers that complete only when the test releases them, and counts those that are
 * running.
 */
function gatedHandlers(): {
  readonly handler: () => Promise<never>;
  readonly waiting: (() => void)[];
  readonly most: () => number;
} {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    waiting,
    most: () => most,
    handler: () =>
      new Promise<never>((resolve) => {
        waiting.push(() => resolve({ threads: [] } as never));
        most = Math.max(most, waiting.length);
      }),
  };
}

/** Creates requests of the same name, with ids starting at 1. */
function requests(count: number, command = "threads"): readonly object[] {
  return Array.from({ length: count }, (_, index) => request(index + 1, command));
}

function numbersOf(messages: readonly Fields[]): readonly number[] {
  return messages.map((each) => each["request_seq"] as number).sort((one, other) => one - other);
}

test("the other side ends the connection after a chunk that is waiting for space", async () => {
  const { handler, waiting } = gatedHandlers();
  const { connection, transport } = scripted("adapter", {
    maxAnswering: 1,
    maxQueuedBytes: 1_000_000,
    handlers: { threads: handler },
  });
  const padded = (seq: number): object => request(seq, "threads", "x".repeat(600_000));
  const taken = [
    transport.sayAll([1, 2, 3, 4].map(padded)),
    // Send these chunks without waiting for the earlier ones. The connection processes them in
    // order.
    transport.sayAll([5, 6].map(padded)),
  ];
  transport.end();
  assert.deepEqual(
    taken.map((each) => each instanceof Promise),
    [true, true],
  );
  while (!connection.isClosed) {
    waiting.shift()?.();
    await turn();
  }
  assert.deepEqual(
    transport.written.map((each) => each["request_seq"]),
    [1, 2, 3, 4, 5, 6].slice(0, transport.written.length),
  );
  assert.ok(transport.written.length >= 4, String(transport.written.length));
});
test("a hundred thousand requests in one chunk", async () => {
  const { handler, waiting, most } = gatedHandlers();
  const { transport, codes } = scripted("adapter", { handlers: { threads: handler } });
  const taken = transport.sayAll(requests(100_000));
  assert.deepEqual([taken, waiting.length], [undefined, 1_000]);
  while (waiting.length > 0) {
    for (const finish of waiting.splice(0)) finish();
    await turn();
  }
  assert.deepEqual(
    numbersOf(transport.written),
    Array.from({ length: 100_000 }, (_, index) => index + 1),
  );
  assert.ok(transport.written.every(({ success }) => success === true));
  assert.deepEqual([most(), codes()], [1_000, []]);
});
test("more requests than may be queued, while handlers complete", async () => {
  const { handler, waiting, most } = gatedHandlers();
  const { transport, codes } = scripted("adapter", {
    maxAnswering: 2,
    maxQueuedBytes: 20_000,
    handlers: { threads: handler },
  });
  let isTaken = false;
  // The connection handles two requests and queues 38.
  const taken = Promise.resolve(transport.sayAll(requests(40))).then(() => (isTaken = true));
  await turn();
  assert.deepEqual([isTaken, most()], [false, 2]);
  while (!isTaken) {
    waiting.shift()!();
    await turn();
  }
  await taken;
  assert.ok(transport.written.length < 20, String(transport.written.length));
  while (transport.written.length < 40) {
    waiting.shift()?.();
    await turn();
  }
  assert.ok(transport.written.every(({ success }) => success === true));
  assert.deepEqual([most(), codes()], [2, []]);
});
test("a chunk of many megabytes waits while handlers complete, and nothing is refused", async () => {
  const { handler, waiting } = gatedHandlers();
  const { transport, codes } = scripted("adapter", {
    maxAnswering: 100,
    maxQueuedBytes: 16 * 1024 * 1024,
    handlers: { threads: handler },
  });
  let isTaken = false;
  const count = 120_000;
  void Promise.resolve(transport.sayAll(requests(count))).then(() => (isTaken = true));
  assert.equal(isTaken, false);
  while (waiting.length > 0) {
    for (const finish of waiting.splice(0)) finish();
    await Promise.resolve();
    if (waiting.length === 0) await turn();
  }
  assert.deepEqual([transport.written.length, codes(), isTaken], [count, [], true]);
});
test("a full queue whose handlers wait for later messages", async () => {
  const { transport, connection, codes } = scripted("adapter", {
    maxAnswering: 1,
    maxQueuedBytes: 3_000,
    handlers: {
      launch: async () => {
        await connection.request("runInTerminal", { args: [], cwd: "/" });
      },
      threads: () => ({ threads: [] }),
    },
  });
  // Send these chunks without waiting for the earlier ones to be processed.
  void transport.say(request(100, "launch", {}), ...requests(5));
  void transport.say(...requests(50).slice(10));
  void transport.say(response(1, { body: { processId: 1 } }));
  await until(() => transport.responsesTo(100).length === 1);
  await turn();
  const { written } = transport;
  assert.deepEqual(
    [written.length, new Set(written.slice(1).map((each) => each["request_seq"])).size],
    [47, 46],
  );
  assert.deepEqual(
    written.find(({ success }) => success === false)!["message"],
    "Too many requests are queued",
  );
  assert.deepEqual(codes(), ["ERR_OVERLOADED"]);
  await transport.say(request(200, "threads"));
  assert.deepEqual(
    transport.responsesTo(200).map(({ success }) => success),
    [true],
  );
});
test("a peer that sends requests and does not read the responses", async () => {
  const { transport, connection, codes } = scripted("adapter", {
    maxQueuedBytes: 100_000,
    handlers: { threads: () => ({ threads: [{ id: 1, name: "x".repeat(100_000) }] }) },
  });
  let sent = 0;
  let letOn: () => void = () => undefined;
  transport.onWrite = (bytes) => {
    sent += bytes.length;
    return new Promise<void>((resolve) => (letOn = resolve));
  };
  assert.equal(transport.say(...requests(100)), undefined);
  const full = transport.say(...requests(1_000));
  assert.equal(await outcomeOf(Promise.resolve(full)), "pending");
  // As soon as the peer reads again, the connection answers or refuses every request.
  while (transport.written.length < 1_100) {
    letOn();
    await Promise.resolve();
  }
  await turn();
  assert.ok(sent > 20_000_000);
  assert.equal(await outcomeOf(Promise.resolve(full)), "resolved to undefined");
  assert.deepEqual([codes(), connection.isClosed], [["ERR_OVERLOADED"], false]);
  await connection.close({ graceMs: 0 });
});
test("a peer that sends requests and never reads the responses", async () => {
  const { setTimeout: original } = globalThis;
  const timers: { readonly callback: () => void; readonly delay: number }[] = [];
  globalThis.setTimeout = ((callback: () => void, delay: number) => {
    timers.push({ callback, delay });
    return 0;
  }) as never;
  try {
    const { transport, connection, problems } = scripted("adapter", {
      maxQueuedBytes: 1_000,
      handlers: { threads: () => ({ threads: [{ id: 1, name: "x".repeat(10_000_000) }] }) },
    });
    transport.onWrite = () => new Promise(() => undefined);
    assert.equal(transport.sayAll(requests(3)), undefined);
    const full = transport.sayAll(requests(10));
    assert.ok(full instanceof Promise);
    for (let second = 1; second <= 30; second++) {
      assert.deepEqual([connection.isClosed, timers.length], [false, second]);
      assert.equal(timers.at(-1)!.delay, 1_000);
      timers.at(-1)!.callback();
      await Promise.resolve();
      await Promise.resolve();
    }
    await full;
    assert.deepEqual(problems.map(({ code, message }) => [code, message]).slice(-1), [
      ["ERR_OVERLOADED", "The peer sends requests without reading the responses"],
    ]);
    assert.ok((await connection.closed) instanceof Error);
    assert.deepEqual(transport.calls, ["destroy"]);
  } finally {
    globalThis.setTimeout = original;
  }
});
test("limits that are none", async () => {
  for (const [option, value] of [
    ["maxAnswering", 0],
    ["maxAnswering", NaN],
    ["maxAnswering", 1.5],
    ["maxQueuedBytes", -1],
  ] as const)
    assert.throws(() => scripted("adapter", { [option]: value }), {
      name: "TypeError",
      message: `connect: the option "${option}" must be a whole number of at least 1, or Infinity, not ${value}`,
    });
  const { transport } = scripted("adapter", {
    maxAnswering: Infinity,
    maxQueuedBytes: Infinity,
  });
  await transport.onBytes(framesOf([request(1, "threads")]));
  assert.equal(transport.written.length, 1);
});

test("one handler at a time that sends a request back, after a hundred thousand requests", async () => {
  const { transport, connection, codes } = scripted("adapter", {
    maxAnswering: 1,
    handlers: {
      launch: async () => {
        await connection.request("runInTerminal", { args: [], cwd: "/" });
      },
      threads: () => ({ threads: [] }),
    },
  });
  await transport.sayAll([
    request(100_001, "launch", {}),
    ...requests(100_000),
    response(1, { body: { processId: 1 } }),
  ]);
  await until(() => transport.written.length === 100_002);
  assert.deepEqual(transport.written[0]!["command"], "runInTerminal");
  assert.deepEqual(transport.written[1]!["request_seq"], 100_001);
  assert.ok(transport.written.slice(1).every(({ success }) => success === true));
  assert.deepEqual(codes(), []);
});
test("a cancel request for a queued request whose refusal a middleware does not send", async () => {
  const { handler, waiting } = gatedHandlers();
  const { transport, codes } = scripted("adapter", {
    maxAnswering: 1,
    handlers: { threads: handler },
    middleware: [
      {
        beforeSend: (message) => {
          if ((message as Fields)["request_seq"] === 2) throw new Error("oops");
          return message;
        },
      },
    ],
  });
  await transport.say(...requests(2), request(3, "cancel", { requestId: 2 }));
  waiting.shift()!();
  await turn();
  assert.deepEqual(
    transport.written.map((each) => [each["request_seq"], each["success"]]),
    [
      [2, false],
      [3, true],
      [1, true],
    ],
  );
  assert.deepEqual([codes(), waiting], [["ERR_REQUEST_HANDLER"], []]);
});
test("one handler at a time that waits for an event", async () => {
  const { transport, connection } = scripted("adapter", {
    maxAnswering: 1,
    handlers: {
      launch: () =>
        new Promise((resolve) => {
          const off = connection.onCustom("go", () => {
            off();
            resolve();
          });
        }),
      threads: () => ({ threads: [] }),
    },
  });
  await transport.say(request(1, "launch"), request(2, "threads"), {
    seq: 3,
    type: "event",
    event: "go",
  });
  await turn();
  assert.deepEqual(numbersOf(transport.written), [1, 2]);
});
test("cancel requests for one running request and two queued ones", async () => {
  const cancelled: unknown[] = [];
  const { transport } = scripted("adapter", {
    maxAnswering: 1,
    handlers: {
      threads: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
      cancel: async (parameters) => void cancelled.push(parameters?.requestId),
    },
  });
  await transport.say(...requests(4));
  for (const requestId of [3, 1, 2, 9])
    await transport.say(request(10 + requestId, "cancel", { requestId }));
  await turn();
  assert.deepEqual(cancelled, [3, 1, 2, 9]);
  assert.deepEqual(
    transport.written
      .filter(({ command }) => command === "threads")
      .map((each) => [each["request_seq"], each["message"]]),
    [
      [3, "cancelled"],
      [1, "cancelled"],
      [2, "cancelled"],
    ],
  );
  assert.deepEqual(numbersOf(transport.written), [1, 2, 3, 11, 12, 13, 19]);
  await transport.say(request(20, "cancel", { requestId: 4 }));
  await turn();
  assert.deepEqual(
    transport.responsesTo(4).map(({ message }) => message),
    ["cancelled"],
  );
});
test("a cancellation that is an event, with one handler at a time", async () => {
  const transport = new ScriptedTransport();
  const answers: Fields[] = [];
  transport.onWrite = (bytes) => void answers.push(JSON.parse(Buffer.from(bytes).toString()));
  connectAcp("agent", transport, {
    maxAnswering: 1,
    handlers: {
      "session/prompt": (_, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ stopReason: "cancelled" })),
        ),
    },
  });
  const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
  const prompt = (id: number): string =>
    line({ id, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
  const cancel = (requestId: number): string =>
    line({ method: "$/cancel_request", params: { requestId } });
  await transport.onBytes(Buffer.from(prompt(1) + prompt(2) + cancel(2) + cancel(1)));
  await turn();
  assert.deepEqual(answers, [
    { jsonrpc: "2.0", id: 2, error: { code: -32800, message: "cancelled" } },
    { jsonrpc: "2.0", id: 1, result: { stopReason: "cancelled" } },
  ]);
});
test("handlers that respond immediately, and receive further requests as they do", async () => {
  let depth = 0;
  let deepest = 0;
  const { transport } = scripted("adapter", {
    maxAnswering: 1,
    handlers: {
      threads: () => {
        deepest = Math.max(deepest, ++depth);
        if (transport.written.length < 5) void transport.say(request(50, "threads"));
        depth--;
        return { threads: [] };
      },
    },
  });
  await transport.say(...requests(6));
  await turn();
  assert.equal(deepest, 1);
  assert.ok(transport.written.length >= 6);
  assert.ok(transport.written.every(({ success }) => success === true));
});
test("requests that are queued when the connection is closed", async () => {
  let count = 0;
  const { transport, connection } = scripted("adapter", {
    maxAnswering: 1,
    handlers: {
      terminate: async () => {
        void connection.close();
      },
      threads: () => {
        count++;
        return { threads: [] };
      },
    },
  });
  await transport.say(request(1, "terminate"), request(2, "threads"));
  await connection.closed;
  assert.deepEqual([count, numbersOf(transport.written)], [0, [1]]);
});
