import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaneProblem } from "../../../runtime/lanes/lane-error.js";
import {
  LaneServer,
  type LaneHandler,
  type ServerCallbacks,
} from "../../../runtime/lanes/lane-server.js";
import type { LaneTable } from "../../../runtime/lanes/lane-table.js";
import { turn } from "../../support/scripted-connection.js";

const fields = {
  command: { name: "command", payload: "arguments" },
  message: { name: "element", payload: "body" },
} as const;

const plain: LaneTable = {
  lanes: { run: { waits: true }, quick: { waits: false } },
  commands: {
    where: { lane: "run", answers: ["frames"], failures: [] },
    go: { lane: "run", answers: [], failures: [], resumes: true },
    list: { lane: "quick", answers: ["files"], failures: [] },
    add: { lane: "quick", answers: ["ok"], failures: [], each: "items" },
  },
  stops: ["stopped"],
  notes: [],
};
const table: LaneTable = {
  ...plain,
  breakdown: { name: "error", begins: ["BROKEN ", "broken "] },
  unknown: { name: "odd", begins: ["Unknown: ", "No "], lane: "quick" },
};

interface Served {
  readonly server: LaneServer;
  /** Messages written and problems reported. */
  readonly log: unknown[];
  readonly receive: (...commands: readonly (string | object)[]) => void;
}

function serving(
  lanes: LaneTable,
  handlers: Readonly<Record<string, LaneHandler>>,
  options: Partial<ServerCallbacks> = {},
): Served {
  const log: unknown[] = [];
  const server = new LaneServer(lanes, fields, {
    encode: (message) => {
      if (!("element" in message)) throw new TypeError("no message");
      return Buffer.from(JSON.stringify(message));
    },
    write: (bytes) => void log.push(JSON.parse(Buffer.from(bytes).toString())),
    whenWritten: () => undefined,
    refuse: () => undefined,
    onInvalid: ({ message }) => void log.push(message),
    handlers,
    onProblem: ({ code, message }: LaneProblem) => void log.push(`${code} ${message}`),
    maxWaiting: 3,
    maxWaitingBytes: 100,
    ...options,
  });
  return {
    server,
    log,
    receive: (...commands) => {
      const all = commands.map((each) => (typeof each === "string" ? { command: each } : each));
      server.receive(all, 10);
    },
  };
}

const frames = { element: "frames" };
const files = { element: "files" };
const stopped = { element: "stopped" };

test("commands that require a stop run while the program is stopped, and other commands run immediately", () => {
  const { server, log, receive } = serving(table, {
    where: () => frames,
    go: () => undefined,
    list: (values) => ({ ...files, body: values }),
  });
  receive("where");
  receive({ command: "list", arguments: { of: 1 } });
  receive("go");
  receive("where");
  assert.deepEqual(log.splice(0), [{ ...files, body: { of: 1 } }]);
  assert.equal(server.isStopped, false);
  server.stop(stopped);
  // Because "go" lets the program continue, later commands wait for the next stop.
  assert.deepEqual([log.splice(0), server.isStopped], [[stopped, frames], false]);
  server.stop(stopped);
  assert.deepEqual([log.splice(0), server.isStopped], [[stopped, frames], true]);
  // If a line contains several commands, each of them waits its turn.
  receive("list", "where", "go", "list");
  assert.deepEqual([log.splice(0), server.isStopped], [[files, frames], false]);
  server.stop(stopped);
  assert.deepEqual(log.splice(0), [stopped, files]);
});

test("a command without a handler gets the answer for unknown commands", () => {
  const { server, log, receive } = serving(table, { list: () => files });
  server.stop(stopped);
  for (const command of ["where", "toString", "other"]) receive(command);
  receive({ command: 7 });
  const unknown = (name: string): object => ({
    element: "odd",
    body: { text: `Unknown: ${name}` },
  });
  assert.deepEqual(log, [stopped, ...["where", "toString", "other", "7"].map(unknown)]);

  const bare = serving({ ...table, unknown: { name: "odd", lane: "quick" } }, {});
  bare.server.stop(stopped);
  bare.receive("list");
  assert.deepEqual(bare.log, [stopped, { element: "odd", body: { text: "list" } }]);
});

test("a failed command ends the connection if the description defines no error answer", async () => {
  const oops = (): never => {
    throw new Error("oops");
  };
  const failing: readonly (readonly [string, Readonly<Record<string, LaneHandler>>, string])[] = [
    ["where", {}, 'there is no handler for "where"'],
    ["list", { list: oops }, "oops"],
    ["where", { where: async () => oops() }, "oops"],
    ["list", { list: () => undefined }, 'the handler for "list" returned no answer'],
    ["add", { add: () => [] }, 'the handler for "add" returned no answer'],
    ["list", { list: () => ({}) }, "no message"],
  ];
  for (const [command, handlers, reason] of failing) {
    const { server, log, receive } = serving(plain, handlers);
    server.stop(stopped);
    receive(command);
    await turn();
    receive("where");
    assert.deepEqual(log, [stopped, `ERR_COMMAND_HANDLER Cannot run a command: ${reason}`]);
  }
});

