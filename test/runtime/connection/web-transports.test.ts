import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import { portTransport, streamTransport, webSocketTransport } from "@wirewright/dap/connection";
import { framesOf, outcomeOf, response, turn } from "../../support/scripted-connection.js";
import { client, assertOver } from "../../support/transport-ends.js";

/** How long a stream transport keeps reading after a failed write. */
const readAfterFailureMs = 100;

describe("connections over WHATWG streams end cleanly", () => {
  const readable = (): ReadableStream<Uint8Array> => new ReadableStream();

  test("a sink that fails later, while nothing is being written, ends the connection", async () => {
    let fail: (error: unknown) => void = () => undefined;
    const writable = new WritableStream<Uint8Array>({
      start: (controller) => void (fail = (error) => controller.error(error)),
    });
    const own = client(streamTransport({ readable: readable(), writable }));
    const asked = own.connection.request("threads");
    await turn();
    fail(new Error("broken"));
    await assertOver(own, asked, ["ERR_TRANSPORT"]);
  });

  test("a sink that rejects writes ends the connection", async () => {
    const writable = new WritableStream<Uint8Array>({
      write: () => Promise.reject(new Error("broken")),
    });
    const own = client(streamTransport({ readable: readable(), writable }));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });

  test("a sink that never accepts data and never closes is destroyed", async () => {
    const writable = new WritableStream<Uint8Array>({ write: () => new Promise(() => undefined) });
    let isCancelled = false;
    const source = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
    const own = client(streamTransport({ readable: source, writable }));
    const asked = own.connection.request("threads");
    own.connection.notifyCustom("mine");
    const sent = own.connection.flushed();
    await own.connection.close({ graceMs: 50 });
    assert.equal(isCancelled, true);
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
  });

  test("a source that ends before its sink fails ends the connection only once", async ({
    mock,
  }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    let fail: (error: Error) => void = () => undefined;
    const writable = new WritableStream<Uint8Array>({
      start: (controller) => void (fail = (error) => controller.error(error)),
    });
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => controller.close(),
    });
    const ends: unknown[] = [];
    streamTransport({ readable, writable }).read(
      () => undefined,
      (error) => void ends.push(error),
    );
    fail(new Error("gone"));
    await nextTurn();
    mock.timers.tick(readAfterFailureMs);
    assert.deepEqual(ends, [undefined]);
    const both: unknown[] = [];
    let lose: (error: Error) => void = () => undefined;
    const late = new ReadableStream<Uint8Array>({
      start: (controller) => void (lose = (error) => controller.error(error)),
    });
    streamTransport({
      readable: late,
      writable: new WritableStream({
        start: (controller) => void (fail = (error) => controller.error(error)),
      }),
    }).read(
      () => undefined,
      (error) => void both.push((error as Error).message),
    );
    fail(new Error("sink"));
    await nextTurn();
    mock.timers.tick(readAfterFailureMs - 1);
    lose(new Error("source"));
    await nextTurn();
    mock.timers.tick(readAfterFailureMs);
    assert.deepEqual(both, ["source"]);
  });

  test("a stream that is destroyed receives the reason", async () => {
    const reasons: unknown[] = [];
    const transport = streamTransport({
      readable: new ReadableStream({ cancel: (reason) => void reasons.push(reason) }),
      writable: new WritableStream({ abort: (reason) => void reasons.push(reason) }),
    });
    await transport.destroy!();
    assert.deepEqual(
      reasons.map((reason) => (reason as Error).message),
      ["The transport was destroyed", "The transport was destroyed"],
    );
  });

  test("a source that fails ends the connection", async () => {
    const source = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error("broken")),
    });
    const own = client(streamTransport({ readable: source, writable: new WritableStream() }));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });
});

describe("connections over message ports end cleanly", () => {
  test("a port that the peer closes ends the connection", async () => {
    const { port1, port2 } = new MessageChannel();
    const own = client(portTransport(port1));
    const asked = own.connection.request("threads");
    port2.close();
    await assertOver(own, asked, []);
  });

  test("close() settles for a port that nobody reads", async () => {
    const { port1, port2 } = new MessageChannel();
    const own = client(portTransport(port1));
    const asked = own.connection.request("threads");
    const sent = ["one", "two"].map((name) => {
      own.connection.notifyCustom(name, "x".repeat(2_000_000));
      return own.connection.flushed();
    });
    await own.connection.close({ graceMs: 50 });
    for (const each of sent) await assert.rejects(each, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
    port2.close();
  });

  test("a Node worker responds and exits", async () => {
    const body = JSON.stringify(response(1, { body: { threads: [] } }));
    const frame = `Content-Length: ${body.length}\r\n\r\n${body}`;
    const code = `
      const { parentPort } = require("node:worker_threads");
      parentPort.once("message", () => {
        parentPort.postMessage(new TextEncoder().encode(${JSON.stringify(frame)}));
        parentPort.once("message", () => parentPort.once("message", () => process.exit()));
      });`;
    const own = client(portTransport(new Worker(code, { eval: true })));
    assert.deepEqual(await own.connection.request("threads"), { threads: [] });
    await assertOver(own, own.connection.request("threads"), []);
  });

  test("messages on a port that are not frames are reported", async () => {
    const { port1, port2 } = new MessageChannel();
    const transport = portTransport(port1);
    const own = client(transport);
    const asked = own.connection.request("threads");
    for (const rubbish of ["text", {}, NaN, -5, -Infinity, [1], true, 2n])
      port2.postMessage(rubbish);
    port2.postMessage(framesOf([response(1, { body: { threads: [] } })]));
    assert.deepEqual(await asked, { threads: [] });
    // The peer cannot confirm bytes in advance, so wait for the next megabyte.
    port2.postMessage(Infinity);
    port2.postMessage(1e9);
    const next = own.connection.request("threads");
    port2.postMessage(framesOf([response(2, { body: { threads: [] } })]));
    await next;
    own.connection.notifyCustom("mine", "x".repeat(2_000_000));
    const sent = own.connection.flushed();
    assert.equal(await outcomeOf(sent), "pending");
    port2.postMessage(2_000_000);
    await sent;
    await own.connection.close();
    assert.throws(() => transport.write(new Uint8Array(1)), /port is closed/);
    port2.close();
  });
});

test("transports that cannot pause the peer end when more than 256 MiB are unread", async () => {
  const part = new Uint8Array(2 ** 24);
  let receive: (event: object) => void = () => undefined;
  const events = {
    addEventListener: (type: string, listener: (event: object) => void) => {
      if (type === "message") receive = listener;
    },
  };
  const port = { ...events, postMessage: () => undefined };
  const socket = {
    ...events,
    readyState: 1,
    bufferedAmount: 0,
    binaryType: "blob",
    send: () => undefined,
    close: () => undefined,
  };
  for (const open of [() => portTransport(port), () => webSocketTransport(socket)])
    for (const { parts, expected } of [
      { parts: 16, expected: { bytes: 2 ** 28, error: undefined } },
      {
        parts: 17,
        expected: { bytes: 0, error: "Cannot buffer more input: 285212672 bytes are unread" },
      },
    ]) {
      const transport = open();
      for (let count = 0; count < parts; count++) receive({ data: part });
      let bytes = 0;
      let error: unknown;
      transport.read(
        ({ length }) => void (bytes += length),
        (cause) => (error = (cause as Error).message),
      );
      await nextTurn();
      assert.deepEqual({ bytes, error }, expected);
    }
});
