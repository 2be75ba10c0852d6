import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, createServer as listen, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { type TestContext, suite, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createDecoder,
  createEncoder,
  notations,
  type DebuggerToFrontend,
  type FrontendToDebugger,
  type RequestName,
  type SpellingName,
} from "../../../generated/ruby-debug-ide/index.js";
import {
  createClient,
  createServer,
  type Client,
  type ClientOptions,
  type LaneError,
  type Server,
} from "../../../generated/ruby-debug-ide/connection.js";
import { listenForSubProcesses } from "../../../generated/ruby-debug-ide/node.js";
import { shared, skipWithout } from "../../../tools/shared/paths.js";
import { rubySessions, type RecordedSession } from "../../support/recorded-sessions.js";
import { until } from "../../support/scripted-connection.js";

const commandEncoder = createEncoder({ from: "frontend" });
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** The line of a command, without its end. */
function lineOf(command: object): string {
  const line = text(commandEncoder.encode(command as FrontendToDebugger));
  assert.ok(line.endsWith("\n"));
  return line.slice(0, -1);
}

/** All messages of a text that the debugger sends. */
function elementsOf(spelled: string, spelling?: SpellingName): readonly DebuggerToFrontend[] {
  const found: DebuggerToFrontend[] = [];
  const decoder = createDecoder({
    from: "debugger",
    ...(spelling === undefined ? {} : { spelling }),
    onMessage: (message) => {
      if (message.status === "malformed") assert.fail(message.reason);
      found.push(message.message as DebuggerToFrontend);
    },
    onError: (error) => assert.fail(error.message),
  });
  decoder.push(Buffer.from(spelled));
  decoder.end();
  return found;
}

test("commands are written in full and read by all their names", () => {
  const cases: readonly (readonly [object, string, ...string[]])[] = [
    [{ command: "break", arguments: { location: "a b.rb:2" } }, "break a b.rb:2", "b a b.rb:2"],
    [
      { command: "break", arguments: { location: "a.rb:2", condition: "x > 1; y" } },
      "break a.rb:2 if x > 1; y",
      "b  a.rb:2 if x > 1; y ",
      "b  a.rb:2   if x > 1; y ",
    ],
    [{ command: "break", arguments: { location: "Foo#bar" } }, "break Foo#bar"],
    [{ command: "break" }, "break", "b"],
    [{ command: "info break" }, "info break", "info  break"],
    [{ command: "delete", arguments: { breakpoints: [1, 2] } }, "delete 1 2", "del 1  2"],
    [{ command: "catch", arguments: { exception: "A::B" } }, "catch A::B", "CAT A::B"],
    [{ command: "catch", arguments: { exception: "A", off: "off" } }, "catch A off"],
    [
      { command: "condition", arguments: { breakpoint: 1, expression: 'a == "\n\\"' } },
      'condition 1 a == "\\n\\\\"',
      'cond 1 a == "\\n\\\\"',
    ],
    [
      { command: "enable", arguments: { breakpoints: [1] } },
      "enable 1",
      "en 1",
      "enable breakpoints 1",
    ],
    [{ command: "start", arguments: { arguments: "-x y" } }, "start -x y"],
    [{ command: "quit" }, "quit", "q", "exit"],
    [{ command: "restart" }, "restart", "R"],
    [{ command: "interrupt" }, "interrupt", "i"],
    [{ command: "file-filter", arguments: { state: "on" } }, "file-filter on"],
    [{ command: "thread list" }, "thread list", "th l", "th list", "thread l"],
    [{ command: "thread current" }, "thread current", "th c", "thread cur"],
    [{ command: "thread switch", arguments: { thread: 2 } }, "thread 2", "th 2", "thread sw 2"],
    [{ command: "thread inspect", arguments: { thread: 2 } }, "thread inspect 2", "th in 2"],
    [{ command: "where" }, "where", "w", "bt", "backtrace"],
    [{ command: "frame", arguments: { frame: -1 } }, "frame -1", "f -1"],
    [{ command: "next", arguments: { force: "+", count: 2 } }, "next+ 2", "n+ 2"],
    [{ command: "step", arguments: { count: 3 } }, "step 3", "s 3"],
    [
      { command: "var instance", arguments: { object: "+0x15" } },
      "var instance +0x15",
      "v i +0x15",
    ],
    [{ command: "var inspect", arguments: { expression: "1; 2" } }, "var inspect 1\\; 2"],
    [
      { command: "eval", arguments: { expression: "a;\nb % 2" } },
      "p a\\;\\nb % 2",
      "e a\\;\\nb % 2",
    ],
    [{ command: "pp", arguments: { expression: "x" } }, "pp x"],
    [{ command: "expression_info", arguments: { expression: "def a" } }, "expression_info def a"],
    [{ command: "jump", arguments: { line: "+2", file: "a.rb" } }, "jump +2 a.rb", "J +2 a.rb"],
    [{ command: "set_type", arguments: { variable: "a", type: "B" } }, "set_type a B"],
    [{ command: "a command of tomorrow" }, "a command of tomorrow"],
  ];
  for (const [command, line, ...others] of cases) {
    assert.equal(lineOf(command), line);
    for (const each of [line, ...others])
      assert.deepEqual(notations.frontend.readLine(each), [command]);
  }
});

