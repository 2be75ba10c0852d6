import assert from "node:assert/strict";
import { test } from "node:test";
import { createValidator, type Rule } from "../../../runtime/index.js";
import { hasOnlyFields, testOfArm } from "../../../runtime/protocol/message-fields.js";
import type { ObjectRule } from "../../../runtime/validation/rule.js";
import type {
  Tolerance,
  ValidateOptions,
  Validation,
  ValidationIssue,
} from "../../../runtime/validation/findings.js";
import { describeIssue, InvalidMessageError } from "../../../runtime/validation/describe-issue.js";
import { createMessageValidator } from "../../../runtime/validation/validator.js";

/** The issues of a value, or the deviations that were let pass. */
function found(rule: Rule, value: unknown, options?: ValidateOptions): readonly ValidationIssue[] {
  const result = createValidator(rule)(value, options);
  return result.ok ? result.deviations : result.issues;
}

/** The same, as places and codes; what was let pass has its tolerance. */
function places(rule: Rule, value: unknown, options?: ValidateOptions): readonly string[] {
  const result = createValidator(rule)(value, options);
  return result.ok
    ? result.deviations.map(({ path, rule }) => `${path} lets pass ${rule}`)
    : result.issues.map(({ path, code }) => `${path} ${code}`);
}

const tolerating = (...tolerate: Tolerance[]): ValidateOptions => ({ tolerate });

interface Kind {
  readonly rule: Rule;
  readonly expected: string;
  readonly takes: readonly unknown[];
  readonly refuses: readonly (readonly [value: unknown, code: string, rule?: Tolerance])[];
}

/** Every kind of rule that looks at a value as a whole. */
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
    expected: "a list",
    takes: [[], [1, null]],
    refuses: [
      [{ length: 0 }, "wrong-type"],
      ["", "wrong-type"],
    ],
  },
  {
    rule: { list: "any", size: [1, 2] },
    expected: "a list of 1 to 2 items",
    takes: [[0], [0, 0]],
    refuses: [
      [[], "wrong-size"],
      [[0, 0, 0], "wrong-size"],
    ],
  },
  {
    rule: { list: "any", size: [0, 1] },
    expected: "a list of at most 1 item",
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

test("every kind of rule takes its values, and says of others what it expected", () => {
  for (const { rule, expected, takes, refuses } of wholes) {
    for (const value of takes) assert.deepEqual(found(rule, value), [], expected);
    for (const [received, code, tolerance] of refuses) {
      const issue = { path: "", code, expected, received };
      assert.deepEqual(found(rule, received), [
        tolerance === undefined ? issue : { ...issue, rule: tolerance },
      ]);
    }
  }
});

test("the same where the value is a property, an item, a value of a map or one of several", () => {
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
        { path: "/0", ...rest },
        { path: "/1", ...rest },
      ]);
      const asValue = found({ map: rule }, { "a/b~": received });
      assert.deepEqual(asValue, [{ path: "/a~1b~0", ...rest }]);
      assert.deepEqual(found({ map: rule }, { "~": received }), [{ path: "/~0", ...rest }]);
      const [asProperty, ...more] = found(property, { a: received });
      assert.deepEqual(more, []);
      const isNull = received === null && tolerance === undefined;
      assert.deepEqual(asProperty, { path: "/a", ...rest, ...(isNull && { rule: "null" }) });
    }
  }
});

test("a list of the wrong size is still looked into", () => {
  assert.deepEqual(places({ list: "string", size: [1, 2] }, [1, "a", 2]), [
    " wrong-size",
    "/0 wrong-type",
    "/2 wrong-type",
  ]);
});

const base: ObjectRule = {
  required: { kind: "string" },
  optional: { note: "string", size: "integer" },
};

test("an object has the properties of its bases, narrowed by its own", () => {
  const rule: Rule = {
    bases: [base, () => ({ required: { other: "boolean" } })],
    required: { size: { integer: [0, 9] } },
    optional: { kind: { value: "file" } },
  };
  assert.deepEqual(places(rule, { kind: "file", other: true, size: 9 }), []);
  assert.deepEqual(found(rule, { note: null, size: 10 }), [
    { path: "/kind", code: "missing", expected: '"file"', received: undefined },
    {
      path: "/note",
      code: "wrong-type",
      expected: "a string",
      received: null,
      rule: "null",
    },
    {
      path: "/size",
      code: "out-of-range",
      expected: "an integer from 0 to 9",
      received: 10,
      rule: "integer-range",
    },
    { path: "/other", code: "missing", expected: "true or false", received: undefined },
  ]);
});

