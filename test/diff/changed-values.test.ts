import assert from "node:assert/strict";
import { test } from "node:test";
import {
  closedEnum,
  integer,
  literal,
  number,
  object,
  openEnum,
  ref,
  text,
  union,
} from "../support/model-types.js";
import {
  branch,
  changes,
  check,
  kind,
  listed,
  none,
  referred,
  retyped,
  undetermined,
} from "../support/type-changes.js";

test("changes to constants and enums are found", () => {
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
    // Replacing enum values with values of another primitive type changes the type.
    [closedEnum(1), closedEnum("a"), [retyped("type.changed", "1", '"a"', [1, "a"])]],
    [closedEnum("a"), openEnum(1), [retyped("type.changed", '"a"', "1 | other", ["a", 1])]],
    [closedEnum("a"), closedEnum(), [retyped("type.narrowed", '"a"', "", ["a", none])]],
    [text, closedEnum(1), [retyped("type.changed", "string", "1", ["", 1])]],
    [closedEnum(1), text, [retyped("type.changed", "1", "string", [1, ""])]],
    [closedEnum(1, 2), integer, [retyped("enum.dropped-closed", "1 | 2", "integer", [none, 0])]],
  ]);
});

test("alternatives are matched by structure, by constants, by name, and finally by elimination", () => {
  const [a, b, c] = [kind("a"), kind("b"), kind("c")];
  check([
    [union(a, b), union(b, a), []],
    [union(a, b), union(a, b, c), [branch("added", '{ kind: "c" }', { kind: "c" })]],
    [union(a, b, c), union(a, c), [branch("removed", '{ kind: "b" }', { kind: "b" })]],
    [a, union(a, b), [branch("added", '{ kind: "b" }', { kind: "b" })]],
    [union(a, b), a, [branch("removed", '{ kind: "b" }', { kind: "b" })]],
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
        branch("removed", '{ kind: "a" }', { kind: "a" }),
        branch("removed", '{ kind: "b" }', { kind: "b" }),
        branch("added", '{ kind: "c" }', { kind: "c" }),
        branch("added", '{ kind: "d" }', { kind: "d" }),
      ],
    ],
    // Alternatives with the same property names are matched.
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
        undetermined("removed", "{ b }", "{ a }", { b: "" }),
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

test("definitions are compared once, unless a reference now points to a different definition", () => {
  const [one, other] = [object({ a: text }), object({ b: text })];
  const same = { A: one, B: other };
  assert.deepEqual(changes(ref("A"), ref("A"), [same, same]), [referred("A", "A")]);
  assert.deepEqual(changes(ref("A"), ref("C"), [{ A: one }, { C: other }]), [referred("A", "C")]);
  // If both definitions have the same structure, nothing is reported. Otherwise, their contents are
  // compared at the location of the reference.
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
  assert.deepEqual(
    changes(ref("A"), ref("B"), [same, same]).map(({ id, label }) => [id, label]),
    [["type.changed", ".x"]],
  );
  for (const sides of [
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
