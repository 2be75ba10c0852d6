import assert from "node:assert/strict";
import { connect, createServer as listen, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RequestName } from "@wirewright/ruby-debug-ide";
import {
  createClient,
  createServer,
  type LaneError,
  type Server,
} from "@wirewright/ruby-debug-ide/connection";
import { listenForSubProcesses } from "@wirewright/ruby-debug-ide/node";
import { until } from "../../support/scripted-connection.js";
import { textSilenceMs, recordingClient } from "../../support/ruby-debug-ide.js";
import { textOf } from "../../support/framed-text.js";

test("answers are matched to their commands, whatever the order of the lanes", async () => {
  const { client, log, run } = recordingClient();
  const say = async (spelled: string): Promise<void> => {
    client.push(Buffer.from(spelled));
    await nextTurn();
  };
  run("enable 1 2");
  run("start");
  run("p sleep(0.8)");
  run("thread list");
  run("b a.rb:20");
  assert.equal(client.waiting, 4);
  await say(
    '<threads></threads><message debug=\'true\'>x</message><breakpointAdded no="1" location="a.rb:20"/>',
  );
  await say('<suspended file="a" line="2" threadId="1" frames="3"/><breakpointEnabled bp_id="1"/>');
  await say('<breakpointEnabled bp_id="2"/><eval expression="sleep(0.8)" value="0" />');
  assert.deepEqual(log.splice(0), [
    "note",
    "start: done",
    "thread list: threads",
    "b a.rb:20: breakpointAdded",
    "event suspended",
    "enable 1 2: breakpointEnabled breakpointEnabled",
    "p sleep(0.8): eval",
  ]);

  run("delete 4 5");
  run("v l");
  run("where");
  await say("<error>No breakpoint number 4\n</error><error>No breakpoint number 5\n</error>");
  await say("<variables></variables><frames></frames>");
  assert.deepEqual(log.splice(0), [
    "delete 4 5: ERR_COMMAND_FAILED No breakpoint number 4",
    "v l: variables",
    "where: frames",
  ]);

  run("p x");
  run("b");
  run("catch off");
  run("delete");
  run("help");
  await say(
    '<variables><variable name="error" kind="exception" value="no x" type="NameError" hasChildren="true" objectId="+0x1"></variable></variables>',
  );
  await say("ERROR: No filename given.\n<message>Unknown command: help</message>");
  assert.deepEqual(log.splice(0), [
    "catch off: done",
    "delete: ",
    "p x: ERR_COMMAND_FAILED no x",
    "b: ERR_COMMAND_FAILED ERROR: No filename given.",
    "help: ERR_COMMAND_FAILED Unknown command: help",
  ]);

  run("frame 99");
  run("b x.rb:1");
  await say("<error>Adjusting would put us beyond the oldest (initial) frame.\n</error>");
  await say('<breakpointAdded no="3" location="x.rb:1"/>');
  assert.deepEqual(log.splice(0), [
    "unexpected error after frame",
    "frame 99: done",
    "b x.rb:1: breakpointAdded",
  ]);
});

test("commands that are skipped, time out or are still pending on close reject", async () => {
  const { client, log, run } = recordingClient({ timeoutMs: 30 });
  run("p 1");
  run("where");
  client.push(Buffer.from("<frames></frames>"));
  await nextTurn();
  run("v l");
  await until(() => client.waiting === 0);
  run("w");
  client.end();
  await nextTurn();
  run("bt");
  await nextTurn();
  assert.deepEqual(log, [
    'p 1: ERR_ANSWER_MISSING No answer to "eval": a later command was answered',
    "where: frames",
    'v l: ERR_TIMEOUT Timed out after 30 ms waiting for an answer to "var local"',
    'w: ERR_CONNECTION_CLOSED Cannot get an answer to "where": the connection was closed',
    'bt: ERR_CONNECTION_CLOSED Cannot send "where": the connection is closed',
  ]);
  assert.equal(client.waiting, 0);
});

test("text of any length is a single answer, even if parts of it look like elements", async () => {
  const written: string[] = [];
  const client = createClient({
    write: (bytes) => void written.push(textOf(bytes)),
    textSilenceMs,
  });
  const first = client.send("pp", { expression: "a" });
  const second = client.send("pp", { expression: "b" });
  const third = client.send("where");
  assert.deepEqual(written, ["pp a\n"]);
  client.push(Buffer.from('["<message>x</message>",\n'));
  client.push(Buffer.from(" 1]\n"));
  assert.deepEqual(await first, {
    element: "#text",
    body: { text: '["<message>x</message>",\n 1]\n' },
  });
  assert.deepEqual(written.splice(0), ["pp a\n", "pp b\n"]);
  client.push(Buffer.from('1\n<breakpoint file="a" line="1" threadId="1"/>'));
  assert.deepEqual(await second, { element: "#text", body: { text: "1\n" } });
  client.push(Buffer.from("<frames></frames>"));
  assert.deepEqual(await third, { element: "frames", body: { frames: [] } });
});

test("a debugger error fails the current command", async () => {
  const { client, log, run } = recordingClient();
  run("load nosuch.rb");
  run("where");
  client.push(
    Buffer.from(
      "<error>INTERNAL ERROR!!! cannot load such file\n</error><error>\tat x\n</error><frames></frames>",
    ),
  );
  await nextTurn();
  assert.deepEqual(log, [
    "note",
    "load nosuch.rb: ERR_COMMAND_FAILED INTERNAL ERROR!!! cannot load such file",
    "where: frames",
  ]);
});

