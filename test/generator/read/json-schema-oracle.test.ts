import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { InputError, readProtocol } from "../../../cli/index.js";
import type { Definition, Json } from "../../../generator/model/types.js";
import { emitPackage } from "../../../generator/emit/emit-package.js";
import { schemaKeywords } from "../../../generator/read/schema/keywords.js";
import { loadPackage } from "../../support/load-package.js";
import { isLong } from "../../support/long-tests.js";
import { fromRoot } from "../../support/paths.js";
import { Random } from "../../support/random.js";
import { validatorOf } from "../../support/schema-validator.js";
import { read } from "../../support/read-schemas.js";
import { drafts, readSuiteSchema } from "../../support/suite-schemas.js";

type Schema = Readonly<Record<string, Json>>;

/** Returns a pseudo-random number from 0 to `limit - 1`. */
type Pick = (limit: number) => number;

function seeded(seed: number): Pick {
  const random = new Random(seed);
  return (limit) => random.below(limit);
}

const names = ["a", "b", "x-c"];
const texts = ["", "a", "b", "ab", "x-c", "🐲"];
const numbers = [-1, 0, 1, 1.5, 2, 3, 4];
const types = ["string", "integer", "number", "boolean", "null", "array", "object"];

/** Creates a value from a few names, strings and numbers, so that it often matches a schema. */
function randomValue(pick: Pick, depth = 2): Json {
  switch (pick(depth > 0 ? 7 : 5)) {
    case 0:
      return texts[pick(texts.length)]!;
    case 1:
    case 2:
      return numbers[pick(numbers.length)]!;
    case 3:
      return pick(2) === 0;
    case 4:
      return null;
    case 5:
      return Array.from({ length: pick(4) }, () => randomValue(pick, depth - 1));
    default:
      return Object.fromEntries(
        names.filter(() => pick(2) === 0).map((name) => [name, randomValue(pick, depth - 1)]),
      );
  }
}

/** Creates a schema from a few keywords, which may contradict each other. */
function randomSchema(pick: Pick, depth = 3): Json {
  if (pick(12) === 0) return pick(3) > 0;
  const schema: Record<string, Json> = {};
  for (let count = 1 + pick(3); count > 0; count--) Object.assign(schema, keyword(pick, depth));
  return schema;
}

/** Creates a keyword with its value. */
function keyword(pick: Pick, depth: number): Schema {
  const below = (): Json => (depth <= 0 ? simple(pick) : randomSchema(pick, depth - 1));
  const some = (): Json[] => Array.from({ length: 1 + pick(2) }, below);
  const named = (): Json =>
    Object.fromEntries(names.filter(() => pick(2) === 0).map((name) => [name, below()]));
  const listed = (): Json[] => names.filter(() => pick(3) === 0);
  const makers: readonly (() => Schema)[] = [
    () => simple(pick),
    () => simple(pick),
    () => ({ type: [...new Set([types[pick(7)]!, types[pick(7)]!])] }),
    () => ({ enum: distinct(Array.from({ length: 1 + pick(3) }, () => randomValue(pick, 1))) }),
    () => ({ const: randomValue(pick, 2) }),
    () => ({ properties: named() }),
    () => ({ properties: named(), required: listed() }),
    () => ({ required: listed() }),
    () => ({ additionalProperties: below() }),
    () => ({ patternProperties: { "^x-": below() } }),
    () => ({ propertyNames: below() }),
    () => ({ minProperties: pick(3) }),
    () => ({ maxProperties: pick(3) }),
    () => ({ dependentRequired: { a: listed() } }),
    () => ({ dependentSchemas: { b: below() } }),
    () => ({ items: below() }),
    () => ({ prefixItems: some(), items: below() }),
    () => ({ prefixItems: some() }),
    () => ({ minItems: pick(3) }),
    () => ({ maxItems: pick(3) }),
    () => ({ uniqueItems: pick(2) === 0 }),
    () => ({ contains: below(), minContains: pick(2) }),
    () => ({ contains: below(), maxContains: 1 + pick(2) }),
    () => ({ minLength: pick(3) }),
    () => ({ maxLength: pick(3) }),
    () => ({ pattern: ["^a", "b$", "^.$", "c|🐲"][pick(4)]! }),
    () => ({ minimum: numbers[pick(numbers.length)]! }),
    () => ({ exclusiveMaximum: numbers[pick(numbers.length)]! }),
    () => ({ multipleOf: [1, 2, 0.5][pick(3)]! }),
    () => ({ allOf: some() }),
    () => ({ anyOf: some() }),
    () => ({ oneOf: some() }),
    () => ({ not: below() }),
    () => ({ if: below(), then: below() }),
    () => ({ if: below(), then: below(), else: below() }),
    () => ({ unevaluatedProperties: below() }),
    () => ({ unevaluatedItems: below() }),
    () => ({ $ref: `#/$defs/${["A", "B"][pick(2)]!}` }),
    () => ({ $ref: `#/$defs/${["A", "B"][pick(2)]!}` }),
  ];
  return makers[pick(makers.length)]!();
}

