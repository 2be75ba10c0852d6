import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diffVersions, readProtocol } from "../../cli/index.js";
import { fromRoot } from "../support/paths.js";

const readJson = (path: string): unknown => JSON.parse(readFileSync(fromRoot(path), "utf8"));

test("the version step for @wirewright/dap is large enough for its changes since the previous DAP release", async () => {
  const { packageVersion } = await readProtocol("dap");
  const { earlier } = readJson("schema/dap/history.json") as { earlier: Record<string, unknown> };
  const [previous] = Object.keys(earlier);
  const { bump } = await diffVersions(`dap@${previous}`, "dap", { claimed: packageVersion });
  assert.equal(bump.suffices, true, JSON.stringify(bump));
});
