import assert from "node:assert/strict";
import { test } from "node:test";
import { readValue, type LoggedValue } from "../../../sessions/read/log/logged-value.js";

/** Reads the value that begins at the first brace of a text, or at its first PHP array. */
function read(text: string): LoggedValue {
  const lines = text.split("\n");
  const start = lines[0]!.search(/\{|\barray \(/);
  return readValue({ lineAt: (index) => lines[index] }, 0, start, lines[0]!.slice(0, start));
}

const deep = (levels: number): string => `{ x = ${"{".repeat(levels)}${"}".repeat(levels)} }`;

const readable: readonly (readonly [text: string, value: unknown])[] = [
  // JSON, on one line or several, and with text after it.
  [
    '--> {"a":[1,-2.5,1e3,true,null,"\\u00e9\\"}"]} done }',
    { a: [1, -2.5, 1e3, true, null, 'é"}'] },
  ],
  ['x {\n  "a": {\n    "b": []\n  }\n} y', { a: { b: [] } }],
  ['> {\n>   "a": [\n>     1\n>   ]\n> }', { a: [1] }],
  ['d-1 | {\nd-2 | "a": "x"\nd-3 | }', { a: "x" }],
  ['{"a":1,"b":[1,2,],}', { a: 1, b: [1, 2] }],
  // Node.
  ["{ a: 'it\\'s {', 'b-c': [ 1, null ], d: undefined }", { a: "it's {", "b-c": [1, null] }],
  [
    "Foo {\n  a: 'one\\n' +\n    'two',\n  b: [ Bar { id: 1 } ]\n}",
    { a: "one\ntwo", b: [{ id: 1 }] },
  ],
  ["{ a: `x\ny`, b: 10n, c: Map(1) { 'k' => 2 } }", { a: "x\ny", b: 10, c: { k: 2 } }],
  // Python.
  [
    `{'a': True, 'b': None, 'c': "it's", 'd': b'x', 1: False}`,
    { a: true, b: null, c: "it's", d: "x", 1: false },
  ],
  // Lua.
  ["{ 1, -2.5, 1e+20, true, vim.NIL, nil }", [1, -2.5, 1e20, true, null, null]],
  ["{ a = vim.empty_dict(), c = false }", { a: {}, c: false }],
  [
    `{ ["a b"] = 'say "x"', [2] = "\\"\\\\\\n\\t\\0271\\27" }`,
    { "a b": 'say "x"', 2: '"\\\n\t\u001b1\u001b' },
  ],
  ["{ a = <1>{ 1 }, <metatable> = <2>{ d = 1 } }", { a: [1], "<metatable>": { d: 1 } }],
  ['{ "a", x = 1 }', { 1: "a", x: 1 }],
  ['{ ["__proto__"] = { polluted = true } }', JSON.parse('{"__proto__":{"polluted":true}}')],
  // Ruby and Rust.
  ['{"a"=>1, :b=>:c, d: nil}', { a: 1, b: "c", d: null }],
  [
    'Request { seq: 1, name: Some("x"), list: [Object { "k": String("v") }] }',
    { seq: 1, name: "x", list: [{ k: "v" }] },
  ],
  // PHP.
  [
    `-> array (\n  'seq' => 1,\n  'a' => \n  array (\n    0 => 'it\\'s \\n',\n    1 => NULL,\n  ),\n  'b' => \n  (object) array(\n     'c' => 'x\ny',\n  ),\n)`,
    { seq: 1, a: ["it's \\n", null], b: { c: "x\ny" } },
  ],
  [
    `array (\n  'a' => \n  \\My\\Body::__set_state(array(\n     'b' => true,\n  )),\n  'c' => 'x',\n)`,
    { a: { b: true }, c: "x" },
  ],
];

test("values are read in the notations of many languages", () => {
  for (const [text, value] of readable) {
    const { fault, value: found, unknown } = read(text);
    assert.deepEqual([found, fault, unknown], [value, undefined, []], text);
  }
  assert.equal(({} as { polluted?: true }).polluted, undefined);
});

test("parts that were not printed are unknown", () => {
  const cases: readonly (readonly [text: string, value: unknown, unknown: readonly string[]])[] = [
    [
      "{ x: [Object], y: [Array], z: { a: [Circular *1] } }",
      { x: {}, y: [], z: { a: {} } },
      ["/x", "/y", "/z/a"],
    ],
    [
      "{ ids: [ 1, ... 3 more items ], t: 'a'... 9 more characters }",
      { ids: [1], t: "a" },
      ["/ids", "/t"],
    ],
    ["{ a = <table 1>, b = vim.empty_dict() }", { a: {}, b: {} }, ["/a"]],
    // An empty table may have been an object.
    ["{ b = { x = 1 }, c = {}, d = { 1 } }", { b: { x: 1 }, c: [], d: [1] }, ["/c"]],
  ];
  for (const [text, value, unknown] of cases)
    assert.deepEqual([read(text).value, read(text).unknown], [value, unknown], text);
});

test("of a value that cannot be read, what precedes the fault is kept", () => {
  const cases: readonly (readonly [text: string, value: unknown, line: number, column: number])[] =
    [
      ['{"a":1,"b":{"c":2 x}}', { a: 1, b: { c: 2 } }, 0, 18],
      ['{"a":1,\n"b":[1,\n--> {}', { a: 1, b: [1] }, 2, 0],
      ['{"a":"cut', {}, 0, 9],
      ["{ a = os.exit }", {}, 0, 14],
      ["{ [1 = 2 }", {}, 0, 5],
    ];
  for (const [text, value, line, column] of cases) {
    const found = read(text);
    assert.ok(found.fault !== undefined, text);
    assert.deepEqual([found.value, found.line, found.column], [value, line, column], text);
  }
  assert.equal(read("{".repeat(100_000)).fault?.code, "ERR_DEPTH");
  assert.deepEqual([read(deep(498)).fault, read(deep(600)).fault?.code], [undefined, "ERR_DEPTH"]);
});

test("text full of brackets is read in linear time", () => {
  const timeOf = (count: number): number => {
    const lines = Array.from({ length: count }, (_, index) =>
      index % 90 === 0 ? '{"k":1 "x"' : '"a": 1,',
    );
    const start = performance.now();
    for (let line = 0; line < count; line++)
      if (lines[line]!.startsWith("{")) readValue({ lineAt: (index) => lines[index] }, line, 0, "");
    return performance.now() - start;
  };
  timeOf(10_000);
  assert.ok(timeOf(200_000) < 3_000);
});
