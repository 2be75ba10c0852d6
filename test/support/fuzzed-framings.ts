/** Framings with streams to start from, and tokens that mean something to their decoders. */
import { notations } from "@wirewright/ruby-debug-ide";
import {
  DocumentNotation,
  OptionNotation,
  type CommandTable,
  type ElementTable,
} from "../../runtime/index.js";
import { readFrameCases } from "./frame-cases.js";
import type { StreamOptions, TilingSettings } from "./stream-oracles.js";

/** A framing, and what is expected of its decoder. */
export interface FuzzedFraming {
  readonly name: string;
  /** The decoder's option. Default: `Content-Length` frames. */
  readonly framing?: StreamOptions["framing"];
  readonly seeds: readonly Uint8Array[];
  readonly tokens: readonly string[];
  /** Whether bodies are JSON. */
  readonly isJson: boolean;
  /** An intact message, and what it is decoded to. */
  readonly intact: { readonly bytes: string; readonly json: string };
  /** Bytes that end whatever part of a stream is unfinished, without an intact message. */
  readonly end: string;
  readonly isGap?: TilingSettings["isGap"];
  readonly maxLength?: number;
}

/** Reads tokens that are separated by bars. */
function tokensIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split("|"));
}

/** JSON tokens. */
const jsonTokens = tokensIn(
  `{"a":1}|{}|[]|[|]|{|}|:|,|"|null|true|1e5|-0|\\u0000|\\ud83d|\\|é|日本|😀|\u2028|\ufeff`,
  `{"a":[|{"a":{`,
);

/** XML tokens. */
export const elementTokens: readonly string[] = tokensIn(
  `<|>|/>|</|"|'|\\|=|&|;|&lt;|&#39;|&#x41;|&amp;amp;|<![CDATA[|]]>|]]></|<!--|-->|<?xml|?>`,
  `\n| |\\'|\\"|<variables>|</variables>|<variable |<variables| name="a"| value="|<frames>`,
  `<frame no="1" file="a" line="3"/>|</frames>|<message>|</message>|<error>|</error>`,
  `<eval expression="1" value="2" />| objectId="| type="| kind="local"`,
  `<breakpointAdded no="1" location="a:2"/>|<threads>|</threads>| hasChildren="true"`,
  `<thread id="1" status="run"/>|<value>|</value>|<processingException |<a>|<b`,
  `<exception file="a" line="1" type="E" message="| threadId="1"|<breakpoints>|PRY`,
);

/** Command line tokens. */
export const commandTokens: readonly string[] = tokensIn(
  `\n|\r\n|;|\\;|\\|\\n| |\t|:|.|#|+|-|%|,|break a.rb:1|b |break | if |b a:1 if x|delete `,
  `del 1 2|info break|var local|v l|var instance 0x1f|v i |var global|v ct |v const |v m `,
  `p |pp |eval |next|n+ 2|step|s|finish|cont|c 5|up|down|where|w|bt|frame 1|f -1`,
  `thread list|th l|thread switch 1|th c 2|catch |cat off|condition 1 x|enable 1`,
  `disable 1 2|load |start|exit|set debug 1|list 1-2|l =|jump 5|include |exclude `,
  `expression_info |interrupt|pause 1|restart|method |ruby|detach|q|quit!|inspect`,
);

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

/** Returns the streams in a file of cases that are short enough to be edited. */
export function framesIn(file: string): readonly Uint8Array[] {
  return readFrameCases(`test/cases/${file}`)
    .map(({ bytes }) => Uint8Array.from(bytes))
    .filter(({ length }) => length <= 1_000);
}

/** Returns whether a range has only bytes that mean nothing between messages. */
function isOnly(bytes: RegExp): TilingSettings["isGap"] {
  return (stream, start, end) => bytes.test(Buffer.from(stream.subarray(start, end)).toString());
}

