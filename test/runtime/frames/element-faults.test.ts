import { notations } from "@wirewright/ruby-debug-ide";
import { type Case, testFaults } from "../../support/frame-faults.js";

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
      "ERR_NOISE 213+98: Skipped 98 bytes that do not belong to a message",
      `  ${"x".repeat(80)}`,
      wasDeleted,
    ],
  },
  {
    stream: `<suspended file=a/>\n${deleted}`,
    log: [
      "ERR_ELEMENT 0+16: Cannot read the start of a suspended element",
      "  <suspended file=",
      "ERR_NOISE 16+4: Skipped 4 bytes that do not belong to a message",
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
      "ERR_NOISE 40+40: Skipped 40 bytes that do not belong to a message",
      `  ${"x".repeat(29)}</message>\\n`,
    ],
  },
  {
    stream: '<suspended a="1" b="2" c="3" d="4"/>\n',
    options: { limits: { maxHeaderCount: 3 } },
    log: [
      "ERR_ELEMENT 0+29: Cannot read more than 3 attributes",
      '  <suspended a="1" b="2" c="3" ',
      "ERR_NOISE 29+8: Skipped 8 bytes that do not belong to a message",
      '  d="4"/>\\n',
    ],
  },
  {
    stream: "<a><a><a><a></a></a></a></a>\n",
    options: { limits: { maxDepth: 6 } },
    log: [
      "ERR_DEPTH 0+12: Cannot read elements nested more than 3 levels deep",
      "  <a><a><a><a>",
      "ERR_NOISE 12+17: Skipped 17 bytes that do not belong to a message",
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

testFaults("elements", elements);
