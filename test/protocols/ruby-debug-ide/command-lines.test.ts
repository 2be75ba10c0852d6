import assert from "node:assert/strict";
import { test } from "node:test";
import { notations } from "@wirewright/ruby-debug-ide";
import { lineOf } from "../../support/command-lines.js";

test("commands are written with their full names, and all of their names are recognised", () => {
  const cases: readonly (readonly [object, string, ...string[]])[] = [
    [{ command: "break", arguments: { location: "a b.rb:2" } }, "break a b.rb:2", "b a b.rb:2"],
    [
      { command: "break", arguments: { location: "a.rb:2", condition: "x > 1; y" } },
      "break a.rb:2 if x > 1; y",
      "b  a.rb:2 if x > 1; y ",
      "b  a.rb:2   if x > 1; y ",
    ],
    [{ command: "break", arguments: { location: "Foo#bar" } }, "break Foo#bar"],
    [{ command: "break" }, "break", "b"],
    [{ command: "info break" }, "info break", "info  break"],
    [{ command: "delete", arguments: { breakpoints: [1, 2] } }, "delete 1 2", "del 1  2"],
    [{ command: "catch", arguments: { exception: "A::B" } }, "catch A::B", "CAT A::B"],
    [{ command: "catch", arguments: { exception: "A", off: "off" } }, "catch A off"],
    [
      { command: "condition", arguments: { breakpoint: 1, expression: 'a == "\n\\"' } },
      'condition 1 a == "\\n\\\\"',
      'cond 1 a == "\\n\\\\"',
    ],
    [
      { command: "enable", arguments: { breakpoints: [1] } },
      "enable 1",
      "en 1",
      "enable breakpoints 1",
    ],
    [{ command: "start", arguments: { arguments: "-x y" } }, "start -x y"],
    [{ command: "quit" }, "quit", "q", "exit"],
    [{ command: "restart" }, "restart", "R"],
    [{ command: "interrupt" }, "interrupt", "i"],
    [{ command: "file-filter", arguments: { state: "on" } }, "file-filter on"],
    [{ command: "thread list" }, "thread list", "th l", "th list", "thread l"],
    [{ command: "thread current" }, "thread current", "th c", "thread cur"],
    [{ command: "thread switch", arguments: { thread: 2 } }, "thread 2", "th 2", "thread sw 2"],
    [{ command: "thread inspect", arguments: { thread: 2 } }, "thread inspect 2", "th in 2"],
    [{ command: "where" }, "where", "w", "bt", "backtrace"],
    [{ command: "frame", arguments: { frame: -1 } }, "frame -1", "f -1"],
    [{ command: "next", arguments: { force: "+", count: 2 } }, "next+ 2", "n+ 2"],
    [{ command: "step", arguments: { count: 3 } }, "step 3", "s 3"],
    [
      { command: "var instance", arguments: { object: "+0x15" } },
      "var instance +0x15",
      "v i +0x15",
    ],
    [{ command: "var inspect", arguments: { expression: "1; 2" } }, "var inspect 1\\; 2"],
    [
      { command: "eval", arguments: { expression: "a;\nb % 2" } },
      "p a\\;\\nb % 2",
      "e a\\;\\nb % 2",
    ],
    [{ command: "pp", arguments: { expression: "x" } }, "pp x"],
    [{ command: "expression_info", arguments: { expression: "def a" } }, "expression_info def a"],
    [{ command: "jump", arguments: { line: "+2", file: "a.rb" } }, "jump +2 a.rb", "J +2 a.rb"],
    [{ command: "set_type", arguments: { variable: "a", type: "B" } }, "set_type a B"],
    [{ command: "a command of tomorrow" }, "a command of tomorrow"],
  ];
  for (const [command, line, ...others] of cases) {
    assert.equal(lineOf(command), line);
    for (const each of [line, ...others])
      assert.deepEqual(notations.frontend.readLine(each), [command]);
  }
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

test("values that would break the line or the peer are refused before anything is written", () => {
  const refused = (command: object): string => {
    try {
      return `written: ${lineOf(command)}`;
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return `${code} ${message}`;
    }
  };
  const lineEnd =
    "ERR_ENCODE_LINE Cannot write a command that contains a line break or a lone surrogate, at /arguments";
  const other = (name: string): string =>
    `ERR_ENCODE_LINE Cannot write this "${name}" command: its line would be read back differently, at /arguments`;
  const sign =
    'ERR_ENCODE_REFUSED Cannot write "%" in this command: the peer cannot handle it, at /arguments';
  const field = (what: string, name: string): string =>
    `ERR_ENCODE_FIELD Cannot write ${what}, at /arguments/${name}`;
  const cases: readonly (readonly [string, object, string])[] = [
    ["a line break", { command: "pp", arguments: { expression: "1\nquit" } }, lineEnd],
    ["a carriage return", { command: "load", arguments: { file: "a\rb" } }, lineEnd],
    ["a line break in an unknown command", { command: "foo\nquit" }, lineEnd],
    ["two commands", { command: "foo; bar" }, "written: foo\\; bar"],
    ["a percent sign in an unknown command", { command: "foo 100% bar" }, sign],
    [
      "a percent sign in text that is sent back",
      { command: "var const", arguments: { object: "5 % 2" } },
      sign,
    ],
    [
      "a percent sign where it is harmless",
      { command: "eval", arguments: { expression: "5 % 2" } },
      "written: p 5 % 2",
    ],
    [
      "a name containing a space",
      { command: "catch", arguments: { exception: "Foo bar" } },
      other("catch"),
    ],
    [
      "a file name that looks like a condition",
      { command: "break", arguments: { location: "a if b.rb:1" } },
      other("break"),
    ],
    ["a command that would be read as another one", { command: "b a.rb:1" }, other("b a.rb:1")],
    [
      "code that cannot be written on one line",
      { command: "eval", arguments: { expression: "a\n\\\nb" } },
      other("eval"),
    ],
    ["a missing argument", { command: "load" }, field("a value that is not a string", "file")],
    [
      "a number that is not an integer",
      { command: "delete", arguments: { breakpoints: [1.5] } },
      field("a value that is not an array of integers", "breakpoints"),
    ],
    [
      "an unlisted value",
      { command: "next", arguments: { force: "!" } },
      field("a value other than +, -", "force"),
    ],
    [
      "a number with a fraction",
      { command: "next", arguments: { count: 1.5 } },
      field("a value that is not an integer", "count"),
    ],
    [
      "code that is not a string",
      { command: "eval", arguments: { expression: 5 } },
      field("a value that is not a string", "expression"),
    ],
    [
      "a name that is neither a string nor a number",
      { command: "load", arguments: { file: true } },
      field("a value that is not a string", "file"),
    ],
    ["a name consisting of digits", { command: "load", arguments: { file: 5 } }, "written: load 5"],
    [
      "no name",
      { arguments: {} },
      "ERR_ENCODE_NAME Cannot write a command without a name, at /command",
    ],
  ];
  for (const [what, command, result] of cases) assert.equal(refused(command), result, what);
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