export const fuzzedFramings: readonly FuzzedFraming[] = [
  {
    name: "content-length",
    seeds: framesIn("content-length.md"),
    isJson: true,
    intact: { bytes: 'Content-Length: 15\r\n\r\n{"probe":12345}', json: '{"probe":12345}' },
    end: "",
    tokens: [
      ...jsonTokens,
      ...tokensIn(
        `Content-Length: |content-length:|Content-Length|\r\n\r\n|\n\n|\r\n|\r`,
        `Content-Length: 7\r\n\r\n{"a":1}|Content-Length: 9\r\n\r\n`,
        `Content-Length: 44\r\n|Content-Type: a/b; charset=utf-8\r\n`,
        `Content-Type: x; charset=latin1\r\n|X: y\r\n|charset=us-ascii|charset='utf-8'`,
        `charset="utf8"|; charset =|2147483647|WARNING: |DEBUG: | \t|\ufeff`,
        `oops printed\r\n|\x00|+7|007|-1`,
      ),
    ],
  },
  {
    name: "lines",
    framing: "lines",
    seeds: framesIn("lines.md"),
    isJson: true,
    intact: { bytes: '{"probe":12345}\n', json: '{"probe":12345}' },
    end: "\n",
    tokens: [...jsonTokens, ...tokensIn(`\n|\r\n|\r|{"a":1}\n| |\t|Content-Length: 7\r\n\r\n`)],
  },
  {
    name: "xml-concat",
    framing: notations.debugger,
    seeds: framesIn("xml-concat.md"),
    isJson: false,
    intact: {
      bytes: '<breakpointAdded no="7" location="p:8"/>',
      json: '{"element":"breakpointAdded","body":{"no":7,"location":"p:8"}}',
    },
    end: "\n",
    // A declaration is not part of a message, and is skipped like white space.
    isGap: isOnly(/^(?:\s|<\?[^]*?\?>)*$/),
    tokens: elementTokens,
  },
  {
    name: "command-lines",
    framing: notations.frontend,
    seeds: framesIn("lines.md"),
    isJson: false,
    intact: {
      bytes: "frame 7\n",
      json: '{"command":"frame","arguments":{"frame":7}}',
    },
    end: "\n",
    isGap: isOnly(/^[\s;]*$/),
    maxLength: 200,
    tokens: commandTokens,
  },
  {
    name: "nul",
    framing: "nul",
    seeds: framesIn("nul.md"),
    isJson: true,
    intact: { bytes: '{"probe":12345}\0', json: '{"probe":12345}' },
    end: "\0",
    isGap: isOnly(/^[\s\0]*$/),
    tokens: [...jsonTokens, ...tokensIn(`\0|{"a":1}\0|\0\0|\n|\r\n| |\t|"\0"|\ufeff{}\0`)],
  },
  {
    name: "decimal-nul",
    framing: "decimal-nul",
    seeds: framesIn("decimal-nul.md"),
    isJson: true,
    intact: { bytes: '15\0{"probe":12345}\0', json: '{"probe":12345}' },
    end: "\0",
    isGap: isOnly(/^\0*$/),
    tokens: [...jsonTokens, ...tokensIn(`\0|7\0|15\0|7\0{"a":1}\0|999999999999999|0\0|-1\0| `)],
  },
  {
    name: "uint32-be",
    framing: "uint32-be",
    seeds: framesIn("length-prefix.md"),
    isJson: true,
    intact: { bytes: '\0\0\0\x0f{"probe":12345}', json: '{"probe":12345}' },
    end: "",
    tokens: [
      ...jsonTokens,
      ...tokensIn(`\0\0\0\x07|\0\0\0\0|\0|\0\0\0\x07{"a":1}|\x7f\0\0\0|\0\0\x01\0{`),
    ],
  },
  {
    name: "xml-documents",
    framing: new DocumentNotation(
      documentTable,
      "decimal-nul",
      { name: "event", payload: "body" },
      { name: "response", payload: "body", id: "id", error: "error" },
    ),
    seeds: framesIn("decimal-nul.md"),
    isJson: false,
    intact: {
      bytes: '29\0<response c="x" t="7" n="8"/>\0',
      json: '{"response":"x","id":7,"body":{"n":8,"items":[]}}',
    },
    end: "\0",
    isGap: isOnly(/^\0*$/),
    tokens: [
      ...elementTokens,
      ...tokensIn(
        `<response c="x" t="1">|</response>|<item k="1">|</item>|<note>|</note>`,
        `<error code="5">|</error>|\0|29\0|<?xml version="1.0"?>|<!-- -->| xmlns="a"`,
      ),
    ],
  },
  {
    name: "command-options",
    framing: new OptionNotation(optionTable, "nul", {
      name: "command",
      payload: "arguments",
      id: "id",
      idOption: "-i",
    }),
    seeds: framesIn("decimal-nul.md"),
    isJson: false,
    intact: {
      bytes: "set -i 7 -n p\0",
      json: '{"command":"set","id":7,"arguments":{"name":"p"}}',
    },
    end: "\0",
    isGap: isOnly(/^[\s\0]*$/),
    tokens: tokensIn(
      `set| -i | -n | -n "a b"| "\\""| -- |YQ==|\0|"|\\| |-|\n|set -i 1 -n x -- YWI=\0`,
      `status -i 2\0| -q 1| -i -5|\t`,
    ),
  },
];
