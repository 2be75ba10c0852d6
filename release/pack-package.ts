import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarationsPackage, generate, type Protocol } from "../generator/index.js";
import { publishedFiles } from "./published-files.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths of the files in it, relative to the package. */
  readonly files: readonly string[];
  /** Bytes that the files take. */
  readonly unpackedSize: number;
}

/**
 * Generates a package with its runtime, builds it and packs it. The packages in the repository import the one
 * runtime beside them and cannot be packed where they are.
 *
 * @param protocol Name of a bundled protocol, or path of its description.
 * @param folder Folder that is emptied and built in. The tarball is written beside it.
 */
export async function packPackage(protocol: string, folder: string): Promise<PackedPackage> {
  const { files } = await generate(protocol);
  writePackage(folder, publishedFiles(files, `generated/${basename(protocol)}`));
  return pack(folder, true);
}

/** Packs the declarations that stand in for a published package, if a protocol has them. */
export function packDeclarations(protocol: Protocol, folder: string): PackedPackage | undefined {
  const files = emitDeclarationsPackage(protocol);
  if (files === undefined) return undefined;
  writePackage(folder, publishedFiles(files, `generated/${protocol.name}`));
  return pack(folder, false);
}

/** Packs the tool, which is built already. The tarball is written into a folder. */
export function packTool(destination: string): PackedPackage {
  return pack(root, false, destination);
}

function writePackage(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function pack(folder: string, isBuilt: boolean, destination = dirname(folder)): PackedPackage {
  const npm = (...args: readonly string[]): string =>
    execFileSync("npm", args, {
      cwd: folder,
      encoding: "utf8",
      // The compiler and the bundler of the repository, and Node's declarations.
      env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}` },
      stdio: ["ignore", "pipe", "inherit"],
      shell: process.platform === "win32",
    });
  if (isBuilt) npm("run", "--silent", "build");
  const [packed] = JSON.parse(
    npm("pack", "--json", "--ignore-scripts", "--pack-destination", destination),
  ) as [Omit<PackedPackage, "files"> & { filename: string; files: { path: string }[] }];
  return {
    name: packed.name,
    version: packed.version,
    unpackedSize: packed.unpackedSize,
    tarball: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
  };
}

const binaries = join(root, "node_modules", ".bin");
