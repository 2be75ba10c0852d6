import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as tool from "../../cli/index.js";
import { compilePrograms, withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { compilePage } from "../support/guide-programs.js";

const recording = [
  { from: "client", message: { seq: 1, type: "request", command: "initialize", arguments: {} } },
  { from: "client", message: { seq: 2, type: "request", command: "threads" } },
];

test("the programs in docs/guides/from-code.md compile, run, and have at most 15 lines", async () => {
  await withFolder((folder) => {
    const { programs, complaints } = compilePage(folder, "docs/guides/from-code.md");
    assert.equal(complaints, "");
    writeFiles(folder, {
      "session.jsonl": recording.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
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

/** The files that define the public functions. */
const publicFiles = [
  ...readFileSync(fromRoot("cli/index.ts"), "utf8").matchAll(/ from "(.+)\.js";$/gm),
].map(([, path]) => join("cli", `${path!}.ts`));

test("the examples in function comments compile", async () => {
  const index = JSON.stringify(fromRoot("build/cli/index.js"));
  const examples = publicFiles.flatMap((path) =>
    [...readFileSync(fromRoot(path), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(
      ([, block = ""], number): [string, string] => {
        const text = block.replaceAll(/^ \* ?/gm, "");
        const names = Object.keys(tool).filter((name) => new RegExp(`\\b${name}\\(`).test(text));
        return [
          `${basename(path)}-${number}.ts`,
          `import { ${names.join(", ")} } from ${index};\n${text}`,
        ];
      },
    ),
  );
  assert.ok(examples.length >= 3, `${examples.length} examples`);
  await withFolder((folder) => assert.equal(compilePrograms(folder, examples), ""));
});
