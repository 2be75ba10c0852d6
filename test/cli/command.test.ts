import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { toolVersion } from "../../generator/base/bundled.js";
import { withFolder } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";

const command = fromRoot("cli/command.js");

function run(file: string): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, "--version"], {
    encoding: "utf8",
  });
  return { status, printed: stdout + stderr };
}

test("the command linked by npm runs the built tool", () => {
  assert.deepEqual(run(command), { status: 0, printed: `${toolVersion()}\n` });
  if (process.platform !== "win32") assert.equal(statSync(command).mode & 0o111, 0o111);
});

test("before the first build, the command explains how to build the tool", async () => {
  await withFolder((folder) => {
    const copy = join(folder, "cli/command.js");
    mkdirSync(dirname(copy));
    copyFileSync(command, copy);
    copyFileSync(fromRoot("package.json"), join(folder, "package.json"));
    const printed = "wirewright is not built yet. Run: npm ci && npm run build\n";
    assert.deepEqual(run(copy), { status: 2, printed });
  });
});
