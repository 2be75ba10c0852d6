import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterMicrotasks } from "../../../runtime/base/microtasks.js";
import { deferred } from "../../../runtime/base/promises.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { randomNumbers, readReplay, type Replay } from "../../support/replay.js";
import {
  event,
  framesOf,
  outcomeOf,
  request,
  response,
  scripted,
  turn,
  turns,
  type Fields,
  type Scripted,
} from "../../support/scripted-connection.js";

/** The methods of a connection for messages of any name. */
interface AnyConnection {
  requestCustom(name: string): Promise<unknown>;
  once(name: string, options?: object): Promise<unknown>;
  onCustom(name: string, listener: (body: unknown) => void): () => void;
  mark(): { readonly arrived: number };
}

/** A promise behind a number of async functions. */
async function layers<Result>(count: number, promise: Promise<Result>): Promise<Result> {
  return count === 0 ? await promise : await layers(count - 1, promise);
}

/** Sends the requests of a recording. Outcomes are bodies, or the messages of failures. */
function sendAll(client: AnyConnection, { requests }: Replay): readonly Promise<unknown>[] {
  return requests.map((name) =>
    client.requestCustom(name).catch(({ response }: { response: unknown }) => response),
  );
}

function bodyOf(message: Fields): unknown {
  return message["type"] === "response" && message["success"] !== true ? message : message["body"];
}

/**
 * Walks through a recording: waits for a response or an event, behind some layers of `async`, and
 * only then for another one further on. Compares each with what the recording has there.
 */
async function walk(
  client: AnyConnection,
  answers: readonly Promise<unknown>[],
  { messages }: Replay,
  random: (limit: number) => number,
): Promise<number> {
  let waits = 0;
  let at = -1;
  let marked = { mark: client.mark(), at };
  for (;;) {
    const skipped = random(4);
    const behind = messages.findIndex(
      ({ type }, index) => index > at + skipped && type !== "request",
    );
    const next = messages[behind];
    if (next === undefined) return waits;
    waits++;
    const depth = random(7);
    const name = next["event"] as string;
    const nextAfter = (from: number): number =>
      messages.findIndex((each, index) => index > from && each["event"] === name);
    if (next["type"] === "response") {
      const answer = answers[next["request_seq"] - 1]!;
      assert.deepEqual(await layers(depth, answer), bodyOf(next));
      at = behind;
    } else if (random(3) === 0) {
      // An event that may have passed.
      const found = nextAfter(marked.at);
      const body = await layers(depth, client.once(name, { since: marked.mark }));
      assert.deepEqual(body, bodyOf(messages[found]!));
      at = Math.max(at, found);
    } else {
      at = nextAfter(at);
      assert.deepEqual(await layers(depth, client.once(name)), bodyOf(messages[at]!));
    }
    if (random(3) === 0) marked = { mark: client.mark(), at };
  }
}

/** Delivers bytes in chunks. A chunk size of 0 means random ones. */
async function deliver(
  { transport }: Scripted<"client">,
  bytes: Uint8Array,
  size: number,
  random: (limit: number) => number,
  mayWait: boolean,
): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const end = at + (size === 0 ? 1 + random(2_000) : size);
    const taken = transport.onBytes(bytes.subarray(at, end));
    if (mayWait) await taken;
    if (mayWait && size === 0 && random(4) === 0) await new Promise(setImmediate);
    at = end;
  }
}

/** Milliseconds after which what is awaited has been lost. */
const lostAfterMs = 20_000;

const chunkings = [
  { size: Infinity, mayWait: false },
  { size: 1, mayWait: false },
  { size: 7, mayWait: true },
  { size: 4_096, mayWait: false },
  { size: 0, mayWait: true },
  { size: 0, mayWait: false },
];

suite("whatever is awaited next in a recording is seen", () => {
  for (const session of recordedSessions)
    test(session.name, async () => {
      const replay = readReplay(session);
      for (const [seed, { size, mayWait }] of chunkings.entries()) {
        const random = randomNumbers(seed + 1);
        const peer = scripted("client", { timeoutMs: lostAfterMs });
        const client = peer.connection as unknown as AnyConnection;
        const answers = sendAll(client, replay);
        const walks = Array.from({ length: 4 }, (_, each) =>
          walk(client, answers, replay, randomNumbers(seed * 4 + each)),
        );
        await deliver(peer, replay.bytes, size, random, mayWait);
        for (const waits of await Promise.all(walks)) assert.ok(waits > 3);
        await peer.connection.close();
      }
    });
});

