import assert from "node:assert/strict";
import { test } from "node:test";
import AjvDraft04 from "ajv-draft-04";
import { generate, readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Validation } from "@wirewright/dap/validators";
import { loadPackage } from "../../support/load-package.js";
import { assertFormats, definitionOf, normaliseSchema } from "../../support/normalised-schema.js";
import { bundledDap, dapSchema, newestDap, publishedDap } from "../../support/dap-versions.js";
import { someOf } from "../../support/long-tests.js";
import {
  plantFaults,
  Sampler,
  seeded,
  type Fault,
  type Fill,
} from "../../support/sample-values.js";

/** The type shared by all validators in a package. */
interface Validators {
  readonly isValid: (definition: string, value: unknown) => boolean;
  readonly validate: (definition: string, value: unknown, options?: object) => Validation<unknown>;
  readonly isMessage: (value: unknown) => boolean;
  readonly validateMessage: (value: unknown, options?: object) => Validation<unknown>;
}

/** Returns a definition's name in the package. Bases named like browser types have another name. */
function nameOf(definition: string): string {
  return /^(Request|Response|Event)$/.test(definition) ? `${definition}Message` : definition;
}

function validatorsOf(exported: Readonly<Record<string, unknown>>): Validators {
  const call = (name: string, ...values: readonly unknown[]): unknown =>
    (exported[name] as (...values: readonly unknown[]) => unknown)(...values);
  return {
    isValid: (definition, value) => call(`isValid${nameOf(definition)}`, value) as boolean,
    validate: (definition, value, options) =>
      call(`validate${nameOf(definition)}`, value, options) as Validation<unknown>,
    isMessage: (value) => call("isValid", value) as boolean,
    validateMessage: (value, options) => call("validate", value, options) as Validation<unknown>,
  };
}

/** Creates a function that returns ajv's verdicts on definitions, including message definitions. */
function oracle(
  schema: object,
  protocol: Protocol,
): (definition: string, value: unknown) => boolean {
  const ajv = new AjvDraft04.default({ strict: false, validateFormats: false });
  ajv.addSchema(normaliseSchema(schema), "dap");
  // Inline bodies have names only in the model.
  ajv.addSchema(assertFormats(schema), "parts");
  const inline = new Map(
    protocol.definitions
      .filter(({ pointer, name }) => pointer !== `/definitions/${name}`)
      .map(({ pointer, name }) => [name, `parts#${pointer}`]),
  );
  const messages = new Map<string, string>();
  for (const message of protocol.messages) {
    messages.set(`${message.kind} ${message.name}`, message.definition);
    if (message.kind === "request")
      messages.set(`response ${message.name}`, message.responseDefinition!);
  }
  return (definition, value) => {
    const name = definition === "" ? definitionOf(messages, value) : definition;
    if (name === undefined) return false;
    return ajv.getSchema(inline.get(name) ?? `dap#/definitions/${name}`)!(value) === true;
  };
}

const fills: readonly Fill[] = ["least", "some", "all"];

/** Changes a value at a random location. Most changes make it invalid. */
function disturb(value: unknown, random: () => number): unknown {
  const copy: unknown = structuredClone(value);
  const holders: Record<string, unknown>[] = [];
  const collect = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    holders.push(each as Record<string, unknown>);
    Object.values(each).forEach(collect);
  };
  collect(copy);
  const holder = holders[Math.floor(random() * holders.length)]!;
  const keys = Object.keys(holder);
  const key = keys[Math.floor(random() * keys.length)] ?? "added";
  const odd = [null, true, -1, 0, 1.5, 2 ** 31, 2 ** 53, "", "x", [], [null], {}, { a: 1 }];
  holder[key] = odd[Math.floor(random() * odd.length)];
  return copy;
}

/**
 * Compares the checks and validators with ajv and with each other on generated values. Returns the
 * disagreements.
 */