test("a line is called by the command that it begins like, whatever follows", () => {
  for (const [line, name] of [
    ["b", "break"],
    [" where; p 1", "where"],
    ["th  l x", "thread list"],
    ["var localx", undefined],
    ["beyond", undefined],
    ["", undefined],
  ] as const)
    assert.equal(notations.frontend.nameOf(line), name, line);
});

test("several commands on a line are taken apart, unless the line is one that is carried out at once", () => {
  const read = (line: string): readonly object[] => notations.frontend.readLine(line);
  assert.deepEqual(read("where; p 1\\;2 ;; v l"), [
    { command: "where" },
    { command: "eval", arguments: { expression: "1;2" } },
    { command: "var local" },
  ]);
  assert.deepEqual(read("b f:1; where"), [
    { command: "break", arguments: { location: "f:1" } },
    { command: "where" },
  ]);
  assert.deepEqual(read("b f:1 if x; where"), [
    { command: "break", arguments: { location: "f:1", condition: "x; where" } },
  ]);
  assert.deepEqual(read("b f:1;where"), [
    { command: "break", arguments: { location: "f:1;where" } },
  ]);
  assert.deepEqual(read("  "), []);
});

test("what would break the line or the peer is refused, and nothing is written", () => {
  const refused = (command: object): string => {
    try {
      return `written: ${lineOf(command)}`;
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return `${code} ${message}`;
    }
  };
  const lineEnd =
    "ERR_ENCODE_LINE Cannot write a command that contains a line end or a lone surrogate, at /arguments";
  const other = (name: string): string =>
    `ERR_ENCODE_LINE Cannot write this "${name}" command: its line would be read back differently, at /arguments`;
  const sign =
    'ERR_ENCODE_REFUSED Cannot write "%" in this command: the peer cannot handle it, at /arguments';
  const field = (what: string, name: string): string =>
    `ERR_ENCODE_FIELD Cannot write ${what}, at /arguments/${name}`;
  const cases: readonly (readonly [string, object, string])[] = [
    ["a line end", { command: "pp", arguments: { expression: "1\nquit" } }, lineEnd],
    ["a carriage return", { command: "load", arguments: { file: "a\rb" } }, lineEnd],
    ["a line end in an unknown command", { command: "foo\nquit" }, lineEnd],
    ["two commands", { command: "foo; bar" }, "written: foo\\; bar"],
    ["a sign of formats, unknown", { command: "foo 100% bar" }, sign],
    [
      "the same in a text that comes back",
      { command: "var const", arguments: { object: "5 % 2" } },
      sign,
    ],
    [
      "the same where it is harmless",
      { command: "eval", arguments: { expression: "5 % 2" } },
      "written: p 5 % 2",
    ],
    [
      "a name with a blank",
      { command: "catch", arguments: { exception: "Foo bar" } },
      other("catch"),
    ],
    [
      "a file called like a condition",
      { command: "break", arguments: { location: "a if b.rb:1" } },
      other("break"),
    ],
    ["another command in disguise", { command: "b a.rb:1" }, other("b a.rb:1")],
    [
      "code that no line can hold",
      { command: "eval", arguments: { expression: "a\n\\\nb" } },
      other("eval"),
    ],
    ["a missing argument", { command: "load" }, field("a value that is not a string", "file")],
    [
      "a number that is none",
      { command: "delete", arguments: { breakpoints: [1.5] } },
      field("a value that is not a list of integers", "breakpoints"),
    ],
    [
      "a value that is not listed",
      { command: "next", arguments: { force: "!" } },
      field("a value other than +, -", "force"),
    ],
    [
      "a number with a part",
      { command: "next", arguments: { count: 1.5 } },
      field("a value that is not an integer", "count"),
    ],
    [
      "code that is no text",
      { command: "eval", arguments: { expression: 5 } },
      field("a value that is not a string", "expression"),
    ],
    [
      "a name that is neither text nor number",
      { command: "load", arguments: { file: true } },
      field("a value that is not a string", "file"),
    ],
    ["a name of digits", { command: "load", arguments: { file: 5 } }, "written: load 5"],
    [
      "no name",
      { arguments: {} },
      "ERR_ENCODE_NAME Cannot write a command without a name, at /command",
    ],
  ];
  for (const [what, command, result] of cases) assert.equal(refused(command), result, what);
});

