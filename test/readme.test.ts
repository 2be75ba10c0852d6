import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compile, withFolder, writeFiles } from "./support/compile.js";
import { fromRoot } from "./support/paths.js";

const readme = readFileSync(fromRoot("README.md"), "utf8");

/** The members of a union of texts in a source file. */
function unionOf(path: string, name: string): string[] {
  const source = readFileSync(fromRoot(path), "utf8");
  const declaration = new RegExp(`export type ${name} =([^;]*);`).exec(source)![1]!;
  return [...declaration.matchAll(/"(\w+)"/g)].map((match) => match[1]!);
}

test("README documents every error code of the codec, and no other", () => {
  const documented = [...readme.matchAll(/^\| `(ERR_\w+)` +\|/gm)].map((match) => match[1]!);
  const codes = [
    ...unionOf("runtime/frame-errors.ts", "FrameErrorCode"),
    ...unionOf("runtime/encode-error.ts", "EncodeErrorCode"),
  ];
  assert.deepEqual(documented, codes);
});

test("README's example compiles against the package", async () => {
  const example = /```ts\n([^]*?)```/.exec(readme)![1]!;
  assert.ok(example.trim().split("\n").length <= 30);
  await withFolder((folder) => {
    writeFiles(folder, {
      "example.ts": example.replace("@wirewright/dap", fromRoot("generated/dap/index.js")),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: "es2022",
          module: "nodenext",
          types: ["node"],
        },
        files: ["example.ts"],
      }),
      "package.json": '{ "type": "module" }',
    });
    assert.equal(compile("TypeScript 7", "-p", folder), "");
  });
});

test("README names every script that it tells to run", () => {
  const { scripts } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [, script] of readme.matchAll(/npm run ([\w:]+)/g))
    assert.ok(script! in scripts, script);
});
