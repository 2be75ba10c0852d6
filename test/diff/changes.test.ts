import assert from "node:assert/strict";
import { test } from "node:test";
import { FoundChanges, type Change } from "../../diff/compare/change.js";
import { compareTypes } from "../../diff/compare/compare-types.js";
import { Comparison, Scope } from "../../diff/compare/comparison.js";
import type { Type } from "../../generator/model/types.js";
import {
  flag,
  kind,
  list,
  map,
  number,
  object,
  openEnum,
  ref,
  sideWith,
  text,
  union,
} from "../support/model-types.js";
import { changesOf } from "../support/type-changes.js";

test("optional flags in an object that announces capabilities count as capabilities", () => {
  const capabilities = [{ role: "adapter", definition: "Owner" }];
  const compare = (before: Type, after: Type, owners = capabilities): readonly Change[] => {
    const [old, now] = [before, after].map((type) =>
      sideWith({ Owner: type }, { capabilities: owners }),
    );
    const found = new FoundChanges();
    const site = { owner: "Owner", label: "", steps: [] };
    compareTypes(new Scope(new Comparison(old!, now!), site, found), before, after);
    return found.changes;
  };
  const ids = (...given: Parameters<typeof compare>): unknown =>
    compare(...given).map(({ rule, decision }) => [rule.id, decision]);
  const optional = object({ "a?": flag });
  assert.deepEqual(ids(object({}), optional), [["capability.added", ""]]);
  assert.deepEqual(ids(optional, object({})), [["capability.removed", ""]]);
  assert.deepEqual(ids(object({}), optional, []), [["prop.added-optional", "a boolean"]]);
  const required = object({ a: flag });
  assert.deepEqual(ids(object({}), required), [["prop.added-required", "a boolean"]]);
  const other = object({ "a?": text });
  assert.deepEqual(ids(object({}), other), [["prop.added-optional", "a string"]]);
});

test("a change contains its location and the path to it", () => {
  const places = (
    before: Type,
    after: Type,
    sides: Parameters<typeof changesOf>[2] = [{}, {}],
  ): readonly unknown[] => {
    const [old, now] = sides.map((side) => sideWith(side));
    const found = new FoundChanges();
    const site = { owner: "Owner", label: "", steps: [], before: "/o", after: "/n" };
    compareTypes(new Scope(new Comparison(old!, now!), site, found), before, after);
    return found.changes.map((change) => change.site);
  };
  const at = (type: Type, place: string): Type => object({ a: { type, pointer: place } });
  const owner = "Owner";
  const field = { kind: "field", name: "a" };
  assert.deepEqual(places(at(text, "/old/a"), at(number, "/new/a")), [
    { owner, label: ".a", steps: [field], before: "/old/a", after: "/new/a" },
  ]);
  // A property without a JSON pointer takes its object's pointer.
  assert.deepEqual(places(at(text, ""), at(number, "")), [
    { owner, label: ".a", steps: [field], before: "/o", after: "/n" },
  ]);
  assert.deepEqual(places(object({}), at(text, "/new/a")), [
    { owner, label: ".a", steps: [], before: "/o", after: "/new/a" },
  ]);
  assert.deepEqual(places(at(text, "/old/a"), object({})), [
    { owner, label: ".a", steps: [], before: "/old/a", after: "/n" },
  ]);
  const optional = object({ "a?": { type: text, pointer: "/new/a" } });
  assert.deepEqual(places(at(text, "/old/a"), optional), [
    { owner, label: ".a", steps: [], before: "/old/a", after: "/new/a" },
  ]);
  const one = kind("k", { a: text });
  const other = kind("k", { a: number });
  const member = (before: Type, after: Type): object => ({ kind: "member", before, after });
  const below = { owner, label: ".a", before: "/o", after: "/n" };
  const more = kind("l");
  const steps = (before: Type, after: Type): unknown => places(before, after)[0];
  assert.deepEqual(steps(union(more, one), union(other, more)), {
    ...below,
    steps: [member(one, other), field],
  });
  assert.deepEqual(steps(one, union(more, other)), {
    ...below,
    steps: [member(one, other), field],
  });
  assert.deepEqual(steps(union(more, one), other), {
    ...below,
    steps: [member(one, other), field],
  });
  const mapped = places(map(list(text)), map(list(number)));
  assert.deepEqual(mapped, [
    {
      owner,
      label: "{}[]",
      steps: [{ kind: "values" }, { kind: "items" }],
      before: "/o",
      after: "/n",
    },
  ]);
  // The owner of an inherited property is the base. A nested object has its own path.
  const derived = object({}, { bases: ["Base"] });
  const sides = [{ Base: at(text, "/old/a") }, { Base: at(number, "/new/a") }] as const;
  const ofBase = { owner: "Base", before: "/old/a", after: "/new/a" };
  assert.deepEqual(places(derived, derived, sides), [{ ...ofBase, label: ".a", steps: [field] }]);
  const twice = object({ p: derived, q: derived });
  assert.deepEqual(
    places(twice, twice, sides),
    ["p", "q"].map((name) => ({
      ...ofBase,
      owner,
      label: `.${name}.a`,
      steps: [{ kind: "field", name }, field],
    })),
  );
});

