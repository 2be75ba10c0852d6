import assert from "node:assert/strict";
import { test } from "node:test";
import { FoundChanges } from "../../diff/compare/change.js";
import { compareTypes } from "../../diff/compare/compare-types.js";
import { Comparison, Scope } from "../../diff/compare/comparison.js";
import { WorkBudget } from "../../diff/compare/work-budget.js";
import { diffProtocols } from "../../diff/diff-protocols.js";
import { StructureMatcher } from "../../diff/compare/structure.js";
import { smallestValue } from "../../diff/compare/side.js";
import { Variance } from "../../diff/compare/variance.js";
import type { ProtocolDiff } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Type } from "../../generator/model/types.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
import {
  list,
  nothing,
  number,
  object,
  ref,
  sideWith,
  text,
  union,
} from "../support/model-types.js";

type Definitions = Readonly<Record<string, Type>>;

/** Compares two versions of the definition `Root`. */
function changesOf(before: Definitions, after: Definitions): readonly string[] {
  const comparison = new Comparison(sideWith(before), sideWith(after));
  const found = new FoundChanges();
  const root = { owner: "Root", label: "", steps: [] };
  compareTypes(new Scope(comparison, root, found), before["Root"]!, after["Root"]!);
  return found.changes.map(({ rule, site }) => `${rule.id} at ${site.label}`);
}

const loop = (leaf: Type): Type =>
  object({ "next?": object({ "next?": ref("Loop"), "v?": leaf }), "v?": leaf });

test("cyclic types whose cycles differ in length are compared completely", () => {
  const rest = (leaf: Type): Type => object({ "next?": ref("Loop"), "v?": leaf });
  const before = { Root: object({ at: ref("Loop") }), Loop: loop(text) };
  const after = { Root: object({ at: rest(text) }), Loop: loop(text) };
  assert.deepEqual(changesOf(before, after), []);
  const changed = { Root: object({ at: rest(number) }), Loop: loop(number) };
  assert.deepEqual(changesOf(before, changed), [
    "type.changed at .at.next.next.v",
    "type.changed at .at.next.v",
    "type.changed at .at.v",
  ]);
});

test("equal types are equal even if their cycles differ in length", () => {
  const sides = (leaf: Type) =>
    [sideWith({ Loop: loop(text) }), sideWith({ Loop: loop(leaf) })] as const;
  const shifted = object({ "next?": ref("Loop"), "v?": text });
  assert.equal(new StructureMatcher(...sides(text)).isSame(ref("Loop"), shifted), true);
  assert.equal(new StructureMatcher(...sides(number)).isSame(ref("Loop"), shifted), false);
});

test("an example value is found for a difference after a cycle, wherever the cycle begins", () => {
  const [before, after] = [sideWith({ Loop: loop(text) }), sideWith({ Loop: loop(number) })];
  const shifted = object({ "next?": ref("Loop") });
  const variance = new Variance(before, after);
  assert.deepEqual(variance.counterexample(ref("Loop"), shifted), { next: { v: "" } });
  assert.deepEqual(variance.counterexample(shifted, ref("Loop")), { next: { v: "" } });
  const same = new Variance(before, sideWith({ Loop: loop(text) }));
  assert.equal(same.counterexample(ref("Loop"), shifted), undefined);
});

test("recursive definitions are compared completely", () => {
  const tree = (leaf: Type): Readonly<Record<string, Type>> => ({
    Tree: object({ value: leaf, "parts?": list(ref("Tree")) }),
    Even: object({ "next?": ref("Odd") }),
    Odd: object({ "next?": ref("Even"), "end?": leaf }),
    Endless: object({ next: ref("Endless"), value: leaf }),
  });
  const variance = new Variance(sideWith(tree(text)), sideWith(tree(number)));
  const same = new Variance(sideWith(tree(text)), sideWith(tree(text)));
  for (const name of ["Tree", "Even", "Odd", "Endless"])
    assert.equal(same.counterexample(ref(name), ref(name)), undefined, name);
  assert.deepEqual(variance.counterexample(ref("Tree"), ref("Tree")), { value: "" });
  assert.deepEqual(variance.counterexample(ref("Even"), ref("Even")), { next: { end: "" } });
  assert.deepEqual(variance.counterexample(ref("Odd"), ref("Odd")), { end: "" });
  const nested = variance.counterexample(list(ref("Even"), 1), list(ref("Even"), 1));
  assert.deepEqual(nested, [{ next: { end: "" } }]);
  assert.deepEqual(variance.counterexample(ref("Tree"), text), { value: "" });
  assert.deepEqual(variance.counterexample(text, ref("Tree")), "");
});

test("the alternatives of recursive unions are collected from all members", () => {
  const definitions = {
    Value: union(ref("Other"), text),
    Other: union(ref("Value"), nothing, list(ref("Value"))),
  };
  const variance = new Variance(sideWith(definitions), sideWith(definitions));
  assert.equal(variance.counterexample(ref("Value"), ref("Other")), undefined);
  assert.deepEqual(variance.counterexample(ref("Value"), text), []);
  assert.deepEqual(variance.counterexample(number, ref("Value")), 0);
  assert.deepEqual(smallestValue(sideWith(definitions), ref("Value")), []);
});

test("the smallest value for mutually recursive definitions ends the recursion as early as possible", () => {
  const names = Array.from({ length: 60 }, (_, index) => `N${index}`);
  const definitions = Object.fromEntries(
    names.map((name, index): [string, Type] => [
      name,
      index === 59
        ? object({ end: text })
        : union(...names.map((other) => object({ [`${other}s`]: ref(other) }))),
    ]),
  );
  assert.deepEqual(smallestValue(sideWith(definitions), ref("N0")), { N59s: { end: "" } });
});

