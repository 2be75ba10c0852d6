import assert from "node:assert/strict";
import { test } from "node:test";
import { notations } from "@wirewright/ruby-debug-ide";
import { readInput, testCases } from "../../support/case-list.js";
import { lineOf } from "../../support/ruby-debug-ide.js";

testCases("test/cases/ruby-command-lines.md", "commands are written", (input) => {
  const [command, ...others] = readInput(input) as readonly [object, ...string[]];
  let line: string;
  try {
    line = lineOf(command);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return [`${code} ${message}`];
  }
  for (const each of others) assert.deepEqual(notations.frontend.readLine(each), [command], each);
  return [line, ...notations.frontend.readLine(line).map((each) => JSON.stringify(each))];
});

test("nameOf() finds the command at the start of a line", () => {
  for (const [line, name] of [
    ["b", "break"],
    [" where; p 1", "where"],
    ["th  l x", "thread list"],
    ["var localx", undefined],
    ["beyond", undefined],
    ["", undefined],
  ] as const)
    assert.equal(notations.frontend.nameOf(line), name, line);
});

test("several commands on one line are read separately, except inside a condition or a location", () => {
  const read = (line: string): readonly object[] => notations.frontend.readLine(line);
  assert.deepEqual(read("where; p 1\\;2 ;; v l"), [
    { command: "where" },
    { command: "eval", arguments: { expression: "1;2" } },
    { command: "var local" },
  ]);
  assert.deepEqual(read("b f:1; where"), [
    { command: "break", arguments: { location: "f:1" } },
    { command: "where" },
  ]);
  assert.deepEqual(read("b f:1 if x; where"), [
    { command: "break", arguments: { location: "f:1", condition: "x; where" } },
  ]);
  assert.deepEqual(read("b f:1;where"), [
    { command: "break", arguments: { location: "f:1;where" } },
  ]);
  assert.deepEqual(read("  "), []);
});

test("multi-line code is written and read unchanged", () => {
  // Lines as they are sent, each with the debugger's interpretation.
  const vectors: readonly (readonly [string, string])[] = [
    ["a", "a"],
    ["\\n", "\n"],
    ["a\\n", "a\n"],
    ["a\\\\n", "a\\n"],
    ["a\\\\\\n", "a\\\n"],
    ["hello\\nthere\\\\n", "hello\nthere\\n"],
    ['"\\\\\\n".size', '"\\\n".size'],
    ["hello\\n\\nworld", "hello\n\nworld"],
  ];
  for (const [line, code] of vectors) {
    assert.deepEqual(
      notations.frontend.readLine(`expression_info x${line}`),
      [{ command: "expression_info", arguments: { expression: `x${code}`.trim() } }].map((each) =>
        code.endsWith("\n") ? { ...each, arguments: { expression: `x${code}` } } : each,
      ),
    );
  }
  for (const code of ["a\nb", "\\", "\\n", "\\\\n\n", 'p "\\t"', "x\n\ny\\"])
    assert.deepEqual(
      notations.frontend.readLine(lineOf({ command: "eval", arguments: { expression: code } })),
      [{ command: "eval", arguments: { expression: code } }],
    );
});
