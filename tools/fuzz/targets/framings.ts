import type { CommandTable, ElementTable } from "../../../runtime/index.js";
import type { Target } from "../target.js";
import { commandTokens, elementTokens, jsonTokens } from "./framing-tokens.js";
import { streamTarget } from "./streams.js";

const documentTable: ElementTable = {
  messages: { note: "Note" },
  responses: { tag: "response", name: "c", id: "t", failure: "Failure", results: { x: "Result" } },
  spellings: {
    Note: [
      {
        tag: "note",
        attributes: {},
        text: { field: "text", form: "text" },
        pieces: ["<note>", { field: "text", form: "text" }, "</note>"],
      },
    ],
    Failure: [
      {
        tag: "error",
        attributes: { code: { field: "code", form: "integer", required: true } },
        pieces: ['<error code="', { field: "code", form: "integer" }, '"/>'],
      },
    ],
    Item: [
      {
        tag: "item",
        attributes: { k: { field: "k", form: "integer-or-text", required: false } },
        text: { field: "value", form: "text" },
        children: [{ field: "items", definition: "Item" }],
        pieces: ["<item>", { field: "value", form: "text" }, "</item>"],
      },
    ],
    Result: [
      {
        tag: "response",
        attributes: { n: { field: "n", form: "integer", required: false } },
        children: [{ field: "items", definition: "Item" }],
        pieces: ["<response>", { field: "items", form: "text" }, "</response>"],
      },
    ],
  },
};

const optionTable: CommandTable = {
  commands: {
    status: { words: ["status"], pieces: [] },
    set: {
      words: ["set"],
      pieces: [
        " -n ",
        { field: "name", form: "text" },
        { optional: [" -- ", { field: "data", form: "base64" }] },
      ],
    },
  },
};

const contentLength = streamTarget({
  name: "content-length",
  about: "the decoder for Content-Length frames, parsing or not, tolerant and strict",
  seeds: "content-length.md",
  isJson: true,
  framing: () => Promise.resolve(undefined),
  good: { bytes: 'Content-Length: 15\r\n\r\n{"probe":12345}', json: '{"probe":12345}' },
  between: "",
  work: { base: 20_000, perByte: 2_000 },
  tokens: [
    ...jsonTokens,
    "Content-Length: ",
    "content-length:",
    "Content-Length",
    "\r\n\r\n",
    "\n\n",
    "\r\n",
    "\r",
    'Content-Length: 7\r\n\r\n{"a":1}',
    "Content-Length: 9\r\n\r\n",
    "Content-Length: 44\r\n",
    "Content-Type: a/b; charset=utf-8\r\n",
    "Content-Type: x; charset=latin1\r\n",
    "X: y\r\n",
    "charset=us-ascii",
    "charset='utf-8'",
    'charset="utf8"',
    "; charset =",
    "2147483647",
    "WARNING: ",
    "DEBUG: ",
    " \t",
    "\ufeff",
    "oops printed\r\n",
    "\x00",
    "+7",
    "007",
    "-1",
  ],
});

const lines = streamTarget({
  name: "lines",
  about: "the decoder for JSON lines, parsing or not, tolerant and strict",
  seeds: "lines.md",
  isJson: true,
  framing: () => Promise.resolve("lines"),
  good: { bytes: '{"probe":12345}\n', json: '{"probe":12345}' },
  between: "\n",
  work: { base: 20_000, perByte: 1_000 },
  tokens: [...jsonTokens, "\n", "\r\n", "\r", '{"a":1}\n', " ", "\t", "Content-Length: 7\r\n\r\n"],
});

/** Returns whether a range contains only white space, which is insignificant between elements. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return Buffer.from(bytes.subarray(start, end)).toString().trim() === "";
}

/**
 * Returns whether a range contains only white space and separators, which are insignificant between
 * commands.
 */
function isBetweenCommands(bytes: Uint8Array, start: number, end: number): boolean {
  return /^[\s;]*$/.test(Buffer.from(bytes.subarray(start, end)).toString());
}

