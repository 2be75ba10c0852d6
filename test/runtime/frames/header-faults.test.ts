import { type Case, testFaults, strict, short } from "../../support/frame-cases.js";

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
    // Repeating the same length is not a conflict.
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
      "ERR_NOISE 19+45: Skipped 45 bytes that do not belong to a message",
      `  X: ${"y".repeat(40)}\\r\\n`,
    ],
  },
  {
    stream: `X-Long: ${"y".repeat(60)}\r\n\r\n`,
    options: short,
    log: [
      "ERR_HEADER_TOO_LONG 0+20: Cannot read a header of more than 40 bytes",
      `  X-Long: ${"y".repeat(32)}`,
      "ERR_NOISE 20+50: Skipped 50 bytes that do not belong to a message",
      `  ${"y".repeat(48)}\\r\\n`,
    ],
  },
  // A header of exactly the maximum length is accepted.
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
      "ERR_NOISE 39+2: Skipped 2 bytes that do not belong to a message",
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
      "ERR_NOISE 12+12: Skipped 12 bytes that do not belong to a message",
      "  C: 3\\r\\nD: 4\\r\\n",
    ],
  },
  {
    stream: "A: 1\r\nB: 2\r\nno header\r\nD: 4\r\n\r\n",
    options: few,
    log: [
      "ERR_HEADER_COUNT 0+12: Cannot read more than 2 header lines",
      "  A: 1\\r\\nB: 2\\r\\n",
      "ERR_NOISE 12+17: Skipped 17 bytes that do not belong to a message",
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
      "ERR_NOISE 0+52: Skipped 52 bytes that do not belong to a message",
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

testFaults("headers", headers);

testFaults("limits", limits);
