import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fromRoot } from "../support/paths.js";

for (const name of ["front-doors", "codec", "encode", "validate", "connection", "size"])
  test(`the competitors in the benchmark ${name} agree`, () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [fromRoot(`build/tools/bench/${name}.js`), "--quick"],
      { encoding: "utf8" },
    );
    assert.equal(status, 0, stderr);
  });
