import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { MessageSummaries } from "../../../sessions/read/message-summary.js";

const dap = new MessageSummaries(await readProtocol("dap"));
const sql = new MessageSummaries(await readProtocol("sqltools"));

const request = (command: string, args?: unknown): object => ({
  seq: 1,
  type: "request",
  command,
  arguments: args,
});
const success = (command: string, body?: unknown): object => ({
  seq: 2,
  type: "response",
  request_seq: 1,
  success: true,
  command,
  body,
});
const event = (name: string, body?: unknown): object => ({
  seq: 3,
  type: "event",
  event: name,
  body,
});
const lines = (...numbers: readonly number[]): object => ({
  source: { path: "/src/main.c" },
  breakpoints: numbers.map((line) => ({ line })),
});
const long = `/home/somebody/${"folder/".repeat(20)}main.c`;

const cases: readonly (readonly [object, string])[] = [
  [event("stopped", { reason: "breakpoint", threadId: 1 }), "breakpoint, thread 1"],
  [
    event("stopped", { reason: "exception", threadId: 2, hitBreakpointIds: [4, 5], text: "No" }),
    "exception, thread 2, breakpoint 4, 5, No",
  ],
  [event("continued", { threadId: 1, allThreadsContinued: true }), "thread 1, all threads"],
  [event("continued", { threadId: 1, allThreadsContinued: false }), "thread 1"],
  [event("output", { category: "stdout", output: "1\n" }), String.raw`stdout, "1\n"`],
  [event("output", { output: "" }), '""'],
  [request("setBreakpoints", lines(3, 7)), "/src/main.c, lines 3, 7"],
  [
    request("setBreakpoints", { ...lines(1, 2, 3, 4, 5, 6, 7), lines: [1] }),
    "/src/main.c, lines 1, 2, 3, 4, 5, … 2 more",
  ],
  [request("setBreakpoints", { source: { path: "a.c" }, lines: [3] }), "a.c, lines 3"],
  [
    success("setBreakpoints", {
      breakpoints: [
        { verified: true, line: 3 },
        { verified: false, line: 7, message: "no code" },
      ],
    }),
    "lines 3, 7, verified 1 of 2, no code",
  ],
  [request("setBreakpoints", { source: { path: long }, breakpoints: [] }), `…${long.slice(-79)}`],
  [request("evaluate", { expression: "a +  b", frameId: 3 }), "a +  b, frame 3"],
  [success("evaluate", { result: "7", type: "int", variablesReference: 0 }), "7, type int"],
  [
    success("stackTrace", {
      stackFrames: [{ id: 1, name: "main", line: 4, column: 0, source: { path: "/a.c" } }],
    }),
    "frames 1, main, /a.c, line 4",
  ],
  [success("variables", { variables: [] }), "variables 0"],
  [request("launch", { program: "a.out", noDebug: true }), "a.out, without debugging"],
  // The summary must not throw for invalid messages from a peer.
  [event("stopped", { reason: { a: 1, b: 2 }, threadId: null }), "{a, b}"],
  [event("stopped", "no"), ""],
  [event("stopped"), ""],
  [event("constructor", { reason: "x" }), ""],
  [request("variables", { variablesReference: 1, filter: 7 }), "reference 1, 7"],
  [{ seq: 1 }, ""],
  [{ ...success("evaluate", { result: "7" }), success: false, message: "failed" }, ""],
];

for (const [message, text] of cases)
  test(`the summary of ${JSON.stringify(message).slice(0, 90)} contains its most important values`, () => {
    assert.equal(dap.textOf(message), text);
  });

test("a response without a name is summarised by the name of its request", () => {
  const answer = { jsonrpc: "2.0", id: 1, result: { rowCount: 2, columnInfo: [], rows: [] } };
  assert.equal(sql.textOf(answer, "query/simpleexecute"), "rows 2");
  assert.equal(sql.textOf(answer), "");
});
