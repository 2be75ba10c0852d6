import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError, readProtocol } from "../../../cli/index.js";
import type { Observed } from "../../../sessions/read/captured-sessions.js";
import { LiveView, type ViewOptions } from "../../../sessions/tap/live-view.js";
import { MessageFilter } from "../../../sessions/tap/message-filter.js";
import { ShownSessions } from "../../../sessions/tap/shown-sessions.js";
import { cutText, TerminalLine, widthOf } from "../../../sessions/tap/terminal-line.js";
import { formatInputError } from "../../../generator/base/input-error.js";

const protocol = await readProtocol("dap");

const sent = (from: string, message: object, time = 0): Observed => ({
  kind: "message",
  from,
  time,
  offset: 0,
  length: 100,
  message,
});
const evaluate = sent("client", {
  seq: 1,
  type: "request",
  command: "evaluate",
  arguments: { expression: "größe", context: "repl" },
});
const result = sent(
  "adapter",
  {
    seq: 2,
    type: "response",
    request_seq: 1,
    success: true,
    command: "evaluate",
    body: { result: "変数の値は四です", variablesReference: 0 },
  },
  3,
);
const failure = sent("adapter", {
  seq: 3,
  type: "response",
  request_seq: 9,
  success: false,
  command: "next",
  message: "no",
});
const stopped = sent("adapter", {
  seq: 4,
  type: "event",
  event: "stopped",
  body: { reason: "step", threadId: 1, vendor: { a: [1, 2] } },
});
const ended: Observed = { kind: "end", from: "adapter", time: 5, how: "exited with 0" };

/** Returns the lines printed by a view. */
function shown(
  observed: readonly Observed[],
  options: Partial<ViewOptions> = {},
  session?: number,
): readonly string[] {
  const lines: string[] = [];
  const view = new LiveView(protocol, (line) => lines.push(line), { colours: false, ...options });
  for (const each of observed) view.observe(each, session);
  return lines;
}

test("lines are shortened to the width of the terminal, starting with the summary but never the outcome", () => {
  assert.deepEqual(shown([evaluate, result, stopped]), [
    "   0.000s → request 1 evaluate  repl, größe  100 B",
    "   0.003s ← response 1 evaluate  ok after 3.0 ms  変数の値は四です  100 B",
    "   0.000s ← event stopped  step, thread 1  100 B",
  ]);
  assert.deepEqual(shown([evaluate, result, stopped], { columns: 64 }), [
    "   0.000s → request 1 evaluate  repl, größe  100 B",
    "   0.003s ← response 1 evaluate  ok after 3.0 ms  変数の値は四…",
    "   0.000s ← event stopped  step, thread 1  100 B",
  ]);
  assert.deepEqual(shown([result], { columns: 30 }), ["   0.003s ← response 1 evalua…"]);
  for (let columns = 1; columns < 90; columns++)
    for (const line of shown([evaluate, result, stopped, failure, ended], { columns }))
      assert.ok(widthOf(line) <= columns, `${columns}: ${line}`);
});

test("the width of a character in a terminal is computed", () => {
  assert.equal(widthOf("plain"), 5);
  assert.equal(widthOf("größe"), 5);
  assert.equal(widthOf("e\u0301"), 1);
  assert.equal(widthOf("変数"), 4);
  assert.equal(widthOf("한글"), 4);
  assert.equal(widthOf("🐛"), 2);
  assert.equal(cutText("a変b", 2), "a");
  assert.equal(cutText("a変b", 3), "a変");
  assert.equal(cutText("a変b", 4), "a変b");
});

test("a coloured part of a line keeps its colour even if it is shortened", () => {
  const line = new TerminalLine().add("red one", "red").add(" plain");
  assert.equal(line.print({ colours: true, columns: 4 }), "\u001b[31mred\u001b[0m…");
  assert.equal(line.print({ colours: true }), "\u001b[31mred one\u001b[0m plain");
});

test("bodies are shown as indented JSON, up to a maximum number of lines", () => {
  assert.deepEqual(shown([stopped, failure], { bodyLines: 5, columns: 30 }), [
    "   0.000s ← event stopped  10…",
    "            {",
    '              "reason": "step…',
    '              "threadId": 1,',
    '              "vendor": {',
    '                "a": [',
    "            … 5 more lines",
    "   0.000s ← response 9 next  …",
  ]);
  const hostile = sent("adapter", { seq: 1, type: "event", event: "x", body: "\u001b[2J\u202e" });
  assert.deepEqual(shown([hostile], { bodyLines: 5 })[1], `            "\\u001b[2J\\u202e"`);
});

const filtered = (...filters: readonly string[]): string =>
  shown([evaluate, result, failure, stopped, ended], {
    filter: new MessageFilter(protocol, filters),
  })
    .map((line) => /[→←] (\w+ \w+)/.exec(line)![1])
    .join(", ");