function simple(pick: Pick): Schema {
  return { type: types[pick(7)]! };
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const count = isLong ? 4000 : 400;

/** Messages of legitimate refusals: the schema is infinite, or a range is empty. */
const refusals = /its definition refers to itself|leads back to it|it is empty/;

interface Case {
  readonly seed: number;
  readonly schema: Json;
  readonly definitions: readonly Definition[];
  /** Values, each with ajv's verdict. */
  readonly values: readonly (readonly [value: unknown, valid: boolean])[];
}

/** Creates a schema and its definitions from random parts. */
function anySchema(pick: Pick): Schema {
  const [a, b, own] = [randomSchema(pick, 2), randomSchema(pick, 2), randomSchema(pick)];
  return { $defs: { A: a, B: b }, ...(typeof own === "object" ? (own as Schema) : { not: own }) };
}

/** Definitions that accept anything, nearly anything, or nothing. */
const broad: Schema = {
  Anything: {},
  True: true,
  Documented: { description: "Any JSON value." },
  Alias: { $ref: "#/$defs/Documented" },
  AnyOf: { anyOf: [{ $ref: "#/$defs/Alias" }, { type: "string" }] },
  OneOf: { oneOf: [{}, false] },
  OneOfObjects: { oneOf: [{}, { $ref: "#/$defs/Narrow" }] },
  AllOf: { allOf: [{}, { $ref: "#/$defs/True" }] },
  ButText: { not: { type: "string" } },
  ButObject: { not: { $ref: "#/$defs/Narrow" } },
  If: { if: { type: "string" }, then: { minLength: 2 } },
  Untyped: { minimum: 2, maxLength: 1, properties: { a: { $ref: "#/$defs/Anything" } } },
  Const: { not: { const: 1 } },
  Tree: { anyOf: [{ type: "array", items: { $ref: "#/$defs/Tree" } }, { not: { type: "array" } }] },
  False: false,
  Nothing: { not: {} },
  Narrow: { type: "object", properties: { b: { $ref: "#/$defs/ButText" } }, required: ["b"] },
};

/** Creates a schema that has such definitions in every position. */
function broadSchema(pick: Pick): Schema {
  const definition = (): Json => {
    const $ref = `#/$defs/${Object.keys(broad)[pick(Object.keys(broad).length)]!}`;
    return pick(5) === 0 ? { $ref, description: "Documented." } : { $ref };
  };
  const part = (depth: number): Json => {
    if (depth === 0) return definition();
    const below = (): Json => part(pick(2) === 0 ? 0 : depth - 1);
    const object = (): Schema => ({
      type: "object",
      properties: Object.fromEntries(
        names.filter(() => pick(2) === 0).map((name) => [name, below()]),
      ),
      required: names.filter(() => pick(2) === 0),
    });
    const makers: readonly (() => Json)[] = [
      object,
      object,
      () => ({ ...object(), additionalProperties: below() }),
      () => ({ ...object(), patternProperties: { "^x-": below() }, additionalProperties: false }),
      () => ({ ...object(), dependentSchemas: { a: below() }, dependentRequired: { b: ["a"] } }),
      () => ({ type: "object", additionalProperties: below() }),
      () => ({ type: "array", items: below() }),
      () => ({ type: "array", prefixItems: [below(), below()], minItems: pick(3) }),
      () => ({ anyOf: [below(), object()] }),
      () => ({ oneOf: [below(), object()] }),
      () => ({ allOf: [below(), object()] }),
      () => ({ if: below(), then: object(), else: below() }),
      () => ({ not: below() }),
    ];
    return makers[pick(makers.length)]!();
  };
  return { $defs: broad, ...(part(3) as Schema) };
}

function makeCase(
  seed: number,
  createSchema: (pick: Pick) => Schema,
  valueCount: number,
): Case | undefined {
  const pick = seeded(seed);
  const schema = { $schema: drafts["draft2020-12"], ...createSchema(pick) };
  const text = JSON.stringify(schema);
  // If `contains` occurs together with `prefixItems` or `unevaluatedItems`, ajv gets empty arrays
  // or the `contains` count wrong.
  if (/"contains"/.test(text) && /"prefixItems"|"unevaluatedItems"/.test(text)) return undefined;
  let isValid: (value: unknown) => boolean;
  try {
    isValid = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
  } catch {
    return undefined;
  }
  let definitions: readonly Definition[];
  try {
    definitions = readSuiteSchema(schema, `S${seed}`);
  } catch (error) {
    assert.ok(
      error instanceof InputError && refusals.test(error.message),
      `${seed}: ${String(error)}`,
    );
    return undefined;
  }
  const pickValue = seeded(seed + 1_000_000);
  const values = Array.from({ length: valueCount }, () => randomValue(pickValue));
  return { seed, schema, definitions, values: values.map((value) => [value, isValid(value)]) };
}

function makeCases(
  count: number,
  ...[createSchema, valueCount]: [Parameters<typeof makeCase>[1], number]
): readonly Case[] {
  return Array.from({ length: count }, (_, seed) =>
    makeCase(seed, createSchema, valueCount),
  ).filter((each) => each !== undefined);
}

const families: Readonly<Record<string, readonly Case[]>> = {
  "random schemas": makeCases(count, anySchema, 40),
  "definitions that accept anything, nearly anything, or nothing": makeCases(
    count / 2,
    broadSchema,
    600,
  ),
};

function assertSame(each: Case, isValid: (value: unknown) => boolean): void {
  for (const [value, valid] of each.values)
    assert.equal(
      isValid(value),
      valid,
      `${JSON.stringify(value)} by ${JSON.stringify(each.schema)} (seed ${each.seed})`,
    );
}

for (const [family, cases] of Object.entries(families)) {
  test(`rules and ajv reach the same verdicts on ${family}`, (t) => {
    assert.ok(cases.length > count / 3, `${cases.length} schemas`);
    for (const each of cases) assertSame(each, validatorOf(each.definitions, `S${each.seed}Root`));
    const values = cases.flatMap((each) => each.values);
    const valid = values.filter(([, isValid]) => isValid).length;
    t.diagnostic(`${cases.length} schemas, ${values.length} values, ${valid} of them valid`);
  });

  test(`generated checks and ajv reach the same verdicts on ${family}`, async () => {
    const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));
    for (let start = 0; start < cases.length; start += 300) {
      const batch = cases.slice(start, start + 300);
      const definitions = [...ticker.definitions, ...batch.flatMap((each) => each.definitions)];
      const protocol = { ...ticker, definitions };
      const own = await loadPackage({ protocol, files: await emitPackage(protocol) });
      for (const each of batch)
        assertSame(each, own[`isValidS${each.seed}Root`] as (value: unknown) => boolean);
    }
  });
}

