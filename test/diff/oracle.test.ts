import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../support/random.js";
import { createReader } from "../support/schema-pairs/ajv-readers.js";
import { openLists } from "../support/schema-pairs/flat-shapes.js";
import { judgeChain } from "../support/schema-pairs/judge-chain.js";
import { readTolerantly } from "../support/schema-pairs/expected-readers.js";
import type { ObjectShape, Shape, Version } from "../support/schema-pairs/shapes.js";
import { diffProtocols, type ProtocolDiff } from "../../cli/index.js";
import type { Finding } from "../../diff/finding.js";
import { readSchema } from "../support/compared-versions.js";
import type { Schema } from "../support/elementary-changes.js";
import { isLong } from "../support/long-tests.js";

/**
 * The number of versions in a chain. Each version is compared with the previous one and with an
 * equivalent form of itself.
 */
const length = 20;
const pairs = isLong ? 100_000 : 300;

const read = (schema: object): ReturnType<typeof readSchema> => readSchema(schema as Schema);

test(`the verdicts on ${pairs} random pairs match the effects on sample messages`, async () => {
  let judged = 0;
  for (let seed = 1; judged < pairs; seed++) {
    const chain = judgeChain(new Random(seed), length, {
      read,
      diff: (before, after, reader) => diffProtocols(before, after, { reader }),
    });
    for await (const { before, after, contradictions } of chain) {
      assert.deepEqual(
        contradictions,
        [],
        `seed ${seed}: ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
      );
      judged++;
    }
  }
});

/**
 * Ways in which a comparison can be wrong: its verdict is too severe or too mild, or it drops a
 * finding.
 */
const faults: Readonly<Record<string, (finding: Finding) => readonly Finding[]>> = {
  "drops findings about rejected values": (finding) =>
    Object.values(finding.wire).includes("rejected") ? [] : [finding],
  "reports lost values as harmless": (finding) => [withVerdicts(finding, "lost", "ok")],
  "reports degraded values as rejected": (finding) => [
    withVerdicts(finding, "degraded", "rejected"),
  ],
  "reports harmless values as lost": (finding) => [withVerdicts(finding, "ok", "lost")],
};

for (const [fault, change] of Object.entries(faults))
  test(`sample messages reveal a comparison that ${fault}`, async () => {
    const wrong = (diff: ProtocolDiff): ProtocolDiff => ({
      ...diff,
      findings: diff.findings.flatMap(change),
    });
    let contradicted = 0;
    for (let seed = 1; seed < 8; seed++) {
      const chain = judgeChain(new Random(seed), length, {
        read,
        diff: (before, after, reader) => wrong(diffProtocols(before, after, { reader })),
      });
      for await (const { contradictions } of chain) contradicted += contradictions.length;
    }
    assert.ok(contradicted > 0);
  });

function withVerdicts(finding: Finding, from: string, to: "ok" | "lost" | "rejected"): Finding {
  const wire = Object.entries(finding.wire).map(([pair, verdict]) => [
    pair,
    verdict === from ? to : verdict,
  ]);
  return { ...finding, wire: Object.fromEntries(wire) as Finding["wire"] };
}

test("verdicts for a tolerant reader follow its rules", () => {
  const object = (fields: Readonly<Record<string, Shape>>, closed = false): ObjectShape => ({
    kind: "object",
    closed,
    fields: Object.entries(fields).map(([name, shape]) => ({
      name: name.replace("?", ""),
      required: !name.endsWith("?"),
      shape,
    })),
  });
  const value = (text: string): Shape => ({ kind: "values", open: false, values: [text] });
  const version: Version = new Map();
  const either: Shape = {
    kind: "union",
    members: [
      object({ kind: value("a"), x: { kind: "text" } }),
      object({ kind: value("b"), y: { kind: "text" } }),
    ],
  };
  const rows: readonly (readonly [Shape, unknown, string])[] = [
    [{ kind: "text", least: 3 }, "", "ok"],
    [{ kind: "integer" }, 0.5, "degraded"],
    [value("a"), "b", "degraded"],
    [value("a"), 1, "rejected"],
    [object({ x: { kind: "text" } }), {}, "rejected"],
    [object({ x: { kind: "text" } }), { x: "", z: 0 }, "lost"],
    [object({ x: { kind: "text" } }, true), { x: "", z: 0 }, "degraded"],
    [either, { kind: "a", x: "" }, "ok"],
    [either, { kind: "a", y: "" }, "rejected"],
    [either, { kind: "c" }, "degraded"],
  ];
  for (const [shape, payload, verdict] of rows)
    assert.equal(
      readTolerantly(version, shape, payload),
      verdict,
      JSON.stringify([shape, payload]),
    );
});

test("an additional field may be accepted or rejected in a dictionary", () => {
  const map: Shape = { kind: "map", values: { kind: "text" } };
  assert.equal(readTolerantly(new Map(), map, { a: "", other: true }), "ok");
  assert.equal(readTolerantly(new Map(), map, { a: "", other: true }, false), "rejected");
});

test("an open enum spread over several parts equals an open enum with the same values in one part", () => {
  const values = (open: boolean, ...listed: readonly string[]): Shape => ({
    kind: "values",
    open,
    values: listed,
  });
  const version = (...members: readonly Shape[]): Version =>
    new Map([["Payload", { kind: "union", members }]]);
  const apart = version(values(true, "a"), values(false, "b"));
  const together = version(values(true, "b", "a"));
  const other = version(values(true, "a"));
  assert.equal(createReader(apart, "lenient", openLists(together))("x"), true);
  assert.equal(createReader(together, "lenient", openLists(apart))("x"), true);
  assert.equal(createReader(apart, "lenient", openLists(other))("x"), false);
});