test("code of several lines comes out as it went in", () => {
  // Lines as they are sent, and what the debugger makes of them.
  const vectors: readonly (readonly [string, string])[] = [
    ["a", "a"],
    ["\\n", "\n"],
    ["a\\n", "a\n"],
    ["a\\\\n", "a\\n"],
    ["a\\\\\\n", "a\\\n"],
    ["hello\\nthere\\\\n", "hello\nthere\\n"],
    ['"\\\\\\n".size', '"\\\n".size'],
    ["hello\\n\\nworld", "hello\n\nworld"],
  ];
  for (const [line, code] of vectors) {
    assert.deepEqual(
      notations.frontend.readLine(`expression_info x${line}`),
      [{ command: "expression_info", arguments: { expression: `x${code}`.trim() } }].map((each) =>
        code.endsWith("\n") ? { ...each, arguments: { expression: `x${code}` } } : each,
      ),
    );
  }
  for (const code of ["a\nb", "\\", "\\n", "\\\\n\n", 'p "\\t"', "x\n\ny\\"])
    assert.deepEqual(
      notations.frontend.readLine(lineOf({ command: "eval", arguments: { expression: code } })),
      [{ command: "eval", arguments: { expression: code } }],
    );
});

test("elements are written byte for byte as the debugger writes them", () => {
  const encoder = createEncoder({ from: "debugger" });
  for (const spelled of [
    '<thread id="2" status="run" pid="2960" current="yes"/>',
    '<threads><thread id="1" status="sleep" pid="3432" /></threads>',
    '<thread id="1" status="run"/>',
    `<frames><frame no="1" file="/a" line="6" current='true' /><frame no="2" file="/b" line="106" /></frames>`,
    '<variables><variable name="e" kind="local"/></variables>',
    '<variables><variable name="i"  kind="local" value="10" type="Integer" hasChildren="false" objectId="+0x15"></variable></variables>',
    '<variables type="hashItem"></variables>',
    "<message debug='true'>a &amp; b</message>",
    '<expressionInfo incomplete="true" prompt="&gt;" indent="2"></expressionInfo>',
    '<eval expression="1" value=""\\" />"" />',
  ])
    assert.equal(
      elementsOf(spelled)
        .map((each) => text(encoder.encode(each)))
        .join(""),
      spelled,
    );
  assert.throws(() => encoder.encode({ element: "breakpointAdded", body: { no: 1 } } as never), {
    code: "ERR_ENCODE_FIELD",
    path: "/body/location",
  });
  assert.throws(() => encoder.encode({ element: "#text", body: { text: "no line end" } }), {
    code: "ERR_ENCODE_LINE",
    path: "/body/text",
  });
});

