import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarationsPackage, type Protocol } from "../generator/index.js";
import { bundlePackage } from "./bundle-package.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A package as it would be published. */
export interface PackedPackage {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths of the files in it, relative to the package. */
  readonly files: readonly string[];
  /** Size of these files in bytes. */
  readonly unpackedSize: number;
}

/**
 * Bundles a package and packs it.
 *
 * @param name Folder of the package in `generated/`, which `npm run build` has compiled.
 * @param folder Folder that is emptied and written to. The tarball is written beside it.
 */
export async function packPackage(name: string, folder: string): Promise<PackedPackage> {
  const compiled = join(root, "build/generated", name);
  await bundlePackage({ compiled, generated: join(root, "generated", name) }, folder);
  return pack(folder);
}

/** Packs the declarations that stand in for a published package, if a protocol has them. */
export function packDeclarations(protocol: Protocol, folder: string): PackedPackage | undefined {
  const files = emitDeclarationsPackage(protocol);
  if (files === undefined) return undefined;
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return pack(folder);
}

function pack(folder: string): PackedPackage {
  const destination = dirname(folder);
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
    { filename: string; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    tarball: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
    unpackedSize: packed.unpackedSize,
  };
}
