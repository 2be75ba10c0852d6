/** Rules that any stream keeps, in each framing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { notations } from "@wirewright/ruby-debug-ide";
import type { FrameLimits } from "../../runtime/index.js";
import { logOf } from "../support/frame-cases.js";
import { fuzzedFramings, type FuzzedFraming } from "../support/fuzzed-framings.js";
import { cutsOf, mutatedBytes, split, type Split } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import {
  assertStreamHolds,
  recordStream,
  type StreamOptions,
  type StreamRecord,
} from "../support/stream-oracles.js";

/** Limits that are exceeded by headers as messages have them. */
const tight = { maxHeaderBytes: 10, maxHeaderCount: 1 };

/** Either the decoder's own limits, or limits that a short stream reaches. */
const limits: readonly Partial<FrameLimits>[] = [
  {},
  { maxBodyBytes: 100, maxHeaderBytes: 100, maxHeaderCount: 4, maxDepth: 4 },
  { maxBodyBytes: 64, maxHeaderBytes: 40, maxHeaderCount: 2, maxDepth: 2 },
  tight,
];

interface Stream {
  readonly bytes: Uint8Array;
  readonly split: Split;
  readonly options: Pick<StreamOptions, "limits" | "invalidUtf8" | "recovery">;
  readonly isParsed: boolean;
}

const stream = (framing: FuzzedFraming): fc.Arbitrary<Stream> =>
  fc.record({
    bytes: mutatedBytes({ ...framing, seeds: [...framing.seeds, framing.intact.bytes] }),
    split,
    options: fc.record({
      limits: fc.constantFrom(...limits),
      invalidUtf8: fc.constantFrom("replace" as const, "error" as const),
      recovery: fc.constantFrom("tolerant" as const, "strict" as const),
    }),
    isParsed: fc.boolean(),
  });

function checkStream(framing: FuzzedFraming, { bytes, split, options, isParsed }: Stream): void {
  const settings = { isParsed, isGap: framing.isGap };
  const all = { ...options, ...(framing.framing && { framing: framing.framing }) };
  // Nothing is thrown; the ranges cover the stream; the split does not matter.
  const records = assertStreamHolds(bytes, [cutsOf(split, bytes.length)], all, settings);
  if (isParsed && framing.isJson) assertParsed(records);
  if (options.recovery === "strict")
    assertContains(
      recordStream(bytes, [], { ...all, recovery: "tolerant" }, settings),
      records,
      bytes,
    );
  // Without parsing, any bytes after a length are a message.
  else if (options.limits !== tight && (isParsed || framing.name !== "uint32-be"))
    assertSurvives(framing, bytes, all, isParsed);
}

/** Each message is what `JSON.parse` returns. */
function assertParsed(records: readonly StreamRecord[]): void {
  for (const record of records) {
    if (record.kind !== "message") continue;
    const text = new TextDecoder().decode(Buffer.from(record.body, "latin1"));
    assert.equal(record.json, JSON.stringify(JSON.parse(text)));
  }
}

/** Tolerant recovery delivers everything that strict recovery delivers. */
function assertContains(
  tolerant: readonly StreamRecord[],
  strict: readonly StreamRecord[],
  bytes: Uint8Array,
): void {
  for (const record of strict) {
    if (record.kind !== "message") continue;
    const { offset, headerLength } = record;
    const header = Buffer.from(bytes).toString("latin1", offset, offset + headerLength);
    // Tolerant recovery takes text before `Content-Length` on the same line for a truncated header,
    // so that its frames may be others.
    if (/[^-\n]content-length\s*:/i.test(header)) return;
    // A line may contain several commands.
    const delivered = tolerant.filter(
      (other) => other.kind === "message" && other.offset === offset,
    );
    assert.ok(
      delivered.some((other) => isDeepStrictEqual(other, record)),
      `only in strict recovery: ${JSON.stringify(record)}`,
    );
  }
}