test("a dialect is written, and every other one is read", () => {
  const rubymine =
    '<variables><variable name="s"  kind="local"  type="String" hasChildren="true" objectId="+0x1"><value><![CDATA[x &lt; y]]></value></variable></variables>';
  const plain =
    '<variables><variable name="s"  kind="local" value="x &lt; y" type="String" hasChildren="true" objectId="+0x1"></variable></variables>';
  const [message] = elementsOf(rubymine);
  assert.deepEqual(elementsOf(plain), [message]);
  assert.deepEqual(elementsOf(plain, "rubymine"), [message]);
  const write = (spelling?: SpellingName): string =>
    text(createEncoder({ from: "debugger", ...(spelling && { spelling }) }).encode(message!));
  assert.equal(write("rubymine"), rubymine);
  assert.equal(write(), plain);

  const evaluation: DebuggerToFrontend = {
    element: "eval",
    body: { expression: "'", value: '"<a>"' },
  };
  const wellFormed = createEncoder({ from: "debugger", spelling: "well-formed" });
  assert.equal(
    text(wellFormed.encode(evaluation)),
    '<eval expression="&#39;" value="&quot;&lt;a&gt;&quot;"/>',
  );
  assert.deepEqual(elementsOf(text(wellFormed.encode(evaluation)), "well-formed"), [evaluation]);
});

test(
  "every example of the first specification is read and written again",
  { skip: skipWithout("streams/ruby-debug-ide/seed-examples") },
  () => {
    const file = shared("streams/ruby-debug-ide/seed-examples/examples.json")!;
    type Example = { readonly C?: string; readonly A?: string; readonly event?: string };
    const encoder = createEncoder({ from: "debugger" });
    let count = 0;
    for (const { C, A, event } of JSON.parse(readFileSync(file, "utf8")) as Example[]) {
      // One example runs into the next one.
      const [answer, ...next] = (A ?? event!).split(/\s+(?=C: )/);
      const more = next.map((each) => /C: (.*)\nA: ([^]*)/.exec(each)!.slice(1));
      for (const [command, spelled] of [[C, answer], ...more]) {
        count++;
        if (command !== undefined) {
          const [read] = notations.frontend.readLine(command);
          assert.deepEqual(notations.frontend.readLine(lineOf(read!)), [read]);
        }
        const elements = elementsOf(spelled!);
        assert.equal(elements.length, 1, spelled);
        assert.deepEqual(elementsOf(text(encoder.encode(elements[0]!))), elements);
      }
    }
    assert.equal(count, 16);
  },
);

const textSilenceMs = 20;

/** A client whose peer is the test: what it writes, and what happened to each command. */
function recordingClient(options: Partial<ClientOptions> = {}): {
  readonly client: Client;
  readonly log: string[];
  readonly run: (line: string) => void;
} {
  const log: string[] = [];
  const client = createClient({
    write: () => undefined,
    textSilenceMs,
    onEvent: ({ element }) => void log.push(`event ${element}`),
    onNote: () => void log.push("note"),
    onUnexpected: (message, command) =>
      void log.push(
        `unexpected ${(message as DebuggerToFrontend).element} after ${command ?? "nothing"}`,
      ),
    ...options,
  });
  const run = (line: string): void => {
    const [read] = notations.frontend.readLine(line) as [FrontendToDebugger];
    const known = read.command in notations.frontend ? undefined : read;
    const sent = (client.send as (name: string, values?: unknown) => Promise<unknown>).call(
      client,
      known!.command,
      (known as { arguments?: unknown }).arguments,
    );
    const name = (answer: unknown): string => (answer as DebuggerToFrontend).element;
    void sent.then(
      (answer) =>
        log.push(`${line}: ${answer === undefined ? "done" : [answer].flat().map(name).join(" ")}`),
      (error: LaneError) => log.push(`${line}: ${error.code} ${error.message}`),
    );
  };
  return { client, log, run };
}