test("a handler's failure is reported in two messages, and either the program continues or the connection ends", async () => {
  const oops = (): never => {
    throw new Error("oops");
  };
  const told = (text: string): readonly object[] => [
    { element: "error", body: { text } },
    { element: "error", body: { text: "" } },
  ];
  const { server, log, receive } = serving(table, { where: oops, list: oops });
  server.stop(stopped);
  receive("where");
  assert.deepEqual([log.splice(0), server.isStopped], [[stopped, ...told("BROKEN oops\n")], false]);
  receive("list");
  receive("other");
  assert.deepEqual(log.splice(0), [
    ...told("BROKEN oops\n"),
    "ERR_COMMAND_HANDLER Cannot run a command: oops",
  ]);
  const bare = serving({ ...table, breakdown: { name: "error" } }, { where: async () => oops() });
  bare.server.stop(stopped);
  bare.receive("where");
  await turn();
  assert.deepEqual(bare.log, [stopped, ...told("oops\n")]);
  assert.equal(bare.server.isStopped, false);
  // A handler failure after the end of the connection is not reported.
  const late = serving(table, { where: async () => oops() });
  late.server.stop(stopped);
  late.receive("where");
  late.server.close();
  await turn();
  assert.deepEqual([late.log, late.server.isStopped], [[stopped], true]);
});

test("answers are written in order, no matter how long each takes, and before the next command runs", async () => {
  const settle: (() => void)[] = [];
  const later = (message: object) => (): Promise<object> =>
    new Promise((resolve) => settle.push(() => resolve(message)));
  let written: (() => void) | undefined;
  const { server, log, receive } = serving(
    table,
    {
      where: later(frames),
      list: later(files),
      add: () => [{ element: "ok" }, undefined as never],
    },
    {
      whenWritten: () =>
        written === undefined ? undefined : new Promise<void>((done) => (written = done)),
    },
  );
  server.stop(stopped);
  receive("where");
  receive("where");
  receive("list");
  assert.deepEqual([log.splice(0), settle.length], [[stopped], 2]);
  settle[1]!();
  await turn();
  assert.deepEqual(log.splice(0), [files]);
  settle[0]!();
  await turn();
  assert.deepEqual([log.splice(0), settle.length], [[frames], 3]);
  written = () => undefined;
  settle[2]!();
  receive("list");
  await turn();
  assert.deepEqual([log.splice(0), settle.length], [[frames], 4]);
  // The next command waits until the pending bytes have been written.
  settle[3]!();
  await turn();
  receive("add");
  assert.deepEqual(log.splice(0), [files]);
  const goOn = written;
  written = undefined;
  goOn();
  await turn();
  assert.deepEqual(log.splice(0), [{ element: "ok" }]);
});

test("a server limits the number and total size of waiting commands", () => {
  const text = "ERR_COMMANDS_WAITING Cannot accept more commands:";
  const many = serving(table, {});
  for (let count = 0; count < 5; count++) many.receive("where");
  assert.deepEqual(many.log, [`${text} 4 are waiting`]);
  const line = serving(table, {});
  line.receive("where", "where", "where");
  assert.deepEqual(line.log, []);
  line.receive("where");
  assert.deepEqual(line.log, [`${text} 4 are waiting`]);
  const long = serving(table, {});
  long.server.receive([{ command: "where" }, { command: "where" }], 100);
  assert.deepEqual(long.log, []);
  long.server.receive([{ command: "where" }], 1);
  assert.deepEqual(long.log, [`${text} 3 are waiting`]);
  // Completed commands no longer count towards the limit.
  const done = serving(table, { where: () => frames, list: () => files });
  for (let count = 0; count < 9; count++) done.receive("list");
  for (let round = 0; round < 4; round++) {
    done.server.receive([{ command: "where" }, { command: "go" }], 100);
    done.server.stop(stopped);
  }
  assert.equal(done.log.filter((each) => typeof each === "string").length, 0);
});

test("no command runs after the end of the connection", async () => {
  const called: string[] = [];
  let finish: () => void = () => undefined;
  const { server, log, receive } = serving(table, {
    where: () => void called.push("where"),
    list: () => new Promise((resolve) => (finish = () => resolve(files))),
  });
  receive("where");
  receive("list");
  receive("list");
  server.close();
  receive("where");
  server.stop(stopped);
  finish();
  await turn();
  assert.deepEqual([called, log], [[], [stopped, files]]);
});
