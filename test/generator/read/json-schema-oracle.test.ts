import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { InputError, readProtocol } from "../../../cli/index.js";
import type { Definition, Json } from "../../../generator/model/types.js";
import { emitPackage } from "../../../generator/emit/emit-package.js";
import { loadPackage } from "../../support/load-package.js";
import { isLong } from "../../support/long-tests.js";
import { fromRoot } from "../../support/paths.js";
import { randomSchema, randomValue, seeded } from "../../support/random-schemas.js";
import { validatorOf } from "../../support/schema-validator.js";
import { drafts, readSuiteSchema } from "../../support/suite-schemas.js";

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

function makeCase(seed: number): Case | undefined {
  const pick = seeded(seed);
  const [a, b, own] = [randomSchema(pick, 2), randomSchema(pick, 2), randomSchema(pick)];
  const schema = {
    $schema: drafts["draft2020-12"],
    $defs: { A: a, B: b },
    ...(typeof own === "object" ? own : { not: own }),
  };
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
  const values = Array.from({ length: 40 }, () => randomValue(pickValue));
  return { seed, schema, definitions, values: values.map((value) => [value, isValid(value)]) };
}

const cases = Array.from({ length: count }, (_, seed) => makeCase(seed)).filter(
  (each) => each !== undefined,
);

function assertSame(each: Case, isValid: (value: unknown) => boolean): void {
  for (const [value, valid] of each.values)
    assert.equal(
      isValid(value),
      valid,
      `${JSON.stringify(value)} by ${JSON.stringify(each.schema)} (seed ${each.seed})`,
    );
}

test("rules and ajv reach the same verdicts on random schemas", (t) => {
  assert.ok(cases.length > count / 3, `${cases.length} schemas`);
  for (const each of cases) assertSame(each, validatorOf(each.definitions, `S${each.seed}Root`));
  const valid = cases.flatMap(({ values }) => values.filter(([, isValid]) => isValid)).length;
  t.diagnostic(`${cases.length} schemas, ${cases.length * 40} values, ${valid} of them valid`);
});

test("generated checks and ajv reach the same verdicts on random schemas", async () => {
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