test("unknown fields are looked for where names matter", () => {
  const names = tolerating("unknown-field");
  const value = { kind: "a", mine: 1, "a/b": 2 };
  const letPass = ["/mine lets pass unknown-field", "/a~1b lets pass unknown-field"];
  assert.deepEqual(places(base, value), []);
  assert.deepEqual(places(base, value, names), letPass);
  assert.deepEqual(places(base, value, { ...names, maxIssues: 1 }), letPass.slice(0, 1));
  assert.deepEqual(places({ ...base, extras: "free" }, value), []);
  assert.deepEqual(places({ ...base, extras: "free" }, value, names), []);
  assert.deepEqual(found({ ...base, extras: "closed" }, value), [
    {
      path: "/mine",
      code: "unknown-field",
      expected: "no such field",
      received: 1,
      rule: "unknown-field",
    },
    {
      path: "/a~1b",
      code: "unknown-field",
      expected: "no such field",
      received: 2,
      rule: "unknown-field",
    },
  ]);
  assert.deepEqual(places({ ...base, extras: "closed" }, value, names), letPass);
  // An object of which nothing is known may have any fields, unless it says that it may have none.
  assert.deepEqual(places({}, { mine: 1 }, names), []);
  assert.deepEqual(places({ extras: "closed" }, { mine: 1 }), ["/mine unknown-field"]);
  assert.deepEqual(places({ bases: [base] }, { kind: "a", mine: 1 }, names), [
    "/mine lets pass unknown-field",
  ]);
  assert.deepEqual(places(base, value, tolerating("null", "closed-enum")), []);
});

test("a property named as what every object inherits counts only as the object's own", () => {
  const rule: Rule = {
    required: { ["toString" as string]: "string" },
    optional: { ["valueOf" as string]: "string" },
  };
  assert.deepEqual(places(rule, {}), ["/toString missing"]);
  assert.deepEqual(places(rule, { toString: "a", valueOf: 1 }), ["/valueOf wrong-type"]);
});

test("null for what is absent is told from null for a value", () => {
  const rule: ObjectRule = {
    message: true,
    required: {
      type: "string",
      seq: { part: "id", rule: "integer" },
      re: { part: "replyTo", rule: "integer" },
      body: {
        part: "result",
        rule: { optional: { a: "string", b: { anyOf: ["null", "string"] } } },
      },
    },
    optional: { error: { part: "error", rule: "string" }, more: "null", any: "any" },
  };
  const value = { type: null, seq: null, re: null, body: null, error: null, more: null, any: null };
  assert.deepEqual(places(rule, value, { profile: "wire" }), [
    "/type wrong-type",
    "/re wrong-type",
  ]);
  const kept = { ...value, type: "a", re: 1 };
  assert.deepEqual(places(rule, kept, { profile: "wire" }), [
    "/seq lets pass null",
    "/body lets pass null",
    "/error lets pass null",
  ]);
  assert.deepEqual(places(rule, kept), [
    "/seq wrong-type",
    "/body wrong-type",
    "/error wrong-type",
  ]);
  const derived: Rule = { bases: [rule], required: { name: "string" } };
  assert.deepEqual(places(derived, { ...kept, name: null }, { profile: "wire" }), [
    "/name wrong-type",
  ]);
  const either: Rule = { required: { a: { anyOf: ["any", "string"] } } };
  assert.deepEqual(places(either, { a: null }), []);
  const within = { ...kept, seq: 1, error: "no", body: { a: null, b: null } };
  assert.deepEqual(places(rule, within, { profile: "wire" }), ["/body/a lets pass null"]);
});

test("what is missing of an envelope is let pass by the part it plays", () => {
  const rule: Rule = {
    message: true,
    required: {
      type: "string",
      seq: { part: "id", rule: "integer" },
      re: { part: "replyTo", rule: "integer" },
      arguments: { part: "payload", rule: "any" },
      body: { part: "result", rule: "any" },
      error: { part: "error", rule: "any" },
    },
  };
  assert.deepEqual(found(rule, {}), [
    { path: "/type", code: "missing", expected: "a string", received: undefined },
    {
      path: "/seq",
      code: "missing",
      expected: "an integer",
      received: undefined,
      rule: "id-unset",
    },
    { path: "/re", code: "missing", expected: "an integer", received: undefined },
    { path: "/arguments", code: "missing", expected: "any value", received: undefined },
    {
      path: "/body",
      code: "missing",
      expected: "any value",
      received: undefined,
      rule: "success-body",
    },
    {
      path: "/error",
      code: "missing",
      expected: "any value",
      received: undefined,
      rule: "failure-body",
    },
  ]);
  assert.deepEqual(places(rule, { type: "a", re: 1, arguments: 0 }, { profile: "wire" }), [
    "/seq lets pass id-unset",
    "/body lets pass success-body",
    "/error lets pass failure-body",
  ]);
});

