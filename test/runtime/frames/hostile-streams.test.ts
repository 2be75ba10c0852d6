import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { FrameDecoder, type FrameLimits } from "../../../runtime/index.js";
import { fromRoot } from "../../support/paths.js";
import { HostileStreams } from "../../support/hostile-streams.js";
import { seeded } from "../../support/sample-values.js";
import {
  assertStreamHolds,
  findTilingFault,
  recordStream,
  type StreamOptions,
  type StreamRecord,
} from "../../support/stream-oracles.js";

/** Chooses limits that a short stream can reach. */
function randomLimits(streams: HostileStreams): Partial<FrameLimits> {
  const limits: Record<string, number> = {};
  if (streams.below(2) === 0) limits["maxHeaderBytes"] = streams.pick([1, 2, 10, 40, 64, 128, 200]);
  if (streams.below(2) === 0) limits["maxHeaderCount"] = 1 + streams.below(4);
  if (streams.below(2) === 0) limits["maxBodyBytes"] = streams.pick([12, 20, 30, 60]);
  if (streams.below(3) === 0) limits["maxDepth"] = 1 + streams.below(3);
  return limits;
}

for (const framing of ["content-length", "lines"] as const) {
  test(`hostile streams of ${framing}: the decoder never throws, its ranges cover the stream, chunk boundaries do not matter, and later valid frames arrive`, () => {
    const streams = new HostileStreams(seeded(17));
    const good =
      framing === "lines" ? '\n{"seq":4711}' : '\r\n\r\nContent-Length: 12\r\n\r\n{"seq":4711}';
    for (let round = 0; round < 1_500; round++) {
      const bytes = Buffer.concat([streams.bytes(9), Buffer.from(good)]);
      const options: StreamOptions = {
        framing,
        recovery: streams.below(5) === 0 ? "strict" : "tolerant",
        invalidUtf8: streams.below(5) === 0 ? "error" : "replace",
        limits: streams.below(2) === 0 ? {} : randomLimits(streams),
      };
      const everyByte = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
      const cuts = [2, 9, 40, 200].map((most) => streams.cuts(bytes.length, most));
      const isParsed = streams.below(3) > 0;
      const records = assertStreamHolds(bytes, [everyByte, ...cuts], options, { isParsed });
      if (options.recovery === "strict") continue;
      const hasGood = records.some(
        (each) => each.kind === "message" && each.body === good.slice(-12),
      );
      assert.ok(hasGood, JSON.stringify([bytes.toString("latin1"), options, records]));
    }
  });
}

test("the oracle detects every gap and overlap between ranges", () => {
  const bytes = Buffer.from(
    'Content-Length: 7\r\n\r\n{"a":1}junk\n\r\nContent-Length: 2\r\n\r\n[]',
  );
  const right = recordStream(bytes, [], {});
  const [message, noise, summary, error] = right as [
    StreamRecord & { kind: "message" },
    StreamRecord,
    StreamRecord,
    StreamRecord & { kind: "error" },
  ];
  assert.deepEqual(
    right.map(({ kind, offset, length }) => [kind, offset, length]),
    [
      ["message", 0, 28],
      ["noise", 28, 5],
      ["error", 28, 5],
      ["error", 35, 23],
    ],
  );
  assert.equal(findTilingFault(bytes, right), undefined);
  const recovered = { ...error, recovered: true, offset: 0, length: 28 };
  assert.equal(findTilingFault(bytes, [message, recovered, noise, summary, error]), undefined);
  const wrong: readonly (readonly [readonly StreamRecord[], string])[] = [
    [[noise, summary, error], "a gap from 0 to noise 28+5"],
    [[message, error], "a gap from 28 to ERR_NOT_OBJECT 35+23"],
    [[message, noise, summary], "a gap from 33 to the end"],
    [[message, noise, error], "ERR_NOT_OBJECT 35+23 precedes the summary of its noise"],
    [[message, noise], "noise from 28 on is never summarised"],
    [[message, summary], "ERR_NOISE 28+5 summarises no noise"],
    [[message, noise, { ...summary, length: 6 }], "ERR_NOISE 28+6 does not span the noise 28+5"],
    [[message, { ...noise, offset: 27 }], "noise 27+5 overlaps what ends at 28"],
    [[message, { ...noise, text: "junk!" } as StreamRecord], "noise 28+5 shows other bytes"],
    [
      [message, noise, summary, { ...error, length: 24 }],
      "ERR_NOT_OBJECT 35+24 ends after the stream's end 58",
    ],
    [[message, noise, summary, { ...error, length: 0 }], "ERR_NOT_OBJECT 35+0 has no bytes"],
    [[{ ...message, headerLength: 20 }], "message 0+28 has its body in a different place"],
    [
      [message, { ...recovered, length: 27 }],
      "ERR_NOT_OBJECT 0+27 is not the range of the message before it",
    ],
    [[error, message], "a gap from 0 to ERR_NOT_OBJECT 35+23"],
  ];
  for (const [records, fault] of wrong) assert.equal(findTilingFault(bytes, records), fault);
  const strict = findTilingFault(bytes, [message, noise, summary, error], { isStrict: true });
  assert.equal(strict, "ERR_NOT_OBJECT 35+23 follows the fault that stopped the decoder");
});

