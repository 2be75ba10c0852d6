import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, inPeers } from "./paths.js";

/** A specific version of the TypeScript compiler, which may be missing. */
export interface Compiler {
  /** A version such as `5.4`. */
  readonly version: string;
  /** Path of this version's `tsc`. */
  readonly tsc: string;
}

/** The compilers used by the tests: the oldest version that we support, and the newest. */
export const ownCompilers: readonly Compiler[] = [
  { version: "5.4", tsc: inPeers("typescript-5.4/bin/tsc") },
  { version: "7", tsc: fromRoot("node_modules/typescript/bin/tsc") },
];

/** These and further versions, for which the tests compile less. */
export const compilers: readonly Compiler[] = [
  ...ownCompilers,
  ...["5.5", "5.9", "6.0"].map((version) => ({
    version,
    tsc: inPeers(`typescript-${version}/bin/tsc`),
  })),
];

/** The oldest TypeScript version that we support for declarations alone. */
export const oldest: Compiler = {
  version: "4.5",
  tsc: inPeers("typescript-4.5/bin/tsc"),
};

/**
 * Returns whether a version is installed. Most versions are installed only in
 * `test/peers`.
 */
export function isInstalled({ tsc }: Compiler): boolean {
  return existsSync(tsc);
}

/** The installed compilers with which generated sources must compile. */
export const sourceCompilers: readonly Compiler[] = ownCompilers.filter(isInstalled);

/** The module resolution with which to compile a program. */
export type Resolution = "nodenext" | "bundler";

/** A program to compile. */
export interface Program {
  readonly resolution: Resolution;
  /** Values for the `lib` compiler option. */
  readonly lib: readonly string[];
  /** Values for the `types` compiler option. */
  readonly types: readonly string[];
  readonly files: readonly string[];
}

/** Returns a program's settings, as strict as the compiler version allows. */
export function settingsOf(
  { version }: Compiler,
  { resolution, lib, types, files }: Program,
): object {
  const number = Number(version);
  return {
    compilerOptions: {
      target: "es2022",
      module: { nodenext: "nodenext", bundler: "esnext" }[resolution],
      moduleResolution: resolution,
      lib,
      types,
      declaration: true,
      noEmit: true,
      skipLibCheck: false,
      ...strictness,
      verbatimModuleSyntax: true,
      ...(number >= 5.5 ? { isolatedDeclarations: true } : {}),
      ...(number >= 5.6 ? { noUncheckedSideEffectImports: true } : {}),
      ...(number >= 5.8 ? { erasableSyntaxOnly: true } : {}),
      ...(number === 6 ? { ignoreDeprecations: "6.0" } : {}),
    },
    files,
  };
}

const strictness = {
  strict: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
};

/**
 * Compiles TypeScript files in a folder as the strictest projects would. Returns the errors, or an
 * empty string if there are none.
 */
export function compileStrictly(
  compiler: Compiler,
  folder: string,
  files: readonly string[],
): string {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const program: Program = {
    resolution: "nodenext",
    lib: ["es2022", "dom"],
    types: ["node"],
    files: files.filter((path) => path.endsWith(".ts")),
  };
  return compileWith(compiler, folder, settingsOf(compiler, program));
}

/**
 * Compiles a folder with the given settings. Returns the errors, or an empty string if there are
 * none.
 */
export function compileWith(compiler: Compiler, folder: string, settings: object): string {
  const file = join(folder, "tsconfig.json");
  writeFileSync(file, JSON.stringify(settings));
  return runCompiler(compiler, "-p", file).trim();
}

/** Runs a compiler. Returns what it prints, or an empty string if it succeeds. */
export function runCompiler({ tsc }: Compiler, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    // Tests compile all published versions as one program, which takes more than the default heap
    // size.
    ["--max-old-space-size=8192", tsc, ...args],
    { encoding: "utf8" },
  );
  return status === 0 ? "" : `${stdout}${stderr}` || `exit status ${status}`;
}