test("base properties are compared once and reported for each derived type", () => {
  const sides = (type: Type): Readonly<Record<string, Type>> => ({
    Base: object({ a: type }),
    One: object({ b: text }, { bases: ["Base"] }),
    Two: object({ c: text }, { bases: ["Base"] }),
  });
  const found = new FoundChanges();
  let compared = 0;
  const [before, after] = [sideWith(sides(text)), sideWith(sides(number))];
  const types = new Comparison(before, after);
  const { compareOnce } = types;
  types.compareOnce = (one, other, compare) =>
    compareOnce.call(types, one, other, (into) => {
      compared++;
      compare(into);
    });
  for (const owner of ["One", "Two"]) {
    const [old, now] = [before.typeOf(owner), after.typeOf(owner)];
    compareTypes(new Scope(types, { owner, label: "", steps: [] }, found), old, now);
  }
  assert.deepEqual(
    found.changes.map(({ site, change }) => `${site.owner}${site.label} ${change}`),
    ["Base.a string → number", "Base.a string → number"],
  );
  assert.equal(compared, 1);
  // The base is a separate definition, so comparing the objects only records the pair of bases.
  assert.deepEqual(changesOf(ref("One"), before.typeOf("One"), [sides(text), sides(text)]), [
    "Base = Base",
  ]);
});

test("for a strict reader, a change to an open enum comes with examples of rejected values", () => {
  const strictly = (before: Type, after: Type): readonly string[] =>
    changesOf(before, after, [{}, {}], "strict");
  const values = [
    'enum.open-value-added .x = "b": + "b"; decision ".x added "b""; from "b" → "b"; old "a", new "b"',
    'enum.open-value-removed .x = "a": - "a"; decision ".x removed "a""; from "a" → "a"; old "a", new "b"',
  ];
  assert.deepEqual(strictly(openEnum("a"), openEnum("b")), values);
  // The kind of change depends on the schema, not on the readers.
  assert.deepEqual(strictly(union(openEnum("a"), flag), union(openEnum("a"), flag)), []);
  assert.deepEqual(strictly(openEnum("a"), union(openEnum("b"), flag)), [
    'type.widened .x: "a" | other → "b" | other | boolean; old "a", new false',
    ...values,
  ]);
});

test("references to definitions are compared once", () => {
  const named = { A: object({ a: text }), B: object({ b: text }), C: object({ c: text }) };
  const other = { ...named, A: object({ a: number }), B: object({ b: number }) };
  assert.deepEqual(
    changesOf(union(ref("A"), ref("B"), ref("C")), union(ref("C"), ref("B"), ref("A")), [
      named,
      other,
    ]),
    ["A = A", "B = B", "C = C"],
  );
  const described = (first: Type, docs: string): Type =>
    object({ a: { type: first, docs }, b: { type: ref("T"), docs } });
  // The description of a property that becomes a reference is not compared.
  assert.deepEqual(
    changesOf(described(text, "One."), described(ref("T"), "Two."), [{ T: text }, { T: text }]),
    ["T = T", 'doc.changed .x.b: One.; decision ""'],
  );
});

test("a reference to a different definition is compared where it is", () => {
  const [one, other] = [object({ a: text }), object({ b: text })];
  const same = { A: one, B: other };
  const equal = { A: one, B: one };
  assert.deepEqual(changesOf(ref("A"), ref("A"), [same, same]), ["A = A"]);
  assert.deepEqual(changesOf(ref("A"), ref("C"), [{ A: one }, { C: other }]), ["A = C"]);
  // If both definitions have the same structure, nothing is reported.
  assert.deepEqual(changesOf(ref("A"), ref("B"), [equal, equal]), []);
  assert.deepEqual(changesOf(ref("A"), ref("B"), [same, same]), [
    'type.changed .x: A → B; old {"a":""}, new {"b":""}',
  ]);
  const rules = (...given: Parameters<typeof changesOf>): readonly string[] =>
    changesOf(...given).map((change) => change.split(":", 1)[0]!);
  const replaced = ["prop.removed-required .x.a", "prop.added-required .x.b"];
  assert.deepEqual(rules(ref("A"), ref("B"), [same, { B: other }]), replaced);
  assert.deepEqual(rules(ref("A"), ref("B"), [{ A: one }, same]), replaced);
  const inline = rules(ref("A"), object({ a: number }), [{ A: one }, {}]);
  assert.deepEqual(inline, ["type.changed .x.a"]);
});
