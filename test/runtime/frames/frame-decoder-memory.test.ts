import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { fromRoot } from "../../support/paths.js";
import { framed } from "../../support/framed-text.js";

test("a length of 2^31 allocates no memory, and a million one-byte chunks need no more memory than their bytes", () => {
  const decoder = new FrameDecoder({
    limits: { maxBodyBytes: 2 ** 32 },
    onMessage: () => undefined,
  });
  const before = process.memoryUsage();
  decoder.push(Buffer.from(`Content-Length: ${2 ** 31}\r\n\r\n{"a":"`));
  const byte = Uint8Array.of(0x61);
  for (let count = 0; count < 1_000_000; count++) decoder.push(byte);
  const after = process.memoryUsage();
  const grown = after.arrayBuffers - before.arrayBuffers;
  assert.ok(grown < 8 * 2 ** 20, `${grown} bytes of buffers`);
});

test("the decoder retains neither chunks nor the memory of a large body", () => {
  const script = `
    import { FrameDecoder } from ${JSON.stringify(fromRoot("build/runtime/index.js"))};
    const used = () => (gc(), gc(), process.memoryUsage().arrayBuffers);
    const decoder = new FrameDecoder({ onMessage: () => undefined });
    const before = used();
    (() => {
      const body = Buffer.from(JSON.stringify({ text: "x".repeat(64 << 20) }));
      decoder.push(Buffer.from("Content-Length: " + body.length + "\\r\\n\\r\\n"));
      decoder.push(body.subarray(0, 1 << 20));
      decoder.push(body.subarray(1 << 20));
    })();
    // What is freed may be counted a little later.
    const deadline = Date.now() + 10_000;
    const isFreed = () => used() - before < 8 << 20;
    while (!isFreed() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1));
    console.log(isFreed());
    decoder.push(Buffer.from('Content-Length: 7\\r\\n\\r\\n{"a":1}'));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", script],
    {
      encoding: "utf8",
    },
  );
  assert.deepEqual([stdout, stderr], ["true\n", ""]);
});

/** Streams of a few megabytes each. A decoder that read its bytes repeatedly would take minutes. */
const count = 150_000;

const hostile: Readonly<Record<string, readonly [make: () => Buffer, seen: object]>> = {
  "headers with too large a length": [
    () => Buffer.from("Content-Length: 1000000\r\n\r\nx".repeat(count)),
    { ERR_LENGTH_WRONG: count - 1, ERR_TRUNCATED: 1 },
  ],
  "alternating valid and damaged frames, the damaged ones with too large a length": [
    () =>
      Buffer.from(
        'Content-Length: 7\r\n\r\n{"a":1}Content-Length: 1000000\r\n\r\n{"é":'.repeat(count),
      ),
    { messages: count, ERR_LENGTH_WRONG: count - 1, ERR_TRUNCATED: 1 },
  ],
  "endless junk": [
    () => Buffer.from("Content-Length: ".repeat(count * 2)),
    { ERR_HEADER_TOO_LONG: 1, ERR_NOISE: 1 },
  ],
  "blank lines": [() => Buffer.from("\r\n".repeat(count * 15)), {}],
  "endless digits": [
    () => Buffer.from(`Content-Length: ${"1".repeat(count * 30)}`),
    { ERR_HEADER_TOO_LONG: 1, ERR_NOISE: 1 },
  ],
  "line feeds in a body": [
    () => Buffer.from(`Content-Length: 100000000\r\n\r\n{"a":[${" 1\n".repeat(count * 10)}`),
    { ERR_TRUNCATED: 1 },
  ],
  brackets: [() => framed(`{"a":${"[".repeat(count * 30)}}`), { ERR_DEPTH: 1 }],
};

for (const [name, [make, want]] of Object.entries(hostile)) {
  for (const size of [1 << 30, 64]) {
    test(`the decoder reads ${name} in chunks of ${size} bytes`, { timeout: 40_000 }, () => {
      const bytes = make();
      const seen: Record<string, number> = {};
      const add = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1);
      const decoder = new FrameDecoder({
        onMessage: () => add("messages"),
        onFault: ({ code }) => add(code),
      });
      for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
      decoder.end();
      assert.deepEqual(seen, want);
    });
  }
}
