import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lintRules, openProtocol, readProtocol } from "../../../generator/index.js";
import { readSessionRules } from "../../../generator/lint/session-rules.js";
import { type LintOptions } from "../../../generator/lint/lint-options.js";
import type { LintFinding } from "../../../generator/lint/rules.js";
import type { RecordedEntry } from "../../../generator/session/recording.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { toldSession } from "../../support/told-sessions.js";
import { findingsOf } from "../../support/findings.js";

const dap = await readProtocol("dap");
const rules = (await readSessionRules("dap"))!;

function judge(entries: readonly RecordedEntry[]): readonly LintFinding[] {
  return findingsOf(dap, entries, { rules }, false);
}

interface Case {
  readonly rule: string;
  /** Found before it, and part of the same fault. */
  readonly before: readonly string[];
  readonly broken: string;
  readonly kept: string;
}

const page = readFileSync(fromRoot("test/cases/session-rules.md"), "utf8");
const cases: readonly Case[] = [
  ...page.matchAll(
    /^### `([^`]+)`(?: after `([^`]+)`)?\n\nBroken:\n\n```\n([^`]+)```\n\nKept:\n\n```\n([^`]+)```$/gm,
  ),
].map(([, rule, before, broken, kept]) => ({
  rule: rule!,
  before: before === undefined ? [] : [before],
  broken: broken!,
  kept: kept!,
}));

for (const [index, { rule, before, broken, kept }] of cases.entries())
  test(`a session breaks ${rule}, and one keeps it (${index})`, () => {
    assert.deepEqual(
      judge(toldSession(broken)).map((each) => each.rule),
      [...before, rule],
    );
    assert.deepEqual(judge(toldSession(kept)), []);
  });

test("every rule has its sessions", () => {
  const shown = (list: readonly string[]): readonly string[] => [...list].sort();
  const own = cases.map((each) => each.rule).filter((id) => !lintRules.has(id));
  assert.deepEqual(shown(own), shown(rules.rules.map(({ id }) => id)));
});

test("LintSession applies the rules of a protocol that openProtocol has opened, and refuses half of its job", async () => {
  const opened = await openProtocol("dap");
  const said = (from: string, seq: number, type: string, fields: object): RecordedEntry => ({
    from,
    message: { seq, type, ...fields },
  });
  const entries = [
    said("client", 1, "request", { command: "initialize", arguments: { adapterID: "a" } }),
    said("adapter", 1, "response", { request_seq: 1, success: true, command: "initialize" }),
    said("adapter", 2, "event", { event: "initialized" }),
    said("adapter", 3, "event", { event: "initialized" }),
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
      'LintSession: the rules about sessions are missing: open the protocol with openProtocol("dap"), or set the option "rules" to "none"',
  });
  assert.throws(() => found(opened, { profil: "wire" } as object), {
    message: 'LintSession: there is no option "profil". Did you mean "profile"?',
  });
});
