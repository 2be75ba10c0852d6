import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { newestDap } from "../support/dap-versions.js";
import { cli } from "../support/run-command.js";
import { packDap } from "./packed-dap.js";

test("the packed package can be installed in an empty project, and diff reads its version and modules", async () => {
  await withFolder(async (folder) => {
    const run = (command: string, args: readonly string[], cwd: string): string =>
      execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const { dap, tarballs } = await packDap("packed-package");
    assert.deepEqual(dap.files.filter((path) => !/^dist\/.*(?:\.js|\.d\.ts)$/.test(path)).sort(), [
      "LICENSE",
      "README.md",
      "package.json",
    ]);

    const app = join(folder, "app");
    const settings = { strict: true, noEmit: true, target: "es2022", module: "nodenext", types: [] };
    writeFiles(app, {
      "package.json": '{ "name": "app", "private": true }',
      "adapter/package.json": '{ "type": "module" }',
      "adapter/tsconfig.json": JSON.stringify({ compilerOptions: settings }),
      "adapter/adapter.ts": [
        'import { defineAdapter } from "@wirewright/dap/adapter";',
        'import { runAdapter } from "@wirewright/dap/node";',
        "",
        "const adapter = defineAdapter({",
        "  handlers: {",
        "    launch() {},",
        '    locations: () => ({ source: { name: "main.js" }, line: 1 }),',
        "  },",
        "});",
        "await runAdapter(adapter);",
        "",
      ].join("\n"),
    });
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], app);
    assert.deepEqual(
      readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")),
      ["@wirewright"],
    );
    // The tool reads from the manifest which version the package was generated from.
    const compared = run(process.execPath, [cli, "diff", "@wirewright/dap", "dap"], app);
    assert.match(compared, new RegExp(`^dap ${newestDap} → ${newestDap} `));
    // The package's hand-written modules take the types of each version, too.
    const { status, stdout } = spawnSync(
      process.execPath,
      [cli, "diff", "dap@1.71.0", "dap@1.60.0", "--from", "adapter", "--format", "json"],
      { cwd: app, encoding: "utf8" },
    );
    const { findings } = JSON.parse(stdout) as { findings: readonly { rule: string; at: string }[] };
    assert.deepEqual(
      [status, findings.map(({ rule, at }) => [rule, at])],
      [1, [["code.error", "adapter/adapter.ts:7:5"]]],
    );
  });
});
