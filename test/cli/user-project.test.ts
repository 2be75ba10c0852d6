import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PackageJob } from "../../cli/project-file.js";
import { importExtensionFor, notesFor } from "../../cli/user-project.js";
import { withFolder, withProject, writeFiles } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";

const absent =
  "The generated code imports @wirewright/runtime, which is not installed: npm install @wirewright/runtime@^0.1";
const unsuitable = (version: string): string =>
  `The generated code needs @wirewright/runtime ^0.1, but ${version} is installed: npm install @wirewright/runtime@^0.1`;

for (const { what, version, options = {}, expected } of [
  { what: "no runtime", expected: [absent] },
  { what: "this version's runtime", version: "0.1.0", expected: [] },
  { what: "a later compatible runtime", version: "0.1.9", expected: [] },
  { what: "a later incompatible runtime", version: "0.2.0", expected: [unsuitable("0.2.0")] },
  { what: "an earlier runtime", version: "0.0.9", expected: [unsuitable("0.0.9")] },
  {
    what: "a runtime whose version has control characters",
    version: "2\u001b[2J",
    expected: [unsuitable("2\\u001b[2J")],
  },
  { what: "a runtime without a version", version: 1, expected: [absent] },
  { what: "no runtime but another copy", options: { runtime: "./runtime" }, expected: [] },
  { what: "no runtime but a package.json", options: { packageName: "own" }, expected: [] },
] satisfies readonly {
  what: string;
  version?: unknown;
  options?: Partial<PackageJob>;
  expected: readonly string[];
}[])
  test(`wirewright generate prints the right notes for a project with ${what}`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, {
        "package.json": "{}",
        ...(version === undefined
          ? {}
          : { "node_modules/@wirewright/runtime/package.json": JSON.stringify({ version }) }),
      });
      const job = { protocol: "dap", out: join(folder, "src/dap"), ...options };
      assert.deepEqual(notesFor(job), expected);
    });
  });

for (const [settings, isNoted] of [
  ["{}", true],
  ['{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }', false],
  [undefined, false],
] as const)
  test(`modules that import each other as .ts are noted with ${settings ?? "no settings"}: ${isNoted}`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, settings === undefined ? {} : { "tsconfig.json": settings });
      const out = join(folder, "src/dap");
      const note = `The generated modules import each other as ".ts", which ${join(folder, "tsconfig.json")} does not allow: set "rewriteRelativeImportExtensions" or "allowImportingTsExtensions"`;
      const job: PackageJob = { protocol: "dap", out, packageName: "own", importExtension: "ts" };
      assert.deepEqual(notesFor(job), isNoted ? [note] : []);
    });
  });

const moduleNote = (folder: string): string =>
  `The generated modules are ES modules, but ${folder}/package.json does not set "type": "module". Without it, TypeScript versions before 5.8 cannot compile imports of them`;

for (const { what, manifest, settings, isNoted } of [
  {
    what: "nodenext without a type",
    manifest: "{}",
    settings: '{ "compilerOptions": { "module": "NodeNext" } }',
    isNoted: true,
  },
  {
    what: "node16 of CommonJS",
    manifest: '{ "type": "commonjs" }',
    settings: '// c\n{ "compilerOptions": { "module":"node16", } }',
    isNoted: true,
  },
  {
    what: "nodenext with ES modules",
    manifest: '{ "type": "module" }',
    settings: '{ "compilerOptions": { "module": "nodenext" } }',
    isNoted: false,
  },
  {
    what: "another module system",
    manifest: "{}",
    settings: '{ "compilerOptions": { "module": "esnext" } }',
    isNoted: false,
  },
  { what: "no settings", manifest: "{}", isNoted: false },
  {
    what: "a package.json that cannot be read",
    manifest: "[",
    settings: '{ "compilerOptions": { "module": "nodenext" } }',
    isNoted: true,
  },
  {
    what: "a package.json that is null",
    manifest: "null",
    settings: '{ "compilerOptions": { "module": "nodenext" } }',
    isNoted: true,
  },
]) {
  test(`wirewright generate prints the right note for a project with ${what}`, async () => {
    await withProject((folder) => {
      writeFiles(folder, {
        "package.json": manifest,
        ...(settings === undefined ? {} : { "tsconfig.json": settings }),
      });
      assert.deepEqual(
        notesFor({ protocol: "dap", out: join(folder, "src/dap") }),
        isNoted ? [moduleNote(folder)] : [],
      );
    });
  });
}

