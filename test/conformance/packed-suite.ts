import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packProtocol, packRuntime, packSuite, packTool } from "../../tools/release/packages.js";
import { installPackages, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs the conformance suite, the tool, the runtime and `@wirewright/dap`. Returns the tarballs' paths. */
export async function packWithSuite(): Promise<readonly string[]> {
  const folder = fromRoot("build/packed-suite");
  const packed = [
    await packTool(join(folder, "wirewright")),
    await packRuntime(join(folder, "runtime")),
    await packProtocol("dap", join(folder, "dap")),
    await packSuite(join(folder, "conformance")),
  ];
  return packed.map(({ tarball }) => tarball);
}

/**
 * Installs packages into a folder without a registry. Unpacks them as npm does, and links their
 * other dependencies to those installed in the repository.
 */
export function installPacked(folder: string, tarballs: readonly string[]): void {
  const modules = join(folder, "node_modules");
  writeFiles(folder, { "package.json": '{ "private": true }\n' });
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const manifests = tarballs.map((tarball) => {
    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked, { recursive: true });
    run("tar", ["-xzf", tarball, "-C", unpacked]);
    const manifest = JSON.parse(
      readFileSync(join(unpacked, "package/package.json"), "utf8"),
    ) as Manifest;
    const target = join(modules, manifest.name);
    mkdirSync(dirname(target), { recursive: true });
    run("mv", [join(unpacked, "package"), target]);
    for (const [name, path] of Object.entries(manifest.bin ?? {})) {
      run("chmod", ["+x", join(target, path)]);
      symlinkSync(join("..", manifest.name, path), join(modules, ".bin", name));
    }
    return manifest;
  });
  const own = new Set(manifests.map(({ name }) => name));
  for (const { dependencies = {} } of manifests)
    installPackages(
      folder,
      Object.keys(dependencies).filter((name) => !own.has(name)),
    );
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

/** The reason for skipping a test that needs debugpy, or false if debugpy is installed. */
export const withoutDebugpy: string | false =
  spawnSync("/usr/bin/python3", ["-c", "import debugpy"]).status === 0
    ? false
    : "needs debugpy for /usr/bin/python3";