/** Creates definitions, each of which contains the definition at the next level twice. */
const doubling = (levels: number, name: string, part: (next: Type) => Type): Definitions =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, index) => [
      `${name}${index}`,
      index === levels - 1 ? object({ v: text }) : part(ref(`${name}${index + 1}`)),
    ]),
  );

test("alternatives that differ deep down are distinguished quickly", () => {
  const either = (next: Type): Type =>
    union(object({ n: next, "a?": text }), object({ n: next, "b?": text }));
  const before = doubling(40, "D", either);
  const after = { ...before, D39: object({ v: number }) };
  const variance = new Variance(sideWith(before), sideWith(after));
  let value: unknown = { v: "" };
  for (let level = 1; level < 40; level++) value = { n: value };
  assert.deepEqual(variance.counterexample(ref("D0"), ref("D0")), value);
  assert.deepEqual(changesOf({ ...before, Root: ref("D38") }, { ...after, Root: ref("D38") }), []);
});

test("an example that doubles in size with each level is refused before it is built", () => {
  const twice = doubling(40, "D", (next) => object({ l: next, r: next }));
  assert.throws(() => smallestValue(sideWith(twice), ref("D0")), {
    code: "ERR_TOO_LARGE",
    message: "Cannot show an example that is 10445360463861 characters long: the limit is 1000000",
  });
});

test("swapped definitions are compared once, however many references point to them", () => {
  const before = {
    ...doubling(40, "A", (next) => object({ "l?": next, "r?": next })),
    ...doubling(40, "B", (next) => object({ "l?": next, "r?": next })),
  };
  const after = { ...before, A39: object({ v: number }), B39: object({ v: number }) };
  const comparison = new Comparison(sideWith(before), sideWith(after));
  const found = new FoundChanges();
  const root = { owner: "Root", label: "", steps: [] };
  compareTypes(new Scope(comparison, root, found), list(ref("A0")), list(ref("B0")));
  // `A0` and `B0` are compared where they are used. Both properties link to the next pair, which is
  // compared separately.
  assert.deepEqual(
    [found.changes, found.links.map((link) => `${link.before} ${link.after}`)],
    [[], ["A1 B1", "A1 B1"]],
  );
});

test("a comparison that takes too many steps is refused", () => {
  const budget = new WorkBudget(10);
  const comparison = new Comparison(sideWith(), sideWith(), "tolerant", budget);
  const wide = (leaf: Type): Type =>
    object(Object.fromEntries([..."abcdefghijkl"].map((name) => [name, leaf])));
  const root = { owner: "Root", label: "", steps: [] };
  assert.throws(() => compareTypes(new Scope(comparison, root), wide(text), wide(number)), {
    code: "ERR_TOO_LARGE",
    message: "Cannot compare the two versions: too many definitions contain each other",
  });
});

test("a property that now references a different recursive definition is compared completely", async () => {
  const tree = (name: string, value: Schema): Schema => ({
    [name]: {
      type: "object",
      properties: { v: value, next: { $ref: `#/definitions/${name}` } },
      required: ["v"],
    },
  });
  const version = async (name: string): Promise<Protocol> => {
    const payload = { type: "object", properties: { tree: { $ref: `#/definitions/${name}` } } };
    const schema = schemaWith({ schema: payload }, "adapter");
    const definitions = {
      ...(schema["definitions"] as object),
      ...tree("Tree", { type: "string" }),
      ...tree("Tree2", { type: "integer" }),
    };
    return readSchema({ ...schema, definitions });
  };
  const { findings } = diffProtocols(await version("Tree"), await version("Tree2"));
  assert.deepEqual(
    findings.map(({ rule, at, severity }) => `${severity} ${rule} ${at}`),
    ["breaking type.changed Payload.tree.v", "breaking type.changed Tree2.v"],
  );
});

/** Creates a chain of definitions, each of which contains the next. */
function rowOf(length: number, leaf: Schema, isRequired: boolean): Schema {
  const schema = schemaWith({ schema: { $ref: "#/definitions/R0" } }, "adapter");
  const next = (index: number): Schema => ({
    type: "object",
    properties: { n: index === length ? leaf : { $ref: `#/definitions/R${index + 1}` } },
    ...(isRequired ? { required: ["n"] } : {}),
  });
  const row = Array.from({ length: length + 1 }, (_, index) => [`R${index}`, next(index)]);
  return {
    ...schema,
    definitions: { ...(schema["definitions"] as object), ...Object.fromEntries(row) },
  };
}

async function diffOfRows(length: number, isRequired: boolean): Promise<ProtocolDiff> {
  const [before, after] = await Promise.all(
    ["string", "integer"].map((type) => readSchema(rowOf(length, { type }, isRequired))),
  );
  return diffProtocols(before!, after!);
}

test("a chain of 500 definitions is compared to the end", async () => {
  for (const isRequired of [false, true]) {
    const { findings } = await diffOfRows(500, isRequired);
    assert.deepEqual(
      findings.map(({ rule, at, messages }) => ({ rule, at, messages })),
      [{ rule: "type.changed", at: "R500.n", messages: ["put request"] }],
    );
    let depth = 0;
    for (
      let part = findings[0]!.witnesses[0]?.message as { [name: string]: unknown } | undefined;
      typeof part === "object";
      depth++
    )
      part = (part["arguments"] ?? part["n"]) as typeof part;
    assert.equal(depth, 502);
  }
});

test("a chain of definitions that exceeds the stack is refused with an error", async () => {
  for (const isRequired of [false, true])
    await assert.rejects(diffOfRows(20_000, isRequired), {
      code: "ERR_TOO_DEEP",
      message:
        "Cannot compare the two versions: a chain of definitions that contain each other is too long",
    });
});
