import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../../runtime/index.js";
import type { Tolerance } from "../../../runtime/validation/findings.js";
import { found, places } from "../../support/rule-issues.js";

interface Kind {
  readonly rule: Rule;
  readonly expected: string;
  readonly takes: readonly unknown[];
  readonly refuses: readonly (readonly [value: unknown, code: string, rule?: Tolerance])[];
}

/** One rule of each kind that checks a value as a whole. */
const wholes: readonly Kind[] = [
  {
    rule: "any",
    expected: "any value",
    takes: [null, 0, "", false, [], {}],
    refuses: [],
  },
  {
    rule: "null",
    expected: "null",
    takes: [null],
    refuses: [
      [0, "wrong-type"],
      [{}, "wrong-type"],
    ],
  },
  {
    rule: "boolean",
    expected: "true or false",
    takes: [true, false],
    refuses: [
      [0, "wrong-type"],
      ["true", "wrong-type"],
      [null, "wrong-type"],
    ],
  },
  {
    rule: "string",
    expected: "a string",
    takes: ["", "a", "x".repeat(1000)],
    refuses: [
      [1, "wrong-type"],
      [null, "wrong-type"],
      [["a"], "wrong-type"],
    ],
  },
  {
    rule: { string: [2, 3] },
    expected: "a string of 2 to 3 characters",
    takes: ["ab", "abc", "😀😀😀"],
    refuses: [
      ["a", "wrong-size"],
      ["😀", "wrong-size"],
      ["abcd", "wrong-size"],
      [22, "wrong-type"],
    ],
  },
  {
    rule: { string: [0, 3] },
    expected: "a string of at most 3 characters",
    takes: ["", "abc"],
    refuses: [["abcd", "wrong-size"]],
  },
  {
    rule: { string: [1, Infinity] },
    expected: "a string of at least 1 character",
    takes: ["a", "abcd"],
    refuses: [["", "wrong-size"]],
  },
  {
    rule: { string: [0, 1] },
    expected: "a string of at most 1 character",
    takes: ["", "😀"],
    refuses: [["ab", "wrong-size"]],
  },
  {
    rule: "number",
    expected: "a number",
    takes: [0, -1.5, Number.MAX_VALUE],
    refuses: [
      [Infinity, "wrong-type"],
      [NaN, "wrong-type"],
      ["1", "wrong-type"],
    ],
  },
  {
    rule: { number: [0, 1] },
    expected: "a number from 0 to 1",
    takes: [0, 0.5, 1],
    refuses: [
      [-0.1, "out-of-range"],
      [1.1, "out-of-range"],
      [Infinity, "wrong-type"],
      [null, "wrong-type"],
    ],
  },
  {
    rule: { number: [-Infinity, 10] },
    expected: "a number up to 10",
    takes: [-1e300, 10],
    refuses: [[10.5, "out-of-range"]],
  },
  {
    rule: { number: [10, Infinity] },
    expected: "a number from 10",
    takes: [10, 1e300],
    refuses: [[9.5, "out-of-range"]],
  },
  {
    rule: "integer",
    expected: "an integer",
    takes: [0, -1, 2 ** 60],
    refuses: [
      [1.5, "wrong-type"],
      ["1", "wrong-type"],
    ],
  },
  {
    rule: { integer: [-32768, 32767] },
    expected: "an integer from -2^15 to 2^15-1",
    takes: [-32768, 32767],
    refuses: [
      [-32769, "out-of-range", "integer-range"],
      [32768, "out-of-range", "integer-range"],
      [2 ** 53, "out-of-range"],
      [0.5, "wrong-type"],
    ],
  },
  {
    rule: { integer: [-16384, 16383] },
    expected: "an integer from -16384 to 16383",
    takes: [-16384, 16383],
    refuses: [[16384, "out-of-range", "integer-range"]],
  },
  {
    rule: { integer: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] },
    expected: "an integer from -(2^53-1) to 2^53-1",
    takes: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    refuses: [[2 ** 53, "out-of-range"]],
  },
  {
    rule: { value: "2.0" },
    expected: '"2.0"',
    takes: ["2.0"],
    refuses: [
      ["2", "wrong-value"],
      [2, "wrong-value"],
    ],
  },
  {
    rule: { value: true },
    expected: "true",
    takes: [true],
    refuses: [
      [false, "wrong-value"],
      ["true", "wrong-value"],
    ],
  },
  {
    rule: { list: "any" },
    expected: "an array",
    takes: [[], [1, null]],
    refuses: [
      [{ length: 0 }, "wrong-type"],
      ["", "wrong-type"],
    ],
  },
  {
    rule: { list: "any", size: [1, 2] },
    expected: "an array of 1 to 2 items",
    takes: [[0], [0, 0]],
    refuses: [
      [[], "wrong-size"],
      [[0, 0, 0], "wrong-size"],
    ],
  },
  {
    rule: { list: "any", size: [0, 1] },
    expected: "an array of at most 1 item",
    takes: [[], [0]],
    refuses: [[[0, 0], "wrong-size"]],
  },
  {
    rule: { map: "any" },
    expected: "an object",
    takes: [{}, { a: 1 }],
    refuses: [
      [[], "wrong-type"],
      [null, "wrong-type"],
    ],
  },
  {
    rule: { optional: {} },
    expected: "an object",
    takes: [{}, { a: 1 }],
    refuses: [
      [[], "wrong-type"],
      [null, "wrong-type"],
      ["", "wrong-type"],
    ],
  },
  {
    rule: { anyOf: ["string", "null"] },
    expected: "a string or null",
    takes: ["", null],
    refuses: [[0, "wrong-type"]],
  },
  {
    rule: { anyOf: ["string", { string: [0, Infinity] }, "null"] },
    expected: "a string or null",
    takes: ["", null],
    refuses: [[0, "wrong-type"]],
  },
  {
    rule: { anyOf: [] },
    expected: "nothing",
    takes: [],
    refuses: [[0, "unknown-field"]],
  },
  {
    rule: { late: () => "boolean" },
    expected: "true or false",
    takes: [true],
    refuses: [[0, "wrong-type"]],
  },
  {
    rule: () => ({ forgives: ["nulls"], rule: "boolean" }),
    expected: "true or false",
    takes: [true],
    refuses: [[0, "wrong-type"]],
  },
];

