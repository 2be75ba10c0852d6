import assert from "node:assert/strict";
import { test } from "node:test";
import { modelConfigurations } from "../../launch/model-configurations.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { issuesOf as issuesOfSchema } from "../../launch/schema-types.js";
import { attributeRules, configurationTable } from "../../generator/model/configurations.js";
import type { JsonObject } from "../../generator/read/source/json-text.js";
import type { ConfigurationTable } from "../../runtime/configuration/configuration-rules.js";
import type { Rule } from "../../runtime/validation/rule.js";
import {
  createArgumentsValidator,
  createConfigurationValidator,
  createDefaults,
} from "../../runtime/configuration/configuration-validator.js";
import { fillDefaults } from "../../runtime/configuration/fill-defaults.js";
import { describeIssue } from "../../runtime/validation/describe-issue.js";
import { ConfigurationSampler } from "../support/sample-configurations.js";
import { own, newAjv } from "../support/configuration-tables.js";

/** Returns our sample's rules for "launch". */
async function launchTable(): Promise<ConfigurationTable> {
  return configurationTable(modelConfigurations(await readConfigurations(own)), "launch");
}

/**
 * Removes defaults that contain variables, because ajv and our validators treat them differently.
 */
function withoutVariables(rules: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(rules), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("default" in value)) return value;
    const { default: given, ...rest } = value;
    return JSON.stringify(given).includes("${") ? rest : value;
  }) as JsonObject;
}

test("withLaunchDefaults() applies the same defaults as ajv without changing the configuration", async () => {
  const source = await readConfigurations(own);
  const set = source.sets.find(({ request }) => request === "launch")!;
  const schema = withoutVariables(set.schema);
  const { sets } = modelConfigurations({ ...source, sets: [{ ...set, schema }] });
  const { rules } = attributeRules(sets[0]!);
  const { rest, ...attributes } = rules;
  const sampler = new ConfigurationSampler(schema, 7);
  const ajv = newAjv({ useDefaults: true, allErrors: true });
  const fill = ajv.compile(withoutWrongDefaults(schema));
  for (let index = 0; index < 500; index++) {
    const value = sampler.valid() as object;
    const before = structuredClone(value);
    const filled = fillDefaults([attributes, rest ?? "any"], value, {});
    assert.deepEqual(value, before);
    fill(before);
    assert.deepEqual(filled, before, JSON.stringify(value));
  }
});

/** Removes the default that does not match its own schema. */
function withoutWrongDefaults(schema: JsonObject): JsonObject {
  const { env, ...properties } = schema["properties"] as { readonly [name: string]: JsonObject };
  const { default: _default, ...rules } = env!;
  return { ...schema, properties: { ...properties, env: rules } };
}

test("withLaunchDefaults() omits defaults with unknown variables", async () => {
  const table = await launchTable();
  const withDefaults = createDefaults(table);
  const given = Object.freeze({
    program: "x",
    nested: Object.freeze({ host: "h" }),
    args: "--twice",
  });
  const expected = {
    program: "x",
    nested: { host: "h", port: 4711, secure: false },
    args: "--twice",
    mode: "safe",
    level: 4,
  };
  assert.deepEqual(withDefaults(given), expected);
  const variable = (name: string): string | undefined =>
    name === "workspaceFolder" ? "/w" : undefined;
  assert.deepEqual(withDefaults({}, { variable }), {
    program: "/w/main.sample",
    mode: "safe",
    level: 4,
    args: ["--once"],
    nested: { host: "127.0.0.1", port: 4711, secure: false },
    folder: "/w",
  });
  // Each call returns a new copy of the defaults.
  (withDefaults({}) as { args: string[] }).args.push("more");
  assert.deepEqual((withDefaults({}) as { args: string[] }).args, ["--once"]);
});

test("defaults cannot set a prototype", () => {
  const rule = JSON.parse(
    '{"optional":{"__proto__":{"default":{"polluted":true},"rule":"any"}}}',
  ) as Rule;
  const filled = fillDefaults([rule], JSON.parse('{"__proto__":{"a":1}}'), {}) as {
    polluted?: unknown;
  };
  assert.equal(filled.polluted, undefined);
  assert.deepEqual(Object.keys(filled), ["__proto__"]);
});

test("issues include the location, the expected value and the actual value", async () => {
  const table = await launchTable();
  const validate = createConfigurationValidator(table);
  const issuesOf = (value: object): unknown[] => {
    const result = validate(value);
    return result.ok
      ? []
      : result.issues.map(({ pointer, code, expected }) => [pointer, code, expected]);
  };
  const head = { type: "sampler", request: "launch", name: "n", program: "p" };
  assert.deepEqual(issuesOf(head), []);
  assert.deepEqual(issuesOf({ type: "sampler", request: "attach" }), [
    ["/name", "missing", "a string"],
    ["/request", "wrong-value", '"launch"'],
    ["/program", "missing", "a string of at least 1 character"],
  ]);
  assert.deepEqual(
    issuesOf({
      ...head,
      program: "",
      level: 11,
      ratio: 0,
      label: "Not OK",
      args: ["a", "a"],
      pair: [1],
      marks: [],
      env: { a: "x" },
      paths: { x: 1 },
      nested: { secure: true },
      choice: { id: 5 },
      single: 15,
      unlike: "root",
      either: { kind: "file" },
      tree: { name: "a", children: [{ name: 1 }] },
      nothing: 1,
      older: "yes",
      osx: { level: "4" },
      colour: "red",
    }),
    [
      ["/program", "wrong-size", "a string of at least 1 character"],
      ["/level", "out-of-range", "an integer from 0 to 9"],
      ["/level", "out-of-range", "a multiple of 2"],
      ["/ratio", "out-of-range", "more than 0"],
      ["/label", "wrong-value", "a string that matches ^[a-z]+(-[a-z]+)*$"],
      ["/args/1", "wrong-value", "no duplicate of item 0"],
      ["/pair/0", "wrong-type", "a string"],
      ["/marks", "wrong-size", 'an array with at least 1 of: "here"'],
      ["/env/a", "unknown-field", "a name that is a string that matches ^[A-Z_]+$"],
      ["/paths/x", "unknown-field", "no such field"],
      ["/nested/host", "missing", "a string"],
      ["/nested/port", "missing", "any value"],
      ["/choice/id", "wrong-type", "a string"],
      ["/single", "wrong-value", "a value of exactly one of 2 types, not of 2"],
      ["/unlike", "wrong-value", 'a value that is not one of "root", "admin"'],
      ["/either/path", "missing", "any value"],
      ["/tree/children/0/name", "wrong-type", "a string"],
      ["/nothing", "unknown-field", "nothing"],
      ["/older", "wrong-type", "true or false"],
      ["/osx/level", "wrong-type", "an integer from 0 to 9"],
      ["/colour", "unknown-field", "no such field"],
    ],
  );
  assert.deepEqual(issuesOf([]), [["", "wrong-type", "an object"]]);
});