test("the number of a message may be zero or written in digits", () => {
  const numbers = (part: "id" | "replyTo", rule: Rule): Rule => ({
    message: true,
    required: { seq: { part, rule } },
  });
  const from1 = { integer: [1, 2 ** 31 - 1] } as const;
  const own = numbers("id", from1);
  assert.deepEqual(found(own, { seq: 0 }), [
    {
      path: "/seq",
      code: "out-of-range",
      expected: "an integer from 1 to 2^31-1",
      received: 0,
      rule: "id-unset",
    },
  ]);
  const expected = "an integer from 1 to 2^31-1";
  for (const received of ["0", "9", "123456789012345"])
    assert.deepEqual(found(own, { seq: received }), [
      { path: "/seq", code: "wrong-type", expected, received, rule: "id-text" },
    ]);
  for (const received of ["", "1234567890123456", "/", ":", "1/", "1:", "-1", "1.5"])
    assert.deepEqual(found(own, { seq: received }), [
      { path: "/seq", code: "wrong-type", expected, received },
    ]);
  assert.deepEqual(found(own, { seq: -1 }), [
    { path: "/seq", code: "out-of-range", expected, received: -1, rule: "integer-range" },
  ]);
  assert.deepEqual(places(own, { seq: 0 }, tolerating("id-unset")), ["/seq lets pass id-unset"]);
  assert.deepEqual(places(numbers("id", { integer: [0, 9] }), { seq: 0 }), []);
  assert.deepEqual(
    places(numbers("id", { integer: [-9, -1] }), { seq: 0 }, tolerating("id-unset")),
    ["/seq out-of-range"],
  );
  assert.deepEqual(places(numbers("replyTo", from1), { seq: 0 }, { profile: "wire" }), [
    "/seq lets pass id-unset",
  ]);
  assert.deepEqual(places(numbers("replyTo", from1), { seq: "1" }, { profile: "wire" }), [
    "/seq wrong-type",
  ]);
  // Where a number may be text, digits are no liberty.
  const text = numbers("id", { anyOf: ["integer", { string: [9, 9] }] });
  assert.deepEqual(places(text, { seq: "1" }, { profile: "wire" }), ["/seq wrong-size"]);
});

test("values of enums: what is not listed, what is of another type", () => {
  const rule: Rule = { oneOf: ["none", "all"], numbers: [0, 1] };
  const expected = 'one of "none", "all"';
  const allowed = ["none", "all"];
  const refused = (received: unknown, more: object): void =>
    assert.deepEqual(found(rule, received), [{ path: "", expected, received, ...more }]);
  refused("some", { code: "not-in-enum", allowed, rule: "closed-enum" });
  for (const received of [true, null, 0, ["none"]])
    refused(received, { code: "wrong-type", allowed });
});

const request: ObjectRule = {
  message: true,
  required: { type: { value: "request" }, command: { value: "go" } },
};
const anyRequest: ObjectRule = {
  message: true,
  required: { type: { value: "request" }, command: "string" },
};
const note: ObjectRule = { message: true, required: { type: { value: "note" } } };

const message: Rule = {
  arms: [
    { when: { type: "request" }, name: "command", known: { go: request }, other: anyRequest },
    { when: { type: "note" }, other: note },
  ],
};

test("a message is checked as its kind and name have it", () => {
  assert.deepEqual(places(message, { type: "request", command: "go" }), []);
  assert.deepEqual(places(message, { type: "request", command: "other" }), []);
  assert.deepEqual(places(message, { type: "request", command: "toString" }), []);
  assert.deepEqual(places(message, { type: "request" }), ["/command missing"]);
  assert.deepEqual(places(message, { type: "note", command: 1 }), []);
  assert.deepEqual(found(message, []), [
    { path: "", code: "wrong-type", expected: "an object", received: [] },
  ]);
  const kinds = {
    path: "/type",
    expected: 'one of "request", "note"',
    allowed: ["request", "note"],
  };
  assert.deepEqual(found(message, {}), [{ ...kinds, code: "missing", received: undefined }]);
  assert.deepEqual(found(message, { type: 1 }), [{ ...kinds, code: "wrong-type", received: 1 }]);
  assert.deepEqual(found(message, { type: "a" }), [
    { ...kinds, code: "not-in-enum", received: "a" },
  ]);
  const nested = found({ list: message }, [{ type: "note" }, {}]);
  assert.deepEqual(nested, [{ ...kinds, path: "/1/type", code: "missing", received: undefined }]);
});

