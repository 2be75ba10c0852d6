import assert from "node:assert/strict";
import { test } from "node:test";
import { readings } from "../../diff/compare/accepted-values.js";
import { Variance } from "../../diff/compare/variance.js";
import type { Json, Type } from "../../generator/model/types.js";
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
  never,
  nothing,
  number,
  numbers,
  object,
  openEnum,
  ref,
  sideWith,
  text,
  union,
} from "../support/model-types.js";

/**
 * The type as written, the type as read, and the value with the shortest JSON that the reader
 * refuses, or undefined if the reader accepts everything.
 */
type Row = readonly [written: Type, read: Type, refused: Json | undefined];

const none = undefined;

const primitives: readonly Row[] = [
  [any, any, none],
  [text, any, none],
  [any, text, 0],
  [any, flag, 0],
  [any, nothing, 0],
  [any, number, ""],
  [any, list(any), 0],
  [any, map(any), 0],
  [any, object({}), 0],
  [any, union(text, number), []],
  [any, union(text, integer), []],
  [any, union(text, integer, nothing, flag, list(any), map(any)), 0.5],
  [any, union(text, integers(0), nothing, flag, list(any), map(any)), -1],
  [any, union(text, number, nothing, list(any), map(any)), true],
  [any, union(text, number, flag, list(any), map(any)), null],
  [any, union(text, number, nothing, flag, list(any)), {}],
  [any, union(text, number, nothing, flag, list(any), map(any)), none],
  [nothing, text, null],
  [nothing, nothing, none],
  [flag, flag, none],
  [flag, literal(true), false],
  [flag, literal(false), true],
  [flag, union(literal(true), literal(false)), none],
  [flag, text, true],
  [text, flag, ""],
  [never, text, none],
  [text, never, ""],
];

const texts: readonly Row[] = [
  [text, chars(0, 3), "xxxx"],
  [text, chars(2), ""],
  [text, chars(1), ""],
  [chars(1), text, none],
  [chars(1), chars(1), none],
  [chars(5, 9), chars(0, 4), "xxxxx"],
  [chars(0, 4), chars(0, 4), none],
  [chars(0, 5), chars(0, 4), "xxxxx"],
  [chars(3, 5), chars(4, 9), "xxx"],
  [chars(3, 5), chars(3, 4), "xxxxx"],
  [chars(3, 5), chars(3, 5), none],
  [chars(1, 2), chars(2, 9), "x"],
  [chars(2, 2), number, "xx"],
  [chars(0, 3), union(chars(0, 1), chars(3, 3)), "xx"],
  [text, union(literal(""), flag), "x"],
  [text, literal(""), "x"],
  [text, closedEnum("a"), ""],
  [text, openEnum("a"), none],
  [literal("a"), text, none],
  [literal("a"), literal("b"), "a"],
  [literal("a"), closedEnum("a", "b"), none],
  [literal("c"), closedEnum("a", "b"), "c"],
  [literal("c"), openEnum("a", "b"), none],
  [literal(1), openEnum("a", "b"), 1],
  [closedEnum("a", "b"), closedEnum("a", "b", "c"), none],
  [closedEnum("a", "b"), closedEnum("a"), "b"],
  [closedEnum("a", "b"), literal("a"), "b"],
  [closedEnum("a", "b"), text, none],
  [openEnum("a"), text, none],
  [openEnum("a"), openEnum("b"), none],
  [openEnum("a"), closedEnum("a"), "other"],
  [openEnum("abc"), chars(2), "x"],
  [openEnum("abc"), chars(0, 3), "xxxx"],
  // The example for an open enum must not be listed by either side.
  [openEnum("other"), closedEnum("other"), "other_"],
  [openEnum("a"), union(closedEnum("a", "other"), literal("other_"), flag), "x"],
];

