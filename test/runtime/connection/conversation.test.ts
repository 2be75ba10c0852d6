import assert from "node:assert/strict";
import { test } from "node:test";
import { protocol as dap } from "@wirewright/dap";
import { validate } from "@wirewright/dap/validators";
import { IncomingRequest, RequestQueue } from "../../../runtime/connection/incoming-requests.js";
import { ConnectionCore } from "../../../runtime/connection/connection.js";
import { decodeContentLength } from "../../../runtime/frames/content-length-decoder.js";
import { encodeContentLength } from "../../../runtime/frames/content-length-encoder.js";
import type { AnyConnectOptions } from "../../../runtime/connection/options.js";
import { FrameQueue } from "../../../runtime/connection/outgoing-messages.js";
import { IncomingBytes } from "../../../runtime/connection/incoming-messages.js";
import { request, ScriptedTransport, turn } from "../../support/scripted-connection.js";

const { failures, capabilities } = dap.conversation;

/** Connects a protocol whose failure responses contain their input wherever templates allow it. */
function connected(
  settings: AnyConnectOptions,
  cancel?: { readonly message: string; readonly id: string },
): ScriptedTransport {
  const transport = new ScriptedTransport();
  const template = (what: string): object => ({
    message: what,
    body: { name: "$name", text: "$text", both: ["$name: $text", 1, null, "", { no: "$names" }] },
  });
  const conversation = {
    ...(cancel === undefined ? {} : { cancel }),
    failures: {
      ...failures,
      unknown: template("unknown") as never,
      failed: template("failed") as never,
      cancelled: template("cancelled") as never,
    },
    capabilities,
  };
  const requests = Object.fromEntries(
    Object.keys(settings.handlers ?? {}).map((name) => [name, { name, sender: "client" } as never]),
  );
  new ConnectionCore(
    {
      protocol: { ...dap, conversation } as never,
      requests,
      events: {},
      decode: decodeContentLength,
      encode: encodeContentLength,
      validators: { validate },
    },
    "adapter",
    transport,
    settings,
  );
  return transport;
}

const failed = (request_seq: number, command: string, message: string, text: string): object => ({
  type: "response",
  request_seq,
  command,
  success: false,
  message,
  body: {
    name: command,
    text,
    both: [`${command}: ${text}`, 1, null, "", { no: `${command}s` }],
  },
});
const unnumbered = (messages: readonly object[]): readonly object[] =>
  messages.map((message) => {
    const { seq: _, ...rest } = message as { seq?: unknown };
    return rest;
  });

test("failure responses carry their code and text in the fields defined by the protocol", async () => {
  const transport = connected(
    {
      handlers: {
        fail: () => {
          throw new Error("no $name");
        },
        wait: (_parameters, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          ),
        stay: (_parameters, { signal }) =>
          new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      },
      maxAnswering: 2,
    },
    { message: "cancel", id: "requestId" },
  );
  await transport.say(
    request(1, "mine"),
    request(2, "fail"),
    request(3, "wait"),
    request(4, "stay"),
    request(5, "wait"),
    request(6, "cancel", { requestId: 5 }),
    request(7, "cancel", { requestId: 3 }),
    request(8, "cancel", { requestId: 4 }),
  );
  await turn();
  const done = (request_seq: number): object => ({
    type: "response",
    request_seq,
    command: "cancel",
    success: true,
  });
  assert.deepEqual(unnumbered(transport.written), [
    failed(1, "mine", "unknown", ""),
    failed(2, "fail", "failed", "no $name"),
    failed(5, "wait", "cancelled", "cancelled"),
    done(6),
    done(7),
    done(8),
    failed(3, "wait", "cancelled", "aborted"),
    failed(4, "stay", "cancelled", "cancelled"),
  ]);
});

test("in a protocol without cancellation, cancel is an ordinary request", async () => {
  const transport = connected({});
  await transport.say(request(1, "cancel", { requestId: 1 }), request(2, undefined));
  assert.deepEqual(unnumbered(transport.written), [
    failed(1, "cancel", "unknown", ""),
    failed(2, "undefined", "unknown", ""),
  ]);
});

test("a response without an id does not match any request, even after a cancellation", async () => {
  const transport = new ScriptedTransport();
  const problems: unknown[] = [];
  const conversation = { failures, capabilities, cancel: { message: "cancel", id: "requestId" } };
  const client = new ConnectionCore(
    {
      protocol: { ...dap, conversation } as never,
      events: {},
      decode: decodeContentLength,
      encode: encodeContentLength,
      validators: { validate },
      requests: { threads: { name: "threads", sender: "client" } as never },
    },
    "client",
    transport,
    { onProblem: ({ code }) => void problems.push(code) },
  );
  await assert.rejects(client.request("threads", undefined, { timeoutMs: 1 }), {
    code: "ERR_TIMEOUT",
  });
  assert.deepEqual(transport.written, [
    { seq: 1, type: "request", command: "threads" },
    { seq: 2, type: "event", event: "cancel", body: { requestId: 1 } },
  ]);
  await transport.say({ seq: 1, type: "response", command: "threads", success: true });
  assert.deepEqual(problems, ["ERR_RESPONSE_UNSOLICITED"]);
});