/** An intact message after whatever came before is delivered. */
function assertSurvives(
  { intact, end }: FuzzedFraming,
  bytes: Uint8Array,
  options: StreamOptions,
  isParsed: boolean,
): void {
  // The first of two may complete an unfinished frame and be lost with it.
  const stream = Buffer.concat([bytes, Buffer.from(`${end}${intact.bytes}`.repeat(2))]);
  const offset = stream.length - Buffer.byteLength(intact.bytes);
  const records = recordStream(stream, [], options, { isParsed });
  const survivor = records.find((record) => record.kind === "message" && record.offset === offset);
  assert.ok(
    survivor?.kind === "message",
    `no message at ${offset} of ${stream.toString("latin1")}`,
  );
  if (isParsed) assert.equal(survivor.json, intact.json);
}

for (const framing of fuzzedFramings)
  property(`streams of ${framing.name}`, stream(framing), (stream) => checkStream(framing, stream));

/** Streams that once broke a rule. */
const regressions: readonly (readonly [framing: string, stream: string])[] = [
  ["xml-concat", `<eval a="" value="<suspended file='' line='' threadId='' frames='" />'/>`],
  [
    "content-length",
    "Content-Length:7\r\na:\r\nContent-Type:Content-Length:7\r\nContent-Type:\r\n\r\n{0a0}C}",
  ],
  ["content-length", "Content-Type:; charset=a\n\na"],
  ["content-length", "a:\na\n"],
  ["content-length", "a\n\n0"],
  ["content-length", "a:\r\n\n"],
  ["content-length", "Content-Length:30\n\naContent-Length:0\n"],
  [
    "content-length",
    'a:\r\nContent-Length:7\r\n\r\n{"a":0}Content-Length:11\r\n\r\n{"a :aaa0]}Content-Length:7\r\nC:Content-Length:7\r\np:ca\r\n\r\n{ a :a}',
  ],
  ["content-length", "Content-Length:0\n\naaaaa\n\r\n0"],
  ["content-length", "\rContent-Length:7 \n\r\n{aaa1 \r\na}"],
  ["content-length", `a:${" ".repeat(1000)}\rx\r\n`],
  [
    "content-length",
    'X-Content-Length: 5\r\nContent-Length: 7\r\n\r\n{"a":1}ontent-Length: 7\r\nX-Content-Length: 5\r\n\r\n{"b":1}',
  ],
  ["content-length", "C:\n-"],
  ["lines", "a\na"],
  ["lines", 'aaaa000aaa 0 a aaaab":aaaaa  :2aa02aaaa 0  00:2a" a 0a0aaa aaaaa}'],
  ["xml-concat", "<breakpoint "],
  ["xml-concat", '<variables><variable e="" a="" d=""><s</variable></variables>'],
  ["xml-concat", `${"<a><![CDATA[\n".repeat(40)}]]></b>`],
  ["command-lines", `${"a".repeat(66)}\naa`],
  ["command-lines", ";"],
  ["command-lines", "a;b\n"],
  ["xml-concat", "<?>?>"],
  ["command-lines", `break :${" ".repeat(150)}:x`],
];

for (const [name, text] of regressions)
  test(`a stream of ${name} that once broke a rule: ${JSON.stringify(text).slice(0, 50)}`, () => {
    const framing = fuzzedFramings.find((framing) => framing.name === name)!;
    const bytes = new Uint8Array(Buffer.from(text));
    for (const split of ["whole", "bytes"] as const)
      for (const invalidUtf8 of ["replace", "error"] as const)
        for (const recovery of ["tolerant", "strict"] as const)
          for (const isParsed of [true, false])
            for (const limit of limits)
              checkStream(framing, {
                bytes,
                split,
                options: { limits: limit, invalidUtf8, recovery },
                isParsed,
              });
  });

test("noise ends where a command begins", () => {
  const long = "a".repeat(30);
  assert.deepEqual(
    logOf(new Uint8Array(Buffer.from(`${long}\nnext\n`)), [], {
      framing: notations.frontend,
      limits: { maxBodyBytes: 20 },
    }),
    [
      "error ERR_BODY_TOO_LONG 0+20",
      'noise 20 "aaaaaaaaaa"',
      "error ERR_NOISE 20+10",
      'message 31+0+4 {"command":"next"}',
    ],
  );
});