test("filters select by side, kind, name and session", () => {
  const all = "request 1, response 1, response 9, event stopped, the adapter";
  const cases: readonly (readonly [readonly string[], string])[] = [
    [[], all],
    [["client"], "request 1"],
    [["adapter"], "response 1, response 9, event stopped, the adapter"],
    [["event"], "event stopped, the adapter"],
    [["response"], "response 1, response 9, the adapter"],
    [["success"], "response 1, the adapter"],
    [["failure"], "response 9, the adapter"],
    [["evaluate"], "request 1, response 1, the adapter"],
    [["adapter evaluate"], "response 1, the adapter"],
    [["client evaluate", "event"], "request 1, event stopped, the adapter"],
    [["ev*te"], "request 1, response 1, the adapter"],
    [["*"], all],
    [["!evaluate"], "response 9, event stopped, the adapter"],
    [["!adapter"], "request 1"],
    [["adapter", "!event stopped"], "response 1, response 9, the adapter"],
    [["#1"], ""],
  ];
  for (const [filters, expected] of cases)
    assert.equal(filtered(...filters), expected, filters.join());
  const filter = new MessageFilter(protocol, ["#2 client"]);
  assert.equal(shown([evaluate, result], { filter }, 2).length, 1);
  assert.equal(shown([evaluate, result], { filter }, 1).length, 0);
});

test("an invalid filter is refused with a hint", () => {
  const refusal = (filter: string): string => {
    try {
      new MessageFilter(protocol, [filter]);
    } catch (error) {
      if (error instanceof InputError) return formatInputError(error);
      throw error;
    }
    return "accepted";
  };
  assert.equal(
    refusal("event stoped"),
    'Cannot use --filter "event stoped": dap has no message "stoped" [ERR_ARGUMENT]\n  Did you mean "stopped"?',
  );
  assert.equal(
    refusal("adaptor"),
    'Cannot use --filter "adaptor": dap has no message "adaptor" [ERR_ARGUMENT]\n  Did you mean "adapter"?',
  );
  assert.match(
    refusal("myOwn"),
    /to match a message that the protocol does not define, use "\*", such as "myOwn\*"$/,
  );
  assert.match(refusal("!"), /it is empty/);
  assert.equal(refusal("myOwn*"), "accepted");
});

test("equal findings are shown three times and then only counted", () => {
  const lines: string[] = [];
  const view = new LiveView(protocol, (line) => lines.push(line), { colours: false });
  const sessions = new ShownSessions(protocol, { watchers: [view], judges: {} });
  for (let count = 0; count < 10; count++) sessions.observe(stopped);
  sessions.end();
  assert.deepEqual(
    lines.filter((line) => line.includes("number.order")).map((line) => line.trim()),
    [
      ...Array.from({ length: 3 }, () => "warning number.order event stopped /seq: 4 is repeated"),
      "warning number.order event stopped: 6 more similar findings",
    ],
  );
});

test("the view shows the reason for a failure defined by the protocol", async () => {
  const acp = await readProtocol("acp");
  const lines: string[] = [];
  const view = new LiveView(acp, (line) => lines.push(line), { colours: false });
  const failed = (error: unknown): Observed => sent("agent", { jsonrpc: "2.0", id: 1, error });
  view.observe(failed({ code: -32601, message: "no such file" }), undefined);
  view.observe(failed({ code: -32601, message: "" }), undefined);
  assert.deepEqual(lines, [
    '   0.000s ← response 1 nothing  failed: "no such file" to an unknown request  100 B',
    "   0.000s ← response 1 nothing  failed to an unknown request  100 B",
  ]);
});

test("each session has its own judge, which also judges its end", () => {
  const lines: string[] = [];
  const view = new LiveView(protocol, (line) => lines.push(line), { colours: false });
  const sessions = new ShownSessions(protocol, { watchers: [view], judges: {} });
  for (const session of [1, 2]) sessions.observe(evaluate, session);
  sessions.observe(result, 1);
  sessions.observe({ kind: "end", from: "client", time: 4, how: "closed" }, 1);
  sessions.observe(ended, 1);
  sessions.end();
  const early = "warning opening.early request 1 evaluate: The message is sent before the response";
  assert.deepEqual(
    lines.map((line) => line.replace(/ to "initialize"$/, "").replace(/ {2,}/g, " ")),
    [
      "#1 0.000s → request 1 evaluate repl, größe 100 B",
      `#1 ${early}`,
      "#2 0.000s → request 1 evaluate repl, größe 100 B",
      `#2 ${early}`,
      "#1 0.003s ← response 1 evaluate ok after 3.0 ms 変数の値は四です 100 B",
      "#1 0.004s → the client closed",
      "#1 0.005s ← the adapter exited with 0",
      '#1 error opening.missing request 1 evaluate: The session begins without "initialize"',
      '#2 error opening.missing request 1 evaluate: The session begins without "initialize"',
      "#2 warning request.unanswered request 1 evaluate: The request was never answered",
    ],
  );
});