test("wirewright generate prints its notes once, after writing the modules", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "package.json": "{}",
      "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }',
      "wirewright.config.json": JSON.stringify({
        packages: [
          { protocol: "dap", out: "dap" },
          { protocol: "sqltools", out: "sqltools" },
        ],
      }),
    });
    const generate = (): string => runCommand(folder, ["generate"]).stderr;
    assert.equal(generate(), `${absent}\n${moduleNote(folder)}\n`);
    assert.equal(generate(), "");
  });
});

const allows = '{ "compilerOptions": { "allowImportingTsExtensions": true } }';

for (const [what, files, extension] of [
  ["no settings", {}, undefined],
  ["other settings", { "tsconfig.json": '{ "compilerOptions": { "strict": true } }' }, undefined],
  ["allowImportingTsExtensions", { "tsconfig.json": `// c\n${allows}` }, "ts"],
  [
    "rewriteRelativeImportExtensions",
    { "tsconfig.json": '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }' },
    "ts",
  ],
  [
    "settings that extend a file",
    { "tsconfig.json": '{ "extends": "./config/base" }', "config/base.json": allows },
    "ts",
  ],
  [
    "settings that extend a package",
    {
      "tsconfig.json": '{ "extends": ["./empty.json", "@tsconfig/node-ts/tsconfig.json"] }',
      "empty.json": "{}",
      "node_modules/@tsconfig/node-ts/tsconfig.json": allows,
    },
    "ts",
  ],
  [
    "settings that turn off what they extend",
    {
      "tsconfig.json":
        '{ "extends": "./base", "compilerOptions": { "allowImportingTsExtensions": false } }',
      "base.json": allows,
    },
    undefined,
  ],
  [
    "nearer settings",
    { "tsconfig.json": allows, "src/tsconfig.json": '{ "compilerOptions": {} }' },
    undefined,
  ],
  [
    "settings that extend themselves",
    { "tsconfig.json": '{ "extends": "./tsconfig.json" }' },
    undefined,
  ],
  ["settings that extend nothing", { "tsconfig.json": '{ "extends": ["./no", 1] }' }, undefined],
  ["settings that cannot be read", { "tsconfig.json": "[" }, undefined],
] as const)
  test(`generated modules import each other as a project with ${what} allows`, async () => {
    await withFolder((folder) => {
      writeFiles(folder, files);
      assert.equal(importExtensionFor(join(folder, "src/dap")), extension);
    });
  });

test("--import-extension overrides the settings of the project", async () => {
  await withProject((folder) => {
    writeFiles(folder, { "tsconfig.json": allows, "package.json": '{ "type": "module" }' });
    const imports = (...args: readonly string[]): readonly string[] => {
      const command = ["generate", "dap", "--only", "types", "--out", "dap", ...args];
      assert.equal(runCommand(folder, command).stderr, "");
      const text = readFileSync(join(folder, "dap/index.ts"), "utf8");
      return [...text.matchAll(/from "([^"]+)"/g)].map(([, specifier]) => specifier!);
    };
    const runtime = "@wirewright/runtime";
    assert.deepEqual(imports(), ["./messages.ts", "./types.ts", runtime]);
    assert.deepEqual(imports("--import-extension", "js"), ["./messages.js", "./types.js", runtime]);
    assert.deepEqual(imports("--import-extension", "none"), ["./messages", "./types", runtime]);
    assert.deepEqual(imports("--import-extension", "ts", "--runtime", "./lib"), [
      "./messages.ts",
      "./types.ts",
      "../lib/index.js",
    ]);
    const { status, stderr } = runCommand(folder, [
      ...["generate", "dap", "--out", "dap", "--import-extension", "mjs"],
    ]);
    assert.deepEqual([status, /"mjs".*js, ts, none|"mjs"[^]*"?js"?/.test(stderr)], [2, true]);
  });
});
