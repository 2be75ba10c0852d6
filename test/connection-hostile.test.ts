import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { connectionCases } from "./support/connection-cases/index.js";
import { fromRoot } from "./support/paths.js";

for (const [topic, cases] of Object.entries(connectionCases)) {
  describe(`whatever the other side and callbacks do: ${topic}`, () => {
    for (const { name, run } of cases) test(name, { timeout: 60_000 }, run);
  });
}

test("nothing of that is an unhandled rejection, nor keeps a process alive", () => {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ["--unhandled-rejections=strict", fromRoot("build/test/support/connection-cases/run.js")],
    { encoding: "utf8", timeout: 120_000 },
  );
  const count = Object.values(connectionCases).flat().length;
  assert.deepEqual([status, signal, stdout, stderr], [0, null, `${count} cases\n`, ""]);
});