const numeric: readonly Row[] = [
  [integer, number, none],
  [number, integer, 0.5],
  [numbers(0, 1), integer, 0.5],
  [numbers(0, 0.25), integer, 0.25],
  [numbers(3), integer, 3.5],
  [numbers(1, 1), integer, none],
  [integers(0, 9), integers(0, 9), none],
  [integers(0, 10), integers(0, 9), 10],
  [integers(-1, 9), integers(0, 9), -1],
  [integer, integers(0), -1],
  [integer, integers(undefined, 9), 10],
  [integers(5), integers(9), 5],
  [integers(5, 7), integers(9), 5],
  [integers(10), integers(undefined, 9), 10],
  [integers(10, 100), integers(10, 15), 16],
  [numbers(0.5, 0.75), numbers(0, 1), none],
  [number, integers(-9, 9), 10],
  [integers(0, 10), union(integers(0, 5), text), 6],
  [integers(0, 10), union(integers(0, 5), integers(6, 10)), none],
  [integer, union(integers(undefined, 1), closedEnum(2, 3)), 4],
  [integers(0, 10), text, 0],
  [integers(3, 10), text, 3],
  [integers(-10, -3), text, -3],
  [integers(undefined, -3), text, -3],
  [literal(1), literal(1), none],
  [literal(1), literal(2), 1],
  [literal(1), integer, none],
  [openEnum(1), number, none],
  [openEnum(1), closedEnum(1), 0],
  [openEnum(0, 1), closedEnum(0, 1), 2],
];

const lists: readonly Row[] = [
  [list(text), list(text), none],
  [list(text), list(number), [""]],
  [list(text, 0, 0), list(number), none],
  [list(text, 2), list(number), ["", ""]],
  [list(text), list(text, 1), []],
  [list(text), list(text, 3), []],
  [list(text, 2), list(text, 3), ["", ""]],
  [list(text, 2), list(text, 2), none],
  [list(text), list(text, undefined, 2), ["", "", ""]],
  [list(text, 0, 2), list(text, 0, 2), none],
  [list(text, 0, 3), list(text, 0, 2), ["", "", ""]],
  [list(text, 3, 3), list(text, 0, 2), ["", "", ""]],
  [list(text, 1, 2), list(text, 3), [""]],
  [list(text), list(text, undefined, 0), [""]],
  // If no item is valid, only the empty array is valid.
  [list(never), list(text, 1), []],
  [list(never), list(text, undefined, 2), none],
  [list(never), list(text), none],
  [list(text), text, []],
  [list(text, 1), text, [""]],
  [text, list(text), ""],
  [map(text), map(text), none],
  [map(text), map(number), { key: "" }],
  [map(text), list(text), {}],
  [list(text), map(text), []],
];

const objects: readonly Row[] = [
  [object({}), object({ a: text }), {}],
  [object({ "a?": text }), object({ a: text }), {}],
  [object({ a: text }), object({ "a?": text }), none],
  [object({ a: text }), object({ a: text }), none],
  [object({ a: text }), object({ a: number }), { a: "" }],
  [object({ "a?": text }), object({ "a?": number }), { a: "" }],
  [object({ a: text, b: text }), object({ a: text, b: number }), { a: "", b: "" }],
  [object({ a: text, "b?": text }), object({ a: text }), none],
  [object({ "a?": text }), object({ a: number }), {}],
  // If several examples are possible, diff chooses the smallest.
  [object({ "long?": text, "b?": text }), object({ "long?": flag, "b?": flag }), { b: "" }],
  [object({ a: text }), text, { a: "" }],
  [text, object({}), ""],
  [object({ a: text }), object({ a: text }, { closed: true }), { a: "", other: true }],
  [object({ a: text }, { closed: true }), object({ a: text }, { closed: true }), none],
  [
    object({ a: text, "b?": text }, { closed: true }),
    object({ a: text }, { closed: true }),
    { a: "", b: "" },
  ],
  [object({ a: text, "b?": never }, { closed: true }), object({ a: text }, { closed: true }), none],
  [object({ a: text, "b?": text }), object({ a: text }, { closed: true }), { a: "", b: "" }],
  [object({ other: text }), object({ other: text }, { closed: true }), { other: "", other_: true }],
  [object({ "other?": text }), object({ "a?": text }, { closed: true }), { other: "" }],
  [object({ "other?": never }), object({ "a?": text }, { closed: true }), { other_: true }],
  [object({ a: text }), map(text), none],
  [object({ a: text }), map(number), { a: "" }],
  [object({ "long?": text, a: number }), map(number), { a: 0, long: "" }],
  [object({ "long?": text, "b?": text }), map(number), { b: "" }],
  [object({}), map(number), none],
  [map(text), object({ a: text }), {}],
  [map(text), object({ "a?": text }), none],
  [map(text), object({ "a?": number }), { a: "" }],
  [map(text), object({ "long?": number, "b?": flag }), { b: "" }],
  [map(text), object({ "a?": number, b: text }), {}],
  [
    object({ ["__proto__"]: text }),
    object({ ["__proto__"]: number }),
    JSON.parse('{"__proto__":""}') as Json,
  ],
];

