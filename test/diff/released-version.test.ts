import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diffVersions } from "../../cli/index.js";
import { filesOf } from "../support/package-files.js";
import { fromRoot } from "../support/paths.js";

const readJson = (path: string): unknown => JSON.parse(readFileSync(fromRoot(path), "utf8"));

test("the version step for @wirewright/dap is large enough for its changes since the previous DAP release", async () => {
  const { version } = JSON.parse((await filesOf("dap")).get("package.json")!) as {
    version: string;
  };
  const { earlier } = readJson("schema/dap/history.json") as { earlier: Record<string, unknown> };
  const [previous] = Object.keys(earlier);
  const { bump } = await diffVersions(`dap@${previous}`, "dap", { claimed: version });
  assert.equal(bump.suffices, true, JSON.stringify(bump));
});
