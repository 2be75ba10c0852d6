import assert from "node:assert/strict";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { compile, withFolder, writeFiles } from "../../tools/shared/compile.js";
import { fromRoot, root } from "../../tools/shared/paths.js";
import { shownFiles } from "../support/guide-programs.js";

const recording = [
  { from: "client", message: { seq: 1, type: "request", command: "initialize", arguments: {} } },
  { from: "client", message: { seq: 2, type: "request", command: "threads" } },
];

test("the programs of docs/guides/from-code.md compile, run, and have at most 15 lines", async () => {
  const programs = shownFiles("docs/guides/from-code.md");
  await withFolder((folder) => {
    writeFiles(folder, {
      ...programs,
      "package.json": '{ "type": "module" }',
      "session.jsonl": recording.map((line) => `${JSON.stringify(line)}\n`).join(""),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...{ target: "es2022", lib: ["es2023", "dom"], module: "nodenext", strict: true },
          ...{ skipLibCheck: true, outDir: "out", rootDir: ".", types: ["node"] },
          typeRoots: [fromRoot("node_modules/@types")],
        },
        include: ["*.ts"],
      }),
    });
    writeFiles(folder, { "node_modules/.keep": "" });
    symlinkSync(root, join(folder, "node_modules/wirewright"), "dir");
    assert.equal(compile("TypeScript 7", "-p", folder), "");
    const outputOf = (name: string, ...args: readonly string[]): string => {
      const text = programs[`${name}.ts`]!;
      assert.ok(text.trim().split("\n").length <= 15, name);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(folder, `out/${name}.js`), ...args],
        { cwd: folder, encoding: "utf8" },
      );
      assert.deepEqual([status, stderr], [0, ""]);
      return stdout;
    };
    assert.match(outputOf("lint"), /^error schema\.issue: request 1 initialize: /m);
    assert.match(outputOf("live"), /^\S+: /m);
    assert.match(outputOf("diff"), /^dap 1\.70\.0 → 1\.71\.0 [^]*\nneeds a \w+ version\n$/);
    assert.match(outputOf("generate", "out/dap"), /^\d\d+ files written\n$/);
    assert.ok(existsSync(join(folder, "out/dap/package.json")));
    assert.equal(outputOf("read"), "2 messages\n");
  });
});