test("an issue about alternatives describes the intended alternative, or all of them", () => {
  const schema: JsonObject = {
    anyOf: [
      {
        type: "object",
        required: ["kind"],
        properties: { kind: { enum: ["file"] }, path: { type: "string" } },
      },
      {
        type: "object",
        required: ["kind"],
        properties: { kind: { enum: ["port"] }, port: { type: "integer" } },
      },
      { enum: ["none", "auto"] },
      { type: "integer", minimum: 0 },
    ],
  };
  const issueOf = (value: unknown): unknown => {
    const [first] = issuesOfSchema(schema, value, 5);
    return [first!.pointer, first!.code, first!.expected];
  };
  assert.deepEqual(issueOf({ kind: "port", port: "1" }), ["/port", "wrong-type", "an integer"]);
  assert.deepEqual(issueOf({ kind: "file", path: 1 }), ["/path", "wrong-type", "a string"]);
  assert.deepEqual(issueOf("nine"), ["", "not-in-enum", 'one of "none", "auto"']);
  assert.deepEqual(issueOf(true), [
    "",
    "wrong-type",
    'an object or one of "none", "auto" or an integer from 0',
  ]);
});

test("validators accept arguments that editors add, and the wire profile tolerates unknown attributes", async () => {
  const table = await launchTable();
  const validate = createArgumentsValidator(table);
  assert.equal(validate({ program: "p" }).ok, true);
  assert.equal(validate({ program: "p", name: "n", __sessionId: "1", noDebug: true }).ok, true);
  const other = validate({ program: "p", colour: 1, osx: {} }, { profile: "wire" });
  assert.deepEqual(other.ok && other.deviations.map(({ pointer, rule }) => [pointer, rule]), [
    ["/colour", "unknown-field"],
    ["/osx", "unknown-field"],
  ]);
  assert.equal(validate({ program: "p", colour: 1 }).ok, false);
  assert.equal(validate({}).ok, false);
});

test("the debugger type selects the attributes, and must be known", () => {
  const table = {
    request: "launch",
    common: { name: "string" },
    types: { one: { required: { a: "string" } }, two: { optional: { b: "integer" } } },
  } as const;
  const validate = createConfigurationValidator(table);
  const issuesOf = (value: unknown): readonly unknown[] => {
    const result = validate(value);
    return result.ok ? [] : result.issues;
  };
  assert.deepEqual(issuesOf({ type: "two", request: "launch", name: "n", b: 1 }), []);
  assert.deepEqual(issuesOf({ request: "launch", name: "n" }), [
    {
      pointer: "/type",
      code: "missing",
      expected: 'one of "one", "two"',
      received: undefined,
      allowed: ["one", "two"],
    },
  ]);
  assert.deepEqual(issuesOf({ type: "tow" }), [
    {
      pointer: "/type",
      code: "not-in-enum",
      expected: 'one of "one", "two"',
      received: "tow",
      allowed: ["one", "two"],
    },
  ]);
  assert.deepEqual(createDefaults(table)({ type: "tow", a: 1 }), { type: "tow", a: 1 });
});

test("validators never throw, even for deep values, getters and proxies", () => {
  const node: JsonObject = {
    $ref: "#/definitions/Node",
    definitions: { Node: { type: "object", properties: { next: { $ref: "#/definitions/Node" } } } },
  };
  let deep: object = {};
  for (let level = 0; level < 20_000; level++) deep = { next: deep };
  assert.deepEqual(
    issuesOfSchema(node, deep, 5).map(({ code }) => code),
    ["too-deep"],
  );
  const trap = Object.defineProperty({}, "next", { enumerable: true, get: () => assert.fail() });
  assert.deepEqual(
    issuesOfSchema(node, trap, 5).map(({ code }) => code),
    ["unreadable"],
  );
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const validate = createConfigurationValidator({
    request: "launch",
    common: {},
    types: { a: {}, b: {} },
  });
  assert.equal(validate(proxy).ok, false);
});

test("enum values are not suggested for an unknown attribute", () => {
  const rules: JsonObject = { properties: { program: true }, additionalProperties: false };
  const issues = issuesOfSchema(rules, { progam: "program" }, 5);
  assert.deepEqual(issues.map(describeIssue), [
    '`/progam`: expected no such field, received "program"',
  ]);
});
