import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { compile, installedCompilers, installPackages, writeFiles } from "./compile.js";
import { readPage } from "./markdown-page.js";
import { runCommand, type Outcome } from "./run-command.js";

/** Lists the files shown on a page, by the names they have there. */
export function shownFiles(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readPage(path).blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])),
  );
}

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
  writeFiles(folder, {
    ...shownFiles(`docs/guides/${name}.md`),
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom"],
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        noImplicitOverride: true,
        noUnusedLocals: true,
        verbatimModuleSyntax: true,
        outDir: "build",
        rootDir: ".",
        types: ["node"],
      },
      include: [`${name}/**/*.ts`],
    }),
  });
  const schemaArgs = schemas.flatMap((schema) => ["--schema", schema]);
  const out = join(name, name);
  const generated = runCommand(folder, ["generate", name, ...schemaArgs, "--out", out]);
  const path = (program: string): string => join(folder, "build", name, `${program}.js`);
  return {
    generated,
    complaints: installedCompilers.map((compiler) => compile(compiler, "-p", folder)).join(""),
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
