import assert from "node:assert/strict";
import { test } from "node:test";
import { lintRules, openProtocol, readProtocol } from "../../../cli/index.js";
import {
  examplesIn,
  explainByExample,
  readExamplePage,
} from "../../../sessions/judge/rule-examples.js";
import { listRules, type LintFinding } from "../../../sessions/judge/rules.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import type { LintOptions } from "../../../sessions/judge/lint-options.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { writtenSession } from "../../support/written-messages.js";
import { findingsOf } from "../../support/judged-entries.js";

const dap = await readProtocol("dap");
const rules = (await readSessionRules("dap"))!;

function judge(entries: readonly RecordedEntry[]): readonly LintFinding[] {
  return findingsOf(dap, entries, { rules }, false);
}

const cases = examplesIn(readExamplePage("dap")!);

for (const [index, { rule, before, broken, kept }] of cases.entries())
  test(`one session violates ${rule}, and another does not (${index})`, () => {
    assert.deepEqual(
      judge(writtenSession(broken)).map((each) => each.rule),
      before === undefined ? [rule] : [before, rule],
    );
    assert.deepEqual(judge(writtenSession(kept)), []);
  });

test("for every rule, one session violates it and another does not", () => {
  const shown = (list: readonly string[]): readonly string[] => [...list].sort();
  const own = cases.map((each) => each.rule).filter((id) => !lintRules.has(id));
  assert.deepEqual(shown(own), shown(rules.rules.map(({ id }) => id)));
});

test("every rule is explained by an example, except those about times, noise and registrations", () => {
  const without = [...listRules(rules).keys()].filter(
    (rule) => explainByExample(rule, "dap").length === 0,
  );
  assert.deepEqual(without, [
    "stream.noise",
    "stream.fault",
    "response.late",
    // DAP does not announce versions.
    "opening.version",
    // DAP has no messages that can be registered.
    "request.registration",
  ]);
});

test("a rule's example explains its notation and, outside DAP, names its protocol", () => {
  assert.deepEqual(explainByExample("thread.exited-twice", "dap"), [
    "",
    "A session that breaks the rule:",
    "  run",
    '  ! thread {"reason":"exited","threadId":2}',
    '  ! thread {"reason":"exited","threadId":2}',
    "",
    "A session that follows the rule:",
    "  run",
    '  ! thread {"reason":"exited","threadId":2}',
    "",
    "Notation:",
    "  !    the adapter sends an event",
    "  run  the session is opened, and the program is launched and stops in thread 1",
  ]);
  assert.deepEqual(explainByExample("bytes.no-space", "lsp"), [
    "",
    "Bytes that break the rule:",
    '  Content-Length:7\\r\\n\\r\\n{"a":1}',
  ]);
  assert.equal(
    explainByExample("message.deprecated", "./own/protocol.json")[1],
    "A session of ruby-debug-ide that breaks the rule:",
  );
  assert.deepEqual(explainByExample("nothing", "dap"), []);
});

test("LintSession applies the rules of a protocol from openProtocol() and refuses incomplete input", async () => {
  const opened = await openProtocol("dap");
  const entry = (from: string, seq: number, type: string, fields: object): RecordedEntry => ({
    from,
    message: { seq, type, ...fields },
  });
  const entries = [
    entry("client", 1, "request", { command: "initialize", arguments: { adapterID: "a" } }),
    entry("adapter", 1, "response", { request_seq: 1, success: true, command: "initialize" }),
    entry("adapter", 2, "event", { event: "initialized" }),
    entry("adapter", 3, "event", { event: "initialized" }),
  ];
  const found = (protocol: typeof opened, more: Partial<LintOptions> = {}): readonly string[] =>
    findingsOf(protocol, entries, more).map(({ rule }) => rule);
  assert.ok(found(opened).length > 0);
  assert.ok(found(opened, { rules: "none" }).length < found(opened).length);
  assert.deepEqual(found(opened, { rules: opened.sessionRules }), found(opened));
  const { sessionRules: _, ...plain } = opened;
  assert.throws(() => found(plain as typeof opened), {
    name: "TypeError",
    message:
      'LintSession: session rules are missing. Open the protocol with openProtocol("dap"), or set the option "rules" to "none"',
  });
  assert.throws(() => found(opened, { profil: "wire" } as object), {
    message: 'LintSession: unknown option "profil". Did you mean "profile"?',
  });
});