test("answers find their commands, in whatever order the lanes answer", async () => {
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

test("nothing waits for ever: skipped, late and closed commands are given up", async () => {
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
    'v l: ERR_ANSWER_LATE Timed out after 30 ms waiting for an answer to "var local"',
    'w: ERR_CONNECTION_CLOSED Cannot get an answer to "where": the connection was closed',
    "bt: ERR_CONNECTION_CLOSED Cannot send: the connection is closed",
  ]);
  assert.equal(client.waiting, 0);
});

test("text of any length is one answer, with what looks like elements in it", async () => {
  const written: string[] = [];
  const client = createClient({
    write: (bytes) => void written.push(text(bytes)),
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

test("a breakdown fails the command that is at its turn", async () => {
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

/** What happens to each command of a recording. */
const understood: Readonly<Record<string, readonly string[]>> = {
  counter: [
    "b counter.rb:7: breakpointAdded",
    "info break: breakpoints",
    "start: done",
    "event breakpoint",
    "where: frames",
    "thread list: threads",
    "v l: variables",
    "p total: eval",
    "pp names: #text",
    "help: ERR_COMMAND_FAILED Unknown command: help",
    "load missing.rb: ERR_COMMAND_FAILED INTERNAL ERROR!!! cannot load such file",
    "note",
    "delete 1: breakpointDeleted",
    "quit: message",
  ],
  reorder_control_vs_event: [
    "start: done",
    "event suspended",
    "thread list: threads",
    "b reorder_control_vs_event.rb:20: breakpointAdded",
    "p sleep(0.8): eval",
  ],
  percent_unknown_command: [
    "start: done",
    "event suspended",
    'foo 100% bar: ERR_ENCODE_REFUSED Cannot write "%" in this command: the peer cannot handle it, at /arguments',
    "unexpected error after nothing",
    "note",
  ],
  breakpoints: [
    "condition 1 x: ERR_COMMAND_FAILED No breakpoints have been set.",
    "info break: breakpoints",
    "b: ERR_COMMAND_FAILED ERROR: No filename given.",
    "break breakpoints.rb:13: breakpointAdded",
    "b breakpoints.rb:34 if i > 5: breakpointAdded",
    "break nosuch.rb:1: breakpointAdded",
    "info break: breakpoints",
    "condition 1 a == 3: conditionSet",
    "condition 1: conditionSet",
    "condition 99 x: ERR_COMMAND_FAILED Condition argument '99' needs to at most 3.",
    'condition: ERR_COMMAND_FAILED "condition" must be followed a breakpoint number and expression',
    "condition 2: conditionSet",
    "delete 99: ERR_COMMAND_FAILED No breakpoint number 99",
    "delete -1: ERR_COMMAND_FAILED Delete argument '-1' needs to at least 1.",
    "delete x: ERR_COMMAND_FAILED Delete argument 'x' needs to be a number.",
    "del 3: breakpointDeleted",
    "delete 4 5: ERR_COMMAND_FAILED No breakpoint number 4",
    "catch: ERR_COMMAND_FAILED Exception class must be specified for 'catch' command",
    "catch ArgumentError: catchpointSet",
    "cat ZeroDivisionError: catchpointSet",
    "catch ZeroDivisionError off: catchpointSet",
    "catch Nope off: ERR_COMMAND_FAILED Catch for exception Nope not found.",
    "catch ArgumentError off: catchpointSet",
    "catch ArgumentError: catchpointSet",
    "start: done",
    "event breakpoint",
    "enable 1: breakpointEnabled",
    "disable 1: breakpointDisabled",
    "enable 1: breakpointEnabled",
    "enable breakpoints 1 2: breakpointEnabled breakpointEnabled",
    "en 1: breakpointEnabled",
    "disable 1 2: breakpointDisabled breakpointDisabled",
    "dis 2: breakpointDisabled",
    'disable: ERR_COMMAND_FAILED "disable" must be followed "display", "breakpoints" or breakpoint numbers.',
    'enable: ERR_COMMAND_FAILED "enable" must be followed "display", "breakpoints" or breakpoint numbers.',
    "enable x: ERR_COMMAND_FAILED Enable breakpoints argument 'x' needs to be a number.",
    "disable 99: ERR_COMMAND_FAILED Disable breakpoints argument '99' needs to at most 2.",
    "enable 99: ERR_COMMAND_FAILED Enable breakpoints argument '99' needs to at most 2.",
    "catch Foo bar: ERR_COMMAND_FAILED Unknown command: catch Foo bar",
    "enable 1 2: breakpointEnabled breakpointEnabled",
    "info break: breakpoints",
    "where: frames",
    "up: done",
    "down: done",
    "frame 1: done",
    "frame 2: done",
    "frame: done",
    "unexpected #text after frame",
    "frame 99: done",
    "unexpected error after frame",
    "frame x: ERR_COMMAND_FAILED Frame argument 'x' needs to be a number.",
    "f -1: done",
    "up x: ERR_COMMAND_FAILED Up argument 'x' needs to be a number.",
    "down 5: done",
    "unexpected error after down",
    "u 1: done",
    "unexpected error after up",
    "w: frames",
    "c: done",
    "event breakpoint",
    "var local: variables",
    "c: done",
    "event exception",
    "v l: variables",
    "delete: ",
    "info break: breakpoints",
    "catch off: done",
    "c: done",
  ],
  stepping: [
    "b stepping.rb:11: breakpointAdded",
    "start: done",
    "event suspended",
    "next: done",
    "event suspended",
    "step: done",
    "event suspended",
    "where: frames",
    "next: done",
    "event suspended",
    "thread current: thread",
    "th c: thread",
    "fin: done",
    "event breakpoint",
    "s 2: done",
  ],
};

suite("a recording of the real debugger", { skip: skipWithout("streams/ruby-debug-ide") }, () => {
  for (const [name, want] of Object.entries(understood))
    test(`${name}: every answer goes to its command`, async (context) => {
      const session = rubySessions.find((each) => each.name === name)!;
      assert.deepEqual((await replay(context, session)).log, want);
    });
});

/** What is said without a command that it answers. */
const unexpectedIn: Readonly<Record<string, readonly string[]>> = {
  // What was refused of commands that nothing answers when they are carried out.
  breakpoints: [
    "unexpected #text after frame",
    "unexpected error after frame",
    "unexpected error after down",
    "unexpected error after up",
  ],
  // What is said about an object that does not exist follows an empty list.
  variables: ["unexpected message after nothing"],
  variables_rubymine: ["unexpected message after nothing"],
};

for (const session of rubySessions.filter(
  // These end in the middle of a command.
  ({ name }) => !/^(percent|reorder|stepping)/.test(name),
))
  test(`in the recording "${session.name}" every command is settled, and nothing is left over`, async (context) => {
    const { log, waiting } = await replay(context, session);
    assert.equal(waiting, 0);
    assert.deepEqual(
      log.filter((line) => /^unexpected|ERR_(?!COMMAND_FAILED)/.test(line)),
      unexpectedIn[session.name] ?? [],
    );
  });

/** Sends and receives what a recording has. */
async function replay(
  { mock }: TestContext,
  { name, folder }: RecordedSession,
): Promise<{ readonly log: readonly string[]; readonly waiting: number }> {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { client, log, run } = recordingClient();
  const endText = async (): Promise<void> => {
    mock.timers.tick(textSilenceMs);
    await nextTurn();
  };
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  type Said = readonly [side: string, said: string | { readonly hex: string }];
  for (const [side, said] of lines.slice(1).map((line) => JSON.parse(line) as Said)) {
    // What is no UTF-8 is recorded as digits.
    const bytes = typeof said === "string" ? Buffer.from(said) : Buffer.from(said.hex, "hex");
    if (side === "A") client.push(bytes);
    else if (side === "C") {
      // The recorder waited for a text to end, too.
      if (client.waiting > 0) await endText();
      for (const line of bytes.toString().trim().split("\n")) run(line);
    }
    await nextTurn();
  }
  await endText();
  return { log, waiting: client.waiting };
}

/** A debugger over a real socket. Its program stops when the test says so. */
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

test("both sides over a socket: deferral, overtaking, failures, the end", async (context) => {
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
    onError: (error) => assert.fail(error.message),
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
  // Its answer shows that "where" has arrived, too.
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

test("processes that the program starts say where they listen", async () => {
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
