import { dirname, join } from "node:path";
import type { FolderPlan } from "./compare-folder.js";
import { kindOf, makeTree, removeEmptyFolders, writeTree, type FileSystem } from "./file-system.js";
import { manifestName, manifestText } from "./manifest.js";

/** A change that is ready: whatever takes space or reads much is done. */
export interface PreparedChange {
  readonly plan: FolderPlan;
  /** New files, old files, and files that go, by path. */
  readonly fresh: string;
  readonly backup: string;
  readonly trash: string;
  /** A list of old and new files, for as long as both are there; undefined if the same files stay. */
  readonly interim: string | undefined;
}

/** Folders that a change makes in its scratch folder. */
export const scratchNames = ["fresh", "backup", "trash", "interim"] as const;

/** Prepares a change of a folder in a scratch folder, which must be on the same file system. */
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
  const there = written.map(({ path }) => [path, join(folder, path)] as const);
  const isFile = ([, path]: (typeof there)[number]): boolean => kindOf(fs, path) === "file";
  makeTree(fs, backup, there.filter(isFile), (path, from) => fs.copyFileSync(from, path));
  const goes = stale.filter(({ state }) => state === "left over");
  makeTree(
    fs,
    trash,
    goes.map(({ path }) => [path, undefined]),
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
 * Makes a prepared change by renames alone, each of which is all or nothing.
 *
 * At every moment the list names all files that are ours, old and new: whenever this ends, another run can finish.
 *
 * @param undo Gets what takes each step back.
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
      // A link, say, which is put aside itself: what it leads to is not ours.
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
