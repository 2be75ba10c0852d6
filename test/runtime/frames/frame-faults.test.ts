import { type Case, testFaults, strict, short } from "../../support/frame-cases.js";

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
    log: ["ERR_NOISE 0+6: Skipped 6 bytes that do not belong to a message", "  junk !"],
  },
  {
    stream: "x".repeat(50),
    options: short,
    log: [
      "ERR_NOISE 0+50: Skipped 50 bytes that do not belong to a message",
      `  ${"x".repeat(50)}`,
    ],
  },
  {
    stream: 'Content-Length: 20\r\n\r\n{"a":',
    log: ["ERR_TRUNCATED 0+27: The stream ended 15 bytes before the end of a body", '  {"a":'],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1}xx',
    log: [
      '{"a":1}',
      "ERR_LENGTH_WRONG 0+29: The Content-Length is wrong, because the stream ends elsewhere: the message is complete (recovered)",
      '  {"a":1}',
      "ERR_NOISE 29+2: Skipped 2 bytes that do not belong to a message",
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
    // A replacement character in the original text is not a fault.
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
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, because the next header begins elsewhere: the message is complete (recovered)",
      '  {"a":1}',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1Content-Length: 2\r\n\r\n{}',
    log: [
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, because the next header begins elsewhere: the message is lost",
      '  {"a":1',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 40\r\n\r\n{"a":1Content-Length: 2\r\n\r\n{}',
    options: strict,
    log: [
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, because the next header begins elsewhere: the message is lost",
      '  {"a":1',
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}',
    log: [
      '{"a":1}',
      "ERR_LENGTH_WRONG 0+28: The Content-Length is wrong, because the next header begins elsewhere: the message is complete (recovered)",
      '  {"a":1}',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":[1]}\r\nContent-Length: 2\r\n\r\n{}',
    log: [
      '{"a":[1]}',
      "ERR_LENGTH_WRONG 0+32: The Content-Length is wrong, because the next header begins elsewhere: the message is complete (recovered)",
      '  {"a":[1]}\\r\\n',
      "{}",
    ],
  },
  {
    stream: 'Content-Length: 6\r\n\r\n{"a":[oh no\r\nContent-Length: 2\r\n\r\n{}',
    log: [
      "ERR_JSON 0+27: Cannot parse the body: …",
      '  {"a":[',
      "ERR_NOISE 27+7: Skipped 7 bytes that do not belong to a message",
      "  oh no\\r\\n",
      "{}",
    ],
  },
  {
    // Invalid UTF-8 remains invalid whatever follows, so it is reported immediately.
    stream: 'Content-Length: 6\r\n\r\n{"a":\xff 1}\r\nContent-Length: 2\r\n\r\n{}',
    options: { invalidUtf8: "error" },
    log: [
      "ERR_UTF8 0+27: Cannot read a body that is not UTF-8",
      '  {"a":.',
      "ERR_NOISE 27+5: Skipped 5 bytes that do not belong to a message",
      "   1}\\r\\n",
      "{}",
    ],
  },
  {
    // The bytes buffered during recovery stay within the limit.
    stream: 'Content-Length: 6\r\n\r\n{"a":[1,2,3,4]}\r\nContent-Length: 2\r\n\r\n{}',
    options: { limits: { maxBodyBytes: 9 } },
    log: [
      "ERR_JSON 0+27: Cannot parse the body: …",
      '  {"a":[',
      "ERR_NOISE 27+11: Skipped 11 bytes that do not belong to a message",
      "  1,2,3,4]}\\r\\n",
      "{}",
    ],
  },
];

testFaults("ends", ends);

testFaults("bodies", bodies);
