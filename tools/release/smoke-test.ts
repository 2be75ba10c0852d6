import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../../test/support/compile.js";
import type { PackedPackage } from "./packages.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly protocolVersion?: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
}

/**
 * Installs packages into an empty project and uses every entry point from ES modules, CommonJS and
 * TypeScript.
 *
 * @param folder An empty folder.
 * @returns The specifiers that were loaded.
 * @throws Error with the output of the command that failed.
 */
export function smokeTest(packages: readonly PackedPackage[], folder: string): readonly string[] {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  run(folder, "npm", ["install", ...npmOptions, ...packages.map(({ tarball }) => tarball)]);
  const manifests = packages.map(({ name }) => {
    const text = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
    return JSON.parse(text) as Manifest;
  });
  const specifiers = manifests.flatMap(specifiersOf);
  for (const { name, protocolVersion = "", exports } of manifests)
    if (exports !== undefined) assertVersion(folder, name, protocolVersion);
  loadEntries(folder, specifiers);
  compileEntries(folder, specifiers);
  const tool = manifests.find(({ name }) => name === "wirewright");
  if (tool !== undefined) runTool(folder);
  return specifiers;
}

const npmOptions = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

function specifiersOf({ name, exports }: Manifest): readonly string[] {
  return Object.keys(exports ?? { ".": "" })
    .filter((path) => !path.endsWith(".json"))
    .map((path) => name + path.slice(1));
}

/** Loads every entry point, and checks that `require` gets the same names as `import`. */
function loadEntries(folder: string, specifiers: readonly string[]): void {
  const load = (file: string, one: string): Readonly<Record<string, readonly string[]>> => {
    writeFileSync(
      join(folder, file),
      `const ignored = ["default", "__esModule", "module.exports"];
const names = {};
for (const each of ${JSON.stringify(specifiers)})
  names[each] = Object.keys(${one}).filter((name) => !ignored.includes(name)).sort();
process.stdout.write(JSON.stringify(names));
`,
    );
    return JSON.parse(run(folder, process.execPath, [file])) as Record<string, readonly string[]>;
  };
  const imported = load("load.mjs", "await import(each)");
  const required = load("load.cjs", "require(each)");
  for (const specifier of specifiers)
    if (String(imported[specifier]) !== String(required[specifier]))
      throw new Error(`${specifier} exports different names for import and require`);
}

function assertVersion(folder: string, name: string, version: string): void {
  const program = `process.stdout.write(require(${JSON.stringify(name)}).protocolVersion ?? "")`;
  const exported = run(folder, process.execPath, ["-e", program]);
  if (exported !== version)
    throw new Error(
      `${name} exports protocol version ${exported}, but its package.json says ${version}`,
    );
}

/** Compiles imports of every entry point, including a check of library declarations. */
function compileEntries(folder: string, specifiers: readonly string[]): void {
  const imports = specifiers.map(
    (specifier, index) => `import type * as entry${index} from ${JSON.stringify(specifier)};\n`,
  );
  const all = specifiers.map((_, index) => `typeof entry${index}`).join(", ");
  for (const file of ["use.mts", "use.cts"])
    writeFileSync(join(folder, file), `${imports.join("")}export type All = [${all}];\n`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: ["node"],
    skipLibCheck: false,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["use.mts", "use.cts"] }),
  );
  installPackages(folder, ["@types/node", "undici-types"]);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  run(folder, process.execPath, [compiler, "-p", "."]);
}

/**
 * Runs the installed tool: generates a package, verifies that the package is up to date, and reads
 * a protocol whose SDK is not installed.
 */
function runTool(folder: string): void {
  const bin = join(folder, "node_modules/wirewright/cli/command.js");
  for (const args of [
    ["--version"],
    ["generate", "dap", "--out", "src/dap"],
    ["generate", "dap", "--out", "src/dap", "--check"],
    ["generate", "acp-breakpoints", "--out", "src/acp-breakpoints"],
  ])
    run(folder, process.execPath, [bin, ...args]);
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: command === "npm" && process.platform === "win32",
  });
  if (status === 0) return stdout;
  const output = error?.message ?? `${stdout}${stderr}`;
  throw new Error(`${[command, ...args].join(" ")} failed in ${cwd}:\n${output}`);
}
