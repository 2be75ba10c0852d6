import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, writeFiles } from "./compile.js";
import { fromRoot, root } from "./paths.js";
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
  const dap = "node_modules/@wirewright/dap";
  const entries = readdirSync(fromRoot("build/generated/dap"))
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => name.slice(0, -".d.ts".length));
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
    [`${dap}/package.json`]: JSON.stringify({
      name: "@wirewright/dap",
      type: "module",
      exports: { ".": "./index.js", "./*": "./*.js" },
    }),
    ...Object.fromEntries(
      entries.flatMap((entry) => {
        const file = fromRoot(`build/generated/dap/${entry}.js`);
        return [
          [`${dap}/${entry}.js`, `export * from ${JSON.stringify(pathToFileURL(file).href)};\n`],
          [`${dap}/${entry}.d.ts`, `export * from ${JSON.stringify(file)};\n`],
        ];
      }),
    ),
  });
  symlinkSync(root, join(folder, "node_modules/wirewright"), "dir");
  return { programs, complaints: compile("TypeScript 7", "-p", folder) };
}
