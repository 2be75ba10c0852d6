import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  recordedSessions,
  randomNumbers,
  readReplay,
  type Replay,
} from "../../support/recorded-sessions.js";
import {
  event,
  framesOf,
  request,
  response,
  scripted,
  turn,
  turns,
  type Fields,
  type Scripted,
  layers,
} from "../../support/scripted-connection.js";

/** The connection methods that accept any message name. */
interface AnyConnection {
  requestCustom(name: string): Promise<unknown>;
  once(name: string, options?: object): Promise<unknown>;
  onCustom(name: string, listener: (body: unknown) => void): () => void;
  mark(): { readonly arrived: number };
}

/** Sends a recording's requests. The promises resolve to bodies or failure responses. */
function sendAll(client: AnyConnection, { requests }: Replay): readonly Promise<unknown>[] {
  return requests.map((name) =>
    client.requestCustom(name).catch(({ response }: { response: unknown }) => response),
  );
}

function bodyOf(message: Fields): unknown {
  return message["type"] === "response" && message["success"] !== true ? message : message["body"];
}

/**
 * Awaits a recording's responses and events one after another, each through several layers of
 * `async`, and compares each with the recording. Returns the number of waits.
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
      // Waits for an event that may already have arrived.
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

/** Delivers bytes in chunks. A size of 0 stands for random sizes. */
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

/** How long to wait, in milliseconds, before an awaited message counts as lost. */
const lostAfterMs = 20_000;

const chunkings = [
  { size: Infinity, mayWait: false },
  { size: 1, mayWait: false },
  { size: 7, mayWait: true },
  { size: 4_096, mayWait: false },
  { size: 0, mayWait: true },
  { size: 0, mayWait: false },
];

suite("no awaited message in a recording is missed", () => {
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

suite("all messages in a recording are delivered in order", () => {
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

test("no message is missed, no matter where a small stream is split", async () => {
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

test("a request or the end of the stream waits for code that is awaiting an earlier response", async () => {
  let answer = 0;
  const { connection, transport } = scripted("client", {
    handlers: { runInTerminal: () => ({ processId: answer }) },
  });
  const threads = connection.request("threads");
  const seen: unknown[] = [];
  const reader = layers(5, threads).then(() => {
    seen.push(transport.responsesTo(9).length, connection.isClosed);
    answer = 7;
  });
  void transport.say(
    response(1, { body: { threads: [] } }),
    request(9, "runInTerminal", { cwd: "", args: ["a"] }),
  );
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

test("messages are delivered immediately if no promise is waiting for a message", () => {
  const { connection, transport, codes } = scripted("client", {
    handlers: { runInTerminal: () => ({}) },
  });
  const seen: string[] = [];
  connection.on("output", ({ output }) => void seen.push(output));
  const delivered = transport.say(
    event("output", { output: "a" }),
    request(9, "runInTerminal", { cwd: "", args: ["a"] }),
    response(77),
    event("output", { output: "b" }),
  );
  assert.deepEqual(
    [delivered, seen, transport.responsesTo(9).length, codes()],
    [undefined, ["a", "b"], 1, ["ERR_RESPONSE_UNSOLICITED"]],
  );
});

test("reading pauses while messages wait, and then continues", async () => {
  const { connection, transport } = scripted("client");
  const answers = Array.from({ length: 3 }, () => connection.request("threads"));
  const order: string[] = [];
  for (const [index, answer] of answers.entries())
    void layers(3, answer).then(() => order.push(`answer ${index + 1}`));
  const bodies = [1, 2, 3].map((seq) => response(seq, { body: { threads: [] } }));
  const delivered = transport.say(...bodies);
  assert.ok(delivered instanceof Promise);
  await delivered.then(() => order.push("read on"));
  assert.deepEqual(order.slice(0, 2), ["answer 1", "answer 2"]);
  await turn();
  assert.deepEqual(order.toSorted(), ["answer 1", "answer 2", "answer 3", "read on"]);
});

test("no message is delivered after close()", async () => {
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

test("a middleware gets the original bytes of messages that were held back", async () => {
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
  const delivered = transport.onBytes(bytes);
  bytes.fill(0);
  await delivered;
  await answer;
  assert.deepEqual(
    seen,
    messages.map((each) => Buffer.from(framesOf([each])).toString()),
  );
});
