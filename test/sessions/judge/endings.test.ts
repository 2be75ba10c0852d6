import assert from "node:assert/strict";
import { test } from "node:test";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
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

/** The findings to expect at the end of a session. */
const lasts: readonly (readonly [
  what: string,
  session: readonly RecordedEntry[],
  found: readonly string[],
])[] = [
  ["continues", [...launched, ask(3, "threads")], []],
  [
    "ends with a request that is not followed by anything",
    [...opened, ask(2, "threads"), closed],
    ["request.unanswered #3  The request was never answered"],
  ],
  [
    "ends with a request from the adapter that is not followed by anything",
    [...opened, { ...ask(2, "runInTerminal", { cwd: "", args: ["a"] }), from: "adapter" }, closed],
    [
      "request.capability #3 /command The client has not announced supportsRunInTerminalRequest",
      "request.unanswered #3  The request was never answered",
    ],
  ],
  ["ends when the adapter exits as requested", [...launched, ask(3, "disconnect"), closed], []],
  [
    "ends with a crash during the last request",
    [...launched, ask(3, "disconnect"), crashed],
    [
      "exit.signal #5  The process was ended by SIGSEGV",
      "request.unanswered #5  The request was never answered",
    ],
  ],
  [
    "ends without terminated",
    [...launched, closed],
    [
      "terminated.missing #4  The session ended without `terminated`, and the client did not end it.",
    ],
  ],
  ["ends after terminated", [...launched, tell(3, "terminated"), closed], []],
  [
    "ends with the response to disconnect",
    [...launched, ask(3, "threads"), ask(4, "disconnect"), answer(3, 4, "disconnect")],
    ["request.unanswered #5  The request was never answered"],
  ],
  [
    "sends a request after its end, which is a different fault",
    [...launched, ask(3, "disconnect"), answer(3, 3, "disconnect"), ask(4, "threads")],
    ["disconnect.request-after #7  A request is sent after `disconnect`."],
  ],
  [
    "may have begun long before it is opened again",
    [ask(112, "initialize", { adapterID: "a" }), ask(113, "pause", { threadId: 1 })],
    ['opening.early #2  The message is sent before the response to "initialize"'],
  ],
  [
    "begins without initialize",
    [ask(1, "threads"), answer(1, 1, "threads", { body: { threads: [{ id: 1, name: "a" }] } })],
    ['opening.missing #1  The session begins without "initialize"'],
  ],
  [
    "begins without initialize and with ids that start at 0",
    [ask(0, "threads"), answer(7, 0, "threads", { body: { threads: [{ id: 1, name: "a" }] } })],
    [
      'schema.deviation #1 /seq expected an integer from 1 to 2^31-1, received 0; readers that tolerate "id-unset" accept the message, but other readers reject it',
      'opening.missing #1  The session begins without "initialize"',
    ],
  ],
  [
    "may have begun earlier, with ids that start at 0",
    [ask(1, "threads"), answer(7, 1, "threads", { body: { threads: [{ id: 1, name: "a" }] } })],
    [],
  ],
];

for (const [what, session, found] of lasts)
  test(`lint judges the end of a session that ${what}`, () => {
    const { findings } = judged(session, { rules }, dap, false);
    assert.deepEqual(findings.filter(({ severity }) => severity !== "info").map(short), found);
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
