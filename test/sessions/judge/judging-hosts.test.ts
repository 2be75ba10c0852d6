import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostRule } from "../../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { ask, answer, tell } from "../../support/judged-entries.js";
import { hosted, output } from "../../support/hosted-sessions.js";

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
    "a response without a request",
    { state: { mismatch: { present: true } } },
    [
      ask(1, "threads"),
      answer(1, 1, "threads"),
      answer(1, 1, "threads"),
      answer(1, 7, "threads"),
      ask(2, "threads"),
      answer(2, 2, "pause"),
    ],
    ["#3 ", "#4 ", "#6 "],
  ],
  [
    "late",
    { state: { latency: { more: 10 } } },
    [
      ask(1, "threads", {}, { time: 0 }),
      answer(1, 1, "threads", {}, { time: 10 }),
      ask(2, "threads", {}, { time: 0 }),
      answer(2, 2, "threads", {}, { time: 11 }),
      ask(3, "threads", {}, { time: 0 }),
      answer(3, 3, "threads"),
    ],
    ["#4 "],
  ],
  [
    "by its envelope",
    { envelope: { success: { is: [false] }, message: { present: false } } },
    [
      answer(1, 1, "a", { success: false }),
      answer(2, 2, "b"),
      answer(3, 3, "c", { success: false, message: "x" }),
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
    "by all of its enums",
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
    "by properties that are absent or have other values",
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
    "by strings that do not match a pattern",
    { test: { output: { unlike: "^[a-z]+$" } } },
    [output({ output: "abc" }), output({ output: "a1" }), output({ output: 7 }), output({})],
    ["#2 /body/output"],
  ],
  [
    "unless it is a failure",
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
    "by objects of a given definition",
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
    "by objects of a given definition within some messages",
    { definition: "Source", message: ["event loadedSource"], test: { name: { is: ["x"] } } },
    [
      output({ output: "", source: { name: "x" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
    ],
    ["#2 /body/source/name"],
  ],
];

for (const [what, rule, entries, want] of hostCases)
  test(`each message is judged for a host, and the findings have the right location: ${what}`, () => {
    assert.deepEqual(
      hosted(rule, entries),
      want.map((each) => {
        const [, index, place, text] = /^(#\d+) (\S*) ?(.*)$/.exec(each)!;
        return `${index} info dies ${place} ${text || "A rule. It dies."}`;
      }),
    );
  });