/** Runs a debugger over a real socket. The test decides when its program stops. */
function debuggerSession(socket: Socket): Server {
  const breakpoints: { n: number; file: string; line: number }[] = [];
  const server: Server = createServer({
    write: (bytes) => void socket.write(bytes),
    onBreakdown: () => socket.end(),
    handlers: {
      break: (values) => {
        const [file, line] = values!.location!.split(":");
        breakpoints.push({ n: breakpoints.length + 1, file: file!, line: Number(line) });
        return {
          element: "breakpointAdded",
          body: { no: breakpoints.length, location: values!.location! },
        };
      },
      "info break": () => ({ element: "breakpoints", body: { breakpoints } }),
      delete: (values) =>
        (values?.breakpoints ?? []).map((no) => ({
          element: "breakpointDeleted" as const,
          body: { no },
        })),
      start: () => undefined,
      where: () => ({
        element: "frames",
        body: { frames: [{ no: 1, file: "a.rb", line: 2, current: true }] },
      }),
      eval: async ({ expression }) => {
        await nextTurn();
        return { element: "eval", body: { expression, value: `"été: ${expression}"` } };
      },
      pp: () => ({ element: "#text", body: { text: "[1,\n 2]\n" } }),
      load: () => {
        throw new Error("cannot load such file");
      },
      cont: () => undefined,
      quit: () => {
        setImmediate(() => socket.end());
        return { element: "message", body: { text: "finished" } };
      },
    },
  });
  socket.on("data", (chunk) => server.push(chunk));
  return server;
}

test("a client and a server work over a socket, with deferred commands, overtaking answers and failures", async (context) => {
  let program!: Server;
  const server = listen((socket) => void (program = debuggerSession(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  context.after(() => {
    socket.destroy();
    server.close();
  });
  const events: string[] = [];
  const client = createClient({
    write: (bytes) => void socket.write(bytes),
    onEvent: ({ element }) => void events.push(element),
    onFault: (error) => assert.fail(error.message),
  });
  socket.on("data", (chunk) => client.push(chunk));
  socket.on("close", () => client.end());
  const failure = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "carried out",
      ({ code, message }: LaneError) => `${code} ${message}`,
    );

  assert.deepEqual(await client.send("break", { location: "a.rb:2" }), {
    element: "breakpointAdded",
    body: { no: 1, location: "a.rb:2" },
  });
  const order: RequestName[] = [];
  const settled = (name: RequestName) => (): void => void order.push(name);
  const where = client.send("where").then(settled("where"));
  assert.equal(await client.send("start"), undefined);
  const evaluated = client.send("eval", { expression: "x;y\nz" });
  const isEvaluated = evaluated.then(settled("eval"));
  await client.send("info break").then(settled("info break"));
  program.stop({ element: "breakpoint", body: { file: "a.rb", line: 2, threadId: 1 } });
  await Promise.all([where, isEvaluated]);
  assert.deepEqual(order, ["info break", "where", "eval"]);
  assert.deepEqual((await evaluated).body, { expression: "x;y\nz", value: '"été: x;y\nz"' });
  assert.deepEqual(await client.send("delete", { breakpoints: [1, 2] }), [
    { element: "breakpointDeleted", body: { no: 1 } },
    { element: "breakpointDeleted", body: { no: 2 } },
  ]);
  assert.deepEqual((await client.send("pp", { expression: "a" })).body, { text: "[1,\n 2]\n" });
  assert.equal(
    await failure(client.send("var local")),
    "ERR_COMMAND_FAILED Unknown command: var local",
  );
  assert.equal(
    await failure(client.sendLine("help me")),
    "ERR_COMMAND_FAILED Unknown command: help me",
  );
  await client.send("cont");
  const whereNext = client.send("where");
  // The answer to "info break" shows that "where" has arrived as well.
  await client.send("info break");
  program.stop({
    element: "suspended",
    body: { file: "a.rb", line: 3, threadId: 1, frames: 1 },
  });
  await whereNext;
  assert.equal(
    await failure(client.send("load", { file: "b.rb" })),
    "ERR_COMMAND_FAILED INTERNAL ERROR!!! cannot load such file",
  );
  const deferred = failure(client.send("where"));
  assert.deepEqual(await client.send("quit"), { element: "message", body: { text: "finished" } });
  assert.equal(
    await deferred,
    'ERR_CONNECTION_CLOSED Cannot get an answer to "where": the connection was closed',
  );
  assert.deepEqual(events, ["breakpoint", "suspended"]);
});

test("listenForSubProcesses() reports processes that the program starts", async () => {
  const found: unknown[] = [];
  const dispatcher = await listenForSubProcesses(0, {
    onProcess: (process) => found.push(process),
    onError: (error) => found.push(error.message),
  });
  const impatient = await listenForSubProcesses(0, {
    onProcess: (process) => found.push(process),
    onError: (error) => found.push(error.message),
    timeoutMs: 50,
  });
  const call = (answer: string | undefined, { port } = dispatcher): Promise<string> =>
    new Promise((resolve) => {
      let heard = "";
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("data", (chunk) => {
        heard += chunk.toString();
        if (answer !== undefined && heard.endsWith("\n")) socket.end(answer);
      });
      socket.on("end", () => socket.end());
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(heard));
    });
  assert.equal(await call("51234"), "true\n");
  assert.equal(await call("nonsense"), "true\n");
  assert.equal(await call("99999"), "true\n");
  assert.equal(await call("1".repeat(50)), "true\n");
  assert.equal(await call(undefined, impatient), "true\n");
  assert.deepEqual(found, [
    { port: 51234, host: "127.0.0.1" },
    'Cannot read the port of a process: "nonsense" is not a port',
    'Cannot read the port of a process: "99999" is not a port',
    "Cannot read the port of a process: the answer is too long",
    "Cannot read the port of a process: no answer within 50 ms",
  ]);
  await Promise.all([dispatcher.close(), impatient.close()]);
});
