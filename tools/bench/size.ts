/**
 * Compares the packed package's size with that of other packages: unpacked, as a type import, at
 * run time, and in bundles.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packPackage } from "../release/pack-package.js";
import { fromRoot } from "../../test/support/paths.js";
import { bundledModules, mappedPrograms } from "./bundled-modules.js";
import { bundlers, bundlersFolder } from "./bundlers.js";
import { measureChecks } from "./check-time.js";
import { runMetered } from "./metered-process.js";
import { figureOf, selects, type Bench, type BenchOptions, type Report } from "./report.js";

const folder = fromRoot("build/tools/bench/size");
const ours = "@wirewright/dap";

/**
 * The packages to compare. Each entry gives a type import and the module that a program imports.
 */
const packages: readonly (readonly [name: string, type: string, imported: string | undefined])[] = [
  [ours, 'import type { StoppedEvent as Type } from "@wirewright/dap";', ours],
  [
    "@vscode/debugprotocol",
    'import type { DebugProtocol } from "@vscode/debugprotocol"; type Type = DebugProtocol.StoppedEvent;',
    undefined,
  ],
  [
    "@vscode/debugadapter",
    'import type { StoppedEvent as Type } from "@vscode/debugadapter";',
    "@vscode/debugadapter",
  ],
  [
    "vscode-jsonrpc",
    'import type { RequestMessage as Type } from "vscode-jsonrpc";',
    "vscode-jsonrpc/node",
  ],
  [
    "vscode-languageserver-protocol",
    'import type { Diagnostic as Type } from "vscode-languageserver-protocol";',
    "vscode-languageserver-protocol/node",
  ],
];

const use = (name: string, entry = ""): string =>
  `import { ${name} } from "${ours}${entry}"; console.log(${name}(globalThis.x));`;

const everything = ["", "/validate", "/connection", "/adapter"]
  .map((entry, at) => `import * as all${at} from "${ours}${entry}"; console.log({ ...all${at} });`)
  .join("\n");

const programs: Readonly<Record<string, string>> = {
  "an unused import": `import { isStoppedEvent } from "${ours}";`,
  isStoppedEvent: use("isStoppedEvent"),
  isValidStoppedEvent: use("isValidStoppedEvent", "/validate"),
  peek: use("peek"),
  createEncoder: use("createEncoder"),
  createDecoder: use("createDecoder"),
  isValid: use("isValid", "/validate"),
  validate: use("validate", "/validate"),
  validateStoppedEvent: use("validateStoppedEvent", "/validate"),
  connect: use("connect", "/connection"),
  defineAdapter: use("defineAdapter", "/adapter"),
  launch: use("launch", "/session"),
  everything,
};

export const bench: Bench = async (report, options) => {
  if (!options.isQuick) {
    await install();
    comparePackages(report, options);
    await compareBundles(report, options);
  }
  await listModules(report, options);
};

/** Creates a program with the packages installed. */
async function install(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, "node_modules");
  for (const [name] of packages) {
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    if (name === ours) {
      const { tarball } = await packPackage("dap", join(folder, "dap"));
      execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
      continue;
    }
    for (const from of [fromRoot("node_modules"), join(bundlersFolder, "node_modules")])
      if (existsSync(join(from, name))) cpSync(join(from, name), target, { recursive: true });
  }
  const needed = join(bundlersFolder, "node_modules/vscode-languageserver-types");
  if (existsSync(needed))
    cpSync(needed, join(modules, "vscode-languageserver-types"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["type.ts"] }),
  );
}

