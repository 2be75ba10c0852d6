import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as option from "../../runtime/base/check-options.js";
import { checkArguments, fileTexts } from "../base/check-arguments.js";
import { InputError, systemReason } from "../base/input-error.js";
import {
  isOwnFile,
  isPathBelow,
  kindOf,
  manifestName,
  manifestText,
  readManifest,
  withManifest,
} from "./manifest.js";

/** Options for writing files to a folder. */
export interface WriteOptions {
  /**
   * Whether to overwrite files that were not generated, and packages for other protocols. Default:
   * false.
   */
  readonly force?: boolean;
}

/** A generated file that is not up to date. */
export interface Staleness {
  /** Path relative to the folder. */
  readonly path: string;
  readonly state: "missing" | "changed" | "left over";
}

const checks: option.OptionChecks<WriteOptions> = { force: option.flag };

/**
 * Writes a single file atomically.
 *
 * @throws InputError `ERR_OUTPUT`.
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  try {
    replaceFile(path, text);
  } catch (error) {
    const message = `Cannot write the file: ${systemReason(error)}`;
    throw new InputError("ERR_OUTPUT", message, { file: path });
  }
}

/** Writes a file next to its path, and renames it. A link at the path is replaced. */
function replaceFile(path: string, text: string): void {
  const written = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(written, text, { flag: "wx" });
    renameSync(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
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
  return explained(folder, "read", () => compareFolder(folder, files, listedIn(folder, true)));
}

/**
 * Writes a package to a folder, file by file, each atomically. Files that earlier runs wrote and
 * the package no longer contains are removed. All other files are kept. If a run is interrupted,
 * the next run finishes it.
 *
 * @returns The number of files written. Unchanged files are not written.
 * @throws InputError `ERR_OUTPUT` if a file that was not generated has the same path, in which case
 * nothing is written, or if the folder cannot be written.
 */
export async function writeOutput(
  folder: string,
  files: ReadonlyMap<string, string>,
  options: WriteOptions = {},
): Promise<number> {
  option.checkOptions("writeOutput", options, checks);
  checkArguments("writeOutput", { folder: [folder, option.text], files: [files, fileTexts] });
  return explained(folder, "write", () => writeFolder(folder, files, options.force ?? false));
}

/** @throws InputError `ERR_OUTPUT` instead of a system error, and for paths that are refused. */
function explained<Result>(folder: string, verb: "read" | "write", act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new InputError("ERR_OUTPUT", `Cannot ${verb} the package: ${systemReason(error)}`, {
      file: folder,
    });
  }
}

/**
 * Returns the files that earlier runs wrote.
 *
 * @param ignoresErrors Whether to treat a manifest that cannot be read as missing.
 */
function listedIn(folder: string, ignoresErrors: boolean): ReadonlySet<string> {
  try {
    return readManifest(folder);
  } catch (error) {
    if (!ignoresErrors || !(error instanceof InputError)) throw error;
    return new Set();
  }
}

function compareFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  listed: ReadonlySet<string>,
): readonly Staleness[] {
  for (const path of files.keys())
    if (!isPathBelow(path))
      throw new InputError(
        "ERR_OUTPUT",
        `Cannot write "${path}": it is not a path below its folder`,
        { file: folder },
      );
  const wanted = withManifest(files);
  const stale: Staleness[] = [];
  for (const [path, text] of wanted) {
    const present = readPresent(join(folder, path));
    if (present === undefined) stale.push({ path, state: "missing" });
    else if (!isSameText(present, text)) stale.push({ path, state: "changed" });
  }
  for (const path of listed)
    if (!wanted.has(path) && isOwnFile(folder, path)) stale.push({ path, state: "left over" });
  return stale.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads a file. Returns undefined if it does not exist, and an empty string if it cannot be read.
 */
function readPresent(path: string): string | undefined {
  const kind = kindOf(path);
  if (kind === "missing") return undefined;
  const isFile = kind === "file" || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readFileSync(path, "utf8") : "";
}

/**
 * Compares a file's text with the expected text. CRLF line endings are ignored, because Git on
 * Windows may have introduced them.
 */
function isSameText(present: string, text: string): boolean {
  return present === text || (!text.includes("\r") && present.replaceAll("\r\n", "\n") === text);
}

function writeFolder(folder: string, files: ReadonlyMap<string, string>, force: boolean): number {
  const listed = listedIn(folder, force);
  const stale = compareFolder(folder, files, listed);
  if (kindOf(folder) === "file")
    throw new InputError("ERR_OUTPUT", "Cannot create a folder: a file has this name", {
      file: folder,
    });
  if (!force) refuseOtherProtocol(folder, files, listed);
  for (const { path, state } of stale) {
    refuseBarrier(folder, path);
    const kind = kindOf(join(folder, path));
    const isOurs = kind === "file" && (listed.has(path) || path === manifestName);
    if (kind === "missing" || isOurs || force || state === "left over") continue;
    throw new InputError(
      "ERR_OUTPUT",
      "Cannot overwrite a file that was not generated",
      { file: join(folder, path) },
      "Choose another folder with --out, or pass --force",
    );
  }
  if (stale.length === 0) return 0;
  const wanted = withManifest(files);
  mkdirSync(folder, { recursive: true });
  // Until the end, list both old and new files, so that another run can finish this one.
  if (stale.some(({ path }) => path === manifestName))
    replaceFile(
      join(folder, manifestName),
      manifestText(new Set([...listed, ...files.keys()].filter((path) => path !== manifestName))),
    );
  for (const { path, state } of stale) {
    if (state === "left over" || path === manifestName) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    replaceFile(join(folder, path), wanted.get(path)!);
  }
  for (const { path, state } of stale)
    if (state === "left over") {
      rmSync(join(folder, path));
      removeEmptyFolders(folder, dirname(path));
    }
  if (stale.some(({ path }) => path === manifestName))
    replaceFile(join(folder, manifestName), wanted.get(manifestName)!);
  return stale.length;
}

function removeEmptyFolders(folder: string, path: string): void {
  if (path === ".") return;
  try {
    rmdirSync(join(folder, path));
  } catch {
    // The folder contains other files.
    return;
  }
  removeEmptyFolders(folder, dirname(path));
}

/**
 * Prevents one protocol's modules from replacing another's, for example because of a wrong `--out`.
 */
function refuseOtherProtocol(
  folder: string,
  files: ReadonlyMap<string, string>,
  listed: ReadonlySet<string>,
): void {
  for (const [path, text] of files) {
    const before = listed.has(path) ? titleIn(readPresent(join(folder, path))) : undefined;
    const after = titleIn(text);
    if (before === undefined || after === undefined) continue;
    if (before === after) return;
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot overwrite the modules for the ${before} with those for the ${after}`,
      { file: join(folder, path) },
      "Choose another folder with --out, or pass --force",
    );
  }
}

/** Returns the protocol's title in the first line of a module, or undefined if there is none. */
function titleIn(module: string | undefined): string | undefined {
  return /^\/\/ Generated by wirewright from the (.+?)(?: \d[\w.-]*)?\. Do not edit/.exec(
    module ?? "",
  )?.[1];
}

/**
 * Rejects a file that lies below a symbolic link or below another file, and a file whose path is
 * that of a folder.
 */
function refuseBarrier(folder: string, path: string): void {
  const refuse = (message: string, part: string, hint?: string): never => {
    throw new InputError("ERR_OUTPUT", message, { file: join(folder, part) }, hint);
  };
  const steps = path.split("/");
  for (let count = 1; count < steps.length; count++) {
    const parent = steps.slice(0, count).join("/");
    const kind = kindOf(join(folder, parent));
    if (kind === "missing") return;
    if (kind === "link") refuse("Cannot write through a symbolic link", parent, "Remove the link");
    if (kind !== "folder") refuse("Cannot create a folder: a file has this name", parent);
  }
  if (kindOf(join(folder, path)) === "folder")
    refuse("Cannot write the file: a folder has this name", path);
}