const elements = streamTarget({
  name: "xml-concat",
  about: "the decoder for consecutive XML documents, tolerant and strict",
  seeds: "xml-concat.md",
  isJson: false,
  async framing(modules) {
    const { notations } = await modules<typeof import("@wirewright/ruby-debug-ide")>(
      "generated/ruby-debug-ide/notation.js",
    );
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
  about: "the decoder for command lines, tolerant and strict",
  seeds: "lines.md",
  isJson: false,
  async framing(modules) {
    const { notations } = await modules<typeof import("@wirewright/ruby-debug-ide")>(
      "generated/ruby-debug-ide/notation.js",
    );
    return notations.frontend;
  },
  good: {
    bytes: "frame 7\n",
    json: '{"command":"frame","arguments":{"frame":7}}',
  },
  between: "\n",
  isGap: isBetweenCommands,
  // For each line, however short, the decoder tries each of a hundred commands.
  maxLength: 200,
  work: { base: 50_000, perByte: 10_000 },
  tokens: commandTokens,
});

/**
 * Returns whether a range contains only white space and zero bytes, which are ignored between
 * messages.
 */
function isBetweenZeros(bytes: Uint8Array, start: number, end: number): boolean {
  return /^[\s\0]*$/.test(Buffer.from(bytes.subarray(start, end)).toString());
}

/** Returns whether a range contains only zero bytes, which terminate both lengths and messages. */
function isZeros(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes.subarray(start, end).every((byte) => byte === 0);
}

const zeros = streamTarget({
  name: "nul",
  about: "the decoder for JSON terminated by a zero byte, tolerant and strict",
  seeds: "nul.md",
  isJson: true,
  framing: () => Promise.resolve("nul"),
  good: { bytes: '{"probe":12345}\0', json: '{"probe":12345}' },
  between: "\0",
  isGap: isBetweenZeros,
  work: { base: 20_000, perByte: 1_000 },
  tokens: [...jsonTokens, "\0", '{"a":1}\0', "\0\0", "\n", "\r\n", " ", "\t", '"\0"', "\ufeff{}\0"],
});

const decimals = streamTarget({
  name: "decimal-nul",
  about: "the decoder for JSON preceded by its length in decimal, tolerant and strict",
  seeds: "decimal-nul.md",
  isJson: true,
  framing: () => Promise.resolve("decimal-nul"),
  good: { bytes: '15\0{"probe":12345}\0', json: '{"probe":12345}' },
  between: "\0",
  isGap: isZeros,
  work: { base: 20_000, perByte: 1_000 },
  tokens: [
    ...jsonTokens,
    "\0",
    "7\0",
    "15\0",
    '7\0{"a":1}\0',
    "999999999999999",
    "0\0",
    "-1\0",
    " ",
  ],
});

const binaries = streamTarget({
  name: "uint32-be",
  about: "the decoder for JSON preceded by its length in four bytes, tolerant and strict",
  seeds: "length-prefix.md",
  isJson: true,
  framing: () => Promise.resolve("uint32-be"),
  good: { bytes: '\0\0\0\x0f{"probe":12345}', json: '{"probe":12345}' },
  between: "",
  work: { base: 20_000, perByte: 4_000 },
  tokens: [
    ...jsonTokens,
    "\0\0\0\x07",
    "\0\0\0\0",
    "\0",
    '\0\0\0\x07{"a":1}',
    "\x7f\0\0\0",
    "\0\0\x01\0{",
  ],
});

const documents = streamTarget({
  name: "xml-documents",
  about: "the decoder for XML documents preceded by their length, tolerant and strict",
  seeds: "decimal-nul.md",
  isJson: false,
  async framing(modules) {
    const { DocumentNotation } =
      await modules<typeof import("../../../runtime/index.js")>("runtime/index.js");
    const names = { name: "event", payload: "body" };
    const responses = { name: "response", payload: "body", id: "id", error: "error" };
    return new DocumentNotation(documentTable, "decimal-nul", names, responses);
  },
  good: {
    bytes: '29\0<response c="x" t="7" n="8"/>\0',
    json: '{"response":"x","id":7,"body":{"n":8,"items":[]}}',
  },
  between: "\0",
  isGap: isZeros,
  work: { base: 40_000, perByte: 6_000 },
  tokens: [
    ...elementTokens,
    '<response c="x" t="1">',
    "</response>",
    '<item k="1">',
    "</item>",
    "<note>",
    "</note>",
    '<error code="5">',
    "</error>",
    "\0",
    "29\0",
    '<?xml version="1.0"?>',
    "<!-- -->",
    ' xmlns="a"',
  ],
});

const options = streamTarget({
  name: "command-options",
  about: "the decoder for commands with options, tolerant and strict",
  seeds: "decimal-nul.md",
  isJson: false,
  async framing(modules) {
    const { OptionNotation } =
      await modules<typeof import("../../../runtime/index.js")>("runtime/index.js");
    const fields = { name: "command", payload: "arguments", id: "id", idOption: "-i" };
    return new OptionNotation(optionTable, "nul", fields);
  },
  good: {
    bytes: "set -i 7 -n p\0",
    json: '{"command":"set","id":7,"arguments":{"name":"p"}}',
  },
  between: "\0",
  isGap: isBetweenZeros,
  work: { base: 40_000, perByte: 6_000 },
  tokens: [
    "set",
    " -i ",
    " -n ",
    ' -n "a b"',
    ' "\\""',
    " -- ",
    "YQ==",
    "\0",
    '"',
    "\\",
    " ",
    "-",
    "\n",
    "set -i 1 -n x -- YWI=\0",
    "status -i 2\0",
    " -q 1",
    " -i -5",
    "\t",
  ],
});

/** Targets that test the byte stream decoders, one per framing. */
export const framings: readonly Target[] = [
  contentLength,
  lines,
  elements,
  commands,
  zeros,
  decimals,
  binaries,
  documents,
  options,
];
