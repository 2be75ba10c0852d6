import { dirname, join } from "node:path";
import type { FolderPlan } from "./compare-folder.js";
import { kindOf, makeTree, removeEmptyFolders, writeTree, type FileSystem } from "./file-system.js";
import { manifestName, manifestText } from "./manifest.js";

/**
 * A change to a folder that is ready to be applied: all steps that read files or need disk space
 * have already been completed.
 */
export interface PreparedChange {
  readonly plan: FolderPlan;
  /**
   * Folder for the new files. `backup` is the folder for the files that they replace; `trash` is
   * the folder for files to be removed.
   */
  readonly fresh: string;
  readonly backup: string;
  readonly trash: string;
  /**
   * A manifest that lists both old and new files, for use while the change is being applied.
   * Undefined if the file names stay the same.
   */
  readonly interim: string | undefined;
}

/** Names of the files and folders that a change creates in its scratch folder. */
export const scratchNames = ["fresh", "backup", "trash", "interim"] as const;

/** Prepares a change to a folder. The scratch folder must be on the same file system. */
export function prepareChange(
  fs: FileSystem,
  folder: string,
  scratch: string,
  plan: FolderPlan,
): PreparedChange {
  const [fresh, backup, trash, interim] = scratchNames.map((name) => join(scratch, name)) as [
    string,
    string,
    string,
    string,
  ];
  const { wanted, stale, ours } = plan;
  const written = stale.filter(({ state }) => state !== "left over");
  writeTree(
    fs,
    fresh,
    written.map(({ path }) => [path, wanted.get(path)!]),
  );
  const targets = written.map(({ path }) => [path, join(folder, path)] as const);
  const isFile = ([, path]: (typeof targets)[number]): boolean => kindOf(fs, path) === "file";
  makeTree(fs, backup, targets.filter(isFile), (path, from) => fs.copyFileSync(from, path));
  const leftOver = stale.filter(({ state }) => state === "left over");
  makeTree(
    fs,
    trash,
    leftOver.map(({ path }) => [path, undefined]),
    () => undefined,
  );
  const isListed = stale.every(({ path, state }) => state !== "left over" && ours.has(path));
  if (isListed) return { plan, fresh, backup, trash, interim: undefined };
  const all = new Set([...ours, ...wanted.keys()]);
  all.delete(manifestName);
  writeTree(fs, interim, [[manifestName, manifestText([...all].sort())]]);
  return { plan, fresh, backup, trash, interim: join(interim, manifestName) };
}

/**
 * Applies a prepared change by means of renames, which are atomic.
 *
 * At every moment, the manifest lists all our files, both old and new, so that another run can
 * finish the change if this one is interrupted.
 *
 * @param undo Receives, for each step, a function that reverts it.
 */
export function applyChange(
  fs: FileSystem,
  folder: string,
  { plan, fresh, backup, trash, interim }: PreparedChange,
  undo: (() => void)[],
): void {
  const put = (from: string, path: string): void => {
    const target = join(folder, path);
    const kept = join(backup, path);
    const before = kindOf(fs, target);
    if (before !== "missing" && before !== "file") {
      // If this is a symbolic link, move the link itself, because its target is not ours.
      fs.mkdirSync(dirname(kept), { recursive: true });
      fs.renameSync(target, kept);
      undo.push(() => fs.renameSync(kept, target));
    }
    fs.renameSync(from, target);
    undo.push(before === "file" ? () => fs.renameSync(kept, target) : () => fs.unlinkSync(target));
  };
  const leftOver = plan.stale.filter(({ state }) => state === "left over");
  if (interim !== undefined) put(interim, manifestName);
  for (const { path, state } of plan.stale) {
    if (state === "left over" || path === manifestName) continue;
    makeFolders(fs, folder, dirname(path), undo);
    put(join(fresh, path), path);
  }
  for (const { path } of leftOver) {
    const target = join(folder, path);
    fs.renameSync(target, join(trash, path));
    undo.push(() => fs.renameSync(join(trash, path), target));
  }
  if (interim !== undefined) fs.renameSync(join(fresh, manifestName), join(folder, manifestName));
  for (const { path } of leftOver) removeEmptyFolders(fs, dirname(join(folder, path)), folder);
}

function makeFolders(fs: FileSystem, folder: string, path: string, undo: (() => void)[]): void {
  if (path === "." || kindOf(fs, join(folder, path)) !== "missing") return;
  makeFolders(fs, folder, dirname(path), undo);
  fs.mkdirSync(join(folder, path));
  undo.push(() => fs.rmdirSync(join(folder, path)));
}
