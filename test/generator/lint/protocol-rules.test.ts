import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lintRules, openProtocol, type OpenProtocol } from "../../../generator/index.js";
import type { RecordedEntry } from "../../../generator/session/recording.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { shorthandsOf, toldMessages } from "../../support/told-messages.js";
import { findingsOf } from "../../support/findings.js";

function judge(protocol: OpenProtocol, entries: readonly RecordedEntry[]): readonly string[] {
  return findingsOf(protocol, entries, { isFromStart: true }).map(({ rule }) => rule);
}

for (const name of ["sqltools", "ruby-debug-ide", "acp-breakpoints"]) {
  const protocol = await openProtocol(name);
  const page = readFileSync(fromRoot(`test/cases/session-rules/${name}.md`), "utf8");
  const shorthands = shorthandsOf(page);
  const cases = [
    ...page.matchAll(/^### `(.+)`\n\nBroken:\n\n```\n([^`]+)```\n\nKept:\n\n```\n([^`]+)```$/gm),
  ].map(([, rule, broken, kept]) => ({ rule: rule!, broken: broken!, kept: kept! }));

  for (const [index, { rule, broken, kept }] of cases.entries())
    test(`${name}: a session breaks ${rule}, and one keeps it (${index})`, () => {
      assert.deepEqual(judge(protocol, toldMessages(broken, protocol, shorthands)), [rule]);
      assert.deepEqual(judge(protocol, toldMessages(kept, protocol, shorthands)), []);
    });

  test(`${name}: every rule has its sessions, and names messages that exist`, () => {
    const rules = protocol.sessionRules!.rules;
    const own = new Set(cases.map(({ rule }) => rule).filter((id) => !lintRules.has(id)));
    assert.deepEqual([...own].sort(), [...new Set(rules.map(({ id }) => id))].sort());
    const names = new Set(protocol.messages.map((message) => message.name));
    const named = [
      ...JSON.stringify(protocol.sessionRules).matchAll(
        /"(?:request|event|response|success|failure) ([^"*]+)"/g,
      ),
    ].map(([, each]) => each!);
    assert.deepEqual(
      named.filter((each) => !names.has(each)),
      [],
    );
  });
}