test("a message whose kind is told by which fields are there is wrong as a whole", () => {
  const rule: Rule = {
    arms: [
      { when: { id: true, method: true, jsonrpc: "2.0" }, other: {} },
      { when: { id: false, method: true }, other: {} },
      { when: { method: false }, other: { required: { id: "integer" } } },
    ],
  };
  assert.deepEqual(places(rule, { jsonrpc: "2.0", id: 1, method: "a" }), []);
  assert.deepEqual(places(rule, { method: "a" }), []);
  assert.deepEqual(places(rule, {}), ["/id missing"]);
  const received = { id: 1, method: "a" };
  assert.deepEqual(found(rule, received), [
    {
      path: "",
      code: "wrong-value",
      expected:
        'a message with id and with method and jsonrpc "2.0", or without id and with method, or without method',
      received,
    },
  ]);
});

test("a response is checked as the success or failure that it says it is", () => {
  const success: ObjectRule = {
    message: true,
    required: { success: "boolean", command: { value: "go" }, body: "string" },
  };
  const failure: ObjectRule = { required: { success: { value: false }, reason: "string" } };
  const rule: Rule = { success, failure: { rule: failure, by: "success", name: "command" } };
  assert.deepEqual(places(rule, { success: true, command: "go", body: "" }), []);
  assert.deepEqual(places(rule, { success: false, command: "go", reason: "" }), []);
  assert.deepEqual(places(rule, { success: false, command: "stop" }), [
    "/reason missing",
    "/command wrong-value",
  ]);
  assert.deepEqual(places(rule, { success: 0 }), [
    "/success wrong-type",
    "/command missing",
    "/body missing",
  ]);
  assert.deepEqual(places({ list: rule }, [{ success: false, command: "go" }, 1]), [
    "/0/reason missing",
    "/1 wrong-type",
  ]);
  const byPresence: Rule = {
    success: { required: { result: "string" } },
    failure: { rule: { required: { error: "string" } }, by: "error", byPresence: true },
  };
  assert.deepEqual(places(byPresence, { result: "" }), []);
  assert.deepEqual(places(byPresence, { error: "" }), []);
  assert.deepEqual(places(byPresence, { error: false }), ["/error wrong-type"]);
  assert.deepEqual(places(byPresence, {}), ["/result missing"]);
  // The success of a definition is not asked for the name of its request.
  const byDefinition: Rule = {
    success: () => success,
    failure: { rule: failure, by: "success", name: "command" },
  };
  assert.deepEqual(places(byDefinition, { success: false, reason: "" }), []);
});

test("one of several: the member that comes nearest explains", () => {
  const cat: ObjectRule = { required: { lives: { integer: [1, 9] }, name: "string" } };
  const dog: ObjectRule = { required: { barks: "boolean" } };
  const rule: Rule = { anyOf: ["string", cat, dog, { list: "integer" }] };
  assert.deepEqual(places(rule, { barks: true }), []);
  assert.deepEqual(places(rule, { barks: 1 }), ["/barks wrong-type"]);
  assert.deepEqual(places(rule, { lives: 0, name: "" }), ["/lives out-of-range"]);
  // Of two that come as near, the first one.
  assert.deepEqual(places({ anyOf: [dog, { required: { a: "any" } }] }, {}), ["/barks missing"]);
  assert.deepEqual(places(rule, [1, "a", 2, null]), ["/1 wrong-type", "/3 wrong-type"]);
  assert.deepEqual(found(rule, 5), [
    { path: "", code: "wrong-type", expected: "a string or an object or a list", received: 5 },
  ]);
  const nested: Rule = { optional: { pet: rule } };
  assert.deepEqual(places(nested, { pet: { lives: 10, name: 1 } }), ["/pet/barks missing"]);
  assert.deepEqual(places(nested, { pet: { lives: 10, name: "" } }), ["/pet/lives out-of-range"]);
  const range = tolerating("integer-range");
  assert.deepEqual(places(nested, { pet: { lives: 10, name: "" } }, range), [
    "/pet/lives lets pass integer-range",
  ]);
  // A member that holds as it is goes before one that only comes near.
  for (const other of ["any", { map: "any" }] as const)
    assert.deepEqual(places({ anyOf: [cat, other] }, { lives: 10, name: "" }, range), []);
  const most = { maxIssues: 1 };
  assert.deepEqual(places(rule, ["a", "b"], most), ["/0 wrong-type"]);
  assert.deepEqual(places({ list: rule }, [5, 5], most), ["/0 wrong-type"]);
});