suite("everything of a recording is seen in its order", () => {
  for (const session of recordedSessions)
    test(session.name, async () => {
      const replay = readReplay(session);
      const inOrder = replay.messages.filter(({ type }) => type !== "request").map(bodyOf);
      for (const [seed, { size, mayWait }] of chunkings.entries()) {
        const random = randomNumbers(seed + 1);
        const peer = scripted("client", { timeoutMs: lostAfterMs });
        const client = peer.connection as unknown as AnyConnection;
        const seen: unknown[] = [];
        const events = replay.messages.filter(({ type }) => type === "event");
        const names = new Set(events.map((each) => each["event"] as string));
        for (const name of names) client.onCustom(name, (body) => void seen.push(body));
        for (const answer of sendAll(client, replay))
          void layers(random(9), answer).then((body) => seen.push(body));
        const unanswered = replay.requests.length;
        await deliver(peer, replay.bytes, size, random, mayWait);
        await turns();
        assert.deepEqual(seen, inOrder);
        assert.ok(peer.connection.pending < unanswered);
        await peer.connection.close();
      }
    });
});

test("every cut of a small stream", async () => {
  const messages = [
    response(1, { body: { supportsStepBack: true } }),
    event("initialized"),
    response(2),
    event("stopped", { reason: "entry" }),
    event("stopped", { reason: "step" }),
  ];
  const bytes = framesOf(messages);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { connection, transport } = scripted("client", { timeoutMs: 1_000 });
    const session = (async () => {
      await connection.request("initialize", { adapterID: "x" });
      await connection.once("initialized");
      await connection.request("launch", {});
      const { reason } = await connection.once("stopped");
      return [reason, (await connection.once("stopped")).reason];
    })();
    transport.onWrite = () => undefined;
    void transport.onBytes(bytes.subarray(0, cut));
    void transport.onBytes(bytes.subarray(cut));
    assert.deepEqual(await session, ["entry", "step"], `cut at ${cut}`);
  }
});

test("a request behind a response waits, and so does the end", async () => {
  const { connection, transport } = scripted("client", {
    handlers: { runInTerminal: () => ({}) },
  });
  const threads = connection.request("threads");
  const seen: unknown[] = [];
  const reader = layers(5, threads).then(() => {
    seen.push(transport.responsesTo(9).length, connection.isClosed);
    connection.handle("runInTerminal", () => ({ processId: 7 }));
  });
  void transport.say(response(1, { body: { threads: [] } }), request(9, "runInTerminal"));
  transport.end();
  assert.equal(connection.isClosed, false);
  await reader;
  await connection.closed;
  assert.deepEqual(seen, [0, false]);
  assert.deepEqual(
    transport.responsesTo(9).map(({ body }) => body),
    [{ processId: 7 }],
  );
});

test("what no promise waits for is passed on at once", () => {
  const { connection, transport, codes } = scripted("client", {
    handlers: { runInTerminal: () => ({}) },
  });
  const seen: string[] = [];
  connection.on("output", ({ output }) => void seen.push(output));
  const said = transport.say(
    event("output", { output: "a" }),
    request(9, "runInTerminal"),
    response(77),
    event("output", { output: "b" }),
  );
  assert.deepEqual(
    [said, seen, transport.responsesTo(9).length, codes()],
    [undefined, ["a", "b"], 1, ["ERR_RESPONSE_UNSOLICITED"]],
  );
});

test("reading pauses while messages wait, and goes on behind them", async () => {
  const { connection, transport } = scripted("client");
  const answers = Array.from({ length: 3 }, () => connection.request("threads"));
  const order: string[] = [];
  for (const [index, answer] of answers.entries())
    void layers(3, answer).then(() => order.push(`answer ${index + 1}`));
  const bodies = [1, 2, 3].map((seq) => response(seq, { body: { threads: [] } }));
  const said = transport.say(...bodies);
  assert.ok(said instanceof Promise);
  await said.then(() => order.push("read on"));
  assert.deepEqual(order.slice(0, 2), ["answer 1", "answer 2"]);
  await turn();
  assert.deepEqual(order.toSorted(), ["answer 1", "answer 2", "answer 3", "read on"]);
});

test("nothing is passed on behind a close", async () => {
  const { connection, transport, codes } = scripted("client");
  const seen: string[] = [];
  connection.on("output", ({ output }) => void seen.push(output));
  const closed = connection.request("threads").then(() => connection.close());
  void transport.say(
    event("output", { output: "before" }),
    response(1, { body: { threads: [] } }),
    event("output", { output: "after" }),
    response(1),
  );
  await closed;
  assert.deepEqual([seen, codes()], [["before"], []]);
});

