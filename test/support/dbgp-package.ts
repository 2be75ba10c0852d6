import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { compileProject, installPackages, writeFiles } from "./compile.js";
import { fromRoot } from "./paths.js";
import { shownFiles } from "./guide-programs.js";
import { readPage } from "./markdown-page.js";
import { runCommand } from "./run-command.js";

export const guide = "docs/guides/dbgp.md";
const program = `<?php
function add(int $a, string $word) {
    $sum = $a + strlen($word);
    return $sum;
}
echo add(40, "zwei"), "\\n";
`;
export const description = fromRoot("examples/dbgp");

/** The generated DBGp package and the programs in its guide. */
export interface DbgpPackage {
  readonly folder: string;
  readonly load: (name: string) => Promise<unknown>;
}

/** Generates and compiles the package before a file's tests run. */
export function dbgpPackage(): DbgpPackage {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-dbgp-"));
  before(() => {
    installPackages(folder, ["@wirewright/runtime"]);
    cpSync(description, join(folder, "node_modules/wirewright/examples/dbgp"), { recursive: true });
    writeFiles(folder, {
      ...shownFiles(guide),
      "program.php": program,
    });
    const [command = ""] = readPage(guide)
      .blocks.find(({ language }) => language === "sh")!
      .text.split("\n");
    const { status, stderr } = runCommand(folder, command.split(" ").slice(2));
    assert.deepEqual([status, stderr], [0, ""]);
    const options = { lib: ["es2023", "dom"], outDir: "out" };
    assert.equal(compileProject(folder, ["dbgp/**/*.ts"], options), "");
  });

  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    load: async (name) =>
      (await import(pathToFileURL(join(folder, "out/dbgp/dbgp", name)).href)) as unknown,
  };
}