const plan: ObjectRule = {
  bases: [{ required: { entries: { list: { required: { text: "string", rank: "integer" } } } } }],
  required: { kind: { value: "plan" } },
};
const usage: ObjectRule = {
  required: { kind: { value: "usage" }, used: "integer" },
  optional: { cost: "number" },
};
const info: ObjectRule = { required: { kind: { value: "info" } }, optional: { title: "string" } };
const update: Rule = { anyOf: ["null", plan, () => usage, { late: () => info }] };

test("one of several with a tag: the member that the tag names explains, however much is wrong", () => {
  const ofPlan = ["/entries/0/text missing", "/entries/0/rank missing"];
  assert.deepEqual(places(update, { kind: "plan", entries: [{}] }), ofPlan);
  assert.deepEqual(places(update, { kind: "usage", cost: "a", title: 1 }), [
    "/used missing",
    "/cost wrong-type",
  ]);
  assert.deepEqual(places(update, { kind: "info", title: 1 }), ["/title wrong-type"]);
  // The same inside another union, in a list, and with one issue only.
  assert.deepEqual(
    places({ anyOf: [{ list: update }, update] }, { kind: "plan", entries: [{}] }),
    ofPlan,
  );
  assert.deepEqual(places({ list: update }, [{ kind: "plan", entries: [{}] }]), [
    "/0/entries/0/text missing",
    "/0/entries/0/rank missing",
  ]);
  assert.deepEqual(places(update, { kind: "usage", cost: "a" }, { maxIssues: 1 }), [
    "/used missing",
  ]);
  // Tags may be several constants, of any type, and the same for two members.
  const several: Rule = {
    anyOf: [
      { required: { kind: { oneOf: ["a", "b"] }, one: "string", two: "string" } },
      { required: { kind: { value: 3 }, three: "string" } },
      { required: { kind: { value: 3 }, four: "string", five: "string" } },
    ],
  };
  assert.deepEqual(places(several, { kind: "b" }), ["/one missing", "/two missing"]);
  assert.deepEqual(places(several, { kind: 3, four: "" }), ["/three missing"]);
});

test("a tag that names no member is named with all that would", () => {
  const expected = 'one of "plan", "usage", "info"';
  const allowed = ["plan", "usage", "info"];
  const wrong = (code: string, received: unknown): object => ({
    path: "/kind",
    code,
    expected,
    received,
    allowed,
  });
  for (const rest of [{}, { entries: [] }, { entries: [{}], used: 1.5, title: 1 }])
    for (const options of [undefined, { profile: "wire" }, { maxIssues: 1 }] as const) {
      assert.deepEqual(found(update, { kind: "usages", ...rest }, options), [
        wrong("not-in-enum", "usages"),
      ]);
      assert.deepEqual(found(update, { kind: 1, ...rest }, options), [wrong("wrong-type", 1)]);
      assert.deepEqual(found(update, rest, options), [wrong("missing", undefined)]);
    }
  const [issue] = found(update, { kind: "usages" });
  assert.equal(
    describeIssue(issue!),
    '`/kind`: expected one of "plan", "usage", "info", received "usages"; did you mean "usage"?',
  );
  assert.deepEqual(places(update, 5), [" wrong-type"]);
  // A tag that every object inherits counts only as its own.
  const inherited: Rule = {
    anyOf: ["a", "b"].map((value) => ({ required: { toString: { value } } })),
  };
  assert.deepEqual(places(inherited, {}), ["/toString missing"]);
});

test("what does not tell members apart is no tag", () => {
  const version = { value: "2.0" } as const;
  const alike: Rule = {
    anyOf: [
      { required: { version, a: "string", b: "string" } },
      { required: { version, c: "string" } },
    ],
  };
  assert.deepEqual(places(alike, { version: "2.0", a: "" }), ["/b missing"]);
  assert.deepEqual(places(alike, { version: "3.0", c: "" }), ["/version wrong-value"]);
  // A member without the tag is one to come near to, and takes what it takes.
  const open: Rule = { anyOf: [plan, usage, { required: { kind: "string", other: "integer" } }] };
  assert.deepEqual(places(open, { kind: "plan", other: 1 }), []);
  assert.deepEqual(places(open, { kind: "plan", other: "" }), ["/entries missing"]);
  assert.deepEqual(places(open, { kind: "more", other: "" }), ["/other wrong-type"]);
});

