import assert from "node:assert/strict";
import { test } from "node:test";
import { verdicts, type ReadOutcome, type Verdict } from "../../diff/compare/outcomes.js";
import { rules } from "../../diff/compare/rules.js";
import { diffSeverities, type DiffSeverity } from "../../diff/finding.js";
import { StructureMatcher } from "../../diff/compare/structure.js";
import {
  isAtLeast,
  isProvable,
  severityOf,
  verdictOf,
  worstSeverity,
  worstVerdict,
} from "../../diff/verdicts.js";
import type { Type } from "../../generator/model/types.js";
import {
  any,
  chars,
  closedEnum,
  flag,
  integers,
  list,
  literal,
  map,
  number,
  object,
  openEnum,
  ref,
  sideWith,
  text,
  union,
} from "../support/model-types.js";

const policies = ["strict", "schema", "tolerant"] as const;

/**
 * For each outcome, the verdict under each policy, and whether a message can show it under that
 * policy (`yes` or `no`).
 */
const outcomes: Readonly<Record<ReadOutcome, readonly [verdicts: string, provable: string]>> = {
  ok: ["ok ok ok", "no no no"],
  strict: ["rejected ok ok", "yes no no"],
  lost: ["rejected lost lost", "yes no no"],
  degraded: ["rejected rejected degraded", "yes yes yes"],
  typed: ["rejected rejected degraded", "yes yes yes"],
  ranged: ["rejected rejected ok", "yes yes yes"],
  undetermined: ["unknown unknown ok", "no no no"],
  different: ["different different different", "no no no"],
  broken: ["rejected rejected rejected", "yes yes yes"],
};

test("the verdict on an outcome depends on the reader", () => {
  const [property, gate] = [rules.get("prop.added-optional")!, rules.get("gate.added")!];
  for (const [outcome, [expected, provable]] of Object.entries(outcomes) as [
    ReadOutcome,
    [string, string],
  ][]) {
    assert.equal(policies.map((policy) => verdictOf(outcome, policy)).join(" "), expected, outcome);
    const shown = policies.map((policy) => (isProvable(property, outcome, policy) ? "yes" : "no"));
    assert.equal(shown.join(" "), provable, outcome);
    // A message cannot show that a required capability has changed, because schemas do not describe
    // capabilities.
    assert.ok(policies.every((policy) => !isProvable(gate, outcome, policy)));
  }
});

test("the worst of several verdicts or severities wins", () => {
  assert.equal(worstVerdict([]), "ok");
  assert.equal(worstSeverity([]), "doc");
  verdicts.forEach((verdict, at) => {
    assert.equal(worstVerdict([...verdicts.slice(at)].reverse()), verdict);
  });
  diffSeverities.forEach((level, at) => {
    assert.equal(worstSeverity([...diffSeverities.slice(at)].reverse()), level);
    diffSeverities.forEach((limit, place) => assert.equal(isAtLeast(level, limit), at <= place));
  });
});

test("a change is as severe as its worst verdict, and at least risky if code no longer compiles", () => {
  const rule = rules.get("prop.added-optional")!;
  const [compiles, fails] = [true, false].map((each) => ({ compiles: each, exhaustive: false }));
  const byVerdict: Readonly<
    Record<Verdict, readonly [wire: DiffSeverity, withCode: DiffSeverity]>
  > = {
    rejected: ["breaking", "breaking"],
    degraded: ["risky", "risky"],
    different: ["risky", "risky"],
    lost: ["lossy", "risky"],
    unknown: ["risky", "risky"],
    ok: ["safe", "risky"],
  };
  for (const [verdict, expected] of Object.entries(byVerdict) as [
    Verdict,
    [DiffSeverity, DiffSeverity],
  ][])
    assert.deepEqual(
      [
        severityOf(rule, ["ok", verdict], [compiles!, compiles!]),
        severityOf(rule, ["ok", verdict], [compiles!, fails!]),
      ],
      expected,
      verdict,
    );
  for (const id of ["doc.normative", "deprecated.added"])
    assert.equal(severityOf(rules.get(id)!, ["rejected"], [fails!]), "doc");
});

