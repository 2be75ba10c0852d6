import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { connectionCases } from "../../support/connection-cases/index.js";
import { fromRoot } from "../../support/paths.js";

/**
 * Runs all cases in a separate process in which an unhandled rejection is fatal. The process must
 * exit on its own.
 */
const { status, signal, stdout, stderr } = spawnSync(
  process.execPath,
  ["--unhandled-rejections=strict", fromRoot("build/test/support/connection-cases/run.js")],
  { encoding: "utf8", timeout: 300_000 },
);
const held = stdout.split("\n");

for (const [topic, cases] of Object.entries(connectionCases)) {
  describe(`a connection survives hostile peers and callbacks: ${topic}`, () => {
    for (const { name } of cases)
      test(name, () => assert.ok(held.includes(`${topic}: ${name}`), stderr));
  });
}

test("no case causes an unhandled rejection or keeps the process alive", () => {
  assert.deepEqual([status, signal, stderr], [0, null, ""]);
});
