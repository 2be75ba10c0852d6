/** The meaning of header blocks, compared with a slow parser that is easy to read. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { cutsOf, mutatedBytes, split } from "../support/mutated-inputs.js";
import {
  hasReadableCharset,
  lengthOf,
  meaningOf,
  obviousFrames,
  type FrameBounds,
} from "../support/obvious-frames.js";
import { property } from "../support/property.js";
import { recordStream, type StreamRecord } from "../support/stream-oracles.js";

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
];
const bodies = ["{}", '{"a":1}', '{"a":[]}', "[1,2,3]", '{"a":{"b":{"c":{}}}}', '{"é":1}', "null"];

property(
  "headers mean what a slow parser says",
  fc.record({
    bytes: mutatedBytes({
      seeds: [
        'A: b\r\nContent-Length: 7\r\nContent-Type: a; charset=utf-8\r\n\r\n{"a":1}',
        '\r\nContent-Length: 2\r\n\r\n{}Content-Length: 7\r\nX: y\r\n\r\n{"a":1}',
        'Content-Length: 7\r\nContent-Type: ;charset=a\r\nContent-Type:\r\n\r\n{"a":1}',
        ...lines.map((line) => `${line}\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}`),
        ...bodies.map(
          (body) => `a: b\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        ),
      ],
      tokens: [
        ...lines.map((line) => `${line}\r\n`),
        ...bodies,
        ..."\r\n|\n|\r|\r\n\r\n| |\t|:|;|=|,".split("|"),
        'Content-Length: 7\r\n\r\n{"a":1}',
      ],
      maxLength: 400,
    }),
    split,
    limits: fc.constantFrom(...bounds),
  }),
  ({ bytes, split, limits }) => {
    const read = (recovery: "strict" | "tolerant"): readonly StreamRecord[] =>
      recordStream(bytes, cutsOf(split, bytes.length), { limits, recovery });
    assertStrict(read("strict"), bytes, limits);
    assertTolerant(read("tolerant"), bytes);
  },
  500,
);

/** A strict decoder delivers the frames before the first fault, and reports a fault if there is one. */
function assertStrict(
  records: readonly StreamRecord[],
  bytes: Uint8Array,
  limits: FrameBounds,
): void {
  const expected = obviousFrames(bytes, limits);
  const frames = records.flatMap((record) => {
    if (record.kind !== "message") return [];
    const { offset, headerLength, headers, body } = record;
    return [{ offset, headerLength, headers, body }];
  });
  assert.deepEqual(frames, expected.frames);
  if (!expected.hasFault)
    assert.deepEqual(
      records.filter(({ kind }) => kind !== "message"),
      [],
    );
}

/** The header of each delivered frame means what the slow parser says. */
function assertTolerant(records: readonly StreamRecord[], bytes: Uint8Array): void {
  for (const record of records) {
    if (record.kind !== "message") continue;
    const { offset, headerLength, headers, body } = record;
    const header = Buffer.from(bytes).toString("latin1", offset, offset + headerLength);
    const meaning = meaningOf(header.replace(/\r?\n\r?\n$/, "").split(/\r?\n/));
    const isRepaired = records.some(
      (other) => other.kind === "error" && other.recovered && other.offset === offset,
    );
    const length = lengthOf(meaning);
    assert.notEqual(length, undefined);
    assert.deepEqual(headers, [...meaning.headers]);
    if (isRepaired) continue;
    assert.equal(length, body.length);
    assert.ok(hasReadableCharset(meaning));
  }
}
