import assert from "node:assert/strict";
import { test } from "node:test";
import { FoundChanges, type Change } from "../../../generator/diff/compare/change.js";
import { TypeComparison } from "../../../generator/diff/compare/compare-types.js";
import type { Json, Type } from "../../../generator/model/types.js";
import {
  any,
  chars,
  closedEnum,
  flag,
  integer,
  integers,
  list,
  literal,
  map,
  nothing,
  number,
  numbers,
  object,
  openEnum,
  ref,
  sideWith,
  text,
  union,
  type Properties,
} from "../../support/model-types.js";

/** What is said of a change, with the values that show it; `label` is the place below `Owner.x`. */
interface Said extends Omit<Change, "rule" | "site" | "oldToNew" | "newToOld"> {
  readonly id: string;
  readonly label: string;
  readonly values: readonly [oldToNew: Json | undefined, newToOld: Json | undefined];
}

const none = undefined;

/** The changes between two types of which the versions have definitions. */
function changes(
  before: Type,
  after: Type,
  [old, now]: readonly [Readonly<Record<string, Type>>, Readonly<Record<string, Type>>] = [{}, {}],
  isClosed = false,
): readonly Said[] {
  const comparison = new TypeComparison(sideWith(old), sideWith(now), {
    reader: isClosed ? "strict" : "tolerant",
  });
  const found = new FoundChanges();
  comparison.compare(found, before, after, { owner: "Owner", label: ".x", steps: [] });
  return [
    ...found.links.map((link) => referred(link.before, link.after)),
    ...found.changes.map(({ rule, site, oldToNew, newToOld, ...rest }) => ({
      ...withoutJudgement(rest),
      id: rule.id,
      label: site.label,
      values: [oldToNew?.(), newToOld?.()] as const,
    })),
  ];
}

/** What a change says, without what only verdicts depend on. */
function withoutJudgement<Said extends object>(said: Said): Said {
  const own = Object.entries(said).filter(
    ([name]) => !["limits", "builds", "evidence"].includes(name),
  );
  return Object.fromEntries(own) as Said;
}

function referred(before: string, after: string): Said {
  return { id: "referred", label: `${before} ${after}`, values: [none, none] };
}

/** A change from one type to another one. */
function retyped(
  id: string,
  old: string,
  now: string,
  values: Said["values"] = [none, none],
  label = ".x",
): Said {
  const place = /\.[^.]*$/.exec(label)![0];
  const change = `${old} → ${now}`;
  return { id, label, change, old, new: now, decision: `${place} ${change}`, values };
}

/** A change of bounds, or of the kind of number: the same decision wherever it is made. */
function rebound(id: string, old: string, now: string, ...values: Said["values"]): Said {
  const change = `${old} → ${now}`;
  return { id, label: ".x", change, old, new: now, decision: change, values };
}

/** A value that comes or goes. */
function listed(id: string, value: string, ...values: Said["values"]): Said {
  const isAdded = id.endsWith("added");
  return {
    id: `enum.${id}`,
    label: `.x = ${value}`,
    change: `${isAdded ? "+" : "-"} ${value}`,
    old: value,
    new: value,
    decision: `.x ${isAdded ? "added" : "removed"} ${value}`,
    values,
  };
}

/** An alternative that comes or goes where readers cannot tell it from others. */
function untold(id: "added" | "removed", told: string, others: string, value: Json): Said {
  const { id: _id, ...said } = branch(id, told, value);
  return {
    ...said,
    id: `union.untagged-${id}`,
    ...(id === "added" ? { old: others } : { new: others }),
  };
}

/** An alternative that comes or goes. */
function branch(id: "added" | "removed", told: string, value: Json): Said {
  return {
    id: `union.branch-${id}`,
    label: `.x | ${told}`,
    change: `${id === "added" ? "+" : "-"} ${told}`,
    ...(id === "added" ? { new: told } : { old: told }),
    values: id === "added" ? [none, value] : [value, none],
  };
}