test("an exception thrown while bytes are processed ends the reading and is reported", () => {
  const told: unknown[] = [];
  const oops = new Error("oops");
  let isOver = false;
  const incoming = (): IncomingBytes =>
    new IncomingBytes(
      decodeContentLength,
      {},
      {
        onMessage: () => undefined,
        onProblem: ({ code }) => {
          told.push(code);
          throw oops;
        },
        onFault: () => undefined,
        onFailure: (cause) => void told.push(cause),
        isOver: () => isOver,
        untilRoom: () => undefined,
      },
    );
  const unfinished = incoming();
  assert.equal(unfinished.take(Buffer.from("Content-Length: 9\r\n\r\n{")), undefined);
  assert.deepEqual([unfinished.end(), told.splice(0)], [undefined, ["ERR_TRUNCATED", oops]]);
  const damaged = incoming();
  void damaged.take(Buffer.from("Content-Length: x\r\n\r\n"));
  assert.deepEqual(told.splice(0), ["ERR_LENGTH_INVALID", oops]);
  void damaged.take("{}" as never);
  assert.deepEqual(
    told.splice(0).map((cause) => (cause as Error).message),
    ["Expected bytes, received a string"],
  );
  isOver = true;
  const over = incoming();
  void over.take(Buffer.from("Content-Length: x\r\n\r\n"));
  void over.end();
  assert.deepEqual(told, []);
});

test("each frame waits for the previous one, and every write is confirmed", async () => {
  const calls: string[] = [];
  const taken: (() => void)[] = [];
  const queue = new FrameQueue(
    {
      read: () => undefined,
      write: (bytes: Uint8Array) => {
        calls.push(Buffer.from(bytes).toString());
        return new Promise<void>((resolve) => taken.push(resolve));
      },
      close: () => undefined,
    },
    {
      onFailure: (cause) => void calls.push(String(cause)),
      onProgress: () => void calls.push("progress"),
    },
  );
  const bytes = (text: string): Uint8Array => Buffer.from(text);
  queue.push(bytes("a"));
  queue.push(bytes("bb"));
  const written = queue.write(bytes("ccc"));
  const drained = queue.drain();
  assert.deepEqual([calls.splice(0), queue.backlog], [["a"], 5]);
  taken.shift()!();
  await turn();
  assert.deepEqual([calls.splice(0), queue.backlog], [["bb", "progress"], 3]);
  taken.shift()!();
  await turn();
  taken.shift()!();
  await Promise.all([written, drained]);
  assert.deepEqual([calls, queue.backlog], [["ccc", "progress", "progress"], 0]);
  // A transport that accepts frames immediately gets them immediately, including frames queued
  // during a write.
  const order: string[] = [];
  const fast: FrameQueue = new FrameQueue(
    {
      read: () => undefined,
      write: (each: Uint8Array) => {
        order.push(Buffer.from(each).toString());
        if (order.length === 1) {
          fast.push(bytes("x"));
          void fast.write(bytes("y")).then(() => order.push("y is written"));
        }
        order.push("taken");
      },
      close: () => undefined,
    },
    { onFailure: () => undefined, onProgress: () => undefined },
  );
  await fast.write(bytes("w"));
  await turn();
  assert.deepEqual(order, ["w", "taken", "x", "taken", "y", "taken", "y is written"]);
});

test("reading pauses when the queue is half full, and cancel requests are never queued", async () => {
  const answered: unknown[] = [];
  let finish: () => void = () => undefined;
  const requests = new RequestQueue({
    maxAnswering: 1,
    // The size of two queued requests: 10 bytes each, plus an overhead of 256 bytes each.
    maxQueuedBytes: 532,
    answer: ({ id }) => {
      answered.push(id);
      return id === 1 ? new Promise((resolve) => (finish = resolve)) : undefined;
    },
    answerCancelled: () => undefined,
    refuse: ({ id }, isFirst) => void answered.push(`refused ${String(id)} ${isFirst}`),
    isBacklogged: () => false,
    onStalled: () => undefined,
  });
  const take = (id: number, isCancel = false): void =>
    requests.receive(new IncomingRequest({}, "threads", id, 10), isCancel);
  take(1);
  assert.equal(requests.untilRoom(), undefined);
  take(2);
  const room = requests.untilRoom();
  assert.ok(room instanceof Promise);
  take(3);
  take(4);
  take(5);
  assert.deepEqual(answered.splice(0), [1, "refused 4 true", "refused 5 false"]);
  const cancels = Array.from({ length: 1_500 }, (_, at) => at + 10);
  for (const id of cancels) take(id, true);
  assert.deepEqual(answered.splice(0), cancels);
  finish();
  await room;
  assert.deepEqual([answered, requests.untilRoom()], [[2, 3], undefined]);
});

test("a request that arrives once room has become available runs after the queued requests", () => {
  const answered: unknown[] = [];
  let isBacklogged = true;
  const requests = new RequestQueue({
    maxAnswering: 10,
    maxQueuedBytes: 10_000,
    answer: ({ id }) => void answered.push(id),
    answerCancelled: () => undefined,
    refuse: () => undefined,
    isBacklogged: () => isBacklogged,
    onStalled: () => undefined,
  });
  const take = (id: number): void =>
    requests.receive(new IncomingRequest({}, "threads", id, 10), false);
  take(1);
  take(2);
  isBacklogged = false;
  take(3);
  assert.deepEqual(answered, []);
  requests.startQueued();
  take(4);
  assert.deepEqual(answered, [1, 2, 3, 4]);
});
