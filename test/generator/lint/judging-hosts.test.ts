import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { InputError } from "../../../generator/base/input-error.js";
import { readHost, type HostRule, type HostTable } from "../../../generator/lint/host-table.js";
import type { RecordedEntry } from "../../../generator/session/recording.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { ask, answer, tell, judged } from "../../support/judged-entries.js";

/** A host with one rule, and what it finds. */
function hosted(
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  entities: HostTable["entities"] = {},
): readonly string[] {
  const table: HostTable = {
    ...{ name: "mine", title: "Mine", entities },
    outcomes: { dies: { severity: "info", docs: "It dies." } },
    rules: [{ id: "MY-A1", outcome: "dies", docs: "A rule.", ...rule }],
  };
  return judged(entries, { host: table, isFromStart: true })
    .findings.filter(({ outcome }) => outcome !== undefined)
    .map(
      ({ index, severity, outcome, pointer, text }) =>
        `#${index} ${severity} ${outcome} ${pointer} ${text}`,
    );
}

const output = (fields: object): RecordedEntry => tell(1, "output", fields);

const hostCases: readonly (readonly [
  what: string,
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  found: readonly string[],
])[] = [
  ["any message", {}, [output({}), ask(1, "threads")], ["#1 ", "#2 "]],
  ["from a role", { from: "client" }, [output({}), ask(1, "threads")], ["#2 "]],
  [
    "of a kind",
    { message: "event *" },
    [output({}), ask(1, "threads"), tell(2, "mine")],
    ["#1 ", "#3 "],
  ],
  ["of a name", { message: "event output" }, [output({}), tell(2, "mine")], ["#1 "]],
  [
    "custom",
    { state: { custom: { is: [true] } } },
    [output({}), tell(2, "mine"), ask(2, "mine")],
    ["#2 ", "#3 "],
  ],
  [
    "after another",
    { after: "event output", message: "event *" },
    [tell(1, "mine"), output({}), tell(2, "mine"), output({}), ask(3, "threads")],
    ["#3 ", "#4 "],
  ],
  [
    "an answer to nothing",
    { state: { mismatch: { present: true } } },
    [
      ...[ask(1, "threads"), answer(1, 1, "threads"), answer(1, 1, "threads")],
      ...[answer(1, 7, "threads"), ask(2, "threads"), answer(2, 2, "pause")],
    ],
    ["#3 ", "#4 ", "#6 "],
  ],
  [
    "late",
    { state: { latency: { more: 10 } } },
    [
      ...[ask(1, "threads", {}, { time: 0 }), answer(1, 1, "threads", {}, { time: 10 })],
      ...[ask(2, "threads", {}, { time: 0 }), answer(2, 2, "threads", {}, { time: 11 })],
      ...[ask(3, "threads", {}, { time: 0 }), answer(3, 3, "threads")],
    ],
    ["#4 "],
  ],
  [
    "by its envelope",
    { envelope: { success: { is: [false] }, message: { present: false } } },
    [
      ...[answer(1, 1, "a", { success: false }), answer(2, 2, "b")],
      ...[answer(3, 3, "c", { success: false, message: "x" })],
    ],
    ["#1 "],
  ],
  [
    "by its numbers",
    {
      every: "number",
      message: "event exited",
      anyOf: [{ "": { less: -1 } }, { "": { more: 5 } }],
    },
    [
      tell(1, "exited", { exitCode: 6 }),
      tell(2, "exited", { exitCode: 5 }),
      tell(3, "exited", { exitCode: -1 }),
      tell(4, "exited", { exitCode: -2 }),
      tell(5, "exited", { exitCode: "9" }),
      tell(5, "mine", { exitCode: 9 }),
    ],
    ["#1 /body/exitCode", "#4 /body/exitCode"],
  ],
  [
    "by its enumerations",
    { every: "unlisted", outside: "^/body/group$" },
    [
      output({ output: "x", category: "mine" }),
      output({ output: "x", group: "mine", category: "stdout" }),
      output({ output: "x", category: 7 }),
    ],
    ["#1 /body/category"],
  ],
  [
    "by its enumerations, all of them",
    { every: "unlisted" },
    [output({ output: "x", group: "mine", category: "stdout" })],
    ["#1 /body/group"],
  ],
  [
    "by its fields",
    { message: "event output", test: { output: { is: ["x"] }, "data/a": { present: true } } },
    [
      output({ output: "x", data: { a: 1 } }),
      output({ output: "y", data: { a: 1 } }),
      output({ output: "x", data: {} }),
      tell(3, "mine", { output: "x", data: { a: 1 } }),
      tell(3, "output"),
    ],
    ["#1 /body/data/a"],
  ],
  [
    "by what is absent or none of some values",
    { test: { output: { isNot: ["x"], orAbsent: true }, source: { present: false } } },
    [
      output({ output: "x" }),
      output({ output: "y" }),
      output({}),
      output({ output: "y", source: 1 }),
    ],
    ["#2 /body", "#3 /body"],
  ],
  [
    "by what a text is like",
    { test: { output: { unlike: "^[a-z]+$" } } },
    [output({ output: "abc" }), output({ output: "a1" }), output({ output: 7 }), output({})],
    ["#2 /body/output"],
  ],
  [
    "not by a failure",
    { message: "response threads", test: { threads: { present: false } } },
    [answer(1, 1, "threads", { success: false }), answer(2, 2, "threads", { body: 7 })],
    ["#2 /body"],
  ],
  [
    "by each of several tests",
    { anyOf: [{ output: { present: false } }, { category: { is: ["x"] } }] },
    [output({ category: "x" }), output({ output: "", category: "y" })],
    ["#1 /body A rule: output. It dies.", "#1 /body/category"],
  ],
  [
    "by objects of a definition",
    { definition: "Source", test: { name: { is: ["x"] } } },
    [
      output({ output: "", source: { name: "x" } }),
      output({ output: "", source: { name: "y" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
      tell(4, "mine", { source: { name: "x" } }),
    ],
    ["#1 /body/source/name", "#3 /body/source/name"],
  ],
  [
    "by objects of a definition within some messages",
    { definition: "Source", message: ["event loadedSource"], test: { name: { is: ["x"] } } },
    [
      output({ output: "", source: { name: "x" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
    ],
    ["#2 /body/source/name"],
  ],
];

for (const [what, rule, entries, want] of hostCases)
  test(`a host judges messages: ${what}`, () => {
    assert.deepEqual(
      hosted(rule, entries),
      want.map((each) => {
        const [, index, place, text] = /^(#\d+) (\S*) ?(.*)$/.exec(each)!;
        return `${index} info dies ${place} ${text || "A rule. It dies."}`;
      }),
    );
  });

test("a host knows what has come and gone", () => {
  const entities: HostTable["entities"] = {
    thread: {
      begins: [
        { message: "event thread", if: { reason: { is: ["started"] } }, id: "threadId" },
        { message: "response threads", each: "threads", id: "id" },
      ],
      ends: [{ message: "event thread", if: { reason: { is: ["exited"] } }, id: "threadId" }],
    },
    eternal: { begins: [{ message: "event module", id: "module/id" }] },
  };
  const thread = (reason: string, threadId: unknown): RecordedEntry =>
    tell(1, "thread", { reason, threadId });
  const use = (threadId: unknown): RecordedEntry => tell(1, "continued", { threadId });
  const entries = [
    ...[use(1), thread("started", 1), use(1), use(2), use(undefined), use({})],
    ...[thread("exited", 1), use(1), thread("odd", 5), use(5)],
    ...[
      ask(1, "threads"),
      answer(1, 1, "threads", { body: { threads: [{ id: 3 }, {}, { id: 4 }] } }),
    ],
    ...[use(3), use(4), answer(2, 2, "threads", { body: { threads: {} } }), tell(1, "thread")],
  ];
  const found = (test: object): readonly string[] =>
    hosted({ message: "event continued", test: { threadId: test } }, entries, entities).map(
      (each) => each.split(" ")[0]!,
    );
  assert.deepEqual(found({ known: "thread" }), ["#3", "#13", "#14"]);
  assert.deepEqual(found({ unknown: "thread" }), ["#1", "#4", "#6", "#8", "#10"]);
  assert.deepEqual(found({ unknown: "thread", orAbsent: true }), [
    "#1",
    "#4",
    "#5",
    "#6",
    "#8",
    "#10",
  ]);
  assert.deepEqual(found({ known: "nothing" }), []);
  assert.deepEqual(
    hosted(
      { message: "event module", test: { "module/id": { known: "eternal" } } },
      [1, 2, 1].map((id) => tell(id, "module", { reason: "new", module: { id, name: "m" } })),
      entities,
    ),
    ["#3 info dies /body/module/id A rule. It dies."],
  );
});

test("a host is one that is known, or a file that says what it makes of messages", async () => {
  const refusal = async (host: string, protocol: string): Promise<readonly unknown[]> => {
    try {
      return [await readHost(host, protocol)];
    } catch (error) {
      const { code, message, hint, place } = error as InputError;
      return [code, message, hint, place.pointer];
    }
  };
  assert.deepEqual(await refusal("emacs", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known: visual-studio; or give the path of a file",
    undefined,
  ]);
  assert.deepEqual(await refusal("visual-studoi", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "visual-studoi"',
    'Did you mean "visual-studio"?',
    undefined,
  ]);
  assert.deepEqual(await refusal("emacs", "sqltools"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known: none; or give the path of a file",
    undefined,
  ]);
  await withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": "{}",
      "hosts/emacs.json": "{}",
      "hosts/visual-studio.json": "{}",
    });
    assert.deepEqual(await refusal("nothing", join(folder, "protocol.json")), [
      "ERR_ARGUMENT",
      'Cannot find the host "nothing"',
      "Known: emacs, visual-studio; or give the path of a file",
      undefined,
    ]);
    const table = {
      ...{ name: "mine", title: "Mine" },
      outcomes: {
        dies: { severity: "error", docs: "It dies." },
        lives: { severity: "info", docs: "It lives." },
      },
      rules: [
        { id: "MY-A1", outcome: "dies", docs: "x." },
        { id: "MY-A2", outcome: "toString", docs: "x." },
      ],
    };
    const good = { ...table, rules: table.rules.slice(0, 1) };
    writeFiles(folder, {
      "wrong.json": JSON.stringify(table),
      "good.json": JSON.stringify(good),
      "odd.json": JSON.stringify({ ...good, rules: 7 }),
    });
    assert.deepEqual(await refusal(join(folder, "wrong.json"), "dap"), [
      "ERR_DESCRIPTION",
      'Cannot find the outcome "toString" of MY-A2',
      "Known: dies, lives",
      "/rules/1/outcome",
    ]);
    assert.deepEqual(await refusal(join(folder, "good.json"), "dap"), [good]);
    assert.equal((await refusal(join(folder, "odd.json"), "dap"))[0], "ERR_DESCRIPTION");
  });
});
