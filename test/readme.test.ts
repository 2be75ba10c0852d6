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
    ...unionOf("runtime/frames/frame-errors.ts", "FrameErrorCode"),
    ...unionOf("runtime/json/encode-error.ts", "EncodeErrorCode"),
    ...unionOf("runtime/connection/request-error.ts", "RequestErrorCode"),
    ...unionOf("runtime/connection/connection-settings.ts", "ProblemCode"),
    ...unionOf("runtime/lanes/lane-error.ts", "LaneErrorCode"),
  ];
  assert.deepEqual(documented, codes);
});

test("README's examples compile against the packages", async () => {
  const examples = [...readme.matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1]!);
  assert.ok(examples[0]!.trim().split("\n").length <= 30);
  await withFolder((folder) => {
    // What an example takes from elsewhere.
    const given =
      "declare const received: unknown;\ndeclare function use(...all: unknown[]): void;\n";
    const files = examples.map((example, index): [string, string] => [
      `example-${index}.ts`,
      given +
        example.replaceAll(
          /"@wirewright\/([a-z-]+)(\/node)?"/g,
          (_, name: string, node: string | undefined) =>
            JSON.stringify(
              fromRoot(`generated/${name}/${node === undefined ? "index" : "node"}.js`),
            ),
        ),
    ]);
    writeFiles(folder, {
      ...Object.fromEntries(files),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: "es2022",
          module: "nodenext",
          types: ["node"],
        },
        files: files.map(([name]) => name),
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
