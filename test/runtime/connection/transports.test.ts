import assert from "node:assert/strict";
import { Duplex, PassThrough, Writable } from "node:stream";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  connect,
  portTransport,
  streamTransport,
  type Connection,
  type ConnectOptions,
  type Transport,
} from "../../../generated/dap/connection.js";
import { nodeTransport } from "../../../generated/dap/node.js";
import { framesOf, outcomeOf, response, turn } from "../../support/scripted-connection.js";

const timeout = 20_000;

/** For how long a stream transport reads on behind a failed write. */
const readAfterFailureMs = 100;

/** A client, and the codes of its problems. */
function client(
  transport: Transport,
  options: ConnectOptions<"client"> = {},
): { readonly connection: Connection<"client">; readonly codes: string[] } {
  const codes: string[] = [];
  const connection = connect("client", transport, {
    onProblem: ({ code }) => void codes.push(code),
    ...options,
  });
  return { connection, codes };
}

/** All that waits is rejected, and the connection over. */
async function assertOver(
  { connection, codes }: ReturnType<typeof client>,
  asked: Promise<unknown>,
  problems: readonly string[],
): Promise<void> {
  await assert.rejects(asked, { code: "ERR_CONNECTION_CLOSED" });
  await connection.closed;
  assert.deepEqual(codes, problems);
  assert.equal(await outcomeOf(connection.notifyCustom("mine")), "ERR_CONNECTION_CLOSED");
}

describe("Node streams", () => {
  test("an output that fails later, while nothing is written", { timeout }, async () => {
    let fail: (error: Error) => void = () => undefined;
    const output = new Writable({ write: (_chunk, _encoding, done) => void (fail = done) });
    const own = client(nodeTransport(new PassThrough(), output));
    const asked = own.connection.request("threads");
    fail(new Error("broken pipe"));
    await assertOver(own, asked, ["ERR_TRANSPORT"]);
  });

  test("an output that fails at once", { timeout }, async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(new Error("broken pipe")),
    });
    const own = client(nodeTransport(new PassThrough(), output));
    // Known before the stream tells: whoever writes on and on need not let the event loop go on.
    assert.throws(() => nodeTransport(new PassThrough(), output).write(Buffer.from("x")));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });

  test("what the other side said before an output failed is read", { timeout }, async () => {
    let fail: (error: Error) => void = () => undefined;
    const output = new Writable({ write: (_chunk, _encoding, done) => void (fail = done) });
    const input = new PassThrough();
    const own = client(nodeTransport(input, output));
    const asked = own.connection.request("threads");
    fail(new Error("broken pipe"));
    await turn();
    input.end(framesOf([response(1, { body: { threads: [] } })]));
    assert.deepEqual(await asked, { threads: [] });
    await own.connection.closed;
    assert.deepEqual(own.codes, []);
  });

  test("an output that never takes more", { timeout }, async () => {
    const output = new Writable({ highWaterMark: 1, write: () => undefined });
    const input = new PassThrough();
    const own = client(nodeTransport(input, output));
    const asked = own.connection.request("threads");
    const sent = own.connection.notifyCustom("mine");
    await own.connection.close({ timeoutMs: 50 });
    assert.deepEqual([output.destroyed, input.destroyed], [true, true]);
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
  });

  test("an input that fails, and one that gives text", { timeout }, async () => {
    for (const act of [
      (input: PassThrough) => input.destroy(new Error("gone")),
      (input: PassThrough) => input.setEncoding("utf8").write("Content-Length: 2\r\n\r\n{}"),
    ]) {
      const input = new PassThrough();
      const own = client(nodeTransport(input, new PassThrough().resume()));
      const asked = own.connection.request("threads");
      act(input);
      await assertOver(own, asked, ["ERR_TRANSPORT"]);
    }
  });

  test("what was sent goes out before the end", { timeout }, async () => {
    const chunks: Buffer[] = [];
    const output = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        setImmediate(done);
      },
    });
    const { connection } = client(nodeTransport(new PassThrough(), output));
    for (const name of ["a", "b", "c"]) void connection.notifyCustom(name);
    await connection.close();
    assert.deepEqual([chunks.length, output.writableFinished], [3, true]);
  });
});

