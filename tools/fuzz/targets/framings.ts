import type { Target } from "../target.js";
import { streamTarget } from "./streams.js";

const json = [
  ...['{"a":1}', "{}", "[]", "[", "]", "{", "}", ":", ",", '"', "null", "true", "1e5", "-0"],
  ...["\\u0000", "\\ud83d", "\\", "é", "日本", "😀", "\u2028", "\ufeff", '{"a":[', '{"a":{'],
];

/** Tokens of XML documents. */
export const elementTokens = [
  ...["<", ">", "/>", "</", '"', "'", "\\", "=", "&", ";", "&lt;", "&#39;", "&#x41;", "&amp;amp;"],
  ...["<![CDATA[", "]]>", "]]></", "<!--", "-->", "<?xml", "?>", "\n", " ", "\\'", '\\"'],
  ...[
    "<variables>",
    "</variables>",
    "<variable ",
    "<variables",
    ' name="a"',
    ' value="',
    "<frames>",
  ],
  ...['<frame no="1" file="a" line="3"/>', "</frames>", "<message>", "</message>", "<error>"],
  ...["</error>", '<eval expression="1" value="2" />', ' objectId="', ' type="', ' kind="local"'],
  ...['<breakpointAdded no="1" location="a:2"/>', "<threads>", "</threads>", ' hasChildren="true"'],
  ...['<thread id="1" status="run"/>', "<value>", "</value>", "<processingException ", "<a>", "<b"],
  ...['<exception file="a" line="1" type="E" message="', ' threadId="1"', "<breakpoints>", "PRY"],
];

/** Tokens of command lines. */
export const commandTokens = [
  ...["\n", "\r\n", ";", "\\;", "\\", "\\n", " ", "\t", ":", ".", "#", "+", "-", "%", ","],
  ...["break a.rb:1", "b ", "break ", " if ", "b a:1 if x", "delete ", "del 1 2", "info break"],
  ...["var local", "v l", "var instance 0x1f", "v i ", "var global", "v ct ", "v const ", "v m "],
  ...["p ", "pp ", "eval ", "next", "n+ 2", "step", "s", "finish", "cont", "c 5", "up", "down"],
  ...["where", "w", "bt", "frame 1", "f -1", "thread list", "th l", "thread switch 1", "th c 2"],
  ...["catch ", "cat off", "condition 1 x", "enable 1", "disable 1 2", "load ", "start", "exit"],
  ...["set debug 1", "list 1-2", "l =", "jump 5", "include ", "exclude ", "expression_info "],
  ...["interrupt", "pause 1", "restart", "method ", "ruby", "detach", "q", "quit!", "inspect"],
];

const contentLength = streamTarget({
  name: "content-length",
  about: "the decoder of Content-Length frames, parsing or not, tolerant and strict",
  seeds: "content-length.md",
  isJson: true,
  framing: () => Promise.resolve(undefined),
  good: { bytes: 'Content-Length: 15\r\n\r\n{"probe":12345}', json: '{"probe":12345}' },
  between: "",
  work: { base: 20_000, perByte: 2_000 },
  tokens: [
    ...json,
    ...["Content-Length: ", "content-length:", "Content-Length", "\r\n\r\n", "\n\n", "\r\n", "\r"],
    ...['Content-Length: 7\r\n\r\n{"a":1}', "Content-Length: 9\r\n\r\n", "Content-Length: 44\r\n"],
    ...["Content-Type: a/b; charset=utf-8\r\n", "Content-Type: x; charset=latin1\r\n", "X: y\r\n"],
    ...["charset=us-ascii", "charset='utf-8'", 'charset="utf8"', "; charset =", "2147483647"],
    ...["WARNING: ", "DEBUG: ", " \t", "\ufeff", "oops printed\r\n", "\x00", "+7", "007", "-1"],
  ],
});

const lines = streamTarget({
  name: "lines",
  about: "the decoder of JSON lines, parsing or not, tolerant and strict",
  seeds: "lines.md",
  isJson: true,
  framing: () => Promise.resolve("lines"),
  good: { bytes: '{"probe":12345}\n', json: '{"probe":12345}' },
  between: "\n",
  work: { base: 20_000, perByte: 1_000 },
  tokens: [...json, "\n", "\r\n", "\r", '{"a":1}\n', " ", "\t", "Content-Length: 7\r\n\r\n"],
});

/** Blanks between elements are insignificant. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return Buffer.from(bytes.subarray(start, end)).toString().trim() === "";
}

/** So are blanks around commands and their separators. */
function isBetweenCommands(bytes: Uint8Array, start: number, end: number): boolean {
  return /^[\s;]*$/.test(Buffer.from(bytes.subarray(start, end)).toString());
}

const elements = streamTarget({
  name: "xml-concat",
  about: "the decoder of consecutive XML documents, tolerant and strict",
  seeds: "xml-concat.md",
  isJson: false,
  async framing(modules) {
    const { notations } = await modules<
      typeof import("../../../generated/ruby-debug-ide/notation.js")
    >("generated/ruby-debug-ide/notation.js");
    return notations.debugger;
  },
  good: {
    bytes: '<breakpointAdded no="7" location="p:8"/>',
    json: '{"element":"breakpointAdded","body":{"no":7,"location":"p:8"}}',
  },
  between: "\n",
  isGap: isBlank,
  work: { base: 20_000, perByte: 4_000 },
  tokens: elementTokens,
});

const commands = streamTarget({
  name: "command-lines",
  about: "the decoder of command lines, tolerant and strict",
  seeds: "lines.md",
  isJson: false,
  async framing(modules) {
    const { notations } = await modules<
      typeof import("../../../generated/ruby-debug-ide/notation.js")
    >("generated/ruby-debug-ide/notation.js");
    return notations.frontend;
  },
  good: {
    bytes: "frame 7\n",
    json: '{"command":"frame","arguments":{"frame":7}}',
  },
  between: "\n",
  isGap: isBetweenCommands,
  // Each of a hundred commands is tried for each line, however short it is.
  maxLength: 200,
  work: { base: 50_000, perByte: 10_000 },
  tokens: commandTokens,
});

/** Decoders of byte streams. */
export const framings: readonly Target[] = [contentLength, lines, elements, commands];
