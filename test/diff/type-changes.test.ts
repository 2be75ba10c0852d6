/** Compares pairs of types one by one: the changes between them, and the values that they reject. */
import { test } from "node:test";
import { readings } from "../../diff/compare/accepted-values.js";
import { Variance } from "../../diff/compare/variance.js";
import type { Type } from "../../generator/model/types.js";
import { CaseList, readPair } from "../support/case-list.js";
import * as modelTypes from "../support/model-types.js";
import { changesOf } from "../support/type-changes.js";

const { kind, object, number, sideWith, text, union, nothing } = modelTypes;

/** The names in cases: the shorthands for model types, and a few more. */
const names: Readonly<Record<string, unknown>> = {
  ...modelTypes,
  both: union(text, number),
  nullable: union(text, nothing),
  int32: { kind: "integer", format: "int32" },
  uri: { kind: "string", format: "uri" },
  a: kind("a"),
  b: kind("b"),
  c: kind("c"),
  gate: { role: "adapter", capability: "f" },
  long: "x".repeat(120),
  optional: (more: object) => object({ "a?": { type: text, ...more } }),
  values: (docs: string, more: object = {}) => ({
    kind: "enum",
    open: false,
    values: [{ value: "a" }, { value: "b", docs, ...more }],
  }),
};

function readTypes(input: string): readonly [Type, Type] {
  return readPair(input, names) as readonly [Type, Type];
}

const changes = new CaseList("test/cases/type-changes.md");
for (const name of changes.names)
  test(name, () => changes.check(name, (input) => changesOf(...readTypes(input))));

const rejected = new CaseList("test/cases/rejected-values.md");
for (const name of rejected.names)
  test(`finds the smallest value that a reader rejects: ${name}`, () =>
    rejected.check(name, (input) => {
      const reading = /^readers/.test(name) ? readings.strict : readings.schema;
      const value = new Variance(sideWith(), sideWith(), reading).counterexample(
        ...readTypes(input),
      );
      return value === undefined ? [] : [JSON.stringify(value)];
    }));
