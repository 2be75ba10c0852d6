import { rename, rm, writeFile } from "node:fs/promises";
import * as option from "../../runtime/base/check-options.js";
import { checkArguments, fileTexts } from "../base/check-arguments.js";
import { InputError } from "../base/input-error.js";
import type { Staleness } from "./compare-folder.js";
import { nodeFileSystem, type FileSystem } from "./file-system.js";
import { isPathBelow } from "./manifest.js";
import { isSystemError, PackageFolder } from "./package-folder.js";

export type { Staleness } from "./compare-folder.js";

/** Options for writing files to a folder. */
export interface WriteOptions {
  /**
   * Whether to overwrite files that were not generated, and packages for other protocols. Default:
   * false.
   */
  readonly force?: boolean;
}

const checks: option.OptionChecks<WriteOptions> = { force: option.flag };

/**
 * Writes a single file atomically.
 *
 * @throws InputError `ERR_OUTPUT`.
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const staged = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeFile(staged, text, { flag: "wx" });
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot write the file: ${(error as Error).message.split(", ")[0]}`,
      { file: path },
    );
  }
}

/**
 * Compares a folder with the files that it should contain. Files that were never generated are
 * ignored.
 *
 * @throws InputError `ERR_OUTPUT` if the folder cannot be read.
 */
export async function compareOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<readonly Staleness[]> {
  checkArguments("compareOutput", { folder: [folder, option.text], files: [files, fileTexts] });
  return explained(folder, "read", () => openFolder(nodeFileSystem, folder, files).compare(files));
}

/**
 * Writes a package to a folder, either completely or not at all. If writing fails, the old package
 * is kept. If a run is interrupted, the folder contains either the old or the new package, and the
 * next run cleans up. Files that earlier runs wrote and the package no longer contains are removed.
 * All other files are kept.
 *
 * @returns The number of files written. Unchanged files are not written.
 * @throws InputError `ERR_OUTPUT` if a file that was not generated has the same path, or if the
 * folder cannot be written.
 */
export async function writeOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
  options: WriteOptions = {},
): Promise<number> {
  option.checkOptions("writeOutput", options, checks);
  checkArguments("writeOutput", { folder: [folder, option.text], files: [files, fileTexts] });
  return writeThrough(nodeFileSystem, folder, files, options);
}

/** Like `writeOutput`, but uses the given file system. */
export async function writeThrough(
  fileSystem: FileSystem,
  folder: string,
  files: ReadonlyMap<string, string>,
  { force = false }: WriteOptions = {},
): Promise<number> {
  return explained(folder, "write", () =>
    openFolder(fileSystem, folder, files).write(files, force),
  );
}

function openFolder(
  fileSystem: FileSystem,
  folder: string,
  files: ReadonlyMap<string, string>,
): PackageFolder {
  for (const path of files.keys())
    if (!isPathBelow(path))
      throw new InputError(
        "ERR_OUTPUT",
        `Cannot write "${path}": it is not a path below its folder`,
        {
          file: folder,
        },
      );
  return new PackageFolder(fileSystem, folder);
}

async function explained<Result>(
  folder: string,
  verb: "read" | "write",
  act: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new InputError("ERR_OUTPUT", `Cannot ${verb} the package: ${error.message}`, {
      file: folder,
    });
  }
}
