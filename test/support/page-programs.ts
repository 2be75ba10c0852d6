import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { compile, writeFiles } from "./compile.js";
import { fromRoot } from "./paths.js";
import { shownFiles } from "./guide-programs.js";

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
  writeFiles(folder, {
    ...programs,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2023", "dom"],
        module: "nodenext",
        strict: true,
        skipLibCheck: true,
        outDir: "out",
        rootDir: ".",
        types: ["node"],
        typeRoots: [fromRoot("node_modules/@types")],
      },
      include: ["*.ts"],
    }),
  });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["@wirewright", "wirewright"])
    symlinkSync(fromRoot(`node_modules/${name}`), join(folder, "node_modules", name), "dir");
  return { programs, complaints: compile("TypeScript 7", "-p", folder) };
}
