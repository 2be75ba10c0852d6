import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarationsPackage, type Protocol } from "../generator/index.js";
import { bundlePackage } from "./bundle-package.js";
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
 * Bundles a package of the repository, which `npm run build` has compiled, and packs it.
 *
 * @param protocol Name of a protocol in `generated/`, or a folder with a description and its package in `generated`.
 * @param folder Folder that is emptied and written to. The tarball is written beside it.
 */
export async function packPackage(protocol: string, folder: string): Promise<PackedPackage> {
  const generated = isAbsolute(protocol)
    ? relative(root, join(protocol, "generated"))
    : `generated/${protocol}`;
  const files = await bundlePackage({
    compiled: join(root, "build", generated),
    generated: join(root, generated),
  });
  writePackage(folder, publishedFiles(files, generated.replaceAll("\\", "/")));
  return pack(folder);
}

/** Packs the declarations that stand in for a published package, if a protocol has them. */
export function packDeclarations(protocol: Protocol, folder: string): PackedPackage | undefined {
  const files = emitDeclarationsPackage(protocol);
  if (files === undefined) return undefined;
  writePackage(folder, publishedFiles(files, `generated/${protocol.name}`));
  return pack(folder);
}

/** Packs the tool, which is built already. The tarball is written into a folder. */
export function packTool(destination: string): PackedPackage {
  return pack(root, destination);
}

function writePackage(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function pack(folder: string, destination = dirname(folder)): PackedPackage {
  const printed = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", destination],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      shell: process.platform === "win32",
    },
  );
  const [packed] = JSON.parse(printed) as [
    Omit<PackedPackage, "files"> & { filename: string; files: { path: string }[] },
  ];
  return {
    name: packed.name,
    version: packed.version,
    unpackedSize: packed.unpackedSize,
    tarball: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
  };
}
