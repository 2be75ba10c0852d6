import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compile, installedCompilers, withFolder, writeFiles } from "../support/compile.js";
import { newestDap } from "../support/dap-versions.js";
import { cli } from "../support/run-command.js";
import { packDap } from "./packed-dap.js";

test("the packed package can be installed and run in an empty project, from ESM and CommonJS", async () => {
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
      "esm.mjs":
        'import { isEvent, protocolVersion } from "@wirewright/dap"; console.log(protocolVersion, isEvent({ type: "event", event: "stopped" }, "stopped"));',
      "whole.mjs": `
        import * as dap from "@wirewright/dap";
        import { createMessageTransform } from "@wirewright/dap/node";
        const at = import.meta.resolve("@wirewright/dap");
        const transform = createMessageTransform();
        transform.end(dap.createEncoder().encode({ seq: 1, type: "event", event: "initialized" }));
        for await (const classified of transform) console.log(classified.kind);
        console.log(at.split("@wirewright/dap/")[1]);`,
      "whole.cjs": `
        const dap = require("@wirewright/dap");
        const { createMessageTransform } = require("@wirewright/dap/node");
        const at = require.resolve("@wirewright/dap");
        const transform = createMessageTransform();
        transform.on("data", (classified) => console.log(classified.kind));
        transform.on("end", () => console.log(at.split("@wirewright/dap/")[1]));
        transform.end(dap.createEncoder().encode({ seq: 1, type: "event", event: "initialized" }));`,
      "cjs.cjs":
        'const { isEvent, protocolVersion } = require("@wirewright/dap"); console.log(protocolVersion, isEvent({ type: "event", event: "stopped" }, "stopped"));',
      "esm.mts":
        'import { requests, type StoppedEvent } from "@wirewright/dap"; const name: "next" = requests.next.name; export const reason = (event: StoppedEvent): string => event.body.reason + name;',
      "cjs.cts":
        'import dap = require("@wirewright/dap"); const name: "next" = dap.requests.next.name; export const reason = (event: dap.StoppedEvent): string => event.body.reason + name;',
    });
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...tarballs], app);
    assert.deepEqual(
      readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")),
      ["@wirewright"],
    );
    assert.equal(run(process.execPath, ["esm.mjs"], app), `${newestDap} true\n`);
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
    assert.equal(run(process.execPath, ["cjs.cjs"], app), `${newestDap} true\n`);
    assert.equal(run(process.execPath, ["whole.mjs"], app), "event\ndist/generated/dap/index.js\n");
    assert.deepEqual(run(process.execPath, ["whole.cjs"], app).split("\n").sort(), [
      "",
      "dist/generated/dap/index.js",
      "event",
    ]);
    for (const compiler of installedCompilers) {
      // Before version 5.8, TypeScript does not let CommonJS modules require ES modules.
      const files = compiler === "TypeScript 5.4" ? ["esm.mts"] : ["esm.mts", "cjs.cts"];
      writeFiles(app, { "tsconfig.json": JSON.stringify({ compilerOptions: settings, files }) });
      assert.equal(compile(compiler, "-p", app), "", compiler);
    }
  });
});
