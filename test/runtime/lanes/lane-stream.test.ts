import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createClient,
  createServer,
  type ClientOptions,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import { outcomeOf, turn } from "../../support/scripted-connection.js";
import { bytesOf } from "../../support/framed-text.js";

const stopped = '<suspended file="a" line="1" threadId="1" frames="1"/>';
const frames = "<frames></frames>";

/** Returns callbacks that log transport calls and faults in order. */
function listening(
  log: unknown[],
): Pick<ClientOptions, "write" | "close" | "destroy" | "onClose" | "onFault"> {
  return {
    write: (bytes) => void log.push(Buffer.from(bytes).toString()),
    close: () => void log.push("close"),
    destroy: () => void log.push("destroy"),
    onClose: (problem) => void log.push(`over: ${problem?.code}`),
    onFault: (error) => void log.push(error),
  };
}

test("close() performs its steps in order and only once, and destroys immediately if the grace period is 0", async () => {
  for (const [graceMs, calls] of [
    [100, ["close", "destroy", "over: undefined"]],
    [0, ["destroy", "over: undefined"]],
  ] as const) {
    const log: unknown[] = [];
    const client = createClient(listening(log));
    const server = createServer({ ...listening(log), handlers: {} } as ServerOptions);
    for (const connection of [client, server]) {
      assert.equal(connection.isClosed, false);
      await Promise.all([connection.close({ graceMs }), connection.close({ graceMs })]);
      await connection.close({ graceMs });
      await turn();
      assert.deepEqual([log.splice(0), connection.isClosed], [calls, true]);
    }
  }
});

test("an invalid limit is refused, and the error names it", async () => {
  const options = { write: () => undefined, handlers: {} };
  const rest = 'the option "maxWaiting" must be a whole number of at least 1, or Infinity, not 0';
  assert.throws(() => createClient({ write: () => undefined, maxWaiting: 0 }), {
    name: "TypeError",
    message: `createClient: ${rest}`,
  });
  assert.throws(() => createServer({ ...options, maxWaiting: 0 } as ServerOptions), {
    name: "TypeError",
    message: `createServer: ${rest}`,
  });
  assert.throws(() => createClient(options), /unknown option "handlers"/);
  await assert.rejects(createClient({ write: () => undefined }).close({ graceMs: -1 }), {
    name: "TypeError",
    message: 'close: the option "graceMs" must be a number of milliseconds, at least 0, not -1',
  });
});

test("when the peer ends, a client ends too, and its error lists the unfinished commands", async () => {
  const log: unknown[] = [];
  const client = createClient(listening(log));
  const sent = client.send("where");
  client.push(bytesOf("<frames>"));
  client.end();
  client.end();
  client.push(bytesOf("</frames>"));
  assert.equal(await outcomeOf(sent), "ERR_CONNECTION_CLOSED");
  assert.deepEqual(
    log.map((each) => (typeof each === "object" ? (each as { code: string }).code : each)),
    ["where\n", "ERR_TRUNCATED", "destroy", "over: undefined"],
  );
  const quiet: unknown[] = [];
  const server = createServer({
    ...listening(quiet),
    handlers: { where: () => ({ element: "frames", body: { frames: [] } }) },
  } as ServerOptions);
  server.push(bytesOf("where\n"));
  server.end();
  // When its input ends, the server stays open, because it may still have to send answers.
  assert.deepEqual([quiet, server.isClosed], [[], false]);
  server.stop({
    element: "suspended",
    body: { file: "a", line: 1, threadId: 1, frames: 1 },
  });
  assert.deepEqual(quiet, [stopped, frames]);
});

test("push() and end() called in a callback take effect after the current chunk", async () => {
  const events: unknown[] = [];
  let act: () => void = () => undefined;
  const client = createClient({
    write: () => undefined,
    onEvent: ({ body }) => {
      events.push((body as { line: number }).line);
      act();
    },
  });
  const reused = Buffer.from(stopped.replace('line="1"', 'line="2"'));
  act = () => {
    act = () => client.end();
    client.push(reused);
    reused.fill(0x20);
  };
  const sent = [client.send("where"), client.send("where")];
  client.push(bytesOf(`${stopped}${frames}`));
  assert.deepEqual(
    [await outcomeOf(sent[0]!), await outcomeOf(sent[1]!), events, client.isClosed],
    [
      'resolved to {"element":"frames","body":{"frames":[]}}',
      "ERR_CONNECTION_CLOSED",
      [1, 2],
      true,
    ],
  );
  const ending = createClient({ write: () => undefined, onEvent: () => ending.end() });
  const answered = ending.send("where");
  ending.push(bytesOf(`${stopped}${frames}`));
  assert.match(await outcomeOf(answered), /^resolved/);
  assert.equal(ending.isClosed, true);
});