function check(
  rows: readonly (readonly [before: Type, after: Type, said: readonly Said[]])[],
): void {
  for (const [before, after, said] of rows)
    assert.deepEqual(
      changes(before, after),
      said,
      `${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    );
}

test("a type becomes wider, narrower or another one", () => {
  const both = union(text, number);
  check([
    [text, text, []],
    [any, any, []],
    [flag, flag, []],
    [text, number, [retyped("type.changed", "string", "number", ["", 0])]],
    [text, both, [retyped("type.widened", "string", "string | number", [none, 0])]],
    [both, text, [retyped("type.narrowed", "string | number", "string", [0, none])]],
    [text, any, [retyped("type.widened", "string", "any value", [none, 0])]],
    [any, text, [retyped("type.narrowed", "any value", "string", [0, none])]],
    [literal(true), flag, [retyped("enum.dropped-closed", "true", "boolean", [none, false])]],
    [flag, literal(true), [retyped("enum.introduced-closed", "boolean", "true", [false, none])]],
    [
      map(text),
      object({ a: text }),
      [retyped("type.narrowed", "map of string", "{ a }", [{}, none])],
    ],
    [map(text), map(text), []],
    [map(text), map(number), [retyped("type.changed", "string", "number", ["", 0], ".x{}")]],
    [both, union(number, text), []],
    [
      both,
      union(text, flag),
      [retyped("type.changed", "string | number", "string | boolean", [0, false])],
    ],
    [
      union(text, object({})),
      union(text, object({ a: text })),
      [{ ...property("added-required", "a", "string", {}, { a: "" }) }],
    ],
  ]);
});

test("null is a change of its own", () => {
  const nullable = union(text, nothing);
  check([
    [text, nullable, [retyped("type.null-added", "string", "string | null", [none, null])]],
    [nullable, text, [retyped("type.null-removed", "string | null", "string", [null, none])]],
    [nullable, union(number, nothing), [retyped("type.changed", "string", "number", ["", 0])]],
    [
      union(text, number, nothing),
      union(text, number),
      [retyped("type.null-removed", "string | number | null", "string | number", [null, none])],
    ],
    [
      union(text, nothing),
      number,
      [
        retyped("type.null-removed", "string | null", "number", [null, 0]),
        retyped("type.changed", "string", "number", ["", 0]),
      ],
    ],
    // What is not null is compared as if null were not there.
    [
      union(chars(1), nothing),
      union(chars(2), nothing),
      [rebound("constraint.tightened", "string of length ≥ 1", "string of length ≥ 2", "x", none)],
    ],
    [nothing, nothing, []],
    [union(nothing), nothing, []],
    [nothing, text, [retyped("type.changed", "null", "string", [null, ""])]],
  ]);
});

test("numbers change their kind, bounds and format", () => {
  const int32: Type = { kind: "integer", format: "int32" };
  check([
    [number, integer, [rebound("type.number-to-int", "number", "integer", 0.5, none)]],
    [integer, number, [rebound("type.int-to-number", "integer", "number", none, 0.5)]],
    [
      numbers(0, 9),
      integers(0, 5),
      [
        rebound("type.number-to-int", "number", "integer", 0.5, none),
        rebound("constraint.tightened", "integer 0..9", "integer 0..5", 9, none),
      ],
    ],
    [
      integers(0, 5),
      numbers(0, 9),
      [
        rebound("type.int-to-number", "integer", "number", none, 0.5),
        rebound("constraint.loosened", "number 0..5", "number 0..9", none, 9),
      ],
    ],
    [integers(0, 9), integers(0, 9), []],
    [
      integers(0, 9),
      integers(1, 9),
      [rebound("constraint.tightened", "integer 0..9", "integer 1..9", 0, none)],
    ],
    [
      integers(0, 9),
      integers(0, 8),
      [rebound("constraint.tightened", "integer 0..9", "integer 0..8", 9, none)],
    ],
    [
      integers(0, 9),
      integers(1, 8),
      [rebound("constraint.tightened", "integer 0..9", "integer 1..8", 0, none)],
    ],
    [
      integers(1, 9),
      integers(0, 9),
      [rebound("constraint.loosened", "integer 1..9", "integer 0..9", none, 0)],
    ],
    [
      integers(0, 8),
      integers(0, 9),
      [rebound("constraint.loosened", "integer 0..8", "integer 0..9", none, 9)],
    ],
    [
      integers(0, 8),
      integers(1, 9),
      [rebound("constraint.changed", "integer 0..8", "integer 1..9", 0, 9)],
    ],
    [
      integers(1, 9),
      integers(0, 8),
      [rebound("constraint.changed", "integer 1..9", "integer 0..8", 9, 0)],
    ],
    [integer, integers(0), [rebound("constraint.tightened", "integer", "integer ≥ 0", -1, none)]],
    [
      integers(undefined, 9),
      integer,
      [rebound("constraint.loosened", "integer ≤ 9", "integer", none, 10)],
    ],
    [int32, int32, []],
    [
      int32,
      { ...int32, format: "int64" },
      [retyped("constraint.format-changed", "int32", "int64")],
    ],
    [int32, integer, [retyped("constraint.format-changed", "int32", "integer")]],
    // A change of kind or bounds says more than one of the format.
    [int32, number, [rebound("type.int-to-number", "integer", "number", none, 0.5)]],
    [int32, integers(0), [rebound("constraint.tightened", "int32", "integer ≥ 0", -1, none)]],
  ]);
});

test("texts and lists change their bounds, format and items", () => {
  const uri: Type = { kind: "string", format: "uri" };
  check([
    [uri, uri, []],
    [uri, text, [retyped("constraint.format-changed", "string (uri)", "string")]],
    [
      uri,
      chars(1),
      [rebound("constraint.tightened", "string (uri)", "string of length ≥ 1", "", none)],
    ],
    [
      chars(0, 5),
      chars(0, 6),
      [
        rebound(
          "constraint.loosened",
          "string of length 0..5",
          "string of length 0..6",
          none,
          "xxxxxx",
        ),
      ],
    ],
    [list(text), list(text), []],
    [
      list(text),
      list(text, 1),
      [rebound("constraint.tightened", "string[]", "string[] of length ≥ 1", [], none)],
    ],
    [
      list(text, 0, 3),
      list(number, 0, 2),
      [
        rebound(
          "constraint.tightened",
          "string[] of length 0..3",
          "number[] of length 0..2",
          ["", "", ""],
          none,
        ),
        retyped("type.changed", "string", "number", ["", 0], ".x[]"),
      ],
    ],
    [
      list(text, 1),
      list(number),
      [
        rebound("constraint.loosened", "string[] of length ≥ 1", "number[]", none, []),
        retyped("type.changed", "string", "number", ["", 0], ".x[]"),
      ],
    ],
    [text, list(text), [retyped("type.array-wrapped", "string", "string[]", ["", []])]],
    [list(text), text, [retyped("type.array-unwrapped", "string[]", "string", [[], ""])]],
    [text, list(number), [retyped("type.changed", "string", "number[]", ["", []])]],
    [list(text), number, [retyped("type.changed", "string[]", "number", [[], 0])]],
    [
      list(text),
      list(list(text)),
      [retyped("type.array-wrapped", "string", "string[]", ["", []], ".x[]")],
    ],
    [
      list(list(text)),
      list(text),
      [retyped("type.array-unwrapped", "string[]", "string", [[], ""], ".x[]")],
    ],
  ]);
});

test("fixed and listed values come, go, open and close", () => {
  check([
    [literal("a"), literal("a"), []],
    [literal("a"), literal("b"), [retyped("type.literal-changed", '"a"', '"b"', ["a", "b"])]],
    [
      literal(true),
      literal(false),
      [retyped("type.literal-changed", "true", "false", [true, false])],
    ],
    [literal("a"), closedEnum("a", "b"), [listed("value-added", '"b"', none, "b")]],
    [closedEnum("a", "b"), literal("a"), [listed("value-removed", '"b"', "b", none)]],
    [literal("a"), text, [retyped("enum.dropped-closed", '"a"', "string", [none, ""])]],
    [text, literal("a"), [retyped("enum.introduced-closed", "string", '"a"', ["", none])]],
    [literal(1), number, [retyped("enum.dropped-closed", "1", "number", [none, 0])]],
    [integer, literal(1), [retyped("enum.introduced-closed", "integer", "1", [0, none])]],
    [literal(true), closedEnum("a"), [retyped("type.changed", "true", '"a"', [true, "a"])]],
    [closedEnum("a", "b"), closedEnum("a", "b"), []],
    [closedEnum("a"), closedEnum("a", "b"), [listed("value-added", '"b"', none, "b")]],
    [closedEnum("a", "b"), closedEnum("b"), [listed("value-removed", '"a"', "a", none)]],
    [closedEnum(1), closedEnum(1, 2), [listed("value-added", "2", none, 2)]],
    [openEnum("a"), openEnum("a", "b"), [listed("open-value-added", '"b"', none, "b")]],
    [openEnum("a", "b"), openEnum("b"), [listed("open-value-removed", '"a"', "a", none)]],
    [
      closedEnum("a"),
      openEnum("a"),
      [retyped("enum.opened", '"a"', '"a" | other', [none, "other"])],
    ],
    [
      openEnum("a"),
      closedEnum("a"),
      [retyped("enum.closed", '"a" | other', '"a"', ["other", none])],
    ],
    [
      closedEnum("a"),
      openEnum("b"),
      [
        retyped("enum.opened", '"a"', '"b" | other', [none, "b"]),
        listed("value-added", '"b"', none, "b"),
        listed("open-value-removed", '"a"', "a", "b"),
      ],
    ],
    [
      openEnum("a"),
      closedEnum("b"),
      [
        retyped("enum.closed", '"a" | other', '"b"', ["a", none]),
        listed("open-value-added", '"b"', "a", "b"),
        listed("value-removed", '"a"', "a", none),
      ],
    ],
    [text, openEnum("a"), [retyped("enum.introduced", "string", '"a" | other')]],
    [openEnum("a"), text, [retyped("enum.dropped", '"a" | other', "string")]],
    [text, closedEnum("a"), [retyped("enum.introduced-closed", "string", '"a"', ["", none])]],
    [closedEnum("a"), text, [retyped("enum.dropped-closed", '"a"', "string", [none, ""])]],
    // Values of another primitive type are another type.
    [closedEnum(1), closedEnum("a"), [retyped("type.changed", "1", '"a"', [1, "a"])]],
    [closedEnum("a"), openEnum(1), [retyped("type.changed", '"a"', "1 | other", ["a", 1])]],
    [closedEnum("a"), closedEnum(), [retyped("type.narrowed", '"a"', "", ["a", none])]],
    [text, closedEnum(1), [retyped("type.changed", "string", "1", ["", 1])]],
    [closedEnum(1), text, [retyped("type.changed", "1", "string", [1, ""])]],
    [closedEnum(1, 2), integer, [retyped("enum.dropped-closed", "1 | 2", "integer", [none, 0])]],
  ]);
});

const kind = (value: string, more: Properties = {}): Type =>
  object({ kind: literal(value), ...more });

test("alternatives are told by build, by fixed values, by name, and at last by what is left", () => {
  const [a, b, c] = [kind("a"), kind("b"), kind("c")];
  check([
    [union(a, b), union(b, a), []],
    [union(a, b), union(a, b, c), [branch("added", "{ kind }", { kind: "c" })]],
    [union(a, b, c), union(a, c), [branch("removed", "{ kind }", { kind: "b" })]],
    [a, union(a, b), [branch("added", "{ kind }", { kind: "b" })]],
    [union(a, b), a, [branch("removed", "{ kind }", { kind: "b" })]],
    [
      union(a, kind("b", { x: text })),
      union(kind("b", { x: number }), a),
      [retyped("type.changed", "string", "number", ["", 0], ".x.x")],
    ],
    [
      union(a, b),
      union(a, c),
      [retyped("type.literal-changed", '"b"', '"c"', ["b", "c"], ".x.kind")],
    ],
    [
      union(a, b),
      union(c, kind("d")),
      [
        branch("removed", "{ kind }", { kind: "a" }),
        branch("removed", "{ kind }", { kind: "b" }),
        branch("added", "{ kind }", { kind: "c" }),
        branch("added", "{ kind }", { kind: "d" }),
      ],
    ],
    // Alternatives with the same properties are the same one.
    [
      union(object({ a: text }), object({ b: text })),
      union(object({ b: number }), object({ a: number })),
      [
        retyped("type.changed", "string", "number", ["", 0], ".x.a"),
        retyped("type.changed", "string", "number", ["", 0], ".x.b"),
      ],
    ],
    [
      union(object({ a: text }), object({ b: text })),
      object({ a: number }),
      [
        retyped("type.changed", "string", "number", ["", 0], ".x.a"),
        untold("removed", "{ b }", "{ a }", { b: "" }),
      ],
    ],
  ]);
  const named = { A: object({ a: text }), B: object({ b: text }), C: object({ c: text }) };
  const other = { ...named, A: object({ a: number }), B: object({ b: number }) };
  assert.deepEqual(
    changes(union(ref("A"), ref("B"), ref("C")), union(ref("C"), ref("B"), ref("A")), [
      named,
      other,
    ]),
    [referred("A", "A"), referred("B", "B"), referred("C", "C")],
  );
});

test("definitions are compared by themselves, unless they are now other ones", () => {
  const [one, other] = [object({ a: text }), object({ b: text })];
  const same = { A: one, B: other };
  assert.deepEqual(changes(ref("A"), ref("A"), [same, same]), [referred("A", "A")]);
  assert.deepEqual(changes(ref("A"), ref("C"), [{ A: one }, { C: other }]), [referred("A", "C")]);
  // Built alike: nothing to say. Else what they hold is compared in place.
  assert.deepEqual(
    changes(ref("A"), ref("B"), [
      { A: one, B: one },
      { A: one, B: one },
    ]),
    [],
  );
  const replaced = [
    ["prop.removed-required", ".x.a"],
    ["prop.added-required", ".x.b"],
  ];
  for (const sides of [
    [same, same],
    [same, { B: other }],
    [{ A: one }, same],
  ] as const)
    assert.deepEqual(
      changes(ref("A"), ref("B"), sides).map(({ id, label }) => [id, label]),
      replaced,
    );
  assert.deepEqual(
    changes(ref("A"), object({ a: number }), [{ A: one }, {}]).map(({ label }) => label),
    [".x.a"],
  );
});

/** A property that comes or goes. */
function property(id: string, name: string, type: string, ...values: Said["values"]): Said {
  const isAdded = id.startsWith("added");
  const question = id.endsWith("optional") ? "?" : "";
  return {
    id: `prop.${id}`,
    label: `.x.${name}`,
    change: `${isAdded ? "+" : "-"} ${name}${question}: ${type}`,
    old: name,
    new: name,
    decision: `${name} ${type}`,
    values,
  };
}

function renamed(id: string, old: string, now: string): Said {
  return {
    id: `prop.renamed-${id}`,
    label: `.x.${now}`,
    change: `${old} → ${now}: string`,
    old,
    new: now,
    values: [{ [old]: "" }, { [now]: "" }],
  };
}

test("properties come, go, and change their names", () => {
  const lines = { startLine: "", endLine: "" };
  check([
    [object({}), object({}), []],
    [
      object({}),
      object({ "a?": text }),
      [property("added-optional", "a", "string", {}, { a: "" })],
    ],
    [object({}), object({ a: text }), [property("added-required", "a", "string", {}, { a: "" })]],
    [
      object({ "a?": text }),
      object({}),
      [property("removed-optional", "a", "string", { a: "" }, {})],
    ],
    [object({ a: text }), object({}), [property("removed-required", "a", "string", { a: "" }, {})]],
    [
      object({ startLine: text }),
      object({ line: text }),
      [renamed("required", "startLine", "line")],
    ],
    [
      object({ "startLine?": text }),
      object({ "line?": text }),
      [renamed("optional", "startLine", "line")],
    ],
    [
      object({ start_line: text }),
      object({ "line-end": text }),
      [renamed("required", "start_line", "line-end")],
    ],
    // No word in common, another type, another duty, or two candidates: not the same thing.
    [
      object({ startLine: text }),
      object({ column: text }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, { column: "" }),
        property("added-required", "column", "string", { startLine: "" }, { column: "" }),
      ],
    ],
    [
      object({ startLine: text }),
      object({ line: number }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, { line: 0 }),
        property("added-required", "line", "number", { startLine: "" }, { line: 0 }),
      ],
    ],
    [
      object({ startLine: text }),
      object({ "line?": text }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, {}),
        property("added-optional", "line", "string", { startLine: "" }, { line: "" }),
      ],
    ],
    [
      object({ startLine: text, endLine: text }),
      object({ line: text }),
      [
        property("removed-required", "startLine", "string", lines, { line: "" }),
        property("removed-required", "endLine", "string", lines, { line: "" }),
        property("added-required", "line", "string", lines, { line: "" }),
      ],
    ],
    [
      object({ startLine: text, name: text }),
      object({ line: text }),
      [
        {
          ...renamed("required", "startLine", "line"),
          values: [{ startLine: "", name: "" }, { line: "" }],
        },
        property("removed-required", "name", "string", { startLine: "", name: "" }, { line: "" }),
      ],
    ],
    [
      object({ line: text }),
      object({ startLine: text, endLine: text }),
      [
        property("removed-required", "line", "string", { line: "" }, lines),
        property("added-required", "startLine", "string", { line: "" }, lines),
        property("added-required", "endLine", "string", { line: "" }, lines),
      ],
    ],
  ]);
});

test("properties change their duty, type, default, gate and text", () => {
  const x = ".x.a";
  const gate = { role: "adapter", flag: "f" };
  const optional = (more: object): Type => object({ "a?": { type: text, ...more } });
  const defaults = (id: string, old: string, now: string): Said => ({
    id: `default.${id}`,
    label: x,
    change: `default ${old || "none"} → ${now || "none"}`,
    old,
    new: now,
    decision: `default ${old} ${now}`,
    values: [none, none],
  });
  const gates = (id: string, old: string, now: string): Said => ({
    id: `gate.${id}`,
    label: x,
    change: `${old || "none"} → ${now || "none"}`,
    old,
    new: now,
    values: [none, none],
  });
  const docs = (id: string, change: string): Said => ({
    id: `doc.${id}`,
    label: x,
    change,
    decision: "",
    values: [none, none],
  });
  const changedReason: Said = {
    id: "doc.changed",
    label: ".x.a",
    change: "a",
    decision: "",
    values: [undefined, undefined],
  };
  const deprecated = (id: string, change: string): Said => ({
    id: `deprecated.${id}`,
    label: x,
    change,
    values: [none, none],
  });
  const long = "x".repeat(120);
  check([
    [
      object({ "a?": text }),
      object({ a: text }),
      [
        {
          id: "prop.became-required",
          label: x,
          change: "optional → required",
          decision: "a required",
          values: [{}, { a: "" }],
        },
      ],
    ],
    [
      object({ a: text }),
      object({ "a?": text }),
      [
        {
          id: "prop.became-optional",
          label: x,
          change: "required → optional",
          decision: "a required",
          values: [{ a: "" }, {}],
        },
      ],
    ],
    [
      object({ a: object({ b: text }) }),
      object({ a: object({ b: number }) }),
      [retyped("type.changed", "string", "number", ["", 0], ".x.a.b")],
    ],
    [
      object({}),
      object({}, { closed: true }),
      [{ id: "object.closed", label: ".x", values: [{ other: true }, none] }],
    ],
    [
      object({}, { closed: true }),
      object({}),
      [{ id: "object.opened", label: ".x", values: [none, { other: true }] }],
    ],
    [optional({}), optional({ default: "x" }), [defaults("added", "", '"x"')]],
    [optional({ default: null }), optional({ default: "y" }), [defaults("changed", "null", '"y"')]],
    [optional({ default: "x" }), optional({}), [defaults("removed", '"x"', "")]],
    [optional({ default: [1] }), optional({ default: [1] }), []],
    [optional({}), optional({ gate }), [gates("added", "", "adapter.f")]],
    [optional({ gate }), optional({}), [gates("removed", "adapter.f", "")]],
    [
      optional({ gate }),
      optional({ gate: { role: "client", flag: "f" } }),
      [gates("changed", "adapter.f", "client.f")],
    ],
    [optional({ gate }), optional({ gate }), []],
    [
      object({}),
      optional({ gate }),
      [{ ...property("added-optional", "a", "string", {}, { a: "" }), gate }],
    ],
    [optional({ docs: "One. Two." }), optional({ docs: "One. Three." }), [docs("changed", "Two.")]],
    [optional({}), optional({ docs: "One.\nTwo." }), [docs("changed", "One.")]],
    [optional({ docs: "One. Two." }), optional({ docs: "Two.\n\n  One." }), []],
    [optional({ docs: "One two." }), optional({ docs: "One\ttwo." }), []],
    [
      optional({ docs: "It is." }),
      optional({ docs: "It may be. It must be." }),
      [docs("normative", "It must be.")],
    ],
    [
      optional({ docs: "Clients supporting it may." }),
      optional({ docs: "Clients may." }),
      [docs("normative", "Clients supporting it may.")],
    ],
    ...["require", "required", "support", "SHALL"].map(
      (word): readonly [Type, Type, readonly Said[]] => [
        optional({ docs: `They ${word} it.` }),
        optional({}),
        [docs("normative", `They ${word} it.`)],
      ],
    ),
    [optional({ docs: "Mustard." }), optional({}), [docs("changed", "Mustard.")]],
    [optional({ docs: long }), optional({}), [docs("changed", long)]],
    [optional({ docs: `${long}x` }), optional({}), [docs("changed", `${long.slice(1)}…`)]],
    [optional({ deprecated: "Old." }), optional({}), [deprecated("removed", "Old.")]],
    [optional({}), optional({ deprecated: "" }), [deprecated("added", "")]],
    [optional({ deprecated: "a" }), optional({ deprecated: "b" }), [changedReason]],
  ]);
});

test("listed values have texts of their own", () => {
  const values = (docs: string, more: object = {}): Type => ({
    kind: "enum",
    open: false,
    values: [{ value: "a" }, { value: "b", docs, ...more }],
  });
  check([
    [
      values("One."),
      values("Two.", { deprecated: "Old." }),
      [
        {
          id: "deprecated.added",
          label: '.x = "b"',
          change: "Old.",
          values: [none, none],
        },
        {
          id: "doc.changed",
          label: '.x = "b"',
          change: "One.",
          decision: "",
          values: [none, none],
        },
      ],
    ],
  ]);
});

test("a property whose type is now a definition has its text there", () => {
  const [before, after] = [
    object({ a: { type: text, docs: "One." }, b: { type: ref("T"), docs: "One." } }),
    object({ a: { type: ref("T"), docs: "Two." }, b: { type: ref("T"), docs: "Two." } }),
  ];
  const said = changes(before, after, [{ T: text }, { T: text }]);
  assert.deepEqual(
    said.map(({ id, label }) => [id, label]),
    [
      ["referred", "T T"],
      ["doc.changed", ".x.b"],
    ],
  );
});

test("optional flags of an object that announces capabilities are capabilities", () => {
  const capabilities = [{ role: "adapter", definition: "Owner" }];
  const compare = (before: Type, after: Type, owners = capabilities): readonly Change[] => {
    const [old, now] = [before, after].map((type) =>
      sideWith({ Owner: type }, { capabilities: owners }),
    );
    const found = new FoundChanges();
    const site = { owner: "Owner", label: "", steps: [] };
    new TypeComparison(old!, now!).compare(found, before, after, site);
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

test("a change says where it is found, and the way to there", () => {
  const places = (
    before: Type,
    after: Type,
    sides: Parameters<typeof changes>[2] = [{}, {}],
  ): readonly unknown[] => {
    const [old, now] = sides.map((side) => sideWith(side));
    const found = new FoundChanges();
    const site = { owner: "Owner", label: "", steps: [], before: "/o", after: "/n" };
    new TypeComparison(old!, now!).compare(found, before, after, site);
    return found.changes.map((change) => change.site);
  };
  const at = (type: Type, place: string): Type => object({ a: { type, at: place } });
  const owner = "Owner";
  const field = { kind: "field", name: "a" };
  assert.deepEqual(places(at(text, "/old/a"), at(number, "/new/a")), [
    { owner, label: ".a", steps: [field], before: "/old/a", after: "/new/a" },
  ]);
  // Without a pointer of its own a property is where the object does.
  assert.deepEqual(places(at(text, ""), at(number, "")), [
    { owner, label: ".a", steps: [field], before: "/o", after: "/n" },
  ]);
  assert.deepEqual(places(object({}), at(text, "/new/a")), [
    { owner, label: ".a", steps: [], before: "/o", after: "/new/a" },
  ]);
  assert.deepEqual(places(at(text, "/old/a"), object({})), [
    { owner, label: ".a", steps: [], before: "/old/a", after: "/n" },
  ]);
  const optional = object({ "a?": { type: text, at: "/new/a" } });
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
  // A base is the owner of what it states; what is nested has its own way.
  const derived = object({}, { bases: ["Base"] });
  const sides = [{ Base: at(text, "/old/a") }, { Base: at(number, "/new/a") }] as const;
  const ofBase = { owner: "Base", before: "/old/a", after: "/new/a" };
  assert.deepEqual(places(derived, derived, sides), [{ ...ofBase, label: ".a", steps: [field] }]);
  const twice = object({ p: derived, q: derived });
  assert.deepEqual(
    places(twice, twice, sides),
    ["p", "q"].map((name) => ({
      ...ofBase,
      label: `.${name}.a`,
      steps: [{ kind: "field", name }, field],
    })),
  );
});

test("what bases state is compared once, and told for each that derives from them", () => {
  const sides = (type: Type): Readonly<Record<string, Type>> => ({
    Base: object({ a: type }),
    One: object({ b: text }, { bases: ["Base"] }),
    Two: object({ c: text }, { bases: ["Base"] }),
  });
  const found = new FoundChanges();
  let compared = 0;
  const [before, after] = [sideWith(sides(text)), sideWith(sides(number))];
  const comparison = new TypeComparison(before, after);
  const { compare } = comparison;
  comparison.compare = (...given) => {
    compared++;
    compare.apply(comparison, given);
  };
  for (const owner of ["One", "Two"]) {
    const [old, now] = [before.typeOf(owner), after.typeOf(owner)];
    comparison.compare(found, old, now, { owner, label: "", steps: [] });
  }
  assert.deepEqual(
    found.changes.map(({ site, change }) => `${site.owner}${site.label} ${change}`),
    ["Base.a string → number", "Base.a string → number"],
  );
  // The two objects, each with its own property, and that of the base.
  assert.equal(compared, 5);
  assert.deepEqual(changes(ref("One"), before.typeOf("One"), [sides(text), sides(text)]), []);
});

test("a reader that closes everything has other values to refuse", () => {
  const [found] = changes(openEnum("a"), openEnum("b"), [{}, {}], true);
  assert.deepEqual(found, {
    ...listed("open-value-added", '"b"', "a", "b"),
  });
  // The kind of a change is that of the schema, however readers are.
  assert.deepEqual(
    changes(union(openEnum("a"), flag), union(openEnum("a"), flag), [{}, {}], true),
    [],
  );
  const wider = changes(openEnum("a"), union(openEnum("b"), flag), [{}, {}], true);
  assert.deepEqual(wider, [
    retyped("type.widened", '"a" | other', '"b" | other | boolean', ["a", false]),
    listed("open-value-added", '"b"', "a", "b"),
    listed("open-value-removed", '"a"', "a", "b"),
  ]);
});
