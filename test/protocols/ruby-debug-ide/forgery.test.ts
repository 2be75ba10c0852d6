import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { createEncoder, framingOf, notations, type SpellingName } from "@wirewright/ruby-debug-ide";
import { readInput, testCases } from "../../support/case-list.js";

/** Encodes a message, or returns the error. */
function written(
  message: object,
  spelling?: SpellingName,
  from: "debugger" | "frontend" = "debugger",
): string {
  const encoder = createEncoder({ from, ...(spelling === undefined ? {} : { spelling }) });
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

/** The names in cases. */
const names = {
  custom: (body: unknown) => ({ element: "custom", body }),
  evaluate: (expression: unknown) => ({ command: "eval", arguments: { expression } }),
  evaluation: (value: string) => ({ element: "eval", body: { expression: "x", value } }),
  suspended,
  text: (content: unknown) => ({ element: "#text", body: { text: content } }),
};

testCases("test/cases/forgery.md", "messages are written or refused", (input) => {
  const [message, spelling] = readInput(input, names) as readonly [object, SpellingName?];
  const isCommand = "command" in message;
  const text = written(message, spelling, isCommand ? "frontend" : "debugger");
  if (text.startsWith("ERR_")) return [text];
  const messages = isCommand
    ? notations.frontend.readLine(text.slice(0, -1))
    : read(text, spelling);
  if (!input.startsWith("text(")) assert.equal(messages.length, 1, input);
  if (input.startsWith("evaluation(")) assert.deepEqual(messages, [message], input);
  return [text, ...messages].map((each) => JSON.stringify(each));
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

test("an element that contains itself is refused", () => {
  const cycle: { element: string; elements: object[] } = { element: "a", elements: [] };
  cycle.elements.push(cycle);
  assert.equal(
    written({ element: "a", body: cycle }),
    `ERR_ENCODE_NAME Cannot write an element called "a", at /body${"/elements/0".repeat(1_001)}`,
  );
});
