import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownCompilers, runCompiler, sourceCompilers, type Compiler } from "./compilers.js";
import { fromRoot } from "./paths.js";

export type CompilerName = "TypeScript 5.4" | "TypeScript 7";

const nameOf = ({ version }: Compiler): CompilerName => `TypeScript ${version}` as CompilerName;

/**
 * The compilers that are installed. `test/generated/platforms.test.ts` reports any that are missing.
 */
export const installedCompilers: readonly CompilerName[] = sourceCompilers.map(nameOf);

/** Creates an empty folder and removes it once `use` has completed. */
export async function withFolder<Result>(
  use: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-test-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a folder in which the packages that generated code imports are installed, and removes it
 * once `use` has completed.
 */
export function withProject<Result>(
  use: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  return withFolder((folder) => {
    installPackages(folder, ["@wirewright/runtime", "@types/node"]);
    return use(folder);
  });
}

/** Links packages of this repository, or those that it has installed, into a folder. */
export function installPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(fromRoot(`node_modules/${name}`), path, "junction");
  }
}

/** Writes files by their path relative to the folder. */
export function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string> | Readonly<Record<string, string>>,
): void {
  for (const [path, text] of files instanceof Map ? files : Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs a compiler with the installed Node declarations. Returns its errors, or an empty string. */
export function compile(name: CompilerName, ...args: readonly string[]): string {
  const compiler = ownCompilers.find((each) => nameOf(each) === name)!;
  return runCompiler(compiler, ...args, "--typeRoots", fromRoot("node_modules/@types"));
}

/**
 * Compiles a project that uses ES modules. Returns the compilers' errors, or an empty string.
 *
 * @param options Compiler options in addition to those that every project has.
 */
export function compileProject(
  folder: string,
  include: readonly string[],
  options: object,
  names: readonly CompilerName[] = ["TypeScript 7"],
): string {
  writeFiles(folder, {
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        rootDir: ".",
        types: ["node"],
        ...options,
      },
      include,
    }),
  });
  return names.map((name) => compile(name, "-p", folder)).join("");
}

/**
 * Writes and compiles programs. Returns the compiler's errors, or an empty string.
 *
 * @param strict False for JavaScript programs.
 */
export function compilePrograms(
  folder: string,
  files: readonly (readonly [name: string, text: string])[],
  strict = true,
): string {
  writeFiles(folder, Object.fromEntries(files));
  const include = files.map(([name]) => name);
  return compileProject(folder, include, { strict, noEmit: true, rootDir: undefined });
}
