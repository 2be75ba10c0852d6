import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createPlainResponseValidator,
  createPlainValidator,
  createValidator,
} from "../../../runtime/index.js";
import type { ValidateOptions } from "../../../runtime/validation/findings.js";
import type { ObjectRule, Rule } from "../../../runtime/validation/rule.js";
import * as acp from "../../../generated/acp-breakpoints/rules.js";
import * as dap from "../../../generated/dap/rules.js";
import * as ruby from "../../../generated/ruby-debug-ide/rules.js";
import * as sqltools from "../../../generated/sqltools/rules.js";

/** Creates a value for a plain rule, or returns undefined if the rule is not plain. */
function sampleOf(rule: Rule): unknown {
  if (typeof rule === "function") return sampleOf(rule());
  if (typeof rule === "string")
    return { any: 1, null: null, boolean: true, string: "text", number: 1.5, integer: 7 }[rule];
  if ("rule" in rule) return sampleOf(rule.rule);
  if ("late" in rule) return late;
  if ("list" in rule) return listOf(sampleOf(rule.list), rule.size?.[0] ?? 2);
  if ("map" in rule) {
    const item = sampleOf(rule.map);
    return item === undefined ? undefined : { one: item, "t/w~o": item };
  }
  if ("value" in rule) return rule.value;
  if ("oneOf" in rule) return rule.oneOf[0];
  if ("string" in rule) return "x".repeat(Math.max(1, rule.string[0]));
  if ("integer" in rule) return Math.max(1, rule.integer[0]);
  if ("number" in rule) return Math.max(1, rule.number[0]);
  if ("anyOf" in rule)
    return rule.anyOf.every((each) => typeof each === "string") && rule.anyOf.length > 0
      ? sampleOf(rule.anyOf[0]!)
      : undefined;
  if ("failure" in rule)
    return sampleOf(rule.failure.rule) === undefined ? undefined : sampleOf(rule.success);
  if ("by" in rule || "arms" in rule) return undefined;
  const sample: Record<string, unknown> = {};
  for (const base of rule.bases ?? []) {
    const inherited = sampleOf(base);
    if (inherited === undefined) return undefined;
    Object.assign(sample, inherited);
  }
  for (const [name, each] of Object.entries({ ...rule.optional, ...rule.required })) {
    const field = sampleOf(each);
    if (field === undefined) return undefined;
    if (field === late || (Array.isArray(field) && field[0] === late)) continue;
    Object.defineProperty(sample, name, { ...open, value: field });
  }
  return sample;
}

/** A placeholder for a value of an enclosing definition. */
const late = {};

const open = { enumerable: true, writable: true, configurable: true };

function listOf(item: unknown, length: number): unknown {
  return item === undefined ? undefined : Array.from({ length }, () => item);
}

const unreadable: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get: () => {
    throw new Error("unreadable");
  },
};

const wrong = [
  undefined,
  null,
  0,
  -1,
  1.5,
  2 ** 40,
  2 ** 60,
  NaN,
  "",
  "12",
  "no such",
  true,
  false,
  [],
  {},
];

/**
 * Yields copies of a value. In each, one part at any depth is wrong or one field has been added.
 */
function* mutants(value: unknown): Generator<unknown> {
  yield value;
  for (const each of wrong) yield each;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of partsOf(value))
    for (const each of mutants(part)) yield withField(value, key, { ...open, value: each });
  if (Array.isArray(value)) return;
  for (const [key] of partsOf(value)) {
    const rest = withField(value, key, open);
    delete (rest as Record<string, unknown>)[key];
    yield rest;
    yield withField(value, key, unreadable);
  }
  yield withField(value, "a/dded", { ...open, value: 1 });
  yield withField(value, "added", unreadable);
}

/** Lists the properties and items that can be read without calling a getter. */
function partsOf(value: object): readonly [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([key, { get }]) => get === undefined && key !== "length")
    .map(([key, { value: part }]) => [key, part]);
}

function withField(value: object, key: string, field: PropertyDescriptor): object {
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : Object.create(null);
  if (!Array.isArray(value)) Object.defineProperties(copy, Object.getOwnPropertyDescriptors(value));
  return Object.defineProperty(copy, key, field);
}

const optionsTried: readonly (ValidateOptions | undefined)[] = [
  undefined,
  { profile: "wire" },
  { profile: "wire", maxIssues: 1 },
  { maxIssues: 2 },
  { tolerate: ["null", "integer-range"] },
  { tolerate: ["unknown-field"] },
];

