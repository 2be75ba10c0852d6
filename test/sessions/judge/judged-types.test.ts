import assert from "node:assert/strict";
import { test } from "node:test";
import * as acpPackage from "@wirewright/acp-breakpoints/validators";
import * as dapPackage from "@wirewright/dap/validators";
import * as sqltoolsPackage from "@wirewright/sqltools/validators";
import { readProtocol } from "../../../cli/index.js";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { PartsWalk, pointerOf } from "../../../sessions/judge/parts-walk.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Property, Type } from "../../../generator/model/types.js";
import { createValidator } from "../../../runtime/index.js";
import { plantFaults, Sampler } from "../../support/sample-values.js";
import { dap } from "../../support/judged-entries.js";

for (const [name, { validate }] of [
  ["acp-breakpoints", acpPackage],
  ["sqltools", sqltoolsPackage],
  ["dap", dapPackage],
] as const)
  test(`lint judges ${name} messages as the generated package does`, async () => {
    const protocol = await readProtocol(name);
    const judge = createValidator(validationRulesOf(protocol).message);
    const sampler = new Sampler(protocol, 5);
    let count = 0;
    for (const message of protocol.messages)
      for (const definition of [
        message.definition,
        ...(message.kind === "request" && message.responseDefinition !== undefined
          ? [message.responseDefinition]
          : []),
      ]) {
        const sample = sampler.sample(definition, "some");
        const faults = plantFaults(sampler, definition, sample).map(({ value }) => value);
        for (const value of [sample, ...faults].slice(0, 30)) {
          count++;
          for (const profile of ["strict", "wire"] as const)
            assert.deepEqual(judge(value, { profile }), validate(value, { profile }), definition);
        }
      }
    for (const value of [null, 7, [], {}, { jsonrpc: "2.0" }, { jsonrpc: "2.0", id: 1 }])
      assert.deepEqual(judge(value), validate(value));
    assert.ok(count > 100, String(count));
  });

/** Returns a function that judges values of a type inside a message. */
function judgeOf(type: Type): (data: unknown) => readonly string[] {
  const [message] = dap.definitions;
  const protocol: Protocol = {
    ...dap,
    definitions: [
      ...dap.definitions.map((each) => ({ ...each, type: typed(each.type) })),
      { ...message!, name: "Value", type },
    ],
  };
  function typed(own: Type): Type {
    if (own.kind !== "object") return own;
    return { ...own, properties: own.properties.map(valued) };
  }
  function valued(property: Property): Property {
    return property.name === "data"
      ? { ...property, type: { kind: "reference", name: "Value" } }
      : { ...property, type: typed(property.type) };
  }
  const judge = createValidator(validationRulesOf(protocol).message);
  return (data) => {
    const body = { output: "x", data };
    const result = judge({ seq: 1, type: "event", event: "output", body });
    return result.ok ? [] : result.issues.map(({ pointer }) => pointer.replace("/body/data", "."));
  };
}

test("a recursive definition need not be an object", () => {
  const judge = judgeOf({
    kind: "union",
    members: [{ kind: "string" }, { kind: "array", items: { kind: "reference", name: "Value" } }],
  });
  assert.deepEqual(["a", [], [["a"], "b", [[["c"]]]], 7, [7], [[], ["a", [7]]]].map(judge), [
    [],
    [],
    [],
    ["."],
    ["./0"],
    ["./1/1/0"],
  ]);
});

test("a definition may contain itself inside an inline object", () => {
  const property = (name: string, required: boolean, type: Type): Property => ({
    name,
    required,
    type,
    pointer: "",
  });
  const object = (property: Property): Type => ({
    kind: "object",
    extras: "open",
    bases: [],
    properties: [property],
  });
  const judge = judgeOf(
    object(property("x", true, object(property("y", false, { kind: "reference", name: "Value" })))),
  );
  assert.deepEqual([{ x: {} }, { x: { y: { x: {} } } }, { x: { y: { x: { y: 7 } } } }].map(judge), [
    [],
    [],
    ["./x/y/x/y"],
  ]);
});

