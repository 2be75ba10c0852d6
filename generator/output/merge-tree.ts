import { dirname, join } from "node:path";
import { kindOf, type FileSystem } from "./file-system.js";
import { isOwnFile, manifestName } from "./manifest.js";

/**
 * A plan for emptying a folder: its own files are removed, and all other files are moved to another
 * folder.
 */
interface Merge {
  /** Files and folders that are not ours and will be moved to the other folder. */
  readonly moves: string[];
  readonly removals: string[];
  /** Folders that will end up empty, innermost first. */
  readonly folders: string[];
  /**
   * Files and folders that are not ours and cannot be moved, because the other folder already
   * contains a file or folder of the same name.
   */
  readonly clashes: string[];
}

/**
 * Removes one of our folders. Content that is not ours is moved to another folder, without
 * overwriting any files there.
 *
 * @param listed Our files, as listed in the folder's manifest.
 * @returns The path of a file or folder that could not be moved, or undefined if the folder was
 * removed.
 */
export function mergeTree(
  fs: FileSystem,
  from: string,
  to: string,
  listed: ReadonlySet<string>,
): string | undefined {
  const { moves, removals, folders, clashes } = planMerge(fs, from, to, listed);
  for (const path of moves) {
    fs.mkdirSync(dirname(join(to, path)), { recursive: true });
    fs.renameSync(join(from, path), join(to, path));
  }
  for (const path of removals) fs.unlinkSync(join(from, path));
  if (clashes.length > 0) return clashes[0];
  for (const path of folders) fs.rmdirSync(join(from, path));
  return undefined;
}

/** Returns the path of a file or folder that is not ours and exists in both folders. */
export function findClash(
  fs: FileSystem,
  from: string,
  to: string,
  listed: ReadonlySet<string>,
): string | undefined {
  return planMerge(fs, from, to, listed).clashes[0];
}

function planMerge(fs: FileSystem, from: string, to: string, listed: ReadonlySet<string>): Merge {
  const merge: Merge = { moves: [], removals: [], folders: [], clashes: [] };
  const isOurs = (path: string): boolean =>
    path === manifestName || (listed.has(path) && isOwnFile(fs, from, path));
  const visit = (below: string): void => {
    for (const name of fs.readdirSync(join(from, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      const kind = kindOf(fs, join(from, path));
      const other = kindOf(fs, join(to, path));
      const isHome = [...listed].some((each) => each.startsWith(`${path}/`));
      if (kind === "folder" && (other === "folder" || (other === "missing" && isHome))) visit(path);
      else if (isOurs(path) || (kind === "file" && other === "file" && isSame(path)))
        merge.removals.push(path);
      else (other === "missing" ? merge.moves : merge.clashes).push(path);
    }
    merge.folders.push(below);
  };
  const isSame = (path: string): boolean =>
    fs.readFileSync(join(from, path)).equals(fs.readFileSync(join(to, path)));
  visit("");
  return merge;
}