function comparePackages(report: Report, options: BenchOptions): void {
  const units = { unpacked: "kB", files: "", "files of a type": "", check: "ns", import: "ns" };
  const table = report.table("packages", ["package"], units);
  const compared = packages
    .filter(([name]) => selects(options, [name]))
    .map(([name, type, imported]) => ({ name, type, imported, own: ownFolder(name) }))
    .filter(({ own }) => existsSync(join(own, "package.json")));
  const checked = ["", ...compared.map(({ type }) => `${type}\nexport type Used = Type;`)];
  const programs = checked.map((text) => `${text}\nexport {};\n`);
  const checks = beyondNothing(measureChecks(folder, programs, options.rounds));
  const loaded = ["", ...compared.map(({ imported = "" }) => imported)];
  const imports = beyondNothing(
    Array.from({ length: options.rounds }, () => loaded.map(importTime)),
  );
  for (const [index, { name, type, imported, own }] of compared.entries()) {
    const sizes = filesOf(own);
    table.row([name], {
      unpacked: [Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000), 0],
      files: [sizes.length, 0],
      "files of a type": [typeFiles(type), 0],
      check: figureOf(checks[index]!),
      import: imported === undefined ? "no code" : figureOf(imports[index]!),
    });
  }
}

function ownFolder(name: string): string {
  return join(folder, "node_modules", name);
}

/**
 * Subtracts each round's first time from the other times of that round, because a machine's speed
 * varies.
 */
function beyondNothing(rounds: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return rounds[0]!
    .slice(1)
    .map((_, index) => rounds.map((round) => Math.max(0, round[index + 1]! - round[0]!)));
}

/** Returns the sizes of the files that npm would publish. */
function filesOf(own: string): readonly number[] {
  const printed = execFileSync("npm", ["pack", "--json", "--dry-run", "--ignore-scripts"], {
    cwd: own,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(printed) as [{ files: { size: number }[] }];
  return packed.files.map(({ size }) => size);
}

const tsc = fromRoot("node_modules/typescript/bin/tsc");

function typeFiles(type: string): number {
  const file = join(folder, "type.ts");
  writeFileSync(file, `${type}\nexport type Used = Type;\n`);
  const listed = execFileSync(process.execPath, [tsc, "-p", folder, "--listFilesOnly"], {
    encoding: "utf8",
  });
  return listed.split("\n").filter((line) => line.includes("size/node_modules")).length;
}

/** Returns the processor time of a process that only imports a module, in nanoseconds. */
function importTime(imported: string): number {
  const file = join(folder, "import.js");
  writeFileSync(file, imported === "" ? "" : `import ${JSON.stringify(imported)};`);
  return timeOf([file]);
}

function timeOf(args: readonly string[]): number {
  const { usage, errors } = runMetered(args);
  if (usage === undefined) throw new Error(errors);
  return usage.time;
}

async function compareBundles(report: Report, options: BenchOptions): Promise<void> {
  const tools = bundlers();
  const units = Object.fromEntries([...tools.keys()].map((tool) => [tool, "kB"]));
  const minified = report.table("minified", ["program"], units);
  const compressed = report.table("compressed", ["program"], units);
  for (const [name, text] of Object.entries(programs)) {
    if (!selects(options, [name])) continue;
    const input = join(folder, "program.js");
    writeFileSync(input, text);
    const sizes: Record<string, readonly [minified: number, compressed: number]> = {};
    for (const [tool, bundle] of tools) {
      const code = Buffer.from(await bundle(input, folder));
      sizes[tool] = [code.length / 1000, gzipSync(code, { level: 9 }).length / 1000];
    }
    const cells = (at: 0 | 1): Record<string, [number, number]> =>
      Object.fromEntries(Object.entries(sizes).map(([tool, size]) => [tool, [size[at], 0]]));
    minified.row([name], cells(0));
    compressed.row([name], cells(1));
  }
}

/**
 * Lists the modules in each bundle, with their minified size in bytes and the module that first
 * imports them.
 */
async function listModules(report: Report, options: BenchOptions): Promise<void> {
  const table = report.table("modules", ["program", "module"], {
    "first importer": "",
    minified: "kB",
  });
  for (const name of mappedPrograms.filter((each) => selects(options, [each]))) {
    for (const { module, importer, bytes } of await bundledModules(programs[name]!))
      table.row([name, module], { "first importer": importer, minified: [bytes / 1000, 0] });
  }
}
