import * as node from "node:fs";
import { dirname, join } from "node:path";

/**
 * The `node:fs` functions that the writer uses. Tests pass a file system that fails or stops at a
 * chosen step.
 */
export type FileSystem = Pick<
  typeof node,
  | "copyFileSync"
  | "lstatSync"
  | "mkdirSync"
  | "readFileSync"
  | "readdirSync"
  | "readlinkSync"
  | "realpathSync"
  | "renameSync"
  | "rmdirSync"
  | "statSync"
  | "unlinkSync"
  | "writeFileSync"
>;

export const nodeFileSystem: FileSystem = node;

export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

export type Kind = "missing" | "file" | "folder" | "link" | "other";

/**
 * Returns the kind of file at a path. If the path ends in a symbolic link, the link is not
 * followed.
 */
export function kindOf(fs: FileSystem, path: string): Kind {
  let stats;
  try {
    stats = fs.lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return "missing";
    throw error;
  }
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

/**
 * Creates files, along with all folders that they need, below a folder that is empty or missing.
 */
export function makeTree<Each>(
  fs: FileSystem,
  folder: string,
  files: Iterable<readonly [path: string, Each]>,
  make: (path: string, each: Each) => void,
): void {
  const made = new Set<string>();
  const makeFolder = (path: string): void => {
    if (!made.has(path)) fs.mkdirSync(path, { recursive: true });
    made.add(path);
  };
  makeFolder(folder);
  for (const [path, each] of files) {
    makeFolder(dirname(join(folder, path)));
    make(join(folder, path), each);
  }
}

/** Writes files below a folder that is empty or missing. */
export function writeTree(
  fs: FileSystem,
  folder: string,
  files: Iterable<readonly [path: string, text: string]>,
): void {
  makeTree(fs, folder, files, (path, text) => fs.writeFileSync(path, text, { flag: "wx" }));
}

/**
 * Removes one of the writer's own folders and its contents. Symbolic links are removed, but not
 * their targets.
 */
export function removeTree(fs: FileSystem, folder: string): void {
  const kind = kindOf(fs, folder);
  if (kind === "missing") return;
  if (kind !== "folder") {
    fs.unlinkSync(folder);
    return;
  }
  for (const name of fs.readdirSync(folder)) removeTree(fs, join(folder, name));
  fs.rmdirSync(folder);
}

/** Removes a folder and its ancestors up to `top`, as long as they are empty. */
export function removeEmptyFolders(fs: FileSystem, folder: string, top: string): void {
  for (let path = folder; path !== top && path.startsWith(top); path = dirname(path)) {
    try {
      fs.rmdirSync(path);
    } catch {
      return;
    }
  }
}
