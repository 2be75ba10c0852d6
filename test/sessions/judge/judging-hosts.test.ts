import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostRule } from "../../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { ask, answer, tell, hosted, output } from "../../support/judged-entries.js";

const hostCases: readonly {
  readonly what: string;
  readonly rule: Partial<HostRule>;
  readonly entries: readonly RecordedEntry[];
  readonly want: readonly string[];
}[] = [
  { what: "any message", rule: {}, entries: [output({}), ask(1, "threads")], want: ["#1 ", "#2 "] },
  {
    what: "from a role",
    rule: { from: "client" },
    entries: [output({}), ask(1, "threads")],
    want: ["#2 "],
  },
  {
    what: "of a kind",
    rule: { message: "event *" },
    entries: [output({}), ask(1, "threads"), tell(2, "mine")],
    want: ["#1 ", "#3 "],
  },
  {
    what: "of a name",
    rule: { message: "event output" },
    entries: [output({}), tell(2, "mine")],
    want: ["#1 "],
  },
  {
    what: "custom",
    rule: { state: { custom: { is: [true] } } },
    entries: [output({}), tell(2, "mine"), ask(2, "mine")],
    want: ["#2 ", "#3 "],
  },
  {
    what: "after another",
    rule: { after: "event output", message: "event *" },
    entries: [tell(1, "mine"), output({}), tell(2, "mine"), output({}), ask(3, "threads")],
    want: ["#3 ", "#4 "],
  },
  {
    what: "a response without a request",
    rule: { state: { mismatch: { present: true } } },
    entries: [
      ask(1, "threads"),
      answer(1, 1, "threads"),
      answer(1, 1, "threads"),
      answer(1, 7, "threads"),
      ask(2, "threads"),
      answer(2, 2, "pause"),
    ],
    want: ["#3 ", "#4 ", "#6 "],
  },
  {
    what: "late",
    rule: { state: { latency: { more: 10 } } },
    entries: [
      ask(1, "threads", {}, { time: 0 }),
      answer(1, 1, "threads", {}, { time: 10 }),
      ask(2, "threads", {}, { time: 0 }),
      answer(2, 2, "threads", {}, { time: 11 }),
      ask(3, "threads", {}, { time: 0 }),
      answer(3, 3, "threads"),
    ],
    want: ["#4 "],
  },
  {
    what: "by its envelope",
    rule: { envelope: { success: { is: [false] }, message: { present: false } } },
    entries: [
      answer(1, 1, "a", { success: false }),
      answer(2, 2, "b"),
      answer(3, 3, "c", { success: false, message: "x" }),
    ],
    want: ["#1 "],
  },
  {
    what: "by its numbers",
    rule: {
      every: "number",
      message: "event exited",
      anyOf: [{ "": { less: -1 } }, { "": { more: 5 } }],
    },
    entries: [
      tell(1, "exited", { exitCode: 6 }),
      tell(2, "exited", { exitCode: 5 }),
      tell(3, "exited", { exitCode: -1 }),
      tell(4, "exited", { exitCode: -2 }),
      tell(5, "exited", { exitCode: "9" }),
      tell(5, "mine", { exitCode: 9 }),
    ],
    want: ["#1 /body/exitCode", "#4 /body/exitCode"],
  },
  {
    what: "by its enumerations",
    rule: { every: "unlisted", outside: "^/body/group$" },
    entries: [
      output({ output: "x", category: "mine" }),
      output({ output: "x", group: "mine", category: "stdout" }),
      output({ output: "x", category: 7 }),
    ],
    want: ["#1 /body/category"],
  },
  {
    what: "by all of its enums",
    rule: { every: "unlisted" },
    entries: [output({ output: "x", group: "mine", category: "stdout" })],
    want: ["#1 /body/group"],
  },
  {
    what: "by its fields",
    rule: { message: "event output", test: { output: { is: ["x"] }, "data/a": { present: true } } },
    entries: [
      output({ output: "x", data: { a: 1 } }),
      output({ output: "y", data: { a: 1 } }),
      output({ output: "x", data: {} }),
      tell(3, "mine", { output: "x", data: { a: 1 } }),
      tell(3, "output"),
    ],
    want: ["#1 /body/data/a"],
  },
  {
    what: "by properties that are absent or have other values",
    rule: { test: { output: { isNot: ["x"], orAbsent: true }, source: { present: false } } },
    entries: [
      output({ output: "x" }),
      output({ output: "y" }),
      output({}),
      output({ output: "y", source: 1 }),
    ],
    want: ["#2 /body", "#3 /body"],
  },
  {
    what: "by strings that do not match a pattern",
    rule: { test: { output: { unlike: "^[a-z]+$" } } },
    entries: [
      output({ output: "abc" }),
      output({ output: "a1" }),
      output({ output: 7 }),
      output({}),
    ],
    want: ["#2 /body/output"],
  },
  {
    what: "unless it is a failure",
    rule: { message: "response threads", test: { threads: { present: false } } },
    entries: [answer(1, 1, "threads", { success: false }), answer(2, 2, "threads", { body: 7 })],
    want: ["#2 /body"],
  },
  {
    what: "by each of several tests",
    rule: { anyOf: [{ output: { present: false } }, { category: { is: ["x"] } }] },
    entries: [output({ category: "x" }), output({ output: "", category: "y" })],
    want: ["#1 /body A rule: output. It dies.", "#1 /body/category"],
  },
  {
    what: "by objects of a given definition",
    rule: { definition: "Source", test: { name: { is: ["x"] } } },
    entries: [
      output({ output: "", source: { name: "x" } }),
      output({ output: "", source: { name: "y" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
      tell(4, "mine", { source: { name: "x" } }),
    ],
    want: ["#1 /body/source/name", "#3 /body/source/name"],
  },
  {
    what: "by objects of a given definition within some messages",
    rule: { definition: "Source", message: ["event loadedSource"], test: { name: { is: ["x"] } } },
    entries: [
      output({ output: "", source: { name: "x" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
    ],
    want: ["#2 /body/source/name"],
  },
];

for (const { what, rule, entries, want } of hostCases)
  test(`each message is judged for a host, and the findings have the right location: ${what}`, () => {
    assert.deepEqual(
      hosted(rule, entries),
      want.map((each) => {
        const [, index, place, text] = /^(#\d+) (\S*) ?(.*)$/.exec(each)!;
        return `${index} info dies ${place} ${text || "A rule. It dies."}`;
      }),
    );
  });
