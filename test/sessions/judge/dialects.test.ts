import assert from "node:assert/strict";
import { test } from "node:test";
import { fromRoot } from "../../support/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";

const connect = { ownerUri: "file:///a.sql", connection: { options: { server: "s" } } };
const session: readonly object[] = [
  { seq: 1, type: "request", command: "initialize", arguments: { capabilities: {} } },
  {
    type: "response",
    request_seq: 1,
    command: "initialize",
    success: true,
    body: { capabilities: {} },
  },
  { seq: 2, type: "request", command: "connection/connect", arguments: connect },
  { type: "response", request_seq: 2, command: "connection/connect", success: true, body: true },
  {
    type: "event",
    event: "connection/complete",
    body: { ownerUri: "file:///a.sql", connectionId: null },
  },
];

const lint = (messages: readonly object[], ...more: readonly string[]): Outcome =>
  runCommand(
    fromRoot("."),
    ["lint", "-", "--protocol", "sqltools", ...more],
    messages.map((each) => `${JSON.stringify(each)}\n`).join(""),
  );

test("a session that uses the older envelope is judged in its dialect", () => {
  const { status, stdout } = lint(session, "--dialect", "seq");
  assert.match(stdout, /5 messages {3}no findings/);
  assert.equal(status, 0);
  const wrong = [
    ...session,
    { seq: 3, type: "request", command: "connection/disconnect", arguments: { ownerUri: 5 } },
    { type: "response", request_seq: 9, command: "shutdown", success: true, body: null },
  ];
  const found = lint(wrong, "--dialect", "seq", "--format", "json");
  assert.equal(found.status, 1);
  const { findings, unjudged } = JSON.parse(found.stdout) as {
    findings: { rule: string; from: string }[];
    unjudged: { rule: string; gap: string }[];
  };
  assert.deepEqual(
    findings.map(({ rule, from }) => `${rule} ${from}`),
    ["schema.issue client", "connection.unknown client"],
  );
  // lint cannot tell who sent an unsolicited response.
  assert.ok(unjudged.some(({ rule, gap }) => rule === "response.unmatched" && gap === "sender"));
});

test("a finding about a message in a dialect names the dialect, and an unknown dialect is refused", () => {
  const { status, stdout } = lint(session);
  assert.equal(status, 1);
  assert.match(stdout, /The messages seem to be in the dialect "seq": use --dialect seq/);
  assert.deepEqual(lint(session, "--dialect", "sq"), {
    status: 2,
    stdout: "",
    stderr:
      'Cannot read the dialect "sq": the SQL Tools Service protocol has no such dialect [ERR_ARGUMENT]\n  Did you mean "seq"?\n',
  });
});
