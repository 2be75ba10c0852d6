import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { fromRoot } from "../../support/paths.js";
import { assertStreamHolds } from "../../support/stream-oracles.js";

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
