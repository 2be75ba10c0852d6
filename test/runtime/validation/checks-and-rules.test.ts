import assert from "node:assert/strict";
import { test } from "node:test";
import * as acp from "@wirewright/acp-breakpoints/validators";
import * as dap from "@wirewright/dap/validators";
import * as ruby from "@wirewright/ruby-debug-ide/validators";
import * as sqltools from "@wirewright/sqltools/validators";
import { createValidator, type Validator } from "@wirewright/runtime";
import type { ValidateOptions } from "../../../runtime/validation/findings.js";
import type { Rule } from "../../../runtime/validation/rule.js";

/** Creates a value for a rule, or returns undefined if the rule is too complex. */
function sampleOf(rule: Rule): unknown {
  if (typeof rule === "string")
    return { any: 1, null: null, boolean: true, string: "text", number: 1.5, integer: 7 }[rule];
  // A validator is a function that holds a rule.
  if ("rule" in rule) return sampleOf(rule.rule);
  if (typeof rule === "function") return sampleOf(rule());
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
    return rule.anyOf.map(sampleOf).find((each) => each !== undefined && each !== late);
  if ("failure" in rule) return sampleOf(rule.success);
  // The sample may violate the conditions; the check and the rule must agree on that as well.
  if ("by" in rule) return sampleOf(rule.of);
  if ("arms" in rule) return undefined;
  const sample: Record<string, unknown> = {};
  for (const base of rule.bases ?? []) {
    const inherited = sampleOf(base);
    if (inherited === undefined) return undefined;
    Object.assign(sample, inherited);
  }
  for (const [name, each] of Object.entries({ ...rule.optional, ...rule.required })) {
    const field = sampleOf(each);
    if (field === undefined && rule.required?.[name] === undefined) continue;
    if (field === undefined) return undefined;
    if (field === late || (Array.isArray(field) && field[0] === late)) continue;
    Object.defineProperty(sample, name, { ...open, value: field });
  }
  return sample;
}

/** Creates values for a rule: a response may be a success or a failure. */
function samplesOf(rule: Rule): readonly unknown[] {
  if (typeof rule === "object" && "failure" in rule)
    return [sampleOf(rule.success), sampleOf(rule.failure.rule)].filter(
      (each) => each !== undefined,
    );
  if (typeof rule !== "string" && "rule" in rule) return samplesOf(rule.rule);
  if (typeof rule === "function") return samplesOf(rule());
  const sample = sampleOf(rule);
  return sample === undefined ? [] : [sample];
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

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Compares a definition's check, its rule and its validator on values. Returns the number of refused
 * values.
 */
function compare(module: object, name: string, values: Iterable<unknown>): number {
  const validate = (module as Record<string, unknown>)[name] as Validator<unknown>;
  const isValid = (module as Checks)[name.replace("validate", "isValid")]!;
  const explain = createValidator(validate.rule);
  let refused = 0;
  for (const value of values) {
    assert.equal(accepts(isValid, value), explain(value).ok, name);
    for (const options of optionsTried) {
      const result = validate(value, options);
      assert.deepEqual(result, explain(value, options), name);
      if (!result.ok) refused++;
    }
  }
  return refused;
}

/** Returns a check's verdict on a value. A check throws only what the value's getters throw. */
function accepts(isValid: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return isValid(value);
  } catch (error) {
    assert.equal((error as Error).message, "unreadable");
    return false;
  }
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

for (const [protocol, module] of Object.entries({ dap, sqltools, ruby, acp }))
  test(`the check, the rule and the validator of each definition of ${protocol} agree`, () => {
    const skipped: string[] = [];
    let refused = 0;
    for (const [name, validate] of Object.entries(module)) {
      if (!/^validate\w/.test(name)) continue;
      const samples = samplesOf(validate as Validator<unknown>);
      if (samples.length === 0) skipped.push(name);
      for (const sample of samples) refused += compare(module, name, some(mutants(sample), 6));
    }
    assert.deepEqual(skipped, []);
    assert.ok(refused > 500, String(refused));
  });

for (const [protocol, module] of Object.entries({ dap, sqltools, ruby, acp }))
  test(`the check, the rule and the validator of messages of ${protocol} agree`, () => {
    let refused = 0;
    for (const [name, validate] of Object.entries(module)) {
      if (!/^validate\w+(Request|Response|Event|Notification)$/.test(name)) continue;
      for (const sample of samplesOf(validate as Validator<unknown>))
        refused += compare(module, "validate", some(mutants(sample), 24));
    }
    assert.ok(refused > 100, String(refused));
  });

test("the check, the rule and the validator agree on two faults", () => {
  for (const name of ["StoppedEvent", "InitializeRequest", "ExitedEvent"] as const) {
    const sample = sampleOf(dap[`validate${name}`]);
    assert.ok(compare(dap, `validate${name}`, pairs(sample)) > 50, name);
  }
});

test("the check, the rule and the validator agree on recursive definitions", () => {
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
  assert.ok(compare(dap, "validateSource", sources) > 50);
  const breakpoints = sources.map((source) => ({ verified: true, source }));
  assert.ok(compare(dap, "validateBreakpoint", breakpoints) > 50);
});

for (const [protocol, module] of Object.entries({ dap, sqltools, ruby, acp }))
  test(`validate checks the contents of messages of ${protocol} like their own validators`, () => {
    let compared = 0;
    let refused = 0;
    for (const [name, validator] of Object.entries(module)) {
      if (!/^validate\w/.test(name)) continue;
      const validate = validator as Validator<unknown>;
      for (const sample of samplesOf(validate) as readonly Record<string, unknown>[]) {
        if (!module.isValid(sample) || sample["success"] === false) continue;
        for (const field of ["arguments", "params", "body"])
          for (const contents of some(mutants(sample[field]), 11)) {
            const message: object = { ...sample, [field]: contents };
            const result = module.validate(message);
            assert.deepEqual(result, validate(message), name);
            assert.equal(module.isValid(message), result.ok, name);
            compared++;
            if (!result.ok) refused++;
          }
      }
    }
    assert.ok(refused > 100 && compared > refused, `${refused} of ${compared}`);
  });
