import {
  hasReadableCharset,
  lengthOf,
  meaningOf,
  obviousFrames,
  type FrameBounds,
} from "../../../test/support/obvious-frames.js";
import { recordStream, type StreamRecord } from "../../../test/support/stream-oracles.js";
import type { Random } from "../random.js";
import { OracleFailure, type Target } from "../target.js";

const bounds: readonly FrameBounds[] = [
  { maxHeaderBytes: 8_192, maxHeaderCount: 32, maxBodyBytes: 1 << 20, maxDepth: 64 },
  { maxHeaderBytes: 80, maxHeaderCount: 3, maxBodyBytes: 40, maxDepth: 3 },
];

const lines = [
  "Content-Length: 2",
  "Content-Length: 7",
  "Content-Length: 07",
  "content-length:7",
  "CONTENT-LENGTH : 7",
  "Content-Length:\t7 ",
  "Content-Length: +7",
  "Content-Length: 7, 7",
  "Content-Length: 7.0",
  "Content-Length: 0x7",
  "Content-Length: ",
  "Content-Length: 9",
  "X-Content-Length: 9",
  "Content-Type: application/json",
  "Content-Type: a; charset=utf-8",
  "Content-Type: a; charset=latin1",
  'Content-Type: a;b=c; charset="UTF8"',
  "A: b",
  ": x",
  " Content-Length: 7",
  "Content Length: 7",
  "no header",
  "Content-Lengt\u0068: 7",
];
const bodies = ["{}", '{"a":1}', '{"a":[]}', "[1,2,3]", '{"a":{"b":{"c":{}}}}', '{"é":1}', "null"];

/** Compares how headers are understood by the decoder and by a slow but readable parser. */
export const headers: Target = {
  name: "headers",
  about: "the meaning of header blocks, compared with a slow, obvious parser",
  format: "bytes",
  maxLength: 400,
  work: { base: 40_000, perByte: 4_000 },
  tokens: [
    ...lines.map((line) => `${line}\r\n`),
    ...bodies,
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    " ",
    "\t",
    ":",
    ";",
    "=",
    ",",
    'Content-Length: 7\r\n\r\n{"a":1}',
  ],
  seeds: () => [
    'Content-Length: 7\r\n\r\n{"a":1}',
    'A: b\r\nContent-Length: 7\r\nContent-Type: a; charset=utf-8\r\n\r\n{"a":1}',
    '\r\nContent-Length: 2\r\n\r\n{}Content-Length: 7\r\nX: y\r\n\r\n{"a":1}',
    'Content-Length: 7\r\nContent-Type: ;charset=a\r\nContent-Type:\r\n\r\n{"a":1}',
    ...lines.map((line) => `${line}\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}`),
    ...bodies.map((body) => `a: b\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  ],
  async open(modules) {
    const { FrameDecoder: Decoder } =
      await modules<typeof import("../../../runtime/index.js")>("runtime/index.js");
    return {
      check(input, random) {
        const limits = random.pick(bounds);
        const cuts = cutsOf(input.length, random);
        const read = (recovery: "strict" | "tolerant"): readonly StreamRecord[] =>
          recordStream(input, cuts, { limits, recovery }, { Decoder });
        assertStrict(read("strict"), input, limits);
        assertTolerant(read("tolerant"), input);
      },
    };
  },
};

function cutsOf(length: number, random: Random): readonly number[] {
  if (random.oneIn(3)) return [];
  return Array.from({ length: 3 }, () => random.below(length + 1)).sort((a, b) => a - b);
}

/**
 * Checks that a strict decoder delivers the frames before the first fault, and that it reports a
 * fault if there is one.
 */
function assertStrict(
  records: readonly StreamRecord[],
  input: Uint8Array,
  limits: FrameBounds,
): void {
  const expected = obviousFrames(input, limits);
  const frames = records.flatMap((each) => {
    if (each.kind !== "message") return [];
    const { offset, headerLength, headers, body } = each;
    return [{ offset, headerLength, headers, body }];
  });
  const [found, wanted] = [frames, expected.frames].map((each) => JSON.stringify(each));
  if (found !== wanted)
    throw new OracleFailure(
      "headers",
      `strict: ${found}, not ${wanted}`,
      frames.length > expected.frames.length ? "more" : "less",
    );
  const hasFault = records.some(({ kind }) => kind !== "message");
  if (hasFault && !expected.hasFault)
    throw new OracleFailure("headers", `a fault of nothing: ${JSON.stringify(records)}`, "fault");
}

/** Checks the header of every delivered frame against the slow parser. */
function assertTolerant(records: readonly StreamRecord[], input: Uint8Array): void {
  for (const record of records) {
    if (record.kind !== "message") continue;
    const { offset, headerLength, headers, body } = record;
    const header = Buffer.from(input).toString("latin1", offset, offset + headerLength);
    const meaning = meaningOf(header.replace(/\r?\n\r?\n$/, "").split(/\r?\n/));
    const isRepaired = records.some(
      (each) => each.kind === "error" && each.recovered && each.offset === offset,
    );
    const length = lengthOf(meaning);
    const fail = (what: string): never => {
      throw new OracleFailure("headers", `tolerant: ${what}: ${JSON.stringify(record)}`, what);
    };
    if (length === undefined) fail("no length, or several");
    else if (length !== body.length && !isRepaired) fail("another length");
    if (!hasReadableCharset(meaning) && !isRepaired) fail("another charset");
    if (JSON.stringify(headers) !== JSON.stringify([...meaning.headers])) fail("other headers");
  }
}
