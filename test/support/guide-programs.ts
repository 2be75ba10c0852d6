import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { compileProject, installedCompilers, installPackages, writeFiles } from "./compile.js";
import { readPage } from "./markdown-page.js";
import { runCommand, type Outcome } from "./run-command.js";

/** Lists the files shown on a page, by the names they have there. */
export function shownFiles(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readPage(path).blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])),
  );
}

const strictest = {
  lib: ["es2022", "dom"],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  outDir: "build",
};

/**
 * Writes a guide's programs, generates the package that they use, and compiles both as a user
 * would.
 *
 * @param name Name shared by the protocol, the page and the folder that contains the files.
 * @returns The compiler errors, and a function that runs a program.
 */
export function buildGuide(
  folder: string,
  name: string,
  schemas: readonly string[],
): {
  readonly generated: Outcome;
  readonly complaints: string;
  run(program: string, ...args: readonly string[]): Outcome;
  path(program: string): string;
} {
  installPackages(folder, ["@wirewright/runtime"]);
  writeFiles(folder, shownFiles(`docs/guides/${name}.md`));
  const schemaArgs = schemas.flatMap((schema) => ["--schema", schema]);
  const out = join(name, name);
  const generated = runCommand(folder, ["generate", name, ...schemaArgs, "--out", out]);
  const path = (program: string): string => join(folder, "build", name, `${program}.js`);
  return {
    generated,
    complaints: compileProject(folder, [`${name}/**/*.ts`], strictest, installedCompilers),
    run(program, ...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path(program), ...args], {
        encoding: "utf8",
        timeout: 120_000,
      });
      return { status, stdout, stderr };
    },
    path,
  };
}

/**
 * Writes the programs on a page and compiles them like a user who has installed `wirewright` and
 * `@wirewright/dap`.
 *
 * @returns The programs by file name, and the compiler errors. The output is in `out/`.
 */
export function compilePage(
  folder: string,
  page: string,
): { readonly programs: Readonly<Record<string, string>>; readonly complaints: string } {
  const programs = shownFiles(page);
  writeFiles(folder, programs);
  installPackages(folder, ["@wirewright", "wirewright"]);
  const options = { lib: ["es2023", "dom"], skipLibCheck: true, outDir: "out" };
  return { programs, complaints: compileProject(folder, ["*.ts"], options) };
}