test("what a reader can use of a tagged value is let pass as before", () => {
  const wire = { profile: "wire" } as const;
  const open: Rule = {
    anyOf: [
      { required: { kind: { oneOf: ["a"] }, a: "string" } },
      { required: { kind: { oneOf: ["b"] }, b: "string" } },
    ],
  };
  assert.deepEqual(places(open, { kind: "c", b: "" }, wire), ["/kind lets pass closed-enum"]);
  assert.deepEqual(places(open, { kind: "a", b: "" }, wire), ["/kind lets pass closed-enum"]);
  assert.deepEqual(places(open, { kind: "a" }, wire), ["/a missing"]);
  assert.deepEqual(places(update, { kind: "info", title: null }, wire), ["/title lets pass null"]);
});

test("a value that is none of several constants is named with all of them", () => {
  const level: Rule = { anyOf: [{ value: "high" }, { value: "low" }, "null"] };
  assert.deepEqual(found(level, "hihg"), [
    {
      path: "",
      code: "not-in-enum",
      expected: 'one of "high", "low"',
      received: "hihg",
      allowed: ["high", "low"],
    },
  ]);
  assert.deepEqual(places(level, 1), [" wrong-type"]);
  assert.deepEqual(places(level, null), []);
  assert.deepEqual(places({ anyOf: [{ value: "a" }, "null"] }, "b"), [" wrong-value"]);
});

test("issues and deviations are collected up to a number", () => {
  const numbers = [0, 1, 2, 3, 4].map((at) => `/${at} wrong-type`);
  const five = ["a", "b", "c", "d", "e"];
  const rules: readonly Rule[] = [
    { list: "integer" },
    { list: { anyOf: ["integer", "null"] } },
    { list: { optional: { a: "integer" } } },
    { list: { list: "integer" } },
  ];
  for (const rule of rules) {
    assert.deepEqual(places(rule, five), numbers);
    for (const maxIssues of [1, 2, 4, 5])
      assert.deepEqual(places(rule, five, { maxIssues }), numbers.slice(0, maxIssues));
  }
  const map = Object.fromEntries(five.map((value, at) => [`k${at}`, value]));
  const keys = five.map((_, at) => `/k${at} wrong-type`);
  for (const maxIssues of [1, 2, 4, 5]) {
    const options = { maxIssues };
    assert.deepEqual(places({ map: "integer" }, map, options), keys.slice(0, maxIssues));
    const optional = Object.fromEntries(Object.keys(map).map((key) => [key, "integer"] as const));
    assert.deepEqual(places({ optional }, map, options), keys.slice(0, maxIssues));
    const closed = keys.map((key) => key.replace("wrong-type", "unknown-field"));
    assert.deepEqual(places({ extras: "closed" }, map, options), closed.slice(0, maxIssues));
  }
  assert.equal(places({ list: "integer" }, Array.from({ length: 101 }, String)).length, 100);
  const nulls = five.map(() => ({ a: null, b: 1.5 }));
  const rule: Rule = { list: { optional: { a: "string", b: "string" } } };
  assert.deepEqual(places(rule, nulls, { ...tolerating("null"), maxIssues: 2 }), [
    "/0/b wrong-type",
    "/1/b wrong-type",
  ]);
  const onlyNulls = five.map(() => ({ a: null }));
  assert.deepEqual(places(rule, onlyNulls, { ...tolerating("null"), maxIssues: 2 }), [
    "/0/a lets pass null",
    "/1/a lets pass null",
  ]);
});

/** A rule that contains itself: a list, a map and an object. */
const tree: ObjectRule = {
  recursive: true,
  optional: { next: { late: () => tree }, many: { list: { late: () => tree } }, leaf: "string" },
};