test("a callback that throws or rejects is reported as a fault at its message's offset", async () => {
  const cause = new Error("no");
  const fail = (): never => {
    throw cause;
  };
  for (const onEvent of [fail, () => Promise.reject(cause)]) {
    const log: unknown[] = [];
    const client = createClient({ ...listening(log), onEvent });
    const answered = client.send("where");
    log.length = 0;
    client.push(bytesOf(`<message>é</message>${stopped}${frames}`));
    await turn();
    assert.deepEqual(log, [
      {
        code: "ERR_HANDLER",
        message: "A message handler failed",
        offset: 21,
        length: 54,
        sample: "",
        recovered: true,
        cause,
      },
    ]);
    assert.match(await outcomeOf(answered), /^resolved/);
  }
});

test("push() does not throw if a callback throws, with or without onFault", async () => {
  const fail = (): never => {
    throw new Error("no");
  };
  for (const more of [{}, { onFault: fail }]) {
    const client = createClient({
      write: () => undefined,
      ...more,
      onEvent: fail,
      onNote: fail,
      onUnexpected: fail,
      onNoise: fail,
    });
    const answered = client.send("where");
    client.push(bytesOf(`<message>é</message>${frames}noise\n${stopped}`));
    assert.match(await outcomeOf(answered), /^resolved/);
    await client.close();
  }
});

test("nothing is written after a failed write, and the reason is reported once", async () => {
  const log: unknown[] = [];
  let fail: (cause: Error) => void = () => undefined;
  const client = createClient({
    ...listening(log),
    write: (bytes) => {
      log.push(Buffer.from(bytes).toString());
      return new Promise<void>((_, reject) => (fail = reject));
    },
  });
  const sent = ["where", "where", "cont"].map((name) => client.send(name as "where"));
  const closed = client.close({ graceMs: 5_000 });
  fail(new Error("pulled out"));
  await closed;
  for (const each of sent) assert.equal(await outcomeOf(each), "ERR_CONNECTION_CLOSED");
  assert.deepEqual(log, ["where\n", "destroy", "over: ERR_TRANSPORT"]);
  // The user closed the connection, so the error does not mention the later failure.
  await assert.rejects(client.send("where"), {
    message: 'Cannot send "where": the connection is closed',
  });
});

test("a text keeps its byte order mark, and the invalidUtf8 option is respected", async () => {
  const client = createClient({ write: () => undefined });
  const sent = client.send("pp", { expression: "a" });
  client.push(bytesOf("\ufeff1\n"));
  client.end();
  assert.deepEqual((await sent).body, { text: "\ufeff1\n" });
  for (const invalidUtf8 of ["error", "replace", undefined] as const) {
    const log: unknown[] = [];
    const options: ClientOptions = { ...listening(log), onNote: (note) => void log.push(note) };
    const lenient = createClient(invalidUtf8 === undefined ? options : { ...options, invalidUtf8 });
    lenient.push(Buffer.from("<message debug='true'>\u00e9</message>", "latin1"));
    const codes = log.map((each) => (each as { code?: string }).code);
    assert.deepEqual(codes, [invalidUtf8 === "error" ? "ERR_UTF8" : undefined]);
  }
});

test("a waiting command does not run after the server is closed", async () => {
  let count = 0;
  const server = createServer({
    write: () => undefined,
    handlers: { where: () => (count++, { element: "frames", body: { frames: [] } }) },
  } as ServerOptions);
  server.push(bytesOf("where\nwhere\n"));
  await server.close();
  server.stop({
    element: "suspended",
    body: { file: "a", line: 1, threadId: 1, frames: 1 },
  });
  assert.equal(count, 0);
});
