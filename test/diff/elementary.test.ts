import assert from "node:assert/strict";
import { test } from "node:test";
import { rules } from "../../diff/compare/rules.js";
import { diffProtocols } from "../../diff/diff-protocols.js";
import type { Finding } from "../../diff/finding.js";
import { verdictOf } from "../../diff/verdicts.js";
import { elementaryChanges } from "../support/elementary-changes.js";
import { cases, caseName, pairs, way, rejects, validator } from "../support/elementary-payloads.js";

test("each elementary change causes a single finding, from its own rule", () => {
  for (const each of cases) {
    const { findings } = diffProtocols(each.before, each.after);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      each.change.ids,
      caseName(each),
    );
    assert.deepEqual(findings[0]!.receivers, [each.reader], caseName(each));
  }
});

test("there is an elementary change for every rule that a single payload can demonstrate, or for its mirror", () => {
  const shown = new Set(elementaryChanges.flatMap(({ ids }) => ids));
  const others = [...rules.values()].filter(
    ({ id, mirror, area }) =>
      !shown.has(id) &&
      !shown.has(mirror) &&
      !/^(message|wire|gate|capability|definition|code)$/.test(area),
  );
  assert.deepEqual(
    others.map(({ id }) => id),
    [
      "prop.required-name-added",
      "prop.required-name-removed",
      // Each version requires something else, which is both of the changes before.
      "prop.choice-changed",
      // Only code distinguishes these types.
      "type.respelled",
      // Every value is valid in both versions.
      "enum.meanings-swapped",
      "union.untagged-added",
      "union.untagged-removed",
      // No example value can show these changes, because it would be valid in both versions.
      "union.overlap-added",
      "union.overlap-removed",
      // Draft 4 cannot constrain property names.
      "keys.widened",
      "keys.narrowed",
      "keys.changed",
      "constraint.changed",
      // diff cannot determine the effect of a pattern, so its verdict differs from ajv's.
      "constraint.pattern-added",
      "constraint.pattern-removed",
      "constraint.pattern-changed",
      "constraint.format-changed",
      "condition.added",
      "condition.removed",
      "condition.changed",
      "default.added",
      "default.changed-unused",
      "default.removed",
      "doc.normative",
    ],
  );
});

test("verdicts on messages match the table, and ajv agrees with them", () => {
  for (const each of cases) {
    const { change, reader } = each;
    for (const policy of ["strict", "schema", "tolerant"] as const) {
      const [finding] = diffProtocols(each.before, each.after, { reader: policy }).findings;
      for (const pair of pairs) {
        const direction = way(reader, pair);
        const verdict = (finding as Finding).wire[pair];
        assert.equal(
          verdict,
          verdictOf(change[direction], policy),
          `${caseName(each)}: ${pair} ${policy}`,
        );
        if (policy === "tolerant") continue;
        const [writes, reads] =
          direction === "oldToNew" ? [change.before, change.after] : [change.after, change.before];
        assert.equal(
          rejects(writes, reads, policy, change.extras === true),
          verdict === "rejected",
          `${caseName(each)}: ajv on ${pair} ${policy}`,
        );
      }
    }
  }
});

test("every rejection comes with an example message, and ajv rejects that message", () => {
  for (const policy of ["schema", "strict"] as const) {
    let shown = 0;
    for (const each of cases) {
      const { change, reader } = each;
      const [finding] = diffProtocols(each.before, each.after, { reader: policy }).findings;
      for (const pair of pairs) {
        const witness = finding!.witnesses.find((candidate) => candidate.pair === pair);
        const what = `${caseName(each)}: ${pair} ${policy}`;
        assert.equal(witness !== undefined, finding!.wire[pair] === "rejected", what);
        if (witness === undefined) continue;
        const direction = way(reader, pair);
        const field = reader === "adapter" ? "arguments" : "body";
        const value = (witness.message as Readonly<Record<string, unknown>>)[field];
        const [writes, reads] =
          direction === "oldToNew" ? [change.before, change.after] : [change.after, change.before];
        const extras = change.extras === true;
        assert.ok(validator(writes, "writer", extras)(value), `${what}: may be sent`);
        assert.ok(!validator(reads, policy, extras)(value), `${what}: is rejected`);
        shown++;
      }
    }
    assert.ok(shown > 0, policy);
  }
});
