import assert from "node:assert/strict";
import { test } from "node:test";
import { lintRules, openProtocol, type OpenProtocol } from "../../../cli/index.js";
import { examplesIn, readExamplePage } from "../../../sessions/judge/rule-examples.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { shorthandsOf, writtenMessages } from "../../support/written-messages.js";
import { findingsOf } from "../../support/judged-entries.js";

function judge(protocol: OpenProtocol, entries: readonly RecordedEntry[]): readonly string[] {
  return findingsOf(protocol, entries, { isFromStart: true }).map(({ rule }) => rule);
}

for (const name of ["sqltools", "ruby-debug-ide", "acp-breakpoints"]) {
  const protocol = await openProtocol(name);
  const page = readExamplePage(name)!;
  const shorthands = shorthandsOf(page);
  const cases = examplesIn(page);

  for (const [index, { rule, broken, kept }] of cases.entries())
    test(`one ${name} session violates ${rule}, and another does not (${index})`, () => {
      assert.deepEqual(judge(protocol, writtenMessages(broken, protocol, shorthands)), [rule]);
      assert.deepEqual(judge(protocol, writtenMessages(kept, protocol, shorthands)), []);
    });

  test(`every rule for ${name} has example sessions and names existing messages`, () => {
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