const values = (...list: readonly (string | number)[]): never =>
  list.map((value) => ({ value })) as never;

/** Types, each with valid and invalid values. */
const types: readonly (readonly [Type, good: readonly unknown[], bad: readonly unknown[]])[] = [
  [{ kind: "any" }, [null, 7, "a", {}], []],
  [{ kind: "null" }, [null], [0, "", {}]],
  [{ kind: "boolean" }, [true, false], [0, null]],
  [{ kind: "string" }, ["", "a"], [7, null]],
  [{ kind: "string", minLength: 1 }, ["a", "abc"], [""]],
  [{ kind: "string", maxLength: 2 }, ["", "ab"], ["abc"]],
  [{ kind: "string", minLength: 1, maxLength: 2 }, ["a", "ab"], ["", "abc", 7]],
  [{ kind: "integer" }, [0, -7], [0.5, "0"]],
  [{ kind: "integer", minimum: 1 }, [1, 9], [0]],
  [{ kind: "integer", maximum: 2 }, [-1, 2], [3]],
  [{ kind: "number", minimum: 0.5, maximum: 1 }, [0.5, 1], [0.4, 1.1, "1"]],
  [{ kind: "literal", value: "a" }, ["a"], ["b", null]],
  [{ kind: "enum", open: false, values: values("a", 1) }, ["a", 1], ["b", 2, null]],
  [{ kind: "enum", open: true, values: values("a", 1) }, ["b", 2], [true, null]],
  [{ kind: "enum", open: true, values: values("a", "b") }, ["c"], [1]],
  [{ kind: "enum", open: true, values: values(1, 2) }, [3], ["a"]],
  [{ kind: "array", items: { kind: "string" } }, [[], ["a"]], [[1], {}, "a"]],
  [{ kind: "array", items: { kind: "any" }, minItems: 1 }, [[1], [1, 2, 3]], [[]]],
  [{ kind: "array", items: { kind: "any" }, maxItems: 1 }, [[], [1]], [[1, 2]]],
  [{ kind: "map", values: { kind: "number" } }, [{}, { a: 1 }], [{ a: "b" }, [], 7]],
];

test("values of every kind of type are judged", () => {
  for (const [type, good, bad] of types) {
    const judge = judgeOf(type);
    const isBad = (value: unknown): boolean => judge(value).length > 0;
    assert.deepEqual([good.filter(isBad), bad.filter(isBad)], [[], bad], JSON.stringify(type));
  }
});

test("visitors receive every plain value with its type", () => {
  const definitions = new Map(
    Object.entries({
      Leaf: { kind: "string" },
      Base: {
        kind: "object",
        bases: [],
        extras: "open",
        properties: [property("b", { kind: "boolean" })],
      },
      Tree: {
        kind: "object",
        bases: ["Base"],
        extras: "open",
        properties: [
          property("a/b", { kind: "reference", name: "Leaf" }),
          property("list", { kind: "array", items: { kind: "reference", name: "Tree" } }),
          property("map", { kind: "map", values: { kind: "number" } }),
          property("maybe", {
            kind: "union",
            members: [{ kind: "null" }, { kind: "reference", name: "Tree" }],
          }),
          property("either", { kind: "union", members: [{ kind: "string" }, { kind: "number" }] }),
        ],
      },
    }).map(([name, type]) => [name, { name, type } as never]),
  );
  function property(name: string, type: object): object {
    return { name, type, required: false };
  }
  const visits = (value: unknown, start = "Tree"): readonly string[] => {
    const log: string[] = [];
    new PartsWalk(definitions as never).visit(start, value, {
      value: ({ kind }, each, path) =>
        void log.push(`${kind} ${JSON.stringify(each)} ${pointerOf(path)}`),
    });
    return log;
  };
  assert.deepEqual(
    visits({
      "a/b": "x",
      b: true,
      map: { k: 1, "~": 2 },
      either: 3,
      other: 4,
      list: [{ "a/b": "y" }, 7],
      maybe: { either: null },
    }).toSorted(),
    [
      'string "x" /a~1b',
      "boolean true /b",
      "number 1 /map/k",
      "number 2 /map/~0",
      "union 3 /either",
      'string "y" /list/0/a~1b',
      "union null /maybe/either",
    ].toSorted(),
  );
  for (const value of [null, 7, "x", []]) assert.deepEqual(visits(value), []);
  assert.deepEqual(visits({ list: {}, map: [], maybe: null, b: undefined }), []);
  assert.deepEqual(visits("x", "Leaf"), ['string "x" ']);
  assert.deepEqual(visits(Object.create({ b: true })), []);
  const nested = (levels: number): object => {
    let deep: object = { b: true };
    for (let level = 0; level < levels; level++) deep = { maybe: deep };
    return deep;
  };
  assert.equal(visits(nested(63)).length, 1);
  assert.equal(visits(nested(64)).length, 0);
});