test("every kind of rule accepts valid values, and describes the expected value for other values", () => {
  for (const { rule, expected, takes, refuses } of wholes) {
    for (const value of takes) assert.deepEqual(found(rule, value), [], expected);
    for (const [received, code, tolerance] of refuses) {
      const issue = { pointer: "", code, expected, received };
      assert.deepEqual(found(rule, received), [
        tolerance === undefined ? issue : { ...issue, rule: tolerance },
      ]);
    }
  }
});

test("every kind of rule works for a property, an item, a map value and a union member", () => {
  for (const { rule, expected, takes, refuses } of wholes) {
    const property: Rule = { required: { a: rule } };
    for (const value of takes) {
      assert.deepEqual(found(property, { a: value }), [], expected);
      assert.deepEqual(found({ list: rule }, [value, value]), [], expected);
      assert.deepEqual(found({ map: rule }, { a: value }), [], expected);
      assert.deepEqual(found({ anyOf: [{ value: "never" }, rule] }, value), [], expected);
    }
    for (const [received, code, tolerance] of refuses) {
      const rest = { code, expected, received, ...(tolerance && { rule: tolerance }) };
      const asItem = found({ list: rule }, [received, received]);
      assert.deepEqual(asItem, [
        { pointer: "/0", ...rest },
        { pointer: "/1", ...rest },
      ]);
      const asValue = found({ map: rule }, { "a/b~": received });
      assert.deepEqual(asValue, [{ pointer: "/a~1b~0", ...rest }]);
      assert.deepEqual(found({ map: rule }, { "~": received }), [{ pointer: "/~0", ...rest }]);
      const [asProperty, ...more] = found(property, { a: received });
      assert.deepEqual(more, []);
      const isNull = received === null && tolerance === undefined;
      assert.deepEqual(asProperty, { pointer: "/a", ...rest, ...(isNull && { rule: "null" }) });
    }
  }
});

test("an array's items are checked even if the array has the wrong size", () => {
  assert.deepEqual(places({ list: "string", size: [1, 2] }, [1, "a", 2]), [
    " wrong-size",
    "/0 wrong-type",
    "/2 wrong-type",
  ]);
});
