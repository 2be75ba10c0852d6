/** Validators, guards, dialects and `classify`, with any value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as acp from "@wirewright/acp-breakpoints";
import * as acpValidate from "@wirewright/acp-breakpoints/validators";
import * as dap from "@wirewright/dap";
import * as dapValidate from "@wirewright/dap/validators";
import * as ruby from "@wirewright/ruby-debug-ide";
import * as rubyValidate from "@wirewright/ruby-debug-ide/validators";
import * as sqltools from "@wirewright/sqltools";
import * as sqltoolsValidate from "@wirewright/sqltools/validators";
import { hostileParts, hostileValue, unbuildable } from "../support/hostile-values.js";
import { mutatedJson } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { sampleMessages } from "../support/sample-messages.js";

type Validate = (
  value: unknown,
  options?: object,
) => { readonly ok: boolean; readonly issues?: object[]; readonly deviations?: object[] };

/** The functions that all generated packages export. */
interface Package {
  readonly classify: (value: unknown) => { readonly status: string };
  readonly isValid: (value: unknown) => boolean;
  readonly validate: Validate;
  readonly describeIssue: (issue: object) => string;
  readonly visitFields?: (message: object, visitors: object) => object;
  readonly dialects?: Readonly<Record<string, () => { read(value: unknown): unknown }>>;
}

const packages: Readonly<Record<string, object>> = {
  dap: { ...dap, ...dapValidate },
  "acp-breakpoints": { ...acp, ...acpValidate },
  sqltools: { ...sqltools, ...sqltoolsValidate },
  "ruby-debug-ide": { ...ruby, ...rubyValidate },
};

interface Pair {
  readonly name: string;
  readonly isValid: Package["isValid"];
  readonly validate: Validate;
}

/** The check of a definition, but not that of any message, throws what reading the value throws. */
function accepts(name: string, isValid: Package["isValid"], value: unknown): boolean {
  if (name === "isValid") return isValid(value);
  try {
    return isValid(value);
  } catch {
    return false;
  }
}

/** Returns whether the value is valid, for which both functions must agree. */
function checkPair(
  { name, isValid, validate }: Pair,
  value: unknown,
  describeIssue: Package["describeIssue"],
): boolean {
  const valid = accepts(name, isValid, value);
  const strict = validate(value);
  const wire = validate(value, { profile: "wire" });
  const first = validate(value, { maxIssues: 1 });
  const sentences = [strict, wire, first].flatMap(({ issues = [], deviations = [] }) =>
    [...issues, ...deviations].map(describeIssue),
  );
  const verdicts = { strict: strict.ok, first: first.ok };
  assert.deepEqual(verdicts, { strict: valid, first: valid }, `${name}: ${sentences[0] ?? ""}`);
  if (strict.ok) assert.ok(wire.ok, `${name}: the wire profile refuses more: ${sentences[0]}`);
  else assert.notDeepEqual(strict.issues, [], `${name} refuses without an issue`);
  return valid;
}

function checkValue(exported: Package, value: unknown, choice: number): void {
  const names = Object.keys(exported);
  const { classify, isValid, validate, describeIssue, dialects = {}, visitFields } = exported;
  const functions = exported as unknown as Readonly<Record<string, unknown>>;
  const valid = checkPair({ name: "isValid", isValid, validate }, value, describeIssue);
  const { status } = classify(value);
  if (valid) assert.notEqual(status, "malformed");
  const pairs = names.filter(
    (name) => /^isValid./.test(name) && functions[name.replace("isValid", "validate")],
  );
  const guards = names.filter((name) => /^is(?!Valid)[A-Z]/.test(name));
  const chosen = (names: readonly string[], offset: number): string =>
    names[(choice + offset * 61) % names.length]!;
  for (let offset = 0; offset < 4; offset++) {
    const name = chosen(pairs, offset);
    checkPair(
      {
        name,
        isValid: functions[name] as Package["isValid"],
        validate: functions[name.replace("isValid", "validate")] as Validate,
      },
      value,
      describeIssue,
    );
    (functions[chosen(guards, offset)] as (value: unknown) => unknown)(value);
  }
  for (const create of Object.values(dialects)) {
    const dialect = create();
    dialect.read(value);
    dialect.read(value);
  }
  if (!valid || typeof value !== "object" || value === null || visitFields === undefined) return;
  try {
    visitFields(value, {});
  } catch (error) {
    // The message's own getters may throw.
    assert.throws(() => JSON.stringify(value), String(error));
  }
}

for (const [name, exported] of Object.entries(packages))
  property(
    `validators of ${name} with any value`,
    fc.record({
      json: mutatedJson({
        seeds: [...sampleMessages(name), ...hostileParts],
        tokens: ["request", "response", "event", "a", "$", "of"],
        values: hostileParts,
      }),
      choice: fc.nat(10_000),
    }),
    ({ json, choice }) => {
      const value = hostileValue(json);
      if (value !== unbuildable) checkValue(exported as Package, value, choice);
    },
    200,
  );

test("values that once made a validator throw", () => {
  const rows: readonly (readonly [name: string, json: object])[] = [
    ["dap", { $: "revoked" }],
    ["dap", { $: "throwing", of: { "": "0" } }],
    ["dap", { $: "throwing-proxy" }],
    ["sqltools", { $: "throwing-proxy", a: { b: "c" } }],
  ];
  for (const [name, json] of rows)
    for (let choice = 0; choice < 100; choice++)
      checkValue(packages[name] as Package, hostileValue(json), choice);
});