test("a 37-byte header with an unknown charset and no length does not throw", () => {
  const bytes = Buffer.from("Content-Type: x; charset=latin1\r\n\r\n{}");
  const records = assertStreamHolds(bytes, [], {});
  assert.deepEqual(
    records.map((each) => (each.kind === "error" ? each.code : each.kind)),
    ["ERR_LENGTH_MISSING", "noise", "ERR_NOISE"],
  );
});

/** Runs a module in a separate process with little memory, and returns its output. */
function runWithMemory(megabytes: number, script: string): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout;
}

const index = JSON.stringify(fromRoot("build/runtime/index.js"));

test("a header without an end is reported at its limit and uses no further memory", () => {
  for (const [line, code, offset] of [
    ["`X-${n}: ${n}\\r\\n`", "ERR_HEADER_COUNT", 0],
    ["`X-${n}`", "ERR_HEADER_TOO_LONG", 0],
    ["n === 0 ? 'Content-Length: 5\\r\\n' : 'printed\\r\\n'", "ERR_HEADER_COUNT", 0],
    ["'Content-Length: 5\\r\\nx'.slice(0, n === 0 ? 20 : 1)", "ERR_HEADER_TOO_LONG", 0],
  ] as const) {
    const output = runWithMemory(
      40,
      `
      import { FrameDecoder } from ${index};
      const errors = [];
      const decoder = new FrameDecoder({
        onMessage: () => undefined,
        onFault: ({ code, offset }) => errors.push(code + " " + offset),
      });
      let chunk = ${line === "`X-${n}`" ? '"X-Long: "' : '""'};
      let lines = 0;
      for (let pushed = 0; pushed < 2_000;) {
        for (; chunk.length < 32_768; lines++) chunk += ((n) => ${line})(lines);
        decoder.push(Buffer.from(chunk));
        chunk = "";
        pushed++;
      }
      const told = [...errors];
      decoder.push(Buffer.from('\\r\\n\\r\\nContent-Length: 2\\r\\n\\r\\n{}'));
      console.log(JSON.stringify([told, errors.length, process.memoryUsage().external < 8 << 20]));
    `,
    );
    assert.deepEqual(JSON.parse(output), [[`${code} ${offset}`], 2, true], line);
  }
});

test("no fault in a header lets a body exceed its limit", () => {
  for (const header of [
    "Content-Type: x; charset=latin1\r\nContent-Length: 2147483647\r\n\r\n",
    "Content-Length: 2147483647\r\nContent-Type: x; charset=latin1\r\nprinted\r\n\r\n",
    "Content-Length: 2147483647\r\nContent-Length: 5\r\n\r\n",
    "Content-Length: 2147483647\r\n\r\n",
  ]) {
    const output = runWithMemory(
      40,
      `
      import { FrameDecoder } from ${index};
      const codes = [];
      const decoder = new FrameDecoder({
        limits: { maxBodyBytes: 1000 },
        onMessage: (message) => codes.push(message),
        onFault: ({ code }) => codes.push(code),
      });
      decoder.push(Buffer.from(${JSON.stringify(header)}));
      const chunk = Buffer.alloc(65_536, 0x61);
      for (let count = 0; count < 3_000; count++) decoder.push(chunk);
      const { external } = process.memoryUsage();
      decoder.push(Buffer.from('Content-Length: 7\\r\\n\\r\\n{"a":1}'));
      console.log(JSON.stringify([codes.slice(1), external < 8 << 20]));
    `,
    );
    assert.deepEqual(JSON.parse(output), [["ERR_NOISE", { a: 1 }], true], header);
  }
});

/**
 * Headers and lines that make a careless parser read the same bytes repeatedly. Each grows with
 * `count`.
 */
const slow: Readonly<Record<string, (count: number) => string>> = {
  "spaces in a value": (count) => `a:${" ".repeat(count)}\rx\r\n`,
  "spaces after a name": (count) => `a${" ".repeat(count)}x\r\n`,
  "whitespace after a value": (count) => `a: x${" \t".repeat(count / 2)}\rx\r\n`,
  "spaces in a length header": (count) => `x content-length${" ".repeat(count)}: 5\r\n`,
  "digits in a length header": (count) => `x content-length: ${"5".repeat(count)}x\r\n`,
  "many length headers on one line": (count) => `${"content-length: 5 ".repeat(count / 18)}x\r\n`,
  "spaces in a charset": (count) =>
    `Content-Type: x;${" ".repeat(count)}charset${" ".repeat(count)}x\r\n`,
  "content type parameters": (count) => `Content-Type: x${"; charset ;".repeat(count / 11)}\r\n`,
};

for (const [name, make] of Object.entries(slow)) {
  test(`reading a header takes linear time: ${name}`, { timeout: 20_000 }, () => {
    const line = Buffer.from(make(100_000));
    const decoder = new FrameDecoder({
      limits: { maxHeaderBytes: 1 << 20 },
      onMessage: () => undefined,
      onFault: () => undefined,
    });
    const start = performance.now();
    for (let count = 0; count < 10; count++) decoder.push(line);
    decoder.end();
    // For ten times 100 kB, linear time means milliseconds, and quadratic time means an hour.
    assert.ok(performance.now() - start < 3_000);
  });
}