/** Compares both validators on values. Returns the number of refused values. */
function compare(rule: Rule, values: Iterable<unknown>, label: string): number {
  const built = typeof rule === "function" ? rule() : rule;
  const plain =
    typeof built === "object" && "failure" in built
      ? createPlainResponseValidator(() => built)
      : createPlainValidator(rule);
  const full = createValidator(rule);
  let refused = 0;
  for (const value of values)
    for (const options of optionsTried) {
      const result = plain(value, options);
      assert.deepEqual(result, full(value, options), label);
      if (!result.ok) refused++;
    }
  return refused;
}

/** Yields every `step`-th value, starting with the first. */
function* some(values: Iterable<unknown>, step: number): Generator<unknown> {
  let turn = 0;
  for (const each of values) if (turn++ % step === 0) yield each;
}

/** Yields copies with two faults. */
function* pairs(value: unknown): Generator<unknown> {
  for (const first of some(mutants(value), 7)) yield* some(mutants(first), 11);
}

for (const [name, rules] of Object.entries({ dap, sqltools, ruby, acp }))
  test(`small and full validators return the same results for ${name}`, () => {
    let refused = 0;
    for (const [definition, rule] of Object.entries(rules) as [string, Rule][]) {
      const sample = sampleOf(rule);
      if (sample === undefined) continue;
      refused += compare(rule, some(mutants(sample), 6), definition);
    }
    assert.ok(refused > 500, String(refused));
  });

test("small and full validators return the same results for two faults", () => {
  for (const rule of [dap.ruleOfStoppedEvent, dap.ruleOfInitializeRequest, dap.ruleOfExitedEvent])
    assert.ok(compare(rule, pairs(sampleOf(rule)), rule.name) > 50, rule.name);
});

test("small and full validators return the same results for recursive definitions", () => {
  const nested = (levels: number, inner: object): object =>
    levels === 0 ? inner : { name: "a", sources: [nested(levels - 1, inner)], origin: "b" };
  const cyclic: Record<string, unknown> = { name: "a" };
  cyclic["sources"] = [{ name: 1 }, cyclic];
  const values = [1, 511, 512, 513].flatMap((levels) =>
    [{}, { name: 1 }, { added: 1 }, { sources: [null, 1, {}] }, { sources: 1 }].map((inner) =>
      nested(levels, inner),
    ),
  );
  const sources = [...values, cyclic, { sources: null }, { sources: [{ sources: [{ path: 1 }] }] }];
  assert.ok(compare(dap.ruleOfSource, sources, "Source") > 50);
  const breakpoints = sources.map((source) => ({ verified: true, source }));
  assert.ok(compare(dap.ruleOfBreakpoint, breakpoints, "Breakpoint") > 50);
});

const envelope: ObjectRule = {
  required: { id: { part: "id", rule: { integer: [1, 9] } }, toString: "string" as Rule },
  message: true,
};

const cases: Readonly<Record<string, Rule>> = {
  "bounds of strings": { string: [2, 3] },
  "bounds of numbers": { number: [-1, 1] },
  "sizes of lists": { list: { oneOf: ["a", 1] }, size: [1, 2] },
  "primitive types": {
    required: { a: { anyOf: ["integer", "string"] }, b: { anyOf: ["boolean", "null", "null"] } },
    optional: { c: { map: { anyOf: ["string", "null"] } }, d: { list: { anyOf: ["number"] } } },
  },
  maps: { map: { value: 3 } },
  "a closed object": { required: { a: "null" }, optional: { b: "any" }, extras: "closed" },
  "a free object": { required: { a: "any" }, extras: "free" },
  "an empty object": {},
  "an empty closed object": { extras: "closed" },
  "an envelope": {
    bases: [envelope, { optional: { late: "string", id: "any" } }],
    required: {
      "reply to": { part: "replyTo", rule: "integer" },
      result: { part: "result", rule: { list: envelope } },
      known: { implied: true, rule: "boolean" },
    },
    optional: { toString: "string" as Rule, own: () => envelope },
  },
};

for (const [label, rule] of Object.entries(cases))
  test(`small and full validators return the same results: ${label}`, () => {
    const sample = sampleOf(rule);
    compare(rule, [...mutants(sample), ...pairs(sample)], label);
    if (typeof sample === "string")
      compare(rule, ["", "a", "ab", "abc", "abcd", "\u{1f600}", "\u{1f600}\u{1f600}"], label);
  });
