import { notations } from "@wirewright/ruby-debug-ide";
import { type Case, testFaults, strict } from "../../support/frame-cases.js";

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
      "ERR_HEADER_LINE 0+12: Cannot read a header: another header begins inside it",
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
    log: ["ERR_NOT_OBJECT 0+46: Cannot use an array: each message has its own frame", "  []"],
  },
  {
    stream: "junk\r\nContent-Length: 2\r\n\r\n{}",
    log: ["ERR_NOISE 0+6: Skipped 6 bytes that do not belong to a message", "  junk\\r\\n", "{}"],
  },
  // A header name may consist of any token bytes, and a carriage return does not end a line.
  {
    stream: "!#$%&'*+-.^_`|~09azAZ: 1\r\nContent-Length: 2\r\n\r\n{}",
    log: ["{}"],
  },
  {
    stream: "A: 1\rB\r\nContent-Length: 2\r\n\r\n{}",
    log: [
      "ERR_NOISE 0+8: Skipped 8 bytes that do not belong to a message",
      "  A: 1\\rB\\r\\n",
      "{}",
    ],
  },
  {
    stream: "(A): 1\r\nContent-Length: 2\r\n\r\n{}",
    log: ["ERR_NOISE 0+8: Skipped 8 bytes that do not belong to a message", "  (A): 1\\r\\n", "{}"],
  },
];

const framing = "Found JSON on a separate line, without a header: is the framing 'lines'?";

const otherFraming: readonly Case[] = [
  ...[strict, {}].map((options) => ({
    stream: '{ "a":1}\n',
    options,
    log: [`ERR_FRAMING 0+9: ${framing}`, '  { "a":1}\\n'],
  })),
  {
    // The wrong framing is reported only once before the next message.
    stream: '{"a":1}\n{"b":2}\nContent-Length: 2\r\n\r\n{}{"c":3}\n',
    log: [
      `ERR_FRAMING 0+8: ${framing}`,
      '  {"a":1}\\n',
      "ERR_NOISE 8+8: Skipped 8 bytes that do not belong to a message",
      '  {"b":2}\\n',
      "{}",
      `ERR_FRAMING 39+8: ${framing}`,
      '  {"c":3}\\n',
    ],
  },
  {
    stream: "{a}\n{\n[1]\n",
    log: ["ERR_NOISE 0+10: Skipped 10 bytes that do not belong to a message", "  {a}\\n{\\n[1]\\n"],
  },
  {
    // A key on the next line does not turn a brace into the start of JSON lines.
    stream: '{\n"a":1}\n{ \r\n"b":2}\n',
    log: [
      "ERR_NOISE 0+20: Skipped 20 bytes that do not belong to a message",
      '  {\\n"a":1}\\n{ \\r\\n"b":2}\\n',
    ],
  },
  {
    stream: 'Content-Length: 7\r\n\r\n{"a":1}\n',
    options: { framing: "lines" },
    log: [
      "ERR_FRAMING 0+18: Found a Content-Length header in a stream of lines: is the framing 'content-length'?",
      "  Content-Length: 7\\r",
      '{"a":1}',
    ],
  },
];

const jsonLines: readonly Case[] = [
  { stream: '{"a"', log: ["ERR_JSON 0+4: Cannot parse the body: …", '  {"a"'] },
  {
    stream: "[1]\n",
    log: ["ERR_NOT_OBJECT 0+3: Cannot use an array: each message has its own frame", "  [1]"],
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
      "ERR_NOISE 10+8: Skipped 8 bytes that do not belong to a message",
      '  xxxxxx"}',
      '{"a":1234}',
      "{}",
    ],
  },
  {
    stream: 'oh\n\n\r\n{"a":1}\r\n',
    log: ["ERR_NOISE 0+2: Skipped 2 bytes that do not belong to a message", "  oh", '{"a":1}'],
  },
  {
    stream: "oh\n",
    options: strict,
    log: ["ERR_JSON 0+2: Cannot parse the body: …", "  oh"],
  },
].map((each) => ({ ...each, options: { ...each.options, framing: "lines" } }));

const commands: readonly Case[] = [
  {
    // A command that looks like a different framing is still a command.
    stream: "p Content-Length: 7\n",
    options: { framing: notations.frontend },
    log: ['{"command":"eval","arguments":{"expression":"Content-Length: 7"}}'],
  },
];

testFaults("lines", lines);

testFaults("otherFraming", otherFraming);

testFaults("jsonLines", jsonLines);

testFaults("commands", commands);