test("deprecated properties and properties that require a capability are found at any depth", () => {
  const gate = { role: "adapter", capability: "f" };
  const of = (...properties: object[]): object => ({
    kind: "object",
    bases: [],
    extras: "open",
    properties,
  });
  const property = (name: string, type: object, more: object = {}): object => ({
    name,
    type,
    required: false,
    ...more,
  });
  const tree = { kind: "reference", name: "Tree" };
  const nothing = { kind: "null" };
  const definitions = new Map(
    Object.entries({
      Base: of(property("old", { kind: "string" }, { deprecated: "" })),
      Plain: of(property("a", { kind: "string" })),
      Tree: {
        ...of(
          property("a/b", { kind: "string" }, { gate }),
          property("list", { kind: "array", items: tree }),
          property("map", { kind: "map", values: tree }, { gate }),
          property("maybe", { kind: "union", members: [nothing, tree] }),
          property("either", { kind: "union", members: [tree, { kind: "string" }] }),
          property("plain", { kind: "reference", name: "Plain" }),
          property("inline", of(property("old", tree, { deprecated: "Use new" }))),
        ),
        bases: ["Base"],
      },
    }).map(([name, type]) => [name, { kind: "definition", name, type } as never]),
  );
  const found = (value: Readonly<Record<string, unknown>>, definition = "Tree"): string[] => {
    const log: string[] = [];
    new PartsWalk(definitions).visit(definition, value, {
      property({ name, deprecated, gate: needed }, path) {
        if (deprecated !== undefined || needed !== undefined)
          log.push(`${name} ${pointerOf(path)}`);
      },
    });
    return log.sort();
  };
  assert.deepEqual(
    found({
      list: [{ "a/b": 1 }, 7, { old: 1 }],
      map: { "~": { "a/b": 2 }, b: { map: [] } },
      maybe: { old: null },
      either: { old: 1 },
      plain: { a: 1, old: 1 },
      inline: { old: { old: undefined, "a/b": false } },
    }),
    [
      "a/b /inline/old/a~1b",
      "a/b /list/0/a~1b",
      "a/b /map/~0/a~1b",
      "map /map",
      "map /map/b/map",
      "old /inline/old",
      "old /list/2/old",
      "old /maybe/old",
    ],
  );
  const wrong = { list: {}, map: 1, maybe: [], inline: null, either: { old: 1 } };
  assert.deepEqual(found(wrong), ["map /map"]);
  assert.deepEqual(found({ a: 1, old: 1 }, "Plain"), []);
  assert.deepEqual(found(Object.create({ old: 1 }) as Record<string, unknown>), []);
  let deep: object = {};
  for (let level = 0; level < 100; level++) deep = { maybe: deep, old: 1 };
  assert.equal(found(deep as Record<string, unknown>).length, 65);
});
