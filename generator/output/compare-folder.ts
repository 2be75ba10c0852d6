import { dirname, join } from "node:path";
import { InputError } from "../base/input-error.js";
import { errorCode, kindOf, type FileSystem } from "./file-system.js";
import { isOwnFile, manifestName, readManifest, withManifest } from "./manifest.js";

/** A generated file that is not up to date. */
export interface Staleness {
  /** Path relative to the folder. `.` is the folder itself. */
  readonly path: string;
  /**
   * `interrupted` means that a run stopped while changing the folder. The next run must finish the
   * change.
   */
  readonly state: "missing" | "changed" | "left over" | "interrupted";
}

/** The changes required to bring a folder up to date. */
export interface FolderPlan {
  /** All files in the package, including the manifest. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly stale: readonly Staleness[];
  /** Files written by earlier runs. */
  readonly ours: ReadonlySet<string>;
}

/**
 * Compares a folder with the files that it should contain. Files that were never generated are
 * ignored.
 */
export function compareFolder(
  fs: FileSystem,
  folder: string,
  files: ReadonlyMap<string, string>,
  ours: ReadonlySet<string>,
): readonly Staleness[] {
  const wanted = withManifest(files);
  const stale: Staleness[] = [];
  for (const [path, text] of wanted) {
    const found = readThere(fs, join(folder, path));
    if (!isSameText(found, text))
      stale.push({ path, state: found === undefined ? "missing" : "changed" });
  }
  for (const path of ours)
    if (!wanted.has(path) && isOwnFile(fs, folder, path)) stale.push({ path, state: "left over" });
  return stale.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Compares a file's text with the expected text. CRLF line endings are ignored, because Git on
 * Windows may have introduced them.
 */
function isSameText(found: string | undefined, text: string): boolean {
  return found === text || (!text.includes("\r") && found?.replaceAll("\r\n", "\n") === text);
}

/**
 * Plans a change to a folder.
 *
 * @param named The folder as the user wrote it.
 * @param force Whether to overwrite files that were not generated and packages for other protocols,
 * and to ignore an unreadable manifest.
 * @throws InputError `ERR_OUTPUT` if the change would affect files that are not ours, or replace
 * another protocol's package.
 */
export function planFolder(
  fs: FileSystem,
  folder: string,
  named: string,
  files: ReadonlyMap<string, string>,
  force: boolean,
): FolderPlan {
  let ours: ReadonlySet<string>;
  try {
    ours = readManifest(fs, folder, named);
  } catch (error) {
    if (!force || !(error instanceof InputError)) throw error;
    ours = new Set();
  }
  if (!force && ours.has(packageName)) refuseOtherProtocol(fs, folder, named, files);
  const stale = compareFolder(fs, folder, files, ours);
  for (const { path, state } of stale) {
    refuseBarrier(fs, folder, named, path);
    const kind = kindOf(fs, join(folder, path));
    const isOurs = kind === "file" && (ours.has(path) || path === manifestName);
    if (kind === "missing" || isOurs || force || state === "left over") continue;
    throw new InputError(
      "ERR_OUTPUT",
      "Cannot overwrite a file that was not generated",
      { file: join(named, path) },
      "Choose another folder with --out, or pass --force",
    );
  }
  return { wanted: withManifest(files), stale, ours };
}

const packageName = "package.json";

/**
 * Prevents one protocol's package from replacing another's, for example because of a wrong `--out`.
 */
function refuseOtherProtocol(
  fs: FileSystem,
  folder: string,
  named: string,
  files: ReadonlyMap<string, string>,
): void {
  const before = protocolIn(readThere(fs, join(folder, packageName)));
  const after = protocolIn(files.get(packageName));
  if (before === undefined || after === undefined || before === after) return;
  throw new InputError(
    "ERR_OUTPUT",
    `Cannot overwrite the package for the protocol "${before}" with the package for "${after}"`,
    { file: join(named, packageName) },
    "Choose another folder with --out, or pass --force",
  );
}

/**
 * Returns the protocol named in a package.json, or undefined if it names none or cannot be read.
 */
function protocolIn(manifest: string | undefined): string | undefined {
  try {
    const value = JSON.parse(manifest ?? "null") as { readonly protocol?: unknown } | null;
    return typeof value?.protocol === "string" ? value.protocol : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Rejects a file that lies below a symbolic link or below another file, and a file whose path is
 * that of a folder.
 */
function refuseBarrier(fs: FileSystem, folder: string, named: string, path: string): void {
  const refuse = (message: string, at: string, hint?: string): never => {
    throw new InputError("ERR_OUTPUT", message, { file: join(named, at) }, hint);
  };
  const parents: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) parents.unshift(at);
  for (const at of parents) {
    const kind = kindOf(fs, join(folder, at));
    if (kind === "missing") return;
    if (kind === "link") refuse("Cannot write through a symbolic link", at, "Remove the link");
    if (kind !== "folder") refuse("Cannot create a folder: a file has this name", at);
  }
  if (kindOf(fs, join(folder, path)) === "folder")
    refuse("Cannot write the file: a folder has this name", path);
}

/**
 * Reads a file. Returns undefined if it does not exist, and an empty string if it cannot be read.
 */
function readThere(fs: FileSystem, path: string): string | undefined {
  try {
    const stats = fs.statSync(path);
    if (stats.isFile()) return fs.readFileSync(path, "utf8");
    return "";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP")
      return kindOf(fs, path) === "missing" ? undefined : "";
    throw error;
  }
}