const unions: readonly Row[] = [
  [union(text, number), text, 0],
  [union(text, number), any, none],
  [union(text, number), union(number, text), none],
  [union(text, number, nothing), union(number, text), null],
  [union(list(text), number), union(text, number), []],
  [text, union(number, flag), ""],
  [object({ a: text }), union(object({ a: number }), object({ b: text })), { a: "" }],
  [object({ a: union(text, flag) }), union(object({ a: flag }), object({ a: text })), none],
  [any, object({ "a?": text }), 0],
  [list(union(text, flag)), union(list(text), list(flag)), [true, ""]],
  // Each alternative accepts arrays that the other one refuses, and neither accepts two strings.
  [list(text), union(list(list(number)), list(text, 1, 1)), ["", ""]],
  [list(text), union(list(text, 0, 1), list(text, 3)), ["", ""]],
  [list(text), union(list(text, 0, 1), list(text, 2)), none],
  [map(union(text, flag)), union(map(text), map(flag)), { key0: "", key1: true }],
  // Each alternative accepts values that the other one refuses. Only a value that violates both is
  // refused.
  [
    object({ "a?": union(text, flag), "b?": union(text, flag) }),
    union(object({ "a?": text, "b?": union(text, flag) }), object({ "a?": flag, "b?": text })),
    { a: true, b: true },
  ],
  [map(text), object({ "a?": text }, { closed: true }), { key: "" }],
  [
    object({ a: union(literal("k"), literal("l")) }),
    union(object({ a: literal("k") }), object({ a: literal("m") })),
    { a: "l" },
  ],
];

/** Values refused by a reader that refuses everything not declared in its schema. */
const closedReaders: readonly Row[] = [
  [object({ a: text, "b?": text }), object({ a: text }), { a: "", b: "" }],
  [object({ a: text }), object({ a: text }), none],
  // An object without declared properties may have any properties.
  [object({ a: text }), object({}), none],
  [closedEnum("a", "b"), openEnum("a"), "b"],
  [closedEnum("a"), openEnum("a", "b"), none],
  // Values listed in the open enums of both sides are not a change.
  [openEnum("a"), openEnum("a"), none],
  [openEnum("a"), openEnum("b"), "a"],
  [object({ a: text, "b?": text }), union(object({ a: text }), number), { a: "", b: "" }],
  // Only closed objects refuse an additional property.
  [
    object({ "a?": text }),
    union(object({ "a?": text }, { closed: true }), object({ "b?": text })),
    { a: "", other: true },
  ],
  [
    object({ "a?": text }),
    union(object({ "a?": text }, { closed: true }), object({ "a?": text, "b?": text })),
    none,
  ],
];

const groups = { primitives, texts, numeric, lists, objects, unions };
for (const [name, rows] of Object.entries(groups))
  test(`finds the smallest value that a reader refuses: ${name}`, () => {
    for (const [written, read, refused] of rows) {
      const variance = new Variance(sideWith({ Written: written }), sideWith({ Read: read }));
      assert.deepEqual(variance.counterexample(written, read), refused, told(written, read));
    }
  });

test("finds the smallest value that a strict reader refuses", () => {
  const variance = new Variance(sideWith(), sideWith(), readings.strict);
  for (const [written, read, refused] of closedReaders)
    assert.deepEqual(variance.counterexample(written, read), refused, told(written, read));
});

function told(written: Type, read: Type): string {
  return `${JSON.stringify(written)} read as ${JSON.stringify(read)}`;
}

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