describe("WHATWG streams", () => {
  const readable = (): ReadableStream<Uint8Array> => new ReadableStream();

  test("a sink that fails later, while nothing is written", { timeout }, async () => {
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

  test("a sink that rejects what is written", { timeout }, async () => {
    const writable = new WritableStream<Uint8Array>({
      write: () => Promise.reject(new Error("broken")),
    });
    const own = client(streamTransport({ readable: readable(), writable }));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });

  test("a sink that never takes more, and never closes", { timeout }, async () => {
    const writable = new WritableStream<Uint8Array>({ write: () => new Promise(() => undefined) });
    let isCancelled = false;
    const source = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
    const own = client(streamTransport({ readable: source, writable }));
    const asked = own.connection.request("threads");
    const sent = own.connection.notifyCustom("mine");
    await own.connection.close({ timeoutMs: 50 });
    assert.equal(isCancelled, true);
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
  });

  test("a source that ends before its sink fails is over once", { timeout }, async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    let fail: (error: Error) => void = () => undefined;
    const writable = new WritableStream<Uint8Array>({
      start: (controller) => void (fail = (error) => controller.error(error)),
    });
    const readable = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
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

  test("what is destroyed is told why", { timeout }, async () => {
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

  test("a source that fails", { timeout }, async () => {
    const source = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error("broken")),
    });
    const own = client(streamTransport({ readable: source, writable: new WritableStream() }));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });
});

describe("message ports", () => {
  test("a port that is closed by the other side", { timeout }, async () => {
    const { port1, port2 } = new MessageChannel();
    const own = client(portTransport(port1));
    const asked = own.connection.request("threads");
    port2.close();
    await assertOver(own, asked, []);
  });

  test("a port that nobody reads", { timeout }, async () => {
    const { port1, port2 } = new MessageChannel();
    const own = client(portTransport(port1));
    const asked = own.connection.request("threads");
    const sent = ["one", "two"].map((name) =>
      own.connection.notifyCustom(name, "x".repeat(2_000_000)),
    );
    await own.connection.close({ timeoutMs: 50 });
    for (const each of sent) await assert.rejects(each, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
    port2.close();
  });

  test("a worker of Node, which answers and exits", { timeout }, async () => {
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

  test("messages that are no frames", { timeout }, async () => {
    const { port1, port2 } = new MessageChannel();
    const transport = portTransport(port1);
    const own = client(transport);
    const asked = own.connection.request("threads");
    for (const rubbish of ["text", {}, NaN, -5, -Infinity, [1], true, 2n])
      port2.postMessage(rubbish);
    port2.postMessage(framesOf([response(1, { body: { threads: [] } })]));
    assert.deepEqual(await asked, { threads: [] });
    // What was said to be read cannot be more than was written: the next megabyte is waited for.
    port2.postMessage(Infinity);
    port2.postMessage(1e9);
    const next = own.connection.request("threads");
    port2.postMessage(framesOf([response(2, { body: { threads: [] } })]));
    await next;
    const sent = own.connection.notifyCustom("mine", "x".repeat(2_000_000));
    assert.equal(await outcomeOf(sent), "pending");
    port2.postMessage(2_000_000);
    await sent;
    await own.connection.close();
    assert.throws(() => transport.write(new Uint8Array(1)), /port is closed/);
    port2.close();
  });
});

test("small frames of a socket do not wait for each other", () => {
  const set: unknown[] = [];
  const socket = Object.assign(new Duplex({ read: () => undefined }), {
    setNoDelay: (isOn: boolean) => void set.push(isOn),
  });
  nodeTransport(socket, socket);
  assert.deepEqual(set, [true]);
});

test("a socket is closed when its other side has ended, too", { timeout }, async () => {
  const socket = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => done(),
  });
  let isClosed = false;
  const transport = nodeTransport(socket, socket);
  const ends: unknown[] = [];
  transport.read(
    () => undefined,
    (error) => void ends.push(error),
  );
  const closed = Promise.resolve(transport.close()).then(() => (isClosed = true));
  await turn();
  assert.deepEqual([socket.writableFinished, socket.destroyed, isClosed], [true, false, false]);
  socket.push(null);
  await closed;
  await turn();
  assert.deepEqual([socket.destroyed, ends], [true, [undefined]]);
});

describe("a write that waits for room", () => {
  /** An output that takes nothing before it is told to, and a write that waits for it. */
  const waiting = (
    options: ConstructorParameters<typeof Writable>[0] = {},
  ): {
    done: (error?: Error) => void;
    output: Writable;
    transport: Transport;
    written: unknown;
  } => {
    let done: (error?: Error) => void = () => undefined;
    const output = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, taken) => void (done = taken),
      ...options,
    });
    const transport = nodeTransport(new PassThrough(), output);
    const written = transport.write(Buffer.from("frame"));
    return { done: (error) => done(error), output, transport, written };
  };

  test("is done when there is", { timeout }, async () => {
    const { done, output, written } = waiting();
    assert.equal(await outcomeOf(written as Promise<void>), "pending");
    done();
    assert.equal(await written, undefined);
    const left = ["drain", "close"].map((name) => output.listenerCount(name));
    assert.deepEqual(left, [0, 0]);
  });

  for (const [what, options] of [
    ["", {}],
    [" and does not tell that it is closed", { emitClose: false }],
    [" and is not closed", { autoDestroy: false }],
  ] as const)
    test(`is rejected when the output fails${what}`, { timeout }, async () => {
      const { done, written } = waiting(options);
      done(new Error("broken pipe"));
      await assert.rejects(written as Promise<void>, { message: "broken pipe" });
    });

  test("is rejected when the output is destroyed", { timeout }, async () => {
    const { output, written } = waiting();
    output.destroy();
    await assert.rejects(written as Promise<void>, {
      message: "Cannot write: the stream is closed",
    });
  });

  test("is done when it is the last one before the end", { timeout }, async () => {
    const { done, transport, written } = waiting();
    const closed = transport.close();
    done();
    assert.equal(await written, undefined);
    await closed;
  });
});

test("whoever writes on and on to an output that has failed is stopped", { timeout }, async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(new Error("broken pipe")),
  });
  const adapter = connect("adapter", nodeTransport(new PassThrough(), output));
  let count = 0;
  const loop = (async () => {
    while (!adapter.isClosed) {
      await adapter.notify("output", { output: "again" });
      count++;
    }
  })();
  await assert.rejects(loop, { code: "ERR_CONNECTION_CLOSED", command: "output" });
  assert.ok(count <= 1);
});
