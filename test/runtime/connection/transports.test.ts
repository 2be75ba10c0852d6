import assert from "node:assert/strict";
import { Duplex, PassThrough, Writable } from "node:stream";
import { describe, test } from "node:test";
import { connect, type Transport } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import { framesOf, outcomeOf, response, turn } from "../../support/scripted-connection.js";
import { client, assertOver } from "../../support/transport-ends.js";

describe("connections over Node streams end cleanly", () => {
  test("an output that fails later, while nothing is being written, ends the connection", async () => {
    let fail: (error: Error) => void = () => undefined;
    const output = new Writable({ write: (_chunk, _encoding, done) => void (fail = done) });
    const own = client(nodeTransport(new PassThrough(), output));
    const asked = own.connection.request("threads");
    fail(new Error("broken pipe"));
    await assertOver(own, asked, ["ERR_TRANSPORT"]);
  });

  test("an output that fails immediately ends the connection", async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(new Error("broken pipe")),
    });
    const own = client(nodeTransport(new PassThrough(), output));
    // The failure must be known before the stream reports it, because a caller that writes in a
    // loop may never yield to the event loop.
    assert.throws(() => nodeTransport(new PassThrough(), output).write(Buffer.from("x")));
    await assertOver(own, own.connection.request("threads"), ["ERR_TRANSPORT"]);
  });

  test("messages that arrived before the output failed are still read", async () => {
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

  test("an output that never accepts data is destroyed when the timeout expires", async () => {
    const output = new Writable({ highWaterMark: 1, write: () => undefined });
    const input = new PassThrough();
    const own = client(nodeTransport(input, output));
    const asked = own.connection.request("threads");
    own.connection.notifyCustom("mine");
    const sent = own.connection.flushed();
    await own.connection.close({ graceMs: 50 });
    assert.deepEqual([output.destroyed, input.destroyed], [true, true]);
    await assert.rejects(sent, { code: "ERR_CONNECTION_CLOSED" });
    await assertOver(own, asked, []);
  });

  test("a connection says when the peer has too much to read", async () => {
    let accept: () => void = () => undefined;
    const output = new Writable({ write: (_chunk, _encoding, done) => void (accept = done) });
    const { connection } = client(nodeTransport(new PassThrough(), output));
    const body = "x".repeat(100_000);
    let sent = 1;
    for (connection.notifyCustom("mine", body); connection.hasRoom; sent++)
      connection.notifyCustom("mine", body);
    assert.ok(sent >= 11 && sent < 13, String(sent));
    const flushed = connection.flushed();
    for (let written = 0; written < sent; written++) {
      accept();
      await turn();
    }
    await flushed;
    assert.equal(connection.hasRoom, true);
  });

  test("an input that fails or yields strings ends the connection", async () => {
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

  test("pending bytes are written before the output ends", async () => {
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

test("small frames on a socket do not wait for each other", () => {
  const set: unknown[] = [];
  const socket = Object.assign(new Duplex({ read: () => undefined }), {
    setNoDelay: (isOn: boolean) => void set.push(isOn),
  });
  nodeTransport(socket, socket);
  assert.deepEqual(set, [true]);
});

test("a socket is closed once both sides have ended", async () => {
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

describe("a write waits until the stream has room", () => {
  /** Creates an output that accepts nothing until released, and a write that waits for it. */
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

  test("a waiting write completes when the stream has room", async () => {
    const { done, output, written } = waiting();
    assert.equal(await outcomeOf(written as Promise<void>), "pending");
    done();
    assert.equal(await written, undefined);
    const left = ["drain", "close"].map((name) => output.listenerCount(name));
    assert.deepEqual(left, [0, 0]);
  });

  for (const [what, options] of [
    ["", {}],
    [" and does not emit close", { emitClose: false }],
    [" and is not closed", { autoDestroy: false }],
  ] as const)
    test(`a waiting write is rejected when the output fails${what}`, async () => {
      const { done, written } = waiting(options);
      done(new Error("broken pipe"));
      await assert.rejects(written as Promise<void>, { message: "broken pipe" });
    });

  test("a waiting write is rejected when the output is destroyed", async () => {
    const { output, written } = waiting();
    output.destroy();
    await assert.rejects(written as Promise<void>, {
      message: "Cannot write: the stream is closed",
    });
  });

  test("the last write before the end still completes", async () => {
    const { done, transport, written } = waiting();
    const closed = transport.close();
    done();
    assert.equal(await written, undefined);
    await closed;
  });
});

test("code that writes in a loop stops once the output has failed", async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(new Error("broken pipe")),
  });
  const adapter = connect("adapter", nodeTransport(new PassThrough(), output));
  let count = 0;
  const loop = (async () => {
    while (!adapter.isClosed) {
      adapter.notify("output", { output: "again" });
      await adapter.flushed();
      count++;
    }
  })();
  await assert.rejects(loop, { code: "ERR_CONNECTION_CLOSED" });
  assert.ok(count <= 1);
});
