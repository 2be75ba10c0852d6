import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { moduleNote } from "../../cli/write-packages.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";

const note =
  'the package contains ES modules, but the project package.json does not set "type": "module". Without it, TypeScript versions before 5.8 cannot compile imports of the package';

for (const [what, manifest, settings, expected] of [
  ["nodenext without a type", "{}", '{ "compilerOptions": { "module": "NodeNext" } }', note],
  [
    "node16 of CommonJS",
    '{ "type": "commonjs" }',
    '// c\n{ "compilerOptions": { "module":"node16", } }',
    note,
  ],
  [
    "nodenext with ES modules",
    '{ "type": "module" }',
    '{ "compilerOptions": { "module": "nodenext" } }',
    undefined,
  ],
  ["another module system", "{}", '{ "compilerOptions": { "module": "esnext" } }', undefined],
  ["no settings", "{}", undefined, undefined],
  [
    "a package.json that cannot be read",
    "[",
    '{ "compilerOptions": { "module": "nodenext" } }',
    note,
  ],
  ["a package.json that is null", "null", '{ "compilerOptions": { "module": "nodenext" } }', note],
] as const) {
  test(`wirewright generate prints the right note for a project with ${what}`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, {
        "package.json": manifest,
        ...(settings === undefined ? {} : { "tsconfig.json": settings }),
      });
      assert.equal(moduleNote(join(folder, "src/dap")), expected);
    });
  });
}

test("wirewright generate prints the note after writing the package", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "package.json": "{}",
      "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }',
    });
    const generate = (): string => runCommand(folder, ["generate", "dap", "--out", "dap"]).stderr;
    assert.equal(generate(), `dap: ${note}\n`);
    assert.equal(generate(), "");
  });
});
