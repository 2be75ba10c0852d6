import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import type { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { wholeSchema } from "../../launch/common-attributes.js";
import { modelConfigurations } from "../../launch/model-configurations.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { readValueSchema } from "../../launch/read-value-schema.js";
import { issuesOf as issuesOfSchema } from "../../launch/schema-types.js";
import { configurationTable } from "../../generator/model/configurations.js";
import { type JsonObject, readJsonText } from "../../generator/read/source/json-text.js";
import type { Json } from "../../generator/model/types.js";
import type { ValidationIssue } from "../../runtime/index.js";
import { createConfigurationValidator } from "../../runtime/configuration/configuration-validator.js";
import { shared, skipWithout, readJson } from "../support/paths.js";
import { ConfigurationSampler } from "../support/sample-configurations.js";
import { own, newAjv } from "../support/configuration-tables.js";

const real = ["bash-debug", "go", "mock-debug", "node-debug2", "php-debug"];

type Attributes = {
  properties?: Record<string, unknown>;
  required?: string[];
  definitions?: object;
};

type Manifest = {
  contributes: {
    debuggers: { type: string; configurationAttributes: Record<string, Attributes> }[];
  };
};

/** Composes the schema for a configuration from the raw file, as VS Code does. */
function composed(type: string, request: string, raw: Attributes): object {
  const { properties: common } = readJson("schema/configurations/common.json") as {
    properties: object;
  };
  const all: Record<string, unknown> = {
    ...readable(raw).properties,
    ...common,
    type: { enum: [type] },
    request: { enum: [request] },
  };
  for (const platform of ["osx", "linux", "windows"]) delete all[platform];
  const { type: _type, request: _request, name: _name, ...rest } = all;
  const part = { type: "object", additionalProperties: false, properties: rest };
  return {
    ...readable(raw),
    type: "object",
    required: ["name", "type", "request", ...(raw.required ?? [])],
    additionalProperties: false,
    properties: { ...all, osx: part, linux: part, windows: part },
  };
}

/**
 * Removes values that are not schemas where a schema is required: ajv rejects them, but editors
 * ignore them.
 */
function readable<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(readable) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => key !== "items" || typeof part === "object")
      .map(([key, part]) => [key, readable(part)]),
  ) as Value;
}

/**
 * Compares the verdicts of both validators on values generated for a schema, and on variants that
 * differ in one part.
 */
function assertAgreement(
  what: string,
  rules: JsonObject,
  isValid: (value: unknown) => boolean,
  count: number,
  issuesOf: (value: unknown, maxIssues: number) => readonly ValidationIssue[],
): void {
  const sampler = new ConfigurationSampler(rules, what.length);
  let valid = 0;
  for (let index = 0; index < count; index++) {
    let value = sampler.valid();
    for (let changes = index % 3; changes > 0; changes--) value = sampler.mutated(value);
    const expected = isValid(value);
    const issues = issuesOf(value, 10);
    if (expected) valid++;
    if ((issues.length === 0) !== expected)
      assert.fail(`${what}: ${JSON.stringify(value)} ${JSON.stringify(issues)}`);
    // With a limit of one issue, the validator returns at most one.
    assert.equal(issuesOf(value, 1).length, Math.min(1, issues.length));
  }
  // The comparison is meaningful only if both verdicts occur often enough.
  assert.ok(valid > count / 20 && valid < count * 0.95, `${what}: ${valid} of ${count} are valid`);
}

async function assertSetsAgree(path: string, count: number): Promise<number> {
  const { contributes } = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const source = await readConfigurations(path);
  for (const set of source.sets) {
    const { type, request } = set;
    const raw = contributes.debuggers.find((each) => each.type === type)!.configurationAttributes[
      request
    ]!;
    const whole = newAjv().compile(composed(type, request, raw));
    const validate = createConfigurationValidator(
      configurationTable(modelConfigurations({ ...source, sets: [set] }), request),
    );
    assertAgreement(
      `${type} ${request}`,
      wholeSchema(set),
      (value) => whole(value) === true,
      count,
      (value, maxIssues) => {
        const result = validate(value, { maxIssues });
        return result.ok ? [] : result.issues;
      },
    );
  }
  return source.sets.length;
}

test("validators agree with ajv on configurations that use every keyword", async () => {
  assert.equal(await assertSetsAgree(own, 1_500), 2);
});

suite(
  "the validators for a public extension agree with ajv",
  { skip: skipWithout("configurations") },
  () => {
    for (const name of real)
      test(`the validators for the extension ${name} agree with ajv`, async () => {
        const path = shared(`configurations/${name}.package.json`)!;
        assert.ok((await assertSetsAgree(path, 1_500)) > 0);
      });
  },
);

/** Schemas with draft 2020-12 and draft 4 keywords that are rare in configurations. */
const others: readonly (readonly [string, { [key: string]: Json }, Ajv])[] = [
  [
    "draft 2020-12",
    {
      type: "object",
      properties: {
        pair: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
        },
        few: { type: "array", contains: { type: "integer" }, minContains: 2, maxContains: 3 },
        none: { type: "array", contains: { type: "string" }, minContains: 0, maxContains: 1 },
      },
      dependentRequired: { pair: ["few"] },
      dependentSchemas: { none: { required: ["pair"] } },
    },
    new Ajv2020({ strict: false }),
  ],
];

for (const [draft, schema, ajv] of others)
  test(`the value check agrees with ajv on ${draft}`, () => {
    const file = readJsonText(JSON.stringify(schema), "schema.json");
    const read = readValueSchema({ file, referred: new Map(), notes: [] }, file.value, "");
    const compiled = ajv.compile(schema);
    const rules = read as JsonObject;
    assertAgreement(
      draft,
      rules,
      (value) => compiled(value) === true,
      2_000,
      (value, maxIssues) => issuesOfSchema(rules, value, maxIssues),
    );
  });

test("the value check knows draft 4 bounds", () => {
  const rules = { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5 };
  assert.deepEqual(
    [1, 1.5, 5, 6].map((value) => issuesOfSchema(rules, value, 1).length),
    [1, 0, 0, 1],
  );
});