test("definitions that contain themselves are followed 512 levels down", () => {
  const chain = (levels: number, end: object): object => {
    let value = end;
    for (let level = 0; level < levels; level++) value = { next: value };
    return value;
  };
  const path = (levels: number): string => "/next".repeat(levels);
  assert.deepEqual(places(tree, chain(512, { leaf: "a" })), []);
  assert.deepEqual(places(tree, chain(512, { leaf: 1 })), [`${path(512)}/leaf wrong-type`]);
  assert.deepEqual(found(tree, chain(513, { leaf: 1 })), [
    {
      path: path(513),
      code: "too-deep",
      expected: "at most 512 levels",
      received: undefined,
    },
  ]);
  let lists: object = { leaf: 1 };
  for (let level = 0; level < 512; level++) lists = { many: [lists] };
  assert.deepEqual(places(tree, lists), [`${"/many/0".repeat(512)}/leaf wrong-type`]);
  assert.deepEqual(places(tree, { many: [lists] }), [`${"/many/0".repeat(513)} too-deep`]);
  // What was found before is kept, what comes after is not looked for.
  const rule: Rule = { optional: { a: "string", b: () => tree, c: "string" } };
  assert.deepEqual(places(rule, { a: 1, b: chain(600, {}), c: 1 }), [
    "/a wrong-type",
    `/b${path(513)} too-deep`,
  ]);
  const nested: Rule = { late: () => ({ list: nested }) };
  let list: unknown[] = [];
  for (let level = 0; level < 511; level++) list = [list];
  assert.deepEqual(places(nested, list), []);
  assert.deepEqual(places(nested, [[[list]]]), [`${"/0".repeat(512)} too-deep`]);
});

/** A rule with the checks as a function, as generated packages have it: `a` is a string, `b` a number. */
const quick: ObjectRule = {
  optional: { a: "string", b: "number" },
  faults: (value) => {
    const { a, b } = value as { a?: unknown; b?: unknown };
    return (
      (a === undefined || typeof a === "string" ? 0 : 1) |
      (b === undefined || typeof b === "number" ? 0 : 2)
    );
  },
};

test("a rule with a function says the same as one without", () => {
  const { faults: _, ...slow } = quick;
  const rules: readonly ((rule: ObjectRule) => Rule)[] = [
    (rule) => rule,
    (rule) => ({ ...rule, extras: "closed" }),
    (rule) => ({ list: rule }),
    (rule) => ({ optional: { a: rule, b: { list: rule } } }),
    (rule) => ({ success: rule, failure: { rule, by: "b" } }),
  ];
  const values = [
    {},
    { a: "", b: 0 },
    { a: 0 },
    { b: "" },
    { a: 0, b: "" },
    { a: "", c: 1 },
    [],
    1,
  ];
  const options = [{}, { maxIssues: 1 }, tolerating("unknown-field"), tolerating("null")];
  for (const make of rules)
    for (const value of [...values, values, { a: { a: 1 }, b: [{ b: "" }, 1, { a: 1, c: 1 }] }])
      for (const option of options)
        assert.deepEqual(found(make(quick), value, option), found(make(slow), value, option));
});

test("a value that is another one each time it is read is unreadable", () => {
  const rule: ObjectRule = {
    optional: { a: { list: "string" } },
    faults: (value) => (Array.isArray((value as { a?: unknown }).a) ? 0 : 1),
  };
  for (const options of [{}, tolerating("null")]) {
    let reads = 0;
    const value = {
      get a() {
        return reads++ === 0 ? 1 : [];
      },
    };
    assert.deepEqual(places(rule, value, options), [" unreadable"]);
  }
  const message = (valid: boolean): Validation<unknown> =>
    createMessageValidator(
      () => (valid ? 0 : 1),
      () => true,
      () => ({ arms: [{ when: { type: "note" }, other: quick }] }),
    )({ type: "note", a: "" });
  assert.equal(message(true).ok, true);
  const refused = message(false);
  assert.deepEqual(!refused.ok && refused.issues.map(({ code }) => code), ["unreadable"]);
});

test("what throws when it is read is unreadable, and does not hide the rest", () => {
  const broken = (name: string): object => {
    const get = (): never => {
      throw new Error("no");
    };
    return Object.defineProperty({}, name, { get, enumerable: true });
  };
  const unreadable = {
    code: "unreadable",
    expected: "a value that can be read",
    received: undefined,
  };
  const rule: Rule = {
    optional: { first: "string", inner: { optional: { a: "string" } }, map: { map: "string" } },
  };
  assert.deepEqual(found(rule, broken("first")), [{ path: "", ...unreadable }]);
  assert.deepEqual(found(rule, { first: 1, inner: broken("a") }), [
    { path: "/first", code: "wrong-type", expected: "a string", received: 1 },
    { path: "/inner", ...unreadable },
  ]);
  assert.deepEqual(found(rule, { map: broken("b") }), [{ path: "/map", ...unreadable }]);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.deepEqual(found({ list: "any" }, proxy), [{ path: "", ...unreadable }]);
});

