import assert from "node:assert/strict";
import { before, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { asPromise } from "../../../runtime/base/promises.js";
import { LaneClient, type LaneClientOptions } from "../../../runtime/lanes/lane-client.js";
import type { LaneError } from "../../../runtime/lanes/lane-error.js";
import type { LaneTable } from "../../../runtime/lanes/lane-table.js";

const fields = {
  command: { name: "command", payload: "arguments" },
  message: { name: "element", payload: "body" },
} as const;

/** Two lanes, and a command of each kind; nothing says that a command is unknown or has broken down. */
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

before(() => mock.timers.enable({ apis: ["setTimeout"] }));

type Run = (command: string, values?: object) => void;

/** A client, a log of what comes of its commands, and what it writes. */
function recording(
  lanes: LaneTable,
  options: Partial<LaneClientOptions> = {},
): {
  client: LaneClient;
  log: string[];
  written: string[];
  run: Run;
  say: (...said: Said[]) => Promise<string[]>;
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
            [`${command}: ${code} ${message}`, ...answers.map((each) => JSON.stringify(each))].join(
              " ",
            ),
          ),
      ),
    /** Receives messages, and goes on until what they settle is settled. */
    async say(...said) {
      for (const [element, body] of said) {
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
type Said = readonly [element: string, body?: unknown];

const frames = '[{"element":"frames"}]';

test("a message goes to the command that it fits best", async () => {
  const { run, say, client, written } = recording(table);
  run("where");
  run("list", { of: "a" });
  assert.deepEqual(written, ['{"command":"where"}', '{"command":"list","arguments":{"of":"a"}}']);
  assert.equal(client.waiting, 2);
  assert.deepEqual(await say(["files"], ["frames"]), [
    'list: [{"element":"files"}]',
    `where: ${frames}`,
  ]);
  // What could be anybody's failure is taken by the one whose failure it surely is.
  run("where");
  run("list");
  assert.deepEqual(await say(["error", { kind: "list", text: "no " }], ["error", "nor here\n"]), [
    'list: ERR_COMMAND_FAILED no {"element":"error","body":{"kind":"list","text":"no "}}',
    'where: ERR_COMMAND_FAILED nor here {"element":"error","body":{"text":"nor here\\n"}}',
  ]);
  // Of two heads that it may fit as well the first one takes it.
  run("vars");
  run("many", { items: [1] });
  assert.deepEqual(await say(["error", { why: "it is busy", text: "No item 1" }]), [
    'many: ERR_COMMAND_FAILED No item 1 {"element":"error","body":{"why":"it is busy","text":"No item 1"}}',
  ]);
  assert.deepEqual(await say(["error", { why: " it is busy " }]), [
    'vars: ERR_COMMAND_FAILED it is busy {"element":"error","body":{"why":" it is busy "}}',
  ]);
  // One at the head comes before one behind.
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

test("a command with a list gets an answer for each of it, and fails with all that was said", async () => {
  const { run, say } = recording(table);
  run("many", { items: [1, 2] });
  assert.deepEqual(await say(["ok", { id: 1 }]), []);
  assert.deepEqual(await say(["ok", { id: 2 }]), [
    'many: [{"element":"ok","body":{"id":1}},{"element":"ok","body":{"id":2}}]',
  ]);
  run("many", { items: [1, 2, 3] });
  const no = (id: number): Said => ["error", `No item ${id}`];
  assert.deepEqual(await say(["ok"], no(2), no(3)), [
    'many: ERR_COMMAND_FAILED No item 2 {"element":"ok"} {"element":"error","body":{"text":"No item 2"}} {"element":"error","body":{"text":"No item 3"}}',
  ]);
  // With an empty list it gets one; what it has got is what it gets if a later command is answered.
  run("many", { items: [] });
  run("many", { items: [1, 2] });
  run("list");
  assert.deepEqual(await say(["ok", 1], ["ok", 2], ["files"]), [
    'many: [{"element":"ok","body":1}]',
    'many: [{"element":"ok","body":2}]',
    'list: [{"element":"files"}]',
  ]);
});

test("a command without an answer is settled at once, and what comes of it is unexpected", async () => {
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
  // It may be about the one that is settled as well as about the one that waits.
  run("where");
  assert.deepEqual(await say(["error", "Cannot go there"]), [
    'unexpected {"element":"error","body":{"text":"Cannot go there"}} after go',
  ]);
  assert.deepEqual(await say(["frames"]), [`where: ${frames}`]);
});

test("a text ends with silence, and before what answers another lane or is none", async () => {
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
  // What answers the other lane does not end it; what answers neither does.
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
  // The next text is asked for when the one before is whole.
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

test("what ends a text does not answer the command that waited for its end", async () => {
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

test("a text may have so many characters, and no more", async () => {
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

test("a breakdown fails the command at its turn, those that wait for a stop before others", async () => {
  const { run, say } = recording(table);
  const broken: Said = ["error", "BROKEN pipe\n"];
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
  // Anything else ends it.
  run("where");
  run("where");
  assert.deepEqual(await say(["frames"], ["error", "own"]), [
    `where: ${frames}`,
    'where: ERR_COMMAND_FAILED own {"element":"error","body":{"text":"own"}}',
  ]);
});

test("a command that the other side does not know is found by its line", async () => {
  const { run, say } = recording(table);
  run("where");
  run("list me");
  run("other");
  assert.deepEqual(await say(["error", "Unknown: list me\n"]), [
    'list me: ERR_COMMAND_FAILED Unknown: list me {"element":"error","body":{"text":"Unknown: list me\\n"}}',
  ]);
  // Its line is all that stands behind the colon.
  const { run: ask, say: hear } = recording(table);
  ask("me");
  ask("it: me");
  assert.deepEqual(await hear(["error", "Unknown: list me"]), [
    'me: [{"element":"error","body":{"text":"Unknown: list me"}}]',
  ]);
  // It is taken by the first one that it may fail, if it names none of those that wait.
  assert.deepEqual(await say(["error", "Unknown: me"]), [
    'where: ERR_COMMAND_FAILED Unknown: me {"element":"error","body":{"text":"Unknown: me"}}',
  ]);
  // What answers nothing else answers what nobody knows.
  assert.deepEqual(await say(["odd"], ["odd"]), [
    'unexpected {"element":"odd"} after undefined',
    'other: [{"element":"odd"}]',
  ]);
  // One that looks like a command fails as that does, and its turn comes behind what passes it.
  run("list it");
  run("list");
  assert.deepEqual(await say(["files"], ["error", { kind: "list", text: "no" }]), [
    'list: [{"element":"files"}]',
    'list it: ERR_COMMAND_FAILED no {"element":"error","body":{"kind":"list","text":"no"}}',
  ]);
});

test("without words for it nothing is unknown and nothing breaks down", async () => {
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

test("commands are refused, given up and closed with their reasons", async () => {
  const { client, run, log, say, written } = recording(table, { timeoutMs: 5, maxWaiting: 2 });
  run("where");
  run("print");
  run("list");
  mock.timers.tick(4);
  assert.equal(client.waiting, 2);
  assert.deepEqual(await say(), [
    'list: ERR_COMMANDS_WAITING Cannot send "list": 2 commands wait for an answer',
    'where: ERR_ANSWER_LATE Timed out after 5 ms waiting for an answer to "where"',
    'print: ERR_ANSWER_LATE Timed out after 5 ms waiting for an answer to "print"',
  ]);
  run("print");
  run("where");
  client.receive({ element: "#text", body: { text: "a" } }, () => "a");
  client.close({ code: "ERR_TRANSPORT", text: "it broke" });
  run("go");
  assert.equal(client.waiting, 0);
  assert.deepEqual(await say(), [
    'print: [{"element":"#text","body":{"text":"a"}}]',
    'where: ERR_CONNECTION_CLOSED Cannot get an answer to "where": the connection was closed: it broke',
    "go: ERR_CONNECTION_CLOSED Cannot send: the connection is closed: it broke",
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

test("a command without an answer is settled when it is written, or cannot be", async () => {
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
    "go: ERR_CONNECTION_CLOSED Cannot send: the connection is closed",
  ]);
});

test("whatever has a then is waited for", () => {
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