test("a middleware sees the bytes of messages that waited", async () => {
  const seen: string[] = [];
  const { connection, transport } = scripted("client", {
    middleware: [
      {
        afterReceive: (message, bytes) => {
          seen.push(Buffer.from(bytes).toString());
          return message;
        },
      },
    ],
  });
  const answer = connection.request("threads");
  const messages = [response(1, { body: { threads: [] } }), event("initialized")];
  const bytes = framesOf(messages);
  const said = transport.onBytes(bytes);
  bytes.fill(0);
  await said;
  await answer;
  assert.deepEqual(
    seen,
    messages.map((each) => Buffer.from(framesOf([each])).toString()),
  );
});

suite("once", () => {
  test("takes the first event that passes its test", async () => {
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

  test("rejects with what its test throws, and listens no longer", async () => {
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

  test("looks back to a mark", async () => {
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

  test("keeps the latest events since a mark: 4,096, or 4 MiB", async () => {
    const { connection, transport } = scripted("client");
    const since = connection.mark();
    await transport.say(event("stopped", { reason: "first" }));
    const output = event("output", { output: "x" });
    await transport.sayAll(Array<object>(4_095).fill(output));
    assert.deepEqual(await connection.once("stopped", { since }), { reason: "first" });
    await transport.say(output);
    const short = { since, timeoutMs: 1 };
    await assert.rejects(connection.once("stopped", short), { code: "ERR_REQUEST_TIMEOUT" });
    await transport.say(event("output", { output: "y".repeat(5 * 1024 * 1024) }));
    const { output: kept } = await connection.once("output", { since });
    assert.equal(kept.length, 5 * 1024 * 1024);
  });

  test("has the default timeout of the connection", async () => {
    const { connection } = scripted("client", { timeoutMs: 5 });
    await assert.rejects(connection.once("stopped"), {
      code: "ERR_REQUEST_TIMEOUT",
      message: 'Timed out after 5 ms waiting for "stopped"',
    });
    const unlimited = connection.once("stopped", { timeoutMs: 0 });
    assert.equal(await outcomeOf(unlimited), "pending");
    await connection.close();
  });
});

suite("a call that fails while another one waits", () => {
  const failed = response(1, { success: false, message: "There is no a.out" });

  test("is the cause if that one times out", async () => {
    const { connection, transport } = scripted("client", { timeoutMs: 20 });
    const ready = connection.once("initialized");
    const launched = connection.request("launch", {});
    await transport.say(failed);
    await assert.rejects(ready, ({ code, message, cause }) => {
      assert.deepEqual([code, cause.code], ["ERR_REQUEST_TIMEOUT", "ERR_REQUEST_FAILED"]);
      const text = 'Timed out after 20 ms waiting for "initialized"; meanwhile "launch" failed: ';
      return message === `${text}There is no a.out`;
    });
    await assert.rejects(launched, { code: "ERR_REQUEST_FAILED", message: "There is no a.out" });
  });

  test("is the cause if the connection ends", async () => {
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

suite("rejections that nobody handles", () => {
  const run = (kind: string): readonly unknown[] => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fromRoot("build/test/support/failing-client.js"), kind],
      { encoding: "utf8", timeout: 60_000 },
    );
    return [status, stdout.trim(), /^RequestError.*$/m.exec(stderr)?.[0] ?? stderr];
  };

  for (const kind of ["answer", "timeout", "later", "request"])
    test(`${kind}: none, while another call reports them`, () => {
      const caught = {
        answer: "ERR_REQUEST_TIMEOUT because of ERR_REQUEST_FAILED",
        timeout: "ERR_REQUEST_TIMEOUT",
        later: "ERR_REQUEST_FAILED",
        request: "ERR_REQUEST_FAILED",
      }[kind];
      assert.deepEqual(run(kind), [0, `caught ${caught}`, ""]);
    });

  test("alone: they end the process, as those of other promises do", () => {
    const [status, stdout, error] = run("alone");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(String(error), /There is no a\.out/);
  });

  test("endless: they do if the other call has no time limit", () => {
    const [status, stdout, error] = run("endless");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(String(error), /There is no a\.out/);
  });
});

/** A channel that closes itself, so that the process can end. */
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

suite("the queue of promise callbacks is empty on a host with", () => {
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
    test(name, async () => {
      const order: string[] = [];
      const { promise, resolve } = deferred<void>();
      const schedule = afterMicrotasks(() => {
        order.push("after");
        resolve();
      }, host as object);
      schedule();
      void layers(50, Promise.resolve()).then(() => order.push("behind 50 layers"));
      await promise;
      assert.deepEqual(order, ["behind 50 layers", "after"]);
    });
});

test("listeners to * get every event, behind those of its name", async () => {
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
