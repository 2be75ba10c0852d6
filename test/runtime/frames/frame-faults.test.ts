import assert from "node:assert/strict";
import { test } from "node:test";
import { notations } from "../../../generated/ruby-debug-ide/index.js";
import { FrameDecoder, type FrameDecoderOptions } from "../../../runtime/index.js";
import { everyCut } from "../../../tools/shared/frame-cases.js";

/** What a decoder says of a stream: messages, and faults with all that belongs to them. */
function said(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: FrameDecoderOptions,
): readonly string[] {
  const log: string[] = [];
  const decoder = new FrameDecoder({
    ...options,
    onMessage: (message) => void log.push(JSON.stringify(message)),
    onError: ({ code, message, offset, length, sample, recovered }) => {
      // How the host words its faults differs between versions.
      const text = message.replace(/^(Cannot parse the body: ).+$/, "$1…");
      log.push(
        `${code} ${offset}+${length}: ${text}${recovered ? " (recovered)" : ""}`,
        `  ${sample}`,
      );
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    decoder.push(bytes.slice(from, cut));
    from = cut;
  }
  decoder.end();
  return log;
}

interface Case {
  /** A character is a byte. */
  readonly stream: string;
  readonly options?: FrameDecoderOptions;
  readonly log: readonly string[];
}

const strict = { recovery: "strict" } as const;
const short = { limits: { maxHeaderBytes: 40 } } as const;
const few = { limits: { maxHeaderCount: 2 } } as const;

const headers: readonly Case[] = [
  {
    stream: "X: 1\r\n\r\n",
    log: [
      "ERR_LENGTH_MISSING 0+8: Cannot find a Content-Length in the header",
      "  X: 1\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: 1x\r\n\r\n",
    log: [
      'ERR_LENGTH_INVALID 0+22: Cannot read the length "1x": expected decimal digits',
      "  Content-Length: 1x\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: \x01/\r\n\r\n",
    log: [
      'ERR_LENGTH_INVALID 0+22: Cannot read the length "./": expected decimal digits',
      "  Content-Length: ./\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: :\r\n\r\n",
    log: [
      'ERR_LENGTH_INVALID 0+21: Cannot read the length ":": expected decimal digits',
      "  Content-Length: :\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length:\r\n\r\n",
    log: [
      'ERR_LENGTH_INVALID 0+19: Cannot read the length "": expected decimal digits',
      "  Content-Length:\\r\\n\\r\\n",
    ],
  },
  {
    stream: `Content-Length: x${"y".repeat(60)}\r\n\r\n`,
    log: [
      `ERR_LENGTH_INVALID 0+81: Cannot read the length "x${"y".repeat(39)}": expected decimal digits`,
      `  Content-Length: x${"y".repeat(60)}\\r\\`,
    ],
  },
  {
    stream: "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
    log: [
      "ERR_LENGTH_CONFLICT 0+40: Cannot determine the length: both 2 and 3 are given",
      "  Content-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: 0\r\nContent-Length: 3\r\n\r\n",
    log: [
      "ERR_LENGTH_CONFLICT 0+40: Cannot determine the length: both 0 and 3 are given",
      "  Content-Length: 0\\r\\nContent-Length: 3\\r\\n\\r\\n",
    ],
  },
  {
    stream: `Content-Length: 2\r\nContent-Length: 3${"0".repeat(50)}\r\n\r\n`,
    log: [
      `ERR_LENGTH_CONFLICT 0+90: Cannot determine the length: both 2 and 3${"0".repeat(39)} are given`,
      `  Content-Length: 2\\r\\nContent-Length: 3${"0".repeat(42)}`,
    ],
  },
  {
    // The same length twice is no conflict; of several faults the first one counts.
    stream: "Content-Length: 2\r\nContent-Length: 02\r\n\r\n{}",
    log: ["{}"],
  },
  {
    stream: "Content-Length: 2\r\nContent-Length: x\r\nContent-Length: 4\r\n\r\n",
    log: [
      'ERR_LENGTH_INVALID 0+59: Cannot read the length "x": expected decimal digits',
      "  Content-Length: 2\\r\\nContent-Length: x\\r\\nContent-Length: 4\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: 2\r\nContent-Length: 4\r\nContent-Length: x\r\n\r\n",
    log: [
      "ERR_LENGTH_CONFLICT 0+59: Cannot determine the length: both 2 and 4 are given",
      "  Content-Length: 2\\r\\nContent-Length: 4\\r\\nContent-Length: x\\r\\n\\r\\n",
    ],
  },
  {
    stream: "Content-Length: 11\r\n\r\n",
    options: { limits: { maxBodyBytes: 10 } },
    log: [
      "ERR_BODY_TOO_LONG 0+22: Cannot accept a body of 11 bytes: the limit is 10",
      "  Content-Length: 11\\r\\n\\r\\n",
    ],
  },
  {
    stream: 'X: 1\r\nContent-Length: 7\r\n\r\n{"a":1}',
    options: { limits: { maxBodyBytes: 7 } },
    log: ['{"a":1}'],
  },
  {
    stream:
      'Content-Type: a; x; q=1; Charset = "LATIN1" ; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}',
    log: ['ERR_CHARSET 0+84: Cannot read the charset "LATIN1": bodies are UTF-8', "  {}"],
  },
  {
    stream: "Content-Type: charset=latin1\r\nContent-Length: 2\r\n\r\n{}",
    log: ["{}"],
  },
  {
    stream: "Content-Type: a;charset=b\r\nContent-Type: a;charset=c\r\nContent-Length: 2\r\n\r\n{}",
    log: ['ERR_CHARSET 0+77: Cannot read the charset "b": bodies are UTF-8', "  {}"],
  },
  {
    stream: `Content-Type: a;charset=${"b".repeat(50)}\r\nContent-Length: 2\r\n\r\n{}`,
    log: [
      `ERR_CHARSET 0+99: Cannot read the charset "${"b".repeat(40)}": bodies are UTF-8`,
      "  {}",
    ],
  },
  ...["utf-8", "UTF8", "'us-ascii'", '"ascii"', "", "utf-8 (really)"].map((charset) => ({
    stream: `Content-Type: a; charset=${charset}\r\nContent-Length: 2\r\n\r\n{}`,
    log: ["{}"],
  })),
];

const limits: readonly Case[] = [
  {
    stream: `Content-Length: 2\r\nX: ${"y".repeat(40)}\r\n\r\n`,
    options: short,
    log: [
      "ERR_HEADER_TOO_LONG 0+19: Cannot read a header of more than 40 bytes",
      "  Content-Length: 2\\r\\n",
      "ERR_NOISE 19+45: Skipped 45 bytes that belong to no message",
      `  X: ${"y".repeat(40)}\\r\\n`,
    ],
  },
  {
    stream: `X-Long: ${"y".repeat(60)}\r\n\r\n`,
    options: short,
    log: [
      "ERR_HEADER_TOO_LONG 0+20: Cannot read a header of more than 40 bytes",
      `  X-Long: ${"y".repeat(32)}`,
      "ERR_NOISE 20+50: Skipped 50 bytes that belong to no message",
      `  ${"y".repeat(48)}\\r\\n`,
    ],
  },
  // A header of exactly so many bytes is one.
  {
    stream: `A: ${"y".repeat(14)}\r\nContent-Length:2\r\n\r\n{}`,
    options: { limits: { maxHeaderBytes: 39 } },
    log: ["{}"],
  },
  {
    stream: `A: ${"y".repeat(14)}\r\nContent-Length:2\r\n\r\n{}`,
    options: { limits: { maxHeaderBytes: 38 } },
    log: [
      "ERR_HEADER_TOO_LONG 0+37: Cannot read a header of more than 38 bytes",
      `  A: ${"y".repeat(14)}\\r\\nContent-Length:2\\r\\n`,
      "ERR_NOISE 39+2: Skipped 2 bytes that belong to no message",
      "  {}",
    ],
  },
  {
    stream: "A: 1\r\nContent-Length:2\r\n\r\n{}",
    options: few,
    log: ["{}"],
  },
  {
    stream: "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n",
    options: few,
    log: [
      "ERR_HEADER_COUNT 0+12: Cannot read more than 2 header lines",
      "  A: 1\\r\\nB: 2\\r\\n",
      "ERR_NOISE 12+12: Skipped 12 bytes that belong to no message",
      "  C: 3\\r\\nD: 4\\r\\n",
    ],
  },
  {
    stream: "A: 1\r\nB: 2\r\nno header\r\nD: 4\r\n\r\n",
    options: few,
    log: [
      "ERR_HEADER_COUNT 0+12: Cannot read more than 2 header lines",
      "  A: 1\\r\\nB: 2\\r\\n",
      "ERR_NOISE 12+17: Skipped 17 bytes that belong to no message",
      "  no header\\r\\nD: 4\\r\\n",
    ],
  },
  {
    stream: "A: 1\r\nB: 2\r\nContent-Length: 2\r\n\r\n{}",
    options: few,
    log: [
      "ERR_HEADER_COUNT 0+12: Cannot read more than 2 header lines",
      "  A: 1\\r\\nB: 2\\r\\n",
      "{}",
    ],
  },
  {
    stream: "x".repeat(50) + "\r\n",
    options: short,
    log: [
      "ERR_NOISE 0+52: Skipped 52 bytes that belong to no message",
      `  ${"x".repeat(50)}\\r\\n`,
    ],
  },
  {
    stream: `${"x".repeat(50)} !\r\n`,
    options: { ...strict, ...short },
    log: [
      "ERR_HEADER_TOO_LONG 0+20: Cannot read a header of more than 40 bytes",
      `  ${"x".repeat(40)}`,
    ],
  },
];

const lines: readonly Case[] = [
  {
    stream: "A: 1\n\n",
    options: strict,
    log: [
      "ERR_HEADER_LINE 0+5: Cannot read a header line: it ends with a bare line feed",
      "  A: 1\\n",
    ],
  },
  {
    stream: "A: 1\r\nB: 2\n\n",
    options: strict,
    log: [
      "ERR_HEADER_LINE 0+11: Cannot read a header line: it ends with a bare line feed",
      "  B: 2\\n",
    ],
  },
  {
    stream: "no header\r\n\r\n",
    options: strict,
    log: [
      "ERR_HEADER_LINE 0+11: Cannot read a header line: expected a name and a value",
      "  no header\\r\\n",
    ],
  },
  {
    stream: "A: 1\r\nno header\r\n\r\n",
    options: strict,
    log: [
      "ERR_HEADER_LINE 0+17: Cannot read a header line: expected a name and a value",
      "  no header\\r\\n",
    ],
  },
  {
    stream: "A: 1\nContent-Length: 2\n\n{}",
    log: ["{}"],
  },
  {
    stream: "A: 1\r\nnoise Content-Length: 2\r\n\r\n{}",
    log: [
      "ERR_HEADER_LINE 0+12: Cannot read a header that is interrupted by another one",
      "  A: 1\\r\\n",
      "{}",
    ],
  },
  {
    stream: "A: 1\r\nno header\r\nContent-Length: 2\r\n\r\n{}",
    log: [
      "{}",
      'ERR_HEADER_LINE 0+40: Skipped an invalid header line: "no header" (recovered)',
      "  {}",
    ],
  },
  {
    stream: "A: 1\r\nfirst!\r\nsecond!\r\nContent-Length: 2\r\n\r\n[]",
    log: ["ERR_NOT_OBJECT 0+46: Cannot use a body that is not an object", "  []"],
  },
  {
    stream: "junk\r\nContent-Length: 2\r\n\r\n{}",
    log: ["ERR_NOISE 0+6: Skipped 6 bytes that belong to no message", "  junk\\r\\n", "{}"],
  },
  // A name may consist of any token bytes, and a carriage return ends no line.
  {
    stream: "!#$%&'*+-.^_`|~09azAZ: 1\r\nContent-Length: 2\r\n\r\n{}",
    log: ["{}"],
  },
  {
    stream: "A: 1\rB\r\nContent-Length: 2\r\n\r\n{}",
    log: ["ERR_NOISE 0+8: Skipped 8 bytes that belong to no message", "  A: 1\\rB\\r\\n", "{}"],
  },
  {
    stream: "(A): 1\r\nContent-Length: 2\r\n\r\n{}",
    log: ["ERR_NOISE 0+8: Skipped 8 bytes that belong to no message", "  (A): 1\\r\\n", "{}"],
  },
];

const framing = "Found JSON on a line of its own, without a header: is the framing lines?";
const otherFraming: readonly Case[] = [
  ...[strict, {}].map((options) => ({
    stream: '{ "a":1}\n',
    options,
    log: [`ERR_FRAMING 0+9: ${framing}`, '  { "a":1}\\n'],
  })),
  {
    // Said once, until there is a message again.
    stream: '{"a":1}\n{"b":2}\nContent-Length: 2\r\n\r\n{}{"c":3}\n',
    log: [
      `ERR_FRAMING 0+8: ${framing}`,
      '  {"a":1}\\n',
      "ERR_NOISE 8+8: Skipped 8 bytes that belong to no message",
      '  {"b":2}\\n',
      "{}",
      `ERR_FRAMING 39+8: ${framing}`,
      '  {"c":3}\\n',
    ],
  },
  {
    stream: "{a}\n{\n[1]\n",
    log: ["ERR_NOISE 0+10: Skipped 10 bytes that belong to no message", "  {a}\\n{\\n[1]\\n"],
  },
  {
    // A key on the next line does not make a brace the beginning of JSON lines.
    stream: '{\n"a":1}\n{ \r\n"b":2}\n',
    log: [
      "ERR_NOISE 0+20: Skipped 20 bytes that belong to no message",
      '  {\\n"a":1}\\n{ \\r\\n"b":2}\\n',
    ],
  },
  {
    stream: 'Content-Length: 7\r\n\r\n{"a":1}\n',
    options: { framing: "lines" },
    log: [
      "ERR_FRAMING 0+18: Found a Content-Length header in a stream of lines: is the framing content-length?",
      "  Content-Length: 7\\r",
      '{"a":1}',
    ],
  },
];

const ends: readonly Case[] = [
  {
    stream: "Content-Len",
    log: ["ERR_TRUNCATED 0+11: The stream ended inside a header", "  Content-Len"],
  },
  {
    stream: "A: 1\r\nB",
    log: ["ERR_TRUNCATED 0+7: The stream ended inside a header", "  A: 1\\r\\nB"],
  },
  {
    stream: "A: 1\r\nB: 2\r\n",
    log: ["ERR_TRUNCATED 0+12: The stream ended inside a header", "  A: 1\\r\\nB: 2\\r\\n"],
  },
  {
    stream: "A: 1\r\n",
    options: strict,
    log: ["ERR_TRUNCATED 0+6: The stream ended inside a header", "  A: 1\\r\\n"],
  },
  {
    stream: "junk !",
    log: ["ERR_NOISE 0+6: Skipped 6 bytes that belong to no message", "  junk !"],
  },
  {
    stream: "x".repeat(50),
    options: short,
    log: ["ERR_NOISE 0+50: Skipped 50 bytes that belong to no message", `  ${"x".repeat(50)}`],
  },
  {
    stream: 'Content-Length: 20\r\n\r\n{"a":',
    log: ["ERR_TRUNCATED 0+27: The stream ended 15 bytes before the end of a body", '  {"a":'],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1}xx',
    log: [
      '{"a":1}',
      "ERR_LENGTH_WRONG 0+29: The Content-Length is wrong, as the next header shows: the message is complete (recovered)",
      '  {"a":1}',
      "ERR_NOISE 29+2: Skipped 2 bytes that belong to no message",
      "  xx",
    ],
  },
  {
    stream: 'Content-Length: 20\r\n\r\n{"a":1}xx',
    options: strict,
    log: ["ERR_TRUNCATED 0+31: The stream ended 11 bytes before the end of a body", '  {"a":1}xx'],
  },
];

const bodies: readonly Case[] = [
  {
    stream: 'Content-Length: 5\r\n\r\n{"a"]',
    log: ["ERR_JSON 0+26: Cannot parse the body: …", '  {"a"]'],
  },
  {
    stream: 'Content-Length: 4\r\n\r\n{"a\xff',
    options: { invalidUtf8: "error" },
    log: ["ERR_UTF8 0+25: Cannot read a body that is not UTF-8", '  {"a.'],
  },
  {
    // A replacement character that was sent is none that stands for a fault.
    stream: 'Content-Length: 11\r\n\r\n{"a":"\xef\xbf\xbd"}',
    options: { invalidUtf8: "error" },
    log: ['{"a":"\ufffd"}'],
  },
  {
    stream: 'Content-Length: 14\r\n\r\n\xef\xbb\xbf{"a":"\xef\xbf\xbd"}',
    options: { ...strict, invalidUtf8: "error" },
    log: ["ERR_JSON 0+36: Cannot parse the body: …", '  ...{"a":"..."}'],
  },
  {
    stream: "Content-Length: 4\r\n\r\nnull",
    log: ["ERR_NOT_OBJECT 0+25: Cannot use a body that is not an object", "  null"],
  },
  {
    stream: 'Content-Length: 13\r\n\r\n{"a":[[[1]]]}',
    options: { limits: { maxDepth: 2 } },
    log: ["ERR_DEPTH 0+35: Cannot use a body nested more than 2 levels deep", '  {"a":[[[1]]]}'],
  },
  {
    stream: 'Content-Length: 9\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}',
    log: [
      '{"a":1}',
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, as the next header shows: the message is complete (recovered)",
      '  {"a":1}',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1Content-Length: 2\r\n\r\n{}',
    log: [
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, as the next header shows: the message is lost",
      '  {"a":1',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1Content-Length: 2\r\n\r\n{}',
    options: strict,
    log: [
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, as the next header shows: the message is lost",
      '  {"a":1',
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}',
    log: [
      '{"a":1}',
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, as the next header shows: the message is complete (recovered)",
      '  {"a":1}',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":[1]}\r\nContent-Length: 2\r\n\r\n{}',
    log: [
      '{"a":[1]}',
      "ERR_LENGTH_WRONG 0+32: The Content-Length is wrong, as the next header shows: the message is complete (recovered)",
      '  {"a":[1]}\\r\\n',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":[oh no\r\nContent-Length: 2\r\n\r\n{}',
    log: [
      "ERR_JSON 0+27: Cannot parse the body: …",
      '  {"a":[',
      "ERR_NOISE 27+7: Skipped 7 bytes that belong to no message",
      "  oh no\\r\\n",
      "{}",
    ],
  },
  {
    // What is no UTF-8 stays so whatever follows: it is not held back.
    stream: 'Content-Length: 6\r\n\r\n{"a":\xff 1}\r\nContent-Length: 2\r\n\r\n{}',
    options: { invalidUtf8: "error" },
    log: [
      "ERR_UTF8 0+27: Cannot read a body that is not UTF-8",
      '  {"a":.',
      "ERR_NOISE 27+5: Skipped 5 bytes that belong to no message",
      "   1}\\r\\n",
      "{}",
    ],
  },
  {
    // What is held back stays within the limit.
    stream: 'Content-Length: 6\r\n\r\n{"a":[1,2,3,4]}\r\nContent-Length: 2\r\n\r\n{}',
    options: { limits: { maxBodyBytes: 9 } },
    log: [
      "ERR_JSON 0+27: Cannot parse the body: …",
      '  {"a":[',
      "ERR_NOISE 27+11: Skipped 11 bytes that belong to no message",
      "  1,2,3,4]}\\r\\n",
      "{}",
    ],
  },
];

const jsonLines: readonly Case[] = [
  { stream: '{"a"', log: ["ERR_JSON 0+4: Cannot parse the body: …", '  {"a"'] },
  {
    stream: "[1]\n",
    log: ["ERR_NOT_OBJECT 0+3: Cannot use a body that is not an object", "  [1]"],
  },
  {
    stream: '{"a":[[1]]}\n{}',
    options: { limits: { maxDepth: 1 } },
    log: [
      "ERR_DEPTH 0+11: Cannot use a body nested more than 1 levels deep",
      '  {"a":[[1]]}',
      "{}",
    ],
  },
  {
    stream: '{"a":"xxxxxxxxxx"}\n{"a":1234}\n{}',
    options: { limits: { maxBodyBytes: 10 } },
    log: [
      "ERR_BODY_TOO_LONG 0+10: Cannot accept a line of more than 10 bytes",
      '  {"a":"xxxx',
      "ERR_NOISE 10+8: Skipped 8 bytes that belong to no message",
      '  xxxxxx"}',
      '{"a":1234}',
      "{}",
    ],
  },
  {
    stream: 'oh\n\n\r\n{"a":1}\r\n',
    log: ["ERR_NOISE 0+2: Skipped 2 bytes that belong to no message", "  oh", '{"a":1}'],
  },
  {
    stream: "oh\n",
    options: strict,
    log: ["ERR_JSON 0+2: Cannot parse the body: …", "  oh"],
  },
].map((each) => ({ ...each, options: { ...each.options, framing: "lines" } }));

const deleted = '<breakpointDeleted no="1"/>';
const wasDeleted = '{"element":"breakpointDeleted","body":{"no":1}}';
const elements: readonly Case[] = [
  {
    stream: `<frames></threads>${deleted}`,
    log: [
      'ERR_ELEMENT 0+18: Unexpected end tag "threads" inside frames',
      "  <frames></threads>",
      wasDeleted,
    ],
  },
  {
    stream: `<frames></fra mes>${deleted}`,
    log: [
      'ERR_ELEMENT 0+18: Unexpected end tag "" inside frames',
      "  <frames></fra mes>",
      wasDeleted,
    ],
  },
  {
    stream: `<frames></${deleted}`,
    log: ["ERR_ELEMENT 0+10: Cannot read an end tag", "  <frames></", wasDeleted],
  },
  {
    stream: `<frames></${"x".repeat(300)}>${deleted}`,
    log: [
      "ERR_ELEMENT 0+213: Cannot read an end tag that is too long",
      `  <frames></${"x".repeat(70)}`,
      "ERR_NOISE 213+98: Skipped 98 bytes that belong to no message",
      `  ${"x".repeat(80)}`,
      wasDeleted,
    ],
  },
  {
    stream: `<suspended file=a/>\n${deleted}`,
    log: [
      "ERR_ELEMENT 0+16: Cannot read the start of a suspended element",
      "  <suspended file=",
      "ERR_NOISE 16+4: Skipped 4 bytes that belong to no message",
      "  a/>\\n",
      wasDeleted,
    ],
  },
  {
    stream: `<eval expression="1" value="abc${deleted}`,
    log: [
      `ERR_TRUNCATED 0+${31 + deleted.length}: The stream ended inside an element`,
      `  <eval expression="1" value="abc${deleted}`,
    ],
  },
  {
    stream: `<message>half${deleted}`,
    log: [
      "ERR_ELEMENT 0+13: Cannot find the end of a message element",
      "  <message>half",
      wasDeleted,
    ],
  },
  {
    stream: '<suspended file="a"',
    log: ["ERR_TRUNCATED 0+19: The stream ended inside an element", '  <suspended file="a"'],
  },
  {
    stream: `<message>${"x".repeat(60)}</message>\n`,
    options: { limits: { maxBodyBytes: 40 } },
    log: [
      "ERR_BODY_TOO_LONG 0+40: Cannot accept an element or a line of more than 40 bytes",
      `  <message>${"x".repeat(31)}`,
      "ERR_NOISE 40+40: Skipped 40 bytes that belong to no message",
      `  ${"x".repeat(29)}</message>\\n`,
    ],
  },
  {
    stream: '<suspended a="1" b="2" c="3" d="4"/>\n',
    options: { limits: { maxHeaderCount: 3 } },
    log: [
      "ERR_ELEMENT 0+29: Cannot read more than 3 attributes",
      '  <suspended a="1" b="2" c="3" ',
      "ERR_NOISE 29+8: Skipped 8 bytes that belong to no message",
      '  d="4"/>\\n',
    ],
  },
  {
    stream: "<a><a><a><a></a></a></a></a>\n",
    options: { limits: { maxDepth: 6 } },
    log: [
      "ERR_DEPTH 0+12: Cannot read elements nested more than 3 levels deep",
      "  <a><a><a><a>",
      "ERR_NOISE 12+17: Skipped 17 bytes that belong to no message",
      "  </a></a></a></a>\\n",
    ],
  },
  {
    stream: `<message>\xff</message>${deleted}`,
    options: { invalidUtf8: "error" as const },
    log: [
      "ERR_UTF8 0+20: Cannot read a body that is not UTF-8",
      "  <message>.</message>",
      wasDeleted,
    ],
  },
].map((each) => ({ ...each, options: { ...each.options, framing: notations.debugger } }));

const commands: readonly Case[] = [
  {
    // Nothing in a command shows another framing.
    stream: "p Content-Length: 7\n",
    options: { framing: notations.frontend },
    log: ['{"command":"eval","arguments":{"expression":"Content-Length: 7"}}'],
  },
];

const groups = {
  headers,
  limits,
  lines,
  otherFraming,
  ends,
  bodies,
  jsonLines,
  elements,
  commands,
};
for (const [group, cases] of Object.entries(groups))
  test(`every fault is a sentence with its place and a sample, however the stream is cut: ${group}`, () => {
    for (const { stream, options = {}, log } of cases) {
      const bytes = Buffer.from(stream, "latin1");
      for (const { name, cuts } of everyCut(bytes.length))
        assert.deepEqual(said(bytes, cuts, options), log, `${JSON.stringify(stream)}, ${name}`);
    }
  });
