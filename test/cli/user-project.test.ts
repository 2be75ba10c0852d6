import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PackageJob } from "../../cli/project-file.js";
import { importExtensionFor, notesFor } from "../../cli/user-project.js";
import { readInput, testCases } from "../support/case-list.js";
import { withFolder, withProject, writeFiles } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";

const allows = '{ "compilerOptions": { "allowImportingTsExtensions": true } }';

const settingsOf = (text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined ? {} : { "tsconfig.json": text };

/** The files of a project and the options, by section. */
const projects: Readonly<
  Record<
    string,
    (
      ...given: readonly any[]
    ) => readonly [files: Readonly<Record<string, string>>, options?: Partial<PackageJob>]
  >
> = {
  "the version of the runtime, and options": (version: unknown, options: Partial<PackageJob>) => [
    {
      "package.json": "{}",
      ...(version === undefined
        ? {}
        : { "node_modules/@wirewright/runtime/package.json": JSON.stringify({ version }) }),
    },
    options,
  ],
  "settings, for modules that import each other as .ts": (settings?: string) => [
    settingsOf(settings),
    { packageName: "own", importExtension: "ts" },
  ],
  "package.json and settings": (manifest: string, settings?: string) => [
    { "package.json": manifest, ...settingsOf(settings) },
  ],
  "files, for the extension": (files: Readonly<Record<string, string>>) => [files],
};

testCases("test/cases/user-projects.md", "a project is noted", (input, section) => {
  const [files, options = {}] = projects[section]!(...readInput(input, { allows }));
  const within = section === "package.json and settings" ? withProject : withFolder;
  return within((folder) => {
    writeFiles(folder, files);
    const out = join(folder, "src/dap");
    if (section === "files, for the extension") return [String(importExtensionFor(out))];
    return notesFor({ protocol: "dap", out, ...options }).map((note) =>
      note.replaceAll(folder, "FOLDER"),
    );
  });
});

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
    assert.match(generate(), /^The generated code imports .*\nThe generated modules are ES .*\n$/);
    assert.equal(generate(), "");
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