/** Copies a schema, with each of its parts that is an object changed. */
function withParts(schema: Json, change: (part: Schema, pointer: string) => Schema): Json {
  const { one, list, named } = schemaKeywords;
  const copy = (part: Json, pointer: string): Json => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const parts = Object.entries(part as Schema).map(([key, value]): [string, Json] => {
      const inside = `${pointer}/${key}`;
      if (Array.isArray(value) && list.has(key))
        return [key, value.map((each: Json, index) => copy(each, `${inside}/${index}`))];
      if (named.has(key))
        return [
          key,
          Object.fromEntries(
            Object.entries(value as Schema).map(([name, each]) => [
              name,
              copy(each, `${inside}/${name}`),
            ]),
          ),
        ];
      return [key, one.has(key) ? copy(value, inside) : value];
    });
    return change(Object.fromEntries(parts), pointer);
  };
  return copy(schema, "");
}

const notes: readonly Schema[] = [
  { title: "Short" },
  { description: "Long." },
  { markdownDescription: "*Long.*" },
  { $comment: "For authors.", readOnly: true },
  { deprecated: true },
  { examples: [1, { type: "object" }] },
  { default: { not: {} } },
  { "x-mine": { required: ["a"] }, "x-order": 1 },
];

/** Removes what annotations add to the model. */
const typesOf = (definitions: readonly Definition[]): unknown =>
  JSON.parse(
    JSON.stringify(definitions, (key, value: unknown) =>
      /^(docs|deprecated|default|section)$/.test(key) ? undefined : value,
    ),
  );

test("annotations change neither types nor checks", () => {
  for (const { seed, schema, definitions } of families["random schemas"]!) {
    const pick = seeded(seed);
    const annotated = withParts(schema, (part) =>
      pick(2) === 0 ? { ...notes[pick(notes.length)], ...part } : part,
    );
    assert.deepEqual(
      typesOf(readSuiteSchema(annotated, `S${seed}`)),
      typesOf(definitions),
      `${JSON.stringify(annotated)} (seed ${seed})`,
    );
  }
});

test("a keyword that is neither a condition nor an annotation is reported wherever it is", () => {
  for (const { seed, schema } of families[
    "definitions that accept anything, nearly anything, or nothing"
  ]!) {
    const places: string[] = [];
    const { $defs, ...own } = withParts(schema, (part, pointer) => {
      places.push(pointer.startsWith("/$defs/") ? pointer.slice(6) : `/It${pointer}`);
      return { ...part, minimun: 1 };
    }) as { readonly $defs: Schema };
    const text = JSON.stringify({ It: own, ...$defs }).replaceAll("#/$defs/", "#/definitions/");
    const { It, ...others } = JSON.parse(text) as { readonly It: Json };
    const reported = new Set(read(It, others).warnings.map((warning) => warning.split(": ")[0]!));
    const unreported = places
      .map((place) => `/definitions${place}/minimun`)
      .filter((place) => !reported.has(place));
    assert.deepEqual(unreported, [], `${text} (seed ${seed})`);
  }
});
