import { test } from "node:test";
import type { Type } from "../../generator/model/types.js";
import {
  any,
  chars,
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
  text,
  union,
} from "../support/model-types.js";
import { check, none, property, rebound, retyped } from "../support/type-changes.js";

test("wider, narrower and different types are distinguished", () => {
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
      [
        retyped("type.narrowed", "map of string", "{ a }", [{}, none]),
        retyped("type.respelled", "map of string", "{ a }", [{}, none]),
      ],
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

test("adding or removing null is a separate change, unless other kinds of values change as well", () => {
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
    [union(text, nothing), number, [retyped("type.changed", "string | null", "number", ["", 0])]],
    // If both types accept null, only their other alternatives are compared.
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

test("changes to a number's kind, bounds and format are found", () => {
  const int32: Type = { kind: "integer", format: "int32" };
  check([
    [number, integer, [rebound("type.number-to-int", "number", "integer", 0.5, none)]],
    [integer, number, [rebound("type.int-to-number", "integer", "number", none, 0.5)]],
    [
      numbers(0, 9),
      integers(0, 5),
      [
        {
          ...rebound("type.number-to-int", "number 0..9", "integer 0..5", 0.5, none),
          decision: "number → integer",
        },
      ],
    ],
    [
      integers(0, 5),
      numbers(0, 9),
      [
        {
          ...rebound("type.int-to-number", "integer 0..5", "number 0..9", none, 0.5),
          decision: "integer → number",
        },
      ],
    ],
    // If the bounds and the kind of number change in opposite directions, they are reported as two
    // changes.
    [
      numbers(0, 5),
      integers(0, 9),
      [
        rebound("type.number-to-int", "number", "integer", 0.5, none),
        rebound("constraint.loosened", "integer 0..5", "integer 0..9", none, 9),
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
    // If the kind or the bounds change, only that change is reported, not the format.
    [int32, number, [rebound("type.int-to-number", "integer", "number", none, 0.5)]],
    [int32, integers(0), [rebound("constraint.tightened", "int32", "integer ≥ 0", -1, none)]],
  ]);
});

test("changes to the bounds, format and items of strings and arrays are found", () => {
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
