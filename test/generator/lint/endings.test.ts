import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, ask, judged, short } from "../../support/judged-entries.js";

const ends: readonly (readonly [how: string, found: readonly string[]])[] = [
  ["closed", []],
  ["exited with 0", []],
  ["was ended by SIGTERM", []],
  ["exited with 3", ["exit.code #2  It exited with 3"]],
  ["was ended by SIGABRT", ["exit.signal #2  It was ended by SIGABRT"]],
  ["was ended by SIGSEGV", ["exit.signal #2  It was ended by SIGSEGV"]],
];

for (const [ended, found] of ends)
  test(`an adapter that ${ended}: ${found.length === 0 ? "nothing" : "a finding"}`, () => {
    const session = [
      ask(1, "initialize", { adapterID: "a" }),
      answer(1, 1, "initialize"),
      { from: "adapter", ended },
    ];
    assert.deepEqual(judged(session).findings.map(short), found);
  });