function compareAll(
  protocol: Protocol,
  validators: Validators,
  expected: (definition: string, value: unknown) => boolean,
  seeds: number,
): { compared: number; valid: number; disagreements: string[] } {
  let compared = 0;
  let valid = 0;
  const disagreements: string[] = [];
  const compare = (definition: string, value: unknown): void => {
    compared++;
    const verdict = expected(definition, value);
    if (verdict) valid++;
    const yes =
      definition === "" ? validators.isMessage(value) : validators.isValid(definition, value);
    const result =
      definition === ""
        ? validators.validateMessage(value)
        : validators.validate(definition, value);
    if (yes !== verdict || result.ok !== verdict) {
      disagreements.push(
        `${definition}: ajv ${verdict}, yes or no ${yes}, with issues ${JSON.stringify(result)}: ${JSON.stringify(value)}`,
      );
    }
  };
  for (let seed = 1; seed <= seeds; seed++) {
    const sampler = new Sampler(protocol, seed);
    const random = seeded(seed);
    for (const { name, type } of protocol.definitions) {
      for (const fill of fills) {
        const value = sampler.sample(name, fill);
        compare(name, value);
        if (type.kind !== "object") continue;
        compare("", value);
        for (let count = 0; count < 6; count++) {
          const other = disturb(value, random);
          compare(name, other);
          compare("", other);
        }
      }
    }
  }
  return { compared, valid, disagreements };
}

const dap = await readProtocol("dap");
const generated = await generate("dap");
const current = validatorsOf(await loadPackage(generated));
const newest = dapSchema(newestDap);

test("validators and checks agree with ajv on valid and changed samples of every definition", () => {
  const { compared, valid, disagreements } = compareAll(dap, current, oracle(newest, dap), 6);
  assert.deepEqual(disagreements, []);
  assert.ok(compared > 30_000 && valid > 3_000, `${compared} compared, ${valid} valid`);
});

test("validators and checks agree with ajv on samples from earlier versions", async () => {
  for (const version of someOf(bundledDap)) {
    const { schema, source } = publishedDap(version);
    const result = await generate("dap", source);
    const validators = validatorsOf(await loadPackage(result));
    const { compared, disagreements } = compareAll(
      result.protocol,
      validators,
      oracle(schema, result.protocol),
      1,
    );
    assert.deepEqual(disagreements, [], version);
    assert.ok(compared > 3_000, `${version}: ${compared} compared`);
  }
});

/** Plants a single fault in each sample of every message. */
function singleFaults(): Fault[] {
  const sampler = new Sampler(dap, 5);
  return dap.messages.flatMap((message) =>
    [
      message.definition,
      ...(message.kind === "request" ? [message.responseDefinition!] : []),
    ].flatMap((definition) => plantFaults(sampler, definition, sampler.sample(definition, "some"))),
  );
}

test("a single fault causes exactly one issue, with its location and the expected and actual values", () => {
  const faults = singleFaults();
  const kinds = new Set(faults.map((fault) => fault.kind));
  assert.deepEqual([...kinds].sort(), [
    "enum",
    "fraction",
    "maximum",
    "minimum",
    "required",
    "type",
  ]);
  assert.ok(faults.length > 1500, String(faults.length));
  const codes = {
    enum: ["not-in-enum"],
    fraction: ["wrong-type"],
    maximum: ["out-of-range"],
    minimum: ["out-of-range"],
    required: ["missing"],
    type: ["wrong-type", "wrong-value"],
  } as Readonly<Record<string, readonly string[]>>;
  for (const { definition, kind, path, value } of faults) {
    const result = current.validate(definition, value);
    assert.ok(!result.ok, `${definition} ${path}`);
    const [issue] = result.issues;
    assert.deepEqual(
      result.issues.map((each) => each.pointer),
      [path],
      definition,
    );
    assert.ok(codes[kind]!.includes(issue!.code), `${definition} ${path} ${kind}: ${issue!.code}`);
    const found = path
      .slice(1)
      .split("/")
      .reduce<unknown>((each, key) => (each as Record<string, unknown>)[key], value);
    assert.equal(issue!.received, found);
    assert.notEqual(issue!.expected, "");
  }
});

test("validate() returns all issues, up to maxIssues, or only the first one", () => {
  const variables = Array.from({ length: 300 }, () => ({ name: 1, value: 2 }));
  const message = {
    seq: 1,
    type: "response",
    request_seq: 1,
    success: true,
    command: "variables",
    body: { variables },
  };
  const count = (options?: object): number => {
    const result = current.validateMessage(message, options);
    return result.ok ? 0 : result.issues.length;
  };
  assert.equal(count(), 100);
  assert.equal(count({ maxIssues: 1 }), 1);
  assert.equal(count({ maxIssues: 0 }), 1);
  assert.equal(count({ maxIssues: Infinity }), 900);
});
