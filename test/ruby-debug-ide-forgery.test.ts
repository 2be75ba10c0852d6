import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FrameDecoder,
  createEncoder,
  framingOf,
  notations,
  type SpellingName,
} from "../generated/ruby-debug-ide/index.js";

/** What a message is written as, or why it is not. */
function written(message: object, spelling?: SpellingName): string {
  const encoder = createEncoder({
    from: "debugger",
    ...(spelling === undefined ? {} : { spelling }),
  });
  try {
    return Buffer.from(encoder.encode(message as never)).toString();
  } catch (error) {
    const { code, path } = error as { code: string; path: string };
    return `${code} ${path}`;
  }
}

/** The messages of a text, and the errors. */
function read(text: string, spelling?: SpellingName): readonly unknown[] {
  const found: unknown[] = [];
  const decoder = new FrameDecoder({
    framing: framingOf("debugger", spelling) as typeof notations.debugger,
    onMessage: (message) => found.push(message),
    onError: ({ code }) => found.push(code),
  });
  decoder.push(Buffer.from(text));
  decoder.end();
  return found;
}

const suspended = '<suspended file="a" line="1" threadId="1" frames="1"/>';

test("a value that is not escaped is refused where its end could not be told", () => {
  const evaluation = (value: string): object => ({
    element: "eval",
    body: { expression: "x", value },
  });
  for (const value of [
    `1" />${suspended}`,
    '" />',
    "ends in a backslash \\",
    `"${suspended}"`,
    'x" /> <breakpointDeleted no="1"/>',
  ])
    assert.equal(written(evaluation(value)), "ERR_ENCODE_LINE /body", value);
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
    "ERR_ENCODE_LINE /body",
  );
});

test("values that are escaped come back as they were, whatever is in them", () => {
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

test("text between elements is refused where it would be read as an element, now or later", () => {
  const text = (said: string): string => written({ element: "#text", body: { text: said } });
  for (const said of [
    `${suspended}\n`,
    `a ${suspended}\n`,
    "<b/>\n",
    "<message>x</message>\n",
    "one\n<custom>two</custom>\n",
    "<message>\n",
    'what follows would end it <exception file="a\n',
    "no line end",
    "",
  ])
    assert.equal(text(said), "ERR_ENCODE_LINE /body/text", said);
  for (const said of ["a\n", "\n", "a < b\n", "#<A @b=1>\n", "<b>\n", "<a b=1>\n\n\nx\n", "]]>\n"])
    assert.equal(text(said), said);
  assert.equal(written({ element: "#text", body: { text: 5 } }), "ERR_ENCODE_LINE /body/text");
});

test("an element that nobody knows is written on one line, and as nothing else", () => {
  const cases: readonly (readonly [body: unknown, result: string])[] = [
    [{}, "<custom/>"],
    [undefined, "<custom/>"],
    [{ attributes: { a: "1\n2" }, text: "3\n4" }, '<custom a="1&#10;2">3&#10;4</custom>'],
    [{ attributes: { 'a="1"><b c': "x" } }, "ERR_ENCODE_NAME /body/attributes"],
    [{ attributes: { a: {} } }, "ERR_ENCODE_FIELD /body/attributes/a"],
    [{ attributes: { a: null } }, "ERR_ENCODE_FIELD /body/attributes/a"],
    [{ attributes: 5 }, "ERR_ENCODE_FIELD /body"],
    [{ text: Symbol("x") }, "ERR_ENCODE_FIELD /body/text"],
    [{ elements: 5 }, "ERR_ENCODE_FIELD /body"],
    [{ elements: [5] }, "ERR_ENCODE_NAME /body/elements/0"],
    [{ elements: [{ element: "a b" }] }, "ERR_ENCODE_NAME /body/elements/0"],
    [{ elements: [{ element: "message", text: "x" }] }, "ERR_ENCODE_LINE /body"],
    [{ elements: [{ element: "suspended" }] }, "<custom><suspended/></custom>"],
  ];
  for (const [body, result] of cases)
    assert.equal(written({ element: "custom", body }), result, JSON.stringify(result));
  for (const element of ["", "a b", "a>", "<a", "a\n", "1a", "é", "x".repeat(201)])
    assert.equal(written({ element, body: {} }), "ERR_ENCODE_NAME /body", element);
  const cycle: { element: string; elements: object[] } = { element: "a", elements: [] };
  cycle.elements.push(cycle);
  assert.match(written({ element: "a", body: cycle }), /^ERR_ENCODE_NAME \/body\/elements\/0/);
});

test("a command is one line and one command, or it is refused", () => {
  const encoder = createEncoder({ from: "frontend" });
  const line = (command: object): string => {
    try {
      return Buffer.from(encoder.encode(command as never)).toString();
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const evaluate = (expression: unknown): object => ({
    command: "eval",
    arguments: { expression },
  });
  const cases: readonly (readonly [command: object, result: string])[] = [
    [evaluate("1;quit"), "p 1\\;quit\n"],
    [evaluate("1\nquit"), "p 1\\nquit\n"],
    [evaluate("1\rquit"), "ERR_ENCODE_LINE"],
    [evaluate("a\0b"), "p a\0b\n"],
    [evaluate("half \ud83d"), "ERR_ENCODE_LINE"],
    [evaluate("whole \u{1f600}"), "p whole \u{1f600}\n"],
    [evaluate(""), "ERR_ENCODE_LINE"],
    [evaluate(undefined), "ERR_ENCODE_FIELD"],
    [evaluate(Object.create(null)), "ERR_ENCODE_FIELD"],
    [{ command: "pp", arguments: { expression: "1\nquit" } }, "ERR_ENCODE_LINE"],
    [{ command: "load", arguments: { file: "a;quit" } }, "load a\\;quit\n"],
    [{ command: "load", arguments: { file: "a\\" } }, "load a\\\n"],
    [{ command: "load", arguments: { file: "a\\;b" } }, "load a\\\\;b\n"],
    [{ command: "delete", arguments: { breakpoints: [1, "2\nquit"] } }, "ERR_ENCODE_FIELD"],
    [{ command: "delete", arguments: { breakpoints: [] } }, "delete\n"],
    [
      { command: "delete", arguments: { breakpoints: [1], other: [Object.create(null)] } },
      "ERR_ENCODE_LINE",
    ],
    [{ command: "catch", arguments: { exception: "A\tquit" } }, "ERR_ENCODE_LINE"],
    [{ command: "thread switch", arguments: { thread: Infinity } }, "ERR_ENCODE_FIELD"],
    [{ command: "foo\u2028quit" }, "foo\u2028quit\n"],
    [{ command: "foo\nquit" }, "ERR_ENCODE_LINE"],
    [{ command: " where" }, "ERR_ENCODE_LINE"],
    [{ command: "\ufeffwhere" }, "ERR_ENCODE_LINE"],
    [{ command: "" }, "ERR_ENCODE_LINE"],
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
