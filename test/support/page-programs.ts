import { compile, installPackages, writeFiles } from "./compile.js";
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
  installPackages(folder, ["@wirewright", "wirewright"]);
  return { programs, complaints: compile("TypeScript 7", "-p", folder) };
}
