import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fromRoot } from "./support/paths.js";

test("the example of a client debugs the example of an adapter", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("build/examples/client.js")],
    { encoding: "utf8", timeout: 60_000 },
  );
  assert.deepEqual(
    { status, stderr, stdout: stdout.split("\n") },
    {
      status: 0,
      stderr: "",
      stdout: [
        "set, The program has no such line",
        "stopped: breakpoint, line 2",
        "total = 10",
        "evaluate: There is no nonsense",
        "ERR_REQUEST_ABORTED",
        "Σ = 100 😀",
        "exit 0",
        "",
      ],
    },
  );
});
