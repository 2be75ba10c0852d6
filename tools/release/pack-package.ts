import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDeclarationsPackage, generate } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { entryPoints } from "../../test/support/workspaces.js";
import { bundlePackage } from "./bundle-package.js";
import { bundleSuite, bundleTool } from "./bundle-tool.js";
import { publishedFiles } from "./published-files.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Paths of the files in the tarball, relative to the package. */
  readonly files: readonly string[];
  /** The total size of the files in bytes. */
  readonly unpackedSize: number;
}

/**
 * Bundles one of the repository's packages and packs it. `npm run build` must have compiled it.
 *
 * @param protocol Name of a protocol in `protocols/`, or a folder that contains a description and,
 * in `generated`, its package.
 * @param folder The folder to write to. It is emptied first. The tarball is written next to it.
 */
export async function packPackage(protocol: string, folder: string): Promise<PackedPackage> {
  const { files } = await generate(protocol, { only: ["all"] });
  const { exports } = JSON.parse(files.get("package.json")!) as { readonly exports: object };
  const names = Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => path.slice("./".length) || "index");
  const modules = isAbsolute(protocol) ? undefined : entryPoints(protocol);
  const workspace = modules === undefined ? relative(root, protocol) : `protocols/${protocol}`;
  const entries = names.map((name): [string, string] => [
    name,
    join(root, "build", modules?.get(name) ?? `${workspace}/generated/${name}`),
  ]);
  const bundled = await bundlePackage({ files, entries: new Map(entries) });
  writePackage(folder, publishedFiles(bundled, workspace.replaceAll("\\", "/")));
  return pack(folder);
}

/**
 * Packs the declarations that replace a published package. Returns undefined if the protocol has
 * none.
 */
export function packDeclarations(protocol: Protocol, folder: string): PackedPackage | undefined {
  const files = emitDeclarationsPackage(protocol);
  if (files === undefined) return undefined;
  writePackage(folder, publishedFiles(files, `protocols/${protocol.name}`));
  return pack(folder);
}

/**
 * Bundles the tool and packs it. It must already have been built.
 *
 * @param folder The folder to write to. It is emptied first. The tarball is written next to it.
 */
export async function packTool(folder: string): Promise<PackedPackage> {
  const compiled = /^build\/(cli|diff|generator|launch|runtime|sessions)\//;
  const copied = packedFiles(root).filter((path) => !compiled.test(path));
  writePackage(
    folder,
    new Map<string, string | Uint8Array>([
      ...copied.map((path) => [path, readFileSync(join(root, path))] as const),
      ...[...(await bundleTool())].map(([name, text]) => [`build/cli/${name}`, text] as const),
    ]),
  );
  return pack(folder);
}

/**
 * Bundles the conformance suite and packs it with its programs. It must already have been built.
 *
 * @param folder The folder to write to. It is emptied first. The tarball is written next to it.
 */
export async function packSuite(folder: string): Promise<PackedPackage> {
  const source = join(root, "conformance");
  const copied = packedFiles(source).filter((path) => !path.startsWith("dist/"));
  const schema = join(root, "schema/formats/conformance-results.schema.json");
  const files = new Map([
    ...copied.map((path) => [path, readFileSync(join(source, path), "utf8")] as const),
    ["results.schema.json", readFileSync(schema, "utf8")] as const,
    ...[...(await bundleSuite())].map(([name, text]) => [`dist/${name}`, text] as const),
  ]);
  writePackage(folder, publishedFiles(files, "conformance"));
  return pack(folder);
}

/** Returns the paths of the files that npm would pack from a folder. */
export function packedFiles(folder: string): readonly string[] {
  return runNpmPack(folder, ["--dry-run"]).files.map(({ path }) => path);
}

function writePackage(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function pack(folder: string): PackedPackage {
  const destination = dirname(folder);
  const packed = runNpmPack(folder, ["--pack-destination", destination]);
  return {
    name: packed.name,
    version: packed.version,
    unpackedSize: packed.unpackedSize,
    tarball: join(destination, packed.filename),
    files: packed.files.map(({ path }) => path),
  };
}

/** The fields in npm's output about a packed package. */
interface NpmPackage extends Omit<PackedPackage, "files" | "tarball"> {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function runNpmPack(folder: string, options: readonly string[]): NpmPackage {
  const printed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", ...options], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  return (JSON.parse(printed) as [NpmPackage])[0];
}