test("an issue is a sentence", () => {
  const issue = (received: unknown, more: Partial<ValidationIssue> = {}): string =>
    describeIssue({ path: "/a", code: "wrong-type", expected: "x", received, ...more });
  const received = (text: string): string => `\`/a\`: expected x, received ${text}`;
  const texts: readonly (readonly [unknown, string])[] = [
    [undefined, "nothing"],
    [null, "null"],
    ['a\n"', '"a\\n\\""'],
    ["x".repeat(80), `"${"x".repeat(80)}"`],
    ["x".repeat(81), `"${"x".repeat(80)}…"`],
    [[1, 2], "a list of 2"],
    [{}, "an object"],
    [5n, "5n"],
    [() => 1, "a function"],
    [Symbol("s"), "a symbol"],
    [true, "true"],
    [-1.5, "-1.5"],
  ];
  for (const [value, text] of texts) assert.equal(issue(value), received(text));
  assert.equal(issue(1, { path: "" }), "the message: expected x, received 1");
  const long = `/${"a".repeat(199)}`;
  assert.equal(issue(1, { path: long }), `\`${long}\`: expected x, received 1`);
  const longer = `/${"a".repeat(60)}${"b".repeat(140)}`;
  assert.equal(
    issue(1, { path: longer }),
    `\`/${"a".repeat(59)}…${"b".repeat(140)}\`: expected x, received 1`,
  );
});

test("a value near a listed one is a hint", () => {
  const allowed = ["normal", "label", "subtle", 5, true];
  const hint = (received: unknown): string | undefined => {
    const issue = { path: "", code: "not-in-enum", expected: "x", received, allowed } as const;
    return / did you mean (.*)\?$/.exec(describeIssue(issue))?.[1];
  };
  const hints: readonly (readonly [unknown, string | undefined])[] = [
    ["lable", '"label"'],
    ["LABEL", '"label"'],
    ["labe", '"label"'],
    ["labels", '"label"'],
    ["xabel", '"label"'],
    ["alble", undefined],
    ["norm", undefined],
    ["norma", '"normal"'],
    ["subtel", '"subtle"'],
    ["sutbel", '"subtle"'],
    ["usbtel", '"subtle"'],
    ["", undefined],
    ["5", undefined],
    [5, undefined],
    [null, undefined],
  ];
  for (const [received, near] of hints) assert.equal(hint(received), near, String(received));
  const short = { path: "", code: "not-in-enum", expected: "x", allowed: ["a", "bc"] } as const;
  assert.match(describeIssue({ ...short, received: "b" }), /did you mean "a"\?$/);
  const long = "x".repeat(90);
  assert.match(
    describeIssue({ ...short, received: long, allowed: ["x".repeat(80)] }),
    /did you mean "x{80}"\?$/,
  );
  // The beginning of a long text decides.
  const longer = `${"x".repeat(80)}${"y".repeat(200)}`;
  assert.match(
    describeIssue({ ...short, received: longer, allowed: ["x".repeat(80)] }),
    /did you mean "x{80}"\?$/,
  );
});

test("an error about a message that may not be sent says all that is wrong", () => {
  const issues = found({ required: { a: "string", b: "null" } }, { a: 1 });
  const error = new InvalidMessageError(issues);
  assert.equal(
    error.message,
    "The message is invalid: `/a`: expected a string, received 1; `/b`: expected null, received nothing",
  );
  assert.deepEqual(
    [error.name, error.code, error.issues],
    ["InvalidMessageError", "ERR_INVALID_MESSAGE", issues],
  );
});

test("fields tell kinds of messages apart", () => {
  const messages = [{}, { type: "a" }, { type: true }, { id: 0, type: "a" }, { id: 0 }];
  const fits = (when: Parameters<typeof testOfArm>[0]["when"]): readonly boolean[] =>
    messages.map(testOfArm({ when }));
  assert.deepEqual(fits({ type: "a" }), [false, true, false, true, false]);
  assert.deepEqual(fits({ type: true }), [false, true, true, true, false]);
  assert.deepEqual(fits({ type: false }), [true, false, false, false, true]);
  assert.deepEqual(fits({ type: "a", id: true }), [false, false, false, true, false]);
  assert.deepEqual(fits({}), [true, true, true, true, true]);
});

test("an object has no other fields than those named", () => {
  const names = new Set(["a", "b"]);
  assert.deepEqual(
    [{}, { a: 1 }, { a: 1, b: 1 }, { c: 1 }, { a: 1, c: 1 }].map((value) =>
      hasOnlyFields(value, names),
    ),
    [true, true, true, false, false],
  );
});
