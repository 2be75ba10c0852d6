import assert from "node:assert/strict";
import { before, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { asPromise } from "../../../runtime/base/promises.js";
import type { WaitOptions } from "../../../runtime/connection/options.js";
import { LaneClient, type ClientCallbacks } from "../../../runtime/lanes/lane-client.js";
import type { LaneError } from "../../../runtime/lanes/lane-error.js";
import type { LaneTable } from "../../../runtime/lanes/lane-table.js";

const fields = {
  command: { name: "command", payload: "arguments" },
  message: { name: "element", payload: "body" },
} as const;

/** Two lanes, with one command of each kind. Unknown and failed commands are not answered. */
const plain: LaneTable = {
  lanes: { run: { waits: true }, quick: { waits: false } },
  commands: {
    where: { lane: "run", answers: ["frames"], failures: [{ name: "error" }] },
    vars: { lane: "run", answers: ["variables"], failures: [{ name: "error", says: "/why" }] },
    print: {
      lane: "run",
      answers: ["#text"],
      failures: [
        { name: "#text", begins: ["ERROR"] },
        { name: "#text", begins: ["SORRY", "FATAL"] },
      ],
      isText: true,
    },
    go: { lane: "run", answers: [], failures: [{ name: "error", begins: ["Cannot go"] }] },
    list: {
      lane: "quick",
      answers: ["files"],
      failures: [{ name: "error", where: { "/kind": "list" } }],
    },
    many: {
      lane: "quick",
      answers: ["ok"],
      failures: [{ name: "error", begins: ["No item"] }],
      each: "items",
    },
    quiet: { lane: "quick", answers: ["ok"], failures: [], silentWithout: "items" },
    mute: { lane: "quick", answers: ["ok"], failures: [], silentWith: { off: true } },
  },
  stops: ["stopped"],
  notes: [{ name: "note" }, { name: "hint" }],
};

const table: LaneTable = {
  ...plain,
  breakdown: { name: "error", begins: ["BROKEN"] },
  unknown: { name: "error", begins: ["Unknown: "], lane: "quick" },
};

const textSilenceMs = 1;

type Run = (command: string, values?: object) => void;

/** Creates a client that logs the results of its commands and records the bytes it writes. */
function recording(
  lanes: LaneTable,
  options: Partial<ClientCallbacks> = {},
): {
  client: LaneClient;
  log: string[];
  written: string[];
  run: Run;
  say: (...elements: SentElement[]) => Promise<string[]>;
} {
  const log: string[] = [];
  const written: string[] = [];
  const client = new LaneClient(lanes, fields, {
    encode: (command) => {
      const { command: line } = command as { command: string };
      return { line, bytes: Buffer.from(JSON.stringify(command)) };
    },
    write: (bytes) => void written.push(Buffer.from(bytes).toString()),
    whenWritten: () => undefined,
    refuse: () => undefined,
    onProblem: ({ message }) => void log.push(message),
    nameOf: (line) => line.split(" ")[0],
    onEvent: (event) => void log.push(`event ${JSON.stringify(event)}`),
    onNote: (note) => void log.push(`note ${JSON.stringify(note)}`),
    onUnexpected: (message, command) =>
      void log.push(`unexpected ${JSON.stringify(message)} after ${command}`),
    timeoutMs: Infinity,
    textSilenceMs,
    maxTextLength: 20,
    maxWaiting: 4,
    ...options,
  });
  return {
    client,
    log,
    written,
    run: (command, values) =>
      void client.send(command, values).then(
        (answers) => log.push(`${command}: ${JSON.stringify(answers)}`),
        ({ code, message, answers }: LaneError) =>
          log.push(
            [
              `${command}: ${code} ${message}`,
              ...(answers ?? []).map((each) => JSON.stringify(each)),
            ].join(" "),
          ),
      ),
    /** Receives messages and waits for the promises that they settle. */
    async say(...elements) {
      for (const [element, body] of elements) {
        const isText = typeof body === "string";
        client.receive({ element, body: isText ? { text: body } : body }, () =>
          isText ? body : `<${element}>`,
        );
      }
      mock.timers.tick(textSilenceMs);
      await nextTurn();
      return log.splice(0);
    },
  };
}

type SentElement = readonly [element: string, body?: unknown];

const frames = '[{"element":"frames"}]';

before(() => mock.timers.enable({ apis: ["setTimeout"] }));

test("an answer is matched to the command that it fits best", async () => {
  const { run, say, client, written } = recording(table);
  run("where");
  run("list", { of: "a" });
  assert.deepEqual(written, ['{"command":"where"}', '{"command":"list","arguments":{"of":"a"}}']);
  assert.equal(client.waiting, 2);
  assert.deepEqual(await say(["files"], ["frames"]), [
    'list: [{"element":"files"}]',
    `where: ${frames}`,
  ]);
  // A failure that may belong to several commands is matched to the one that fits best.
  run("where");
  run("list");
  assert.deepEqual(await say(["error", { kind: "list", text: "no " }], ["error", "nor here\n"]), [
    'list: ERR_COMMAND_FAILED no {"element":"error","body":{"kind":"list","text":"no "}}',
    'where: ERR_COMMAND_FAILED nor here {"element":"error","body":{"text":"nor here\\n"}}',
  ]);
  // If an answer matches the first commands in two lanes equally well, it goes to the earlier
  // command.
  run("vars");
  run("many", { items: [1] });
  assert.deepEqual(await say(["error", { why: "it is busy", text: "No item 1" }]), [
    'many: ERR_COMMAND_FAILED No item 1 {"element":"error","body":{"why":"it is busy","text":"No item 1"}}',
  ]);
  assert.deepEqual(await say(["error", { why: " it is busy " }]), [
    'vars: ERR_COMMAND_FAILED it is busy {"element":"error","body":{"why":" it is busy "}}',
  ]);
  // The first command in its lane takes precedence over later commands in another lane.
  const both = { ...plain.commands, peek: { lane: "quick", answers: ["frames"], failures: [] } };
  const heads = recording({ ...table, commands: both });
  for (const command of ["vars", "where", "peek"]) heads.run(command);
  assert.deepEqual(await heads.say(["frames"]), [`peek: ${frames}`]);
  assert.deepEqual(await heads.say(["frames"]), [
    'vars: ERR_ANSWER_MISSING No answer to "vars": a later command was answered',
    `where: ${frames}`,
  ]);
  assert.equal(heads.client.waiting, 0);
});

test("a command with a list gets an answer for each item, and its failure contains all answers", async () => {
  const { run, say } = recording(table);
  run("many", { items: [1, 2] });
  assert.deepEqual(await say(["ok", { id: 1 }]), []);
  assert.deepEqual(await say(["ok", { id: 2 }]), [
    'many: [{"element":"ok","body":{"id":1}},{"element":"ok","body":{"id":2}}]',
  ]);
  run("many", { items: [1, 2, 3] });
  const no = (id: number): SentElement => ["error", `No item ${id}`];
  assert.deepEqual(await say(["ok"], no(2), no(3)), [
    'many: ERR_COMMAND_FAILED No item 2 {"element":"ok"} {"element":"error","body":{"text":"No item 2"}} {"element":"error","body":{"text":"No item 3"}}',
  ]);
  // A command with an empty list gets one answer. Answering a later command does not change that.
  run("many", { items: [] });
  run("many", { items: [1, 2] });
  run("list");
  assert.deepEqual(await say(["ok", 1], ["ok", 2], ["files"]), [
    'many: [{"element":"ok","body":1}]',
    'many: [{"element":"ok","body":2}]',
    'list: [{"element":"files"}]',
  ]);
});

test("a command without an answer settles immediately, and later results are reported as unexpected", async () => {
  const { run, say, client } = recording(table);
  run("go");
  run("quiet");
  run("quiet", { items: [] });
  run("quiet", { items: null });
  run("mute", { off: true });
  assert.equal(client.waiting, 0);
  assert.deepEqual(await say(["error", "Cannot go there"], ["error", "other"], ["ok"]), [
    'unexpected {"element":"error","body":{"text":"Cannot go there"}} after go',
    'unexpected {"element":"error","body":{"text":"other"}} after undefined',
    'unexpected {"element":"ok"} after undefined',
    "go: []",
    "quiet: []",
    "quiet: []",
    "quiet: []",
    "mute: []",
  ]);
  run("quiet", { items: [1] });
  run("mute", { off: false });
  assert.deepEqual(await say(["ok"], ["ok"]), [
    'quiet: [{"element":"ok"}]',
    'mute: [{"element":"ok"}]',
  ]);
  // The error may belong to the settled command or to the waiting one.
  run("where");
  assert.deepEqual(await say(["error", "Cannot go there"]), [
    'unexpected {"element":"error","body":{"text":"Cannot go there"}} after go',
  ]);
  assert.deepEqual(await say(["frames"]), [`where: ${frames}`]);
});

test("a peer error fails the first command that waits for a stop, or else the current one", async () => {
  const { run, say } = recording(table);
  const broken: SentElement = ["error", "BROKEN pipe\n"];
  run("list");
  run("where");
  const failed =
    'ERR_COMMAND_FAILED BROKEN pipe {"element":"error","body":{"text":"BROKEN pipe\\n"}}';
  const more = 'note {"element":"error","body":{"text":"at 1"}}';
  assert.deepEqual(await say(broken, ["error", "at 1"]), [more, `where: ${failed}`]);
  assert.deepEqual(await say(broken, ["error", "at 1"]), [more, `list: ${failed}`]);
  assert.deepEqual(await say(broken), [
    'unexpected {"element":"error","body":{"text":"BROKEN pipe\\n"}} after undefined',
  ]);
  // An element of another kind ends an error's text.
  run("where");
  run("where");
  assert.deepEqual(await say(["frames"], ["error", "own"]), [
    `where: ${frames}`,
    'where: ERR_COMMAND_FAILED own {"element":"error","body":{"text":"own"}}',
  ]);
});

test("the answer for an unknown command is matched by the command's line", async () => {
  const { run, say } = recording(table);
  run("where");
  run("list me");
  run("other");
  assert.deepEqual(await say(["error", "Unknown: list me\n"]), [
    'list me: ERR_COMMAND_FAILED Unknown: list me {"element":"error","body":{"text":"Unknown: list me\\n"}}',
  ]);
  // In "Unknown: LINE", the line is the whole text after the first colon.
  const { run: ask, say: hear } = recording(table);
  ask("me");
  ask("it: me");
  assert.deepEqual(await hear(["error", "Unknown: list me"]), [
    'me: [{"element":"error","body":{"text":"Unknown: list me"}}]',
  ]);
  // A failure "Unknown: LINE" may name a line that no waiting command has sent. It then fails the
  // first command that can fail this way.
  assert.deepEqual(await say(["error", "Unknown: me"]), [
    'where: ERR_COMMAND_FAILED Unknown: me {"element":"error","body":{"text":"Unknown: me"}}',
  ]);
  // An answer that matches no other command is matched to the unknown command.
  assert.deepEqual(await say(["odd"], ["odd"]), [
    'unexpected {"element":"odd"} after undefined',
    'other: [{"element":"odd"}]',
  ]);
  // An undefined line that resembles a command can fail the same way that command does. Commands in
  // other lanes may be answered first.
  run("list it");
  run("list");
  assert.deepEqual(await say(["files"], ["error", { kind: "list", text: "no" }]), [
    'list: [{"element":"files"}]',
    'list it: ERR_COMMAND_FAILED no {"element":"error","body":{"kind":"list","text":"no"}}',
  ]);
});

test("a client does not recognise unknown commands and peer errors if the description does not define their answers", async () => {
  const { run, say, client } = recording(plain);
  run("toString");
  run("where");
  assert.equal(client.waiting, 2);
  assert.deepEqual(await say(["error", "BROKEN"], ["error", "Unknown: toString"], ["error", "x"]), [
    'unexpected {"element":"error","body":{"text":"x"}} after undefined',
    'where: ERR_COMMAND_FAILED BROKEN {"element":"error","body":{"text":"BROKEN"}}',
    'toString: [{"element":"error","body":{"text":"Unknown: toString"}}]',
  ]);
  assert.deepEqual(await say(["note", 1], ["stopped", 2], [7 as never]), [
    'note {"element":"note","body":1}',
    'event {"element":"stopped","body":2}',
  ]);
});

test("refused, timed-out and closed commands reject with their reasons", async () => {
  const { client, run, log, say, written } = recording(table, { timeoutMs: 5, maxWaiting: 2 });
  run("where");
  run("print");
  run("list");
  mock.timers.tick(4);
  assert.equal(client.waiting, 2);
  assert.deepEqual(await say(), [
    'list: ERR_COMMANDS_WAITING Cannot send "list": 2 commands are waiting for an answer',
    'where: ERR_TIMEOUT Timed out after 5 ms waiting for an answer to "where"',
    'print: ERR_TIMEOUT Timed out after 5 ms waiting for an answer to "print"',
  ]);
  assert.deepEqual(await say(["frames"]), ['unexpected {"element":"frames"} after where']);
  run("print");
  run("where");
  client.receive({ element: "#text", body: { text: "a" } }, () => "a");
  client.close({ code: "ERR_TRANSPORT", message: "it broke" });
  run("go");
  assert.equal(client.waiting, 0);
  assert.deepEqual(await say(), [
    'print: [{"element":"#text","body":{"text":"a"}}]',
    'where: ERR_CONNECTION_CLOSED Cannot get an answer to "where": the connection was closed: it broke',
    'go: ERR_CONNECTION_CLOSED Cannot send "go": the connection is closed: it broke',
  ]);
  assert.deepEqual([written.length, log], [3, []]);
  const unwritten = recording(table, {
    encode: () => {
      throw Object.assign(new Error("refused"), { code: "ERR_ENCODE", answers: [] });
    },
  });
  unwritten.run("where");
  assert.deepEqual(await unwritten.say(), ["where: ERR_ENCODE refused"]);
  assert.equal(unwritten.client.waiting, 0);
});

test("the late answer to a command that timed out is not matched to the next command", async () => {
  const { client, run, say } = recording(table, { timeoutMs: 5 });
  run("where");
  mock.timers.tick(5);
  assert.deepEqual(await say(), [
    'where: ERR_TIMEOUT Timed out after 5 ms waiting for an answer to "where"',
  ]);
  run("where");
  assert.equal(client.waiting, 1);
  assert.deepEqual(await say(["frames", "late"], ["frames"]), [
    'unexpected {"element":"frames","body":{"text":"late"}} after where',
    `where: ${frames}`,
  ]);
  // A late failure is also reported as unexpected. The answer to a later command shows that the
  // earlier command gets no further answer.
  run("many", { items: [1] });
  run("many", { items: [2] });
  mock.timers.tick(5);
  run("many", { items: [3] });
  run("list");
  assert.deepEqual(await say(["error", "No item 1"], ["files"]), [
    'unexpected {"element":"error","body":{"text":"No item 1"}} after many',
    'many: ERR_TIMEOUT Timed out after 5 ms waiting for an answer to "many"',
    'many: ERR_TIMEOUT Timed out after 5 ms waiting for an answer to "many"',
    'many: ERR_ANSWER_MISSING No answer to "many": a later command was answered',
    'list: [{"element":"files"}]',
  ]);
  // Commands whose answers may still arrive count towards the limit on waiting commands.
  for (let count = 0; count < 4; count++) run("where");
  mock.timers.tick(5);
  await say();
  run("where");
  assert.equal(client.waiting, 0);
  assert.deepEqual(await say(), [
    'where: ERR_COMMANDS_WAITING Cannot send "where": 4 commands are waiting for an answer',
  ]);
});

test("a command settles when its signal is aborted or its own timeout expires", async () => {
  const { client, log, say, written } = recording(table, { timeoutMs: 5 });
  const send = (command: string, options: WaitOptions): void =>
    void client.send(command, undefined, options).then(
      (answers) => log.push(`${command}: ${JSON.stringify(answers)}`),
      (error) => log.push(`${command}: ${error}`),
    );
  const stopped = AbortSignal.abort("stopped before");
  send("where", { signal: stopped });
  assert.deepEqual([await say(), written], [["where: stopped before"], []]);

  const [first, second] = [new AbortController(), new AbortController()];
  send("where", { signal: first.signal, timeoutMs: 0 });
  send("print", { signal: first.signal, timeoutMs: 9 });
  send("print", { signal: second.signal });
  send("print", { timeoutMs: Infinity });
  mock.timers.tick(5);
  second.abort("not needed");
  assert.deepEqual([await say(), written.length, client.waiting], [["print: not needed"], 2, 3]);
  first.abort("over");
  assert.deepEqual(
    [await say(), written.length, client.waiting],
    [["where: over", "print: over"], 3, 1],
  );
  assert.deepEqual(await say(["frames"], ["#text", "a\n"]), [
    'unexpected {"element":"frames"} after where',
    'print: [{"element":"#text","body":{"text":"a\\n"}}]',
  ]);
  // Aborting the signal after the answer has no effect.
  const third = new AbortController();
  send("where", { signal: third.signal });
  send("go", { signal: third.signal });
  assert.deepEqual(await say(["frames"]), ["go: []", `where: ${frames}`]);
  third.abort();
  assert.deepEqual([await say(), client.waiting], [[], 0]);
});

test("a command without an answer settles when it has been written, or when it cannot be", async () => {
  let write: (isWritten: boolean) => void = () => undefined;
  const whenWritten = (): Promise<boolean> => new Promise((resolve) => (write = resolve));
  const { run, say } = recording(table, { whenWritten });
  run("go");
  assert.deepEqual(await say(), []);
  write(true);
  assert.deepEqual(await say(), ["go: []"]);
  run("go");
  write(false);
  assert.deepEqual(await say(), [
    'go: ERR_CONNECTION_CLOSED Cannot send "go": the connection is closed',
  ]);
});

test("a client awaits any thenable", () => {
  const then = (): void => undefined;
  const cases: readonly (readonly [value: unknown, is: boolean])[] = [
    [undefined, false],
    [null, false],
    ["then", false],
    [{}, false],
    [{ then: 1 }, false],
    [() => undefined, false],
    [{ then }, true],
    [Object.assign(() => undefined, { then }), true],
    [Promise.resolve(), true],
  ];
  assert.deepEqual(
    cases.map(([value]) => asPromise(value) !== undefined),
    cases.map(([, is]) => is),
  );
});

test("a text ends after a period of silence, or before an element that answers another lane or no command", async () => {
  const { run, say, client } = recording(table);
  run("print");
  assert.deepEqual(await say(["#text", "1"]), []);
  assert.deepEqual(await say(["files"], ["#text", "\n"]), [
    'print: [{"element":"#text","body":{"text":"1<files>\\n"}}]',
  ]);
  run("print");
  assert.deepEqual(await say(["#text", " FATAL no\n"]), [
    'print: [{"element":"#text","body":{"text":" FATAL no\\n"}}]',
  ]);
  run("print");
  assert.deepEqual(await say(["#text", "FATAL "], ["#text", "no \n"]), [
    'print: ERR_COMMAND_FAILED FATAL no {"element":"#text","body":{"text":"FATAL no \\n"}}',
  ]);
  // The text is not ended by an answer in another lane, or by one that may belong to both lanes.
  run("print");
  run("list");
  client.receive({ element: "#text", body: { text: "a\n" } }, () => "a\n");
  client.receive({ element: "files" }, () => "<files>");
  client.receive({ element: "#text", body: { text: "b\n" } }, () => "b\n");
  assert.deepEqual(await say(["stopped", { at: 1 }]), [
    'event {"element":"stopped","body":{"at":1}}',
    'list: [{"element":"files"}]',
    'print: [{"element":"#text","body":{"text":"a\\nb\\n"}}]',
  ]);
  // The next command that expects a text is sent once the previous text is complete.
  const { run: ask, say: hear, written } = recording(table);
  for (const of of ["a", "b"]) ask("print", { of });
  ask("where");
  assert.deepEqual(written, ['{"command":"print","arguments":{"of":"a"}}']);
  assert.deepEqual(await hear(["#text", "1\n"]), [
    'print: [{"element":"#text","body":{"text":"1\\n"}}]',
  ]);
  assert.equal(written.length, 2);
  assert.deepEqual(await hear(["#text", "2\n"], ["stopped"]), [
    'event {"element":"stopped"}',
    'print: [{"element":"#text","body":{"text":"2\\n"}}]',
  ]);
  assert.deepEqual(await hear(["frames"]), [`where: ${frames}`]);
});

test("the element that ends a text does not answer the command that waited for that end", async () => {
  const { run, say, written } = recording(table);
  run("print");
  run("vars");
  assert.deepEqual(await say(["#text", "1"], ["#text", "\n"], ["variables"]), [
    'unexpected {"element":"variables"} after undefined',
    'print: [{"element":"#text","body":{"text":"1\\n"}}]',
  ]);
  assert.deepEqual(written, ['{"command":"print"}', '{"command":"vars"}']);
  assert.deepEqual(await say(["variables"]), ['vars: [{"element":"variables"}]']);
});

test("a text that exceeds its limit fails its command", async () => {
  const { run, say } = recording(table);
  run("print");
  run("where");
  assert.deepEqual(await say(["#text", "x".repeat(10)], ["#text", "x".repeat(9) + "\n"]), [
    `print: [{"element":"#text","body":{"text":"${"x".repeat(19)}\\n"}}]`,
  ]);
  run("print");
  assert.deepEqual(await say(["frames"], ["#text", "x".repeat(10)], ["#text", "x".repeat(11)]), [
    `where: ${frames}`,
    'print: ERR_ANSWER_TOO_LONG Cannot accept an answer to "print" of more than 20 characters',
  ]);
  run("vars");
  assert.deepEqual(await say(["#text", "rest\n"]), []);
  assert.deepEqual(await say(["variables"]), ['vars: [{"element":"variables"}]']);
});
