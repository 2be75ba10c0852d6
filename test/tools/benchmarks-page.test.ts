import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renderFiles } from "../../tools/bench/page.js";
import { fromRoot } from "../support/paths.js";

for (const [path, expected] of renderFiles())
  test(`${path} shows the saved figures (npm run bench page)`, () => {
    assert.equal(readFileSync(fromRoot(path), "utf8"), expected);
  });
