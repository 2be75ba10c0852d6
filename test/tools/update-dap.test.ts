import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { next, publish, add } from "../support/dap-update.js";

/** Runs `npm run update:dap` in a copy of the project. */
test("update:dap adds a version, lists the remaining work and writes the packages", async () => {
  await withFolder(async (folder) => {
    const built = ["runtime", "generator", "diff", "sessions", "launch", "cli"];
    const copied = ["package.json", "schema", "protocols", "runtime", "build/tools/maintenance"];
    for (const path of [...copied, ...built.map((room) => `build/${room}`)])
      cpSync(fromRoot(path), join(folder, path), { recursive: true });
    symlinkSync(fromRoot("node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(
      join(folder, "wirewright.config.json"),
      '{ "packages": [{ "protocol": "dap", "out": "generated/dap" }] }',
    );
    const official = join(folder, "debugAdapterProtocol.json");
    writeFileSync(official, publish(add));
    const update = (...args: string[]): [number | null, string] => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ["build/tools/maintenance/update-dap.js", ...args],
        { cwd: folder, encoding: "utf8" },
      );
      return [status, stdout + stderr];
    };

    const [, help] = update("--help");
    assert.match(help, /^Usage: npm run update:dap -- FILE \[VERSION\]\n/);
    assert.deepEqual(update(), [2, help]);
    assert.deepEqual(update(official), [
      2,
      `Cannot tell which version "${official}" is [ERR_ARGUMENT]\n  Append it to the command, as in 1.72.0\n`,
    ]);

    const [status, output] = update(official, next);
    assert.equal(status, 0, output);
    assert.match(output, new RegExp(`^Written for DAP ${next}:\n  schema/dap/${next}\\.json\n`));
    assert.match(output, /^ {2}XyzzyArguments\/depth: How deep to look\. Defaults to 3\.$/m);
    assert.match(output, /^ {2}gates\.messages: "xyzzy": "adapter\.supportsXyzzy"$/m);
    assert.match(
      output,
      /^New flags that do not gate anything yet:\n {2}adapter\.supportsMystery$/m,
    );
    assert.match(output, /^generated\/dap: \d+ files written \(/m);
    const index = readFileSync(join(folder, "generated/dap/types.ts"), "utf8");
    assert.match(index, /export interface XyzzyArguments/);
    assert.match(update(official, next)[1], /^generated\/dap: up to date \(/m);
  });
});