test("types are equal if they have the same structure, however their definitions are named", () => {
  const uri: Type = { kind: "string", format: "uri" };
  const definitions = {
    Text: text,
    Tree: object({ value: text, "next?": ref("Tree") }),
    Same: object({ "next?": ref("Same"), value: text }),
    Other: object({ value: number, "next?": ref("Other") }),
    Base: object({ a: text }),
    Derived: object({ b: text }, { bases: ["Base"] }),
  };
  const alike: readonly (readonly [Type, Type])[] = [
    [any, any],
    [text, text],
    [ref("Text"), text],
    [ref("Tree"), ref("Same")],
    [ref("Derived"), object({ b: text, a: text })],
    [union(text, number), union(number, text)],
    [union(text, text), union(text, text)],
    [closedEnum("a", "b"), closedEnum("b", "a")],
    [list(text, 1, 2), list(text, 1, 2)],
    [map(text), map(text)],
    [
      { kind: "integer", minimum: 0, maximum: 9 },
      { maximum: 9, minimum: 0, kind: "integer" },
    ],
    [object({ a: text, "b?": number }), object({ "b?": number, a: text })],
  ];
  const different: readonly (readonly [Type, Type])[] = [
    [any, text],
    [text, number],
    [text, uri],
    [ref("Text"), number],
    [ref("Tree"), ref("Other")],
    [ref("Derived"), object({ b: text })],
    [ref("Base"), ref("Derived")],
    [union(text, number), union(text, flag)],
    [union(text, number), union(text)],
    [union(text), union(text, number)],
    [union(text, text), union(text, number)],
    [union(text, number), union(text, text)],
    [closedEnum("a"), openEnum("a")],
    [closedEnum("a"), closedEnum("b")],
    [closedEnum("a"), closedEnum("a", "b")],
    [closedEnum("a", "b"), closedEnum("a")],
    [literal("a"), literal("b")],
    [literal(1), literal("1")],
    [literal("a"), closedEnum("a")],
    [list(text, 1), list(text)],
    [list(text, 0, 1), list(text, 0, 2)],
    [list(text), list(number)],
    [list(text), map(text)],
    [map(text), map(number)],
    [map(text), object({})],
    [chars(1), chars(2)],
    [integers(0, 9), integers(0)],
    [object({ a: text }), object({ "a?": text })],
    [object({ a: text }), object({ b: text })],
    [object({ a: text }), object({ a: number })],
    [object({ a: text }), object({ a: text, "b?": text })],
    [object({ a: text, "b?": text }), object({ a: text })],
    [object({ a: text }), object({ a: text }, { closed: true })],
  ];
  const [before, after] = [sideWith(definitions), sideWith(definitions)];
  const told = (pair: object): string => JSON.stringify(pair);
  for (const pair of alike)
    assert.equal(new StructureMatcher(before, after).isSame(...pair), true, told(pair));
  for (const pair of different)
    assert.equal(new StructureMatcher(before, after).isSame(...pair), false, told(pair));
  // All comparisons share one matcher, because it must not reuse a preliminary result for a cycle.
  const matcher = new StructureMatcher(before, after);
  const all = [...different, ...alike, ...different];
  assert.deepEqual(
    all.map((pair) => matcher.isSame(...pair)),
    all.map((_, at) => at >= different.length && at < different.length + alike.length),
  );
});

test("a difference after a cycle is found", () => {
  const cycle = (end: Type): Readonly<Record<string, Type>> => ({
    One: object({ two: ref("Two"), end }),
    Two: object({ one: ref("One") }),
  });
  const matcher = new StructureMatcher(sideWith(cycle(text)), sideWith(cycle(number)));
  assert.equal(matcher.isSame(ref("One"), ref("One")), false);
  assert.equal(matcher.isSame(ref("Two"), ref("Two")), false);
});
