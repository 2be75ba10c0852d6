import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isEvent, type CustomEvent, type KnownEvent } from "@wirewright/dap";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";
import {
  compile,
  installPackages,
  withFolder,
  withProject,
  writeFiles,
} from "../support/compile.js";
import { readPage } from "../support/markdown-page.js";
import { runCommand } from "../support/run-command.js";

const { blocks } = readPage("docs/guides/launch-configurations.md");

/** The files shown in the guide, by their paths in the extension's folder. */
const shown = Object.fromEntries(
  blocks.flatMap(({ file, text: content }) =>
    file?.startsWith("notes/") === true ? [[file.slice("notes/".length), content]] : [],
  ),
);

const settings = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    outDir: "build",
    rootDir: "src",
    types: ["node"],
  },
  include: ["src"],
});

test("the guide shows every file in its example", () => {
  assert.deepEqual(Object.keys(shown), [
    "package.json",
    "src/adapter.ts",
    "src/start.ts",
    ".vscode/launch.json",
    "launch.ts",
    "wirewright.config.json",
  ]);
});

test("lint reports the issues in the guide's launch.json", async () => {
  await withFolder((folder) => {
    writeFiles(folder, shown);
    const { status, stdout } = runCommand(folder, [
      "lint",
      "--configuration",
      ".vscode/launch.json",
      "--against",
      "package.json",
    ]);
    assert.equal(status, 1);
    assert.equal(blocks.find(({ language }) => language === "text")!.text, stdout);
  });
});

for (const source of ["package.json", "launch.ts"])
  test(
    `the adapter and the client from the guide work with ${source}`,
    { timeout: 240_000 },
    async () => {
      await withProject(async (folder) => {
        installPackages(folder, ["@wirewright/dap"]);
        writeFiles(folder, {
          ...shown,
          "tsconfig.json": settings,
          "src/package.json": '{ "type": "module" }',
        });
        const made = runCommand(folder, [
          "generate",
          "dap",
          "--configuration",
          source,
          "--out",
          "src/dap",
        ]);
        assert.deepEqual([made.status, made.stderr], [0, ""]);
        assert.equal(compile("TypeScript 7", "-p", folder), "");
        writeFiles(folder, { "build/package.json": '{ "type": "module" }' });
        const start = async (parameters: object): Promise<string> => {
          let output = "";
          const onEvent = (event: KnownEvent | CustomEvent): void => {
            if (isEvent(event, "output")) output += event.body.output;
          };
          const adapter = await spawnAdapter(process.execPath, [join(folder, "build/adapter.js")]);
          const session = await launch(adapter, { arguments: parameters, onEvent });
          await session.disconnect();
          return output;
        };
        assert.equal(
          await start({ program: "notes.txt", port: 4712 }),
          "notes.txt on 4712, trace off\n",
        );
        await assert.rejects(start({ program: 1, port: 0 }), {
          message:
            'The request "launch" is invalid: `/arguments/program`: expected a string, received 1',
        });
      });
    },
  );

test("the guide's project file writes the manifest", async () => {
  await withProject((folder) => {
    writeFiles(folder, shown);
    const made = runCommand(folder, ["generate"]);
    assert.deepEqual([made.status, made.stderr], [0, ""]);
    assert.match(made.stdout, /^package\.json: written$/m);
    assert.equal(runCommand(folder, ["generate", "--check"]).status, 0);
  });
});
