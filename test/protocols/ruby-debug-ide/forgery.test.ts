import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { createEncoder, framingOf, notations, type SpellingName } from "@wirewright/ruby-debug-ide";

/** Encodes a message, or returns the error. */
function written(message: object, spelling?: SpellingName): string {
  const encoder = createEncoder({
    from: "debugger",
    ...(spelling === undefined ? {} : { spelling }),
  });
  try {
    return Buffer.from(encoder.encode(message as never)).toString();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
}

/** Decodes a text and returns the messages and error codes. */
function read(text: string, spelling?: SpellingName): readonly unknown[] {
  const found: unknown[] = [];
  const decoder = new FrameDecoder({
    framing: framingOf("debugger", spelling) as typeof notations.debugger,
    onMessage: (message) => found.push(message),
    onFault: ({ code }) => found.push(code),
  });
  decoder.push(Buffer.from(text));
  decoder.end();
  return found;
}

const suspended = '<suspended file="a" line="1" threadId="1" frames="1"/>';

test("a value that is not escaped is refused if its end would be ambiguous", () => {
  const evaluation = (value: string): object => ({
    element: "eval",
    body: { expression: "x", value },
  });
  const refused = (name: string): string =>
    `ERR_ENCODE_LINE Cannot write this "${name}" element: it would be read back differently, at /body`;
  for (const value of [
    '1" /><eval expression="y" value="2',
    `1" />${suspended}`,
    '" />',
    "ends in a backslash \\",
    `"${suspended}"`,
    'x" /> <breakpointDeleted no="1"/>',
  ])
    assert.equal(written(evaluation(value)), refused("eval"), value);
  for (const value of [
    '"\\" />"',
    '"',
    '""',
    "]]>",
    "<b>",
    "line\nend",
    `"${suspended.replaceAll('"', "'")}"`,
    `"${suspended.replaceAll('"', '\\"')}"`,
  ])
    assert.deepEqual(read(written(evaluation(value))), [evaluation(value)], value);
  assert.deepEqual(
    read(written(evaluation(`1" />${suspended}`), "well-formed"), "well-formed"),
    [evaluation(`1" />${suspended}`)],
    "a dialect that escapes it writes it",
  );
  assert.equal(
    written({ element: "catchpointSet", body: { exception: 'A"/><message>x</message>' } }),
    refused("catchpointSet"),
  );
});

test("escaped values are read unchanged, whatever they contain", () => {
  const nasty = `a<b>&amp;"'\`]]></value><![CDATA[${suspended}\\" />\n\r\t\0\u001b[31m\u2028é😀&#x41;`;
  const messages: readonly object[] = [
    { element: "error", body: { text: nasty } },
    { element: "message", body: { debug: true, text: nasty } },
    { element: "exception", body: { file: nasty, line: 1, type: "", message: nasty, threadId: 1 } },
    { element: "frames", body: { frames: [{ no: 1, file: nasty, line: 1 }] } },
    { element: "custom", body: { attributes: { a: nasty }, text: nasty } },
    {
      element: "custom",
      body: {
        attributes: {},
        elements: [{ element: "child", attributes: { b: nasty }, text: nasty }],
      },
    },
  ];
  for (const message of messages) assert.deepEqual(read(written(message)), [message]);
  const variables = {
    element: "variables",
    body: {
      variables: [
        {
          name: nasty,
          kind: "local",
          type: nasty,
          hasChildren: false,
          objectId: nasty,
          value: nasty,
        },
      ],
    },
  };
  for (const spelling of [undefined, "rubymine"] as const)
    assert.deepEqual(read(written(variables, spelling), spelling), [variables]);
});

test("text between elements is refused if it would be read as an element, alone or together with later bytes", () => {
  const text = (content: string): string => written({ element: "#text", body: { text: content } });
  const refused = (why: string): string =>
    `ERR_ENCODE_LINE Cannot write text between elements that ${why}, at /body/text`;
  for (const content of [
    `${suspended}\n`,
    `a ${suspended}\n`,
    "<b/>\n",
    "<message>x</message>\n",
    "one\n<custom>two</custom>\n",
    "<message>\n",
    'what follows would end it <exception file="a\n',
  ])
    assert.equal(text(content), refused("would be read as an element"), content);
  for (const content of ["no line end", ""])
    assert.equal(text(content), refused("does not end with a line break"), content);
  for (const content of [
    "a\n",
    "\n",
    "a < b\n",
    "#<A @b=1>\n",
    "<b>\n",
    "<a b=1>\n\n\nx\n",
    "]]>\n",
  ])
    assert.equal(text(content), content);
  assert.equal(
    written({ element: "#text", body: { text: 5 } }),
    refused("does not end with a line break"),
  );
});

test("an unknown element is written as one element on one line", () => {
  const noName = (what: string, name: string, path: string): string =>
    `ERR_ENCODE_NAME Cannot write an ${what} called "${name}", at ${path}`;
  const noText = (path: string): string =>
    `ERR_ENCODE_FIELD Cannot write a value that is not a string, at ${path}`;
  const noElement = "ERR_ENCODE_FIELD Cannot write a value that is not an element, at /body";
  const cases: readonly (readonly [body: unknown, result: string])[] = [
    [{}, "<custom/>"],
    [undefined, "<custom/>"],
    [{ attributes: { a: "1\n2" }, text: "3\n4" }, '<custom a="1&#10;2">3&#10;4</custom>'],
    [
      { attributes: { a: 1, b: true }, text: 5, elements: [{ element: "x" }, { element: "y" }] },
      '<custom a="1" b="true">5<x/><y/></custom>',
    ],
    [{ attributes: { 'a="1"><b c': "x" } }, noName("attribute", 'a="1"><b c', "/body/attributes")],
    [{ attributes: { "a.b-c:d1": "x" } }, '<custom a.b-c:d1="x"/>'],
    [{ attributes: { a: {} } }, noText("/body/attributes/a")],
    [{ attributes: { a: null } }, noText("/body/attributes/a")],
    [{ attributes: 5 }, noElement],
    [{ text: Symbol("x") }, noText("/body/text")],
    [{ elements: 5 }, noElement],
    [{ elements: [5] }, noName("element", "undefined", "/body/elements/0")],
    [{ elements: [{ element: 5 }] }, noName("element", "number", "/body/elements/0")],
    [{ elements: [{ element: "a b" }] }, noName("element", "a b", "/body/elements/0")],
    [
      { elements: [{ element: "message", text: "x" }] },
      'ERR_ENCODE_LINE Cannot write this "custom" element: it would be read back differently, at /body',
    ],
    [{ elements: [{ element: "suspended" }] }, "<custom><suspended/></custom>"],
  ];
  for (const [body, result] of cases)
    assert.equal(written({ element: "custom", body }), result, JSON.stringify(result));
  for (const element of ["", "a b", "a>", "<a", "a\n", "1a", "é", "x".repeat(201)])
    assert.equal(
      written({ element, body: {} }),
      noName("element", element.slice(0, 200), "/body"),
      element,
    );
  const longest = "x".repeat(200);
  assert.equal(written({ element: longest, body: {} }), `<${longest}/>`);
  const cycle: { element: string; elements: object[] } = { element: "a", elements: [] };
  cycle.elements.push(cycle);
  assert.equal(
    written({ element: "a", body: cycle }),
    noName("element", "a", `/body${"/elements/0".repeat(1_001)}`),
  );
});

test("a command that would not be exactly one line and one command is refused", () => {
  const encoder = createEncoder({ from: "frontend" });
  const line = (command: object): string => {
    try {
      return Buffer.from(encoder.encode(command as never)).toString();
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return `${code} ${message}`;
    }
  };
  const lineEnd =
    "ERR_ENCODE_LINE Cannot write a command that contains a line break or a lone surrogate, at /arguments";
  const other = (name: string): string =>
    `ERR_ENCODE_LINE Cannot write this "${name}" command: its line would be read back differently, at /arguments`;
  const field = (what: string, name: string): string =>
    `ERR_ENCODE_FIELD Cannot write a value that is not ${what}, at /arguments/${name}`;
  const evaluate = (expression: unknown): object => ({
    command: "eval",
    arguments: { expression },
  });
  const cases: readonly (readonly [command: object, result: string])[] = [
    [evaluate("1;quit"), "p 1\\;quit\n"],
    [evaluate("1\nquit"), "p 1\\nquit\n"],
    [evaluate("1\rquit"), lineEnd],
    [evaluate("a\0b"), "p a\0b\n"],
    [evaluate("half \ud83d"), lineEnd],
    [evaluate(" 1 "), "p  1 \n"],
    [{ command: "load", arguments: { file: " a" } }, other("load")],
    [evaluate("whole \u{1f600}"), "p whole \u{1f600}\n"],
    [evaluate(""), other("eval")],
    [evaluate(undefined), field("a string", "expression")],
    [evaluate(Object.create(null)), field("a string", "expression")],
    [{ command: "pp", arguments: { expression: "1\nquit" } }, lineEnd],
    [{ command: "load", arguments: { file: "a;quit" } }, "load a\\;quit\n"],
    [{ command: "load", arguments: { file: "a\\" } }, "load a\\\n"],
    [{ command: "load", arguments: { file: "a\\;b" } }, "load a\\\\;b\n"],
    [
      { command: "delete", arguments: { breakpoints: [1, "2\nquit"] } },
      field("an array of integers", "breakpoints"),
    ],
    [{ command: "delete", arguments: { breakpoints: [] } }, "delete\n"],
    [
      { command: "delete", arguments: { breakpoints: [1], other: [Object.create(null)] } },
      other("delete"),
    ],
    [{ command: "catch", arguments: { exception: "A\tquit" } }, other("catch")],
    [{ command: "thread switch", arguments: { thread: Infinity } }, field("an integer", "thread")],
    [{ command: "foo\u2028quit" }, "foo\u2028quit\n"],
    [{ command: "foo\nquit" }, lineEnd],
    [{ command: " where" }, other(" where")],
    [{ command: "\ufeffwhere" }, other("\ufeffwhere")],
    [{ command: "" }, other("")],
    [{ command: "__proto__" }, "__proto__\n"],
    [{ command: "constructor" }, "constructor\n"],
    [{ command: "toString", arguments: { a: 1 } }, "toString\n"],
  ];
  for (const [command, result] of cases) {
    assert.equal(line(command), result, JSON.stringify(command));
    if (!result.startsWith("ERR"))
      assert.equal(notations.frontend.readLine(result.slice(0, -1)).length, 1);
  }
});
