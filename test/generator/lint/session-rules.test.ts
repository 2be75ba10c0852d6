import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lintRules, readProtocol } from "../../../generator/index.js";
import { readSessionRules } from "../../../generator/lint/session-rules.js";
import { LintSession } from "../../../generator/lint/lint-session.js";
import type { LintFinding } from "../../../generator/lint/rules.js";
import type { RecordedEntry } from "../../../generator/session/recording.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { toldSession } from "../../support/told-sessions.js";

const dap = await readProtocol("dap");
const rules = (await readSessionRules("dap"))!;

function judge(entries: readonly RecordedEntry[]): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const session = new LintSession(dap, { rules, onFinding: (each) => findings.push(each) });
  for (const entry of entries) session.push(entry);
  session.end();
  return findings;
}

interface Case {
  readonly rule: string;
  readonly broken: string;
  readonly kept: string;
}

const page = readFileSync(fromRoot("test/cases/session-rules.md"), "utf8");
const cases: readonly Case[] = [
  ...page.matchAll(/^### `(.+)`\n\nBroken:\n\n```\n([^`]+)```\n\nKept:\n\n```\n([^`]+)```$/gm),
].map(([, rule, broken, kept]) => ({ rule: rule!, broken: broken!, kept: kept! }));

for (const [index, { rule, broken, kept }] of cases.entries())
  test(`a session breaks ${rule}, and one keeps it (${index})`, () => {
    assert.deepEqual(
      judge(toldSession(broken)).map((each) => each.rule),
      [rule],
    );
    assert.deepEqual(judge(toldSession(kept)), []);
  });

test("every rule has its sessions", () => {
  const shown = (list: readonly string[]): readonly string[] => [...list].sort();
  const own = cases.map((each) => each.rule).filter((id) => !lintRules.has(id));
  assert.deepEqual(shown(own), shown(rules.rules.map(({ id }) => id)));
});
