import assert from "node:assert/strict";
import { test } from "node:test";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { readInput, testCases } from "../../support/case-list.js";
import { answer, ask, dap, judged, short, tell } from "../../support/judged-entries.js";

const rules = await readSessionRules("dap");

const ends: readonly (readonly [how: string, found: readonly string[]])[] = [
  ["closed", []],
  ["exited with 0", []],
  ["was ended by SIGTERM", []],
  ["exited with 3", ["exit.code #2  The process exited with 3"]],
  ["exited with 139", ["exit.signal #2  The process exited with 139"]],
  ["exited with 3221225477", ["exit.signal #2  The process exited with 3221225477"]],
  ["was ended by SIGABRT", ["exit.signal #2  The process was ended by SIGABRT"]],
  ["was ended by SIGSEGV", ["exit.signal #2  The process was ended by SIGSEGV"]],
];

for (const [ended, found] of ends)
  test(`lint reports ${found.length === 0 ? "nothing" : "a finding"} for an adapter that ${ended}`, () => {
    const session = [
      ask(1, "initialize", { adapterID: "a" }),
      answer(1, 1, "initialize"),
      { from: "adapter", ended },
    ];
    assert.deepEqual(judged(session).findings.map(short), found);
  });

const opened = [ask(1, "initialize", { adapterID: "a" }), answer(1, 1, "initialize")];
const launched = [...opened, ask(2, "launch", {}), answer(2, 2, "launch")];
const crashed = { from: "adapter", ended: "was ended by SIGSEGV" };
const closed = { from: "adapter", ended: "closed" };

const names = { answer, ask, closed, crashed, launched, opened, tell };

testCases("test/cases/session-ends.md", "lint judges the end of", (input) => {
  const [session] = readInput(input, names) as readonly [readonly RecordedEntry[]];
  const { findings } = judged(session, { rules }, dap, false);
  return findings.filter(({ severity }) => severity !== "info").map(short);
});

test("lint reports a request that stays unanswered for 1,000 messages while the session continues", () => {
  const asked = (count: number): readonly RecordedEntry[] => [
    ...opened,
    ask(2, "threads"),
    ...Array.from({ length: count }, (_, index) => tell(index + 2, "output", { output: "x" })),
  ];
  const found = (count: number): readonly string[] =>
    judged(asked(count), {}, dap, false).findings.map(short);
  assert.deepEqual(found(1_000), []);
  assert.deepEqual(found(1_001), ["request.unanswered #3  The request was never answered"]);
});
