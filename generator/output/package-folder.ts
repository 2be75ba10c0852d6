import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/input-error.js";
import { applyChange, prepareChange, scratchNames } from "./change-folder.js";
import { compareFolder, planFolder, type FolderPlan, type Staleness } from "./compare-folder.js";
import { errorCode, kindOf, removeTree, writeTree, type FileSystem } from "./file-system.js";
import { takeLock } from "./folder-lock.js";
import { readManifest } from "./manifest.js";
import { findClash, mergeTree } from "./merge-tree.js";

/**
 * Name of the work folder inside a package, used when the writer cannot create one next to the
 * package.
 */
const insideName = ".wirewright-work";

/**
 * Error codes that mean that a folder cannot be moved because it is a mount point or in use, or
 * because its parent is not writable.
 */
const immovable = ["EACCES", "EBUSY", "EEXIST", "EINVAL", "ENOTEMPTY", "EPERM", "EROFS", "EXDEV"];

/**
 * A folder that contains a package, along with the work folder next to it.
 *
 * A change takes these steps:
 *
 * 1. Write the whole new package to `new` in the work folder.
 * 2. Rename the package's folder to `old`, and rename `new` to the package's path.
 * 3. Change the files in `old`, which may also contain files that are not ours.
 * 4. Rename the substitute at the package's path to `stand-in`, rename `old` back to the package's
 *    path, and remove `stand-in`.
 *
 * Wherever the process stops, the package's path holds either the whole old package or the whole
 * new one or, between two renames, nothing. The names in the work folder show the next run how far
 * this one got. They are fixed rather than read from a file, so a foreign file there cannot
 * redirect the writer.
 */
export class PackageFolder {
  readonly #fs: FileSystem;
  /** The folder as the user wrote it. `#path` is the same path with symbolic links resolved. */
  readonly #named: string;
  readonly #path: string;
  readonly #inside: string;
  #work: string;
  /** Whether a change failed and could not be reverted. */
  #isTorn = false;

  /**
   * @throws InputError `ERR_OUTPUT` if the path of the package or of a work folder exists and is
   * not a folder.
   */
  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#named = folder;
    this.#path = realPath(fs, resolve(folder));
    this.#inside = join(this.#path, insideName);
    this.#work = join(dirname(this.#path), `.${basename(this.#path)}.wirewright`);
    for (const path of [this.#path, this.#work, this.#inside]) {
      const kind = kindOf(fs, path);
      if (kind !== "missing" && kind !== "folder")
        throw new InputError(
          "ERR_OUTPUT",
          "Cannot write a folder: this path exists and is not a folder",
          {
            file: path === this.#path ? folder : path,
          },
        );
    }
  }

  /** Compares the folder with a package. A manifest that cannot be read is treated as missing. */
  compare(files: ReadonlyMap<string, string>): readonly Staleness[] {
    const isInterrupted = kindOf(this.#fs, this.#old) === "folder";
    const state = "interrupted" as const;
    return [
      ...(isInterrupted ? [{ path: ".", state }] : []),
      ...compareFolder(this.#fs, this.#path, files, this.#listed()),
    ];
  }

  /**
   * Writes a package and returns the number of files that changed.
   *
   * @throws InputError `ERR_OUTPUT`.
   */
  async write(files: ReadonlyMap<string, string>, force: boolean): Promise<number> {
    const fs = this.#fs;
    const isTouched = [this.#work, this.#inside].some((path) => kindOf(fs, path) !== "missing");
    if (!isTouched && this.compare(files).length === 0) return 0;
    this.#openWork();
    const release = await takeLock(fs, join(this.#work, "lock"), () => this.#openWork());
    try {
      this.#recover();
      const isSetAside = kindOf(fs, this.#old) === "folder";
      const [folder, named] = isSetAside ? [this.#old, this.#old] : [this.#path, this.#named];
      const plan = planFolder(fs, folder, named, files, force);
      if (isSetAside) this.#finish(plan);
      else if (plan.stale.length > 0) this.#change(plan);
      return plan.stale.length;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#leave(release);
    }
  }

  #explain(error: unknown): unknown {
    if (!isSystemError(error)) return error;
    const isWhole = !this.#isTorn && kindOf(this.#fs, this.#old) !== "folder";
    return new InputError(
      "ERR_OUTPUT",
      `Cannot write the package: ${error.message}`,
      { file: this.#named },
      isWhole
        ? "The old files are unchanged"
        : "Run wirewright generate again to finish the interrupted run",
    );
  }

  /** Path to which the package's folder is moved while a substitute takes its place. */
  get #old(): string {
    return join(this.#work, "old");
  }

  get #new(): string {
    return join(this.#work, "new");
  }

  get #standIn(): string {
    return join(this.#work, "stand-in");
  }

  #listed(): ReadonlySet<string> {
    try {
      return readManifest(this.#fs, this.#path);
    } catch (error) {
      if (error instanceof InputError) return new Set();
      throw error;
    }
  }

  #openWork(): void {
    const fs = this.#fs;
    fs.mkdirSync(dirname(this.#path), { recursive: true });
    try {
      if (kindOf(fs, this.#work) === "missing") fs.mkdirSync(this.#work);
    } catch (error) {
      const code = errorCode(error) ?? "";
      // Another run has just created the folder.
      if (code === "EEXIST") return;
      if (this.#work === this.#inside || ![...immovable, "ENAMETOOLONG"].includes(code))
        throw error;
      this.#work = this.#inside;
      fs.mkdirSync(this.#work, { recursive: true });
    }
  }

  /**
   * Cleans up after an interrupted run. If that run had moved the folder away, moves the folder
   * back, unless its path is in use.
   */
  #recover(): void {
    const fs = this.#fs;
    for (const path of [this.#old, this.#standIn]) {
      const kind = kindOf(fs, path);
      // Remove any file at a work folder's path, because it would make a rename fail halfway
      // through a change.
      if (kind !== "missing" && kind !== "folder") fs.unlinkSync(path);
      else if (kind === "folder" && kindOf(fs, this.#path) === "missing")
        fs.renameSync(path, this.#path);
    }
    if (kindOf(fs, this.#standIn) === "folder") this.#removeStandIn();
    this.#removeScratch();
  }

  #change(plan: FolderPlan): void {
    const fs = this.#fs;
    if (kindOf(fs, this.#path) === "missing") {
      writeTree(fs, this.#new, plan.wanted);
      fs.renameSync(this.#new, this.#path);
      return;
    }
    // If only one file changes, replace it atomically, without moving the folder.
    if (plan.stale.length > 1 && this.#work !== this.#inside && this.#swap(plan)) return;
    fs.mkdirSync(this.#inside, { recursive: true });
    const change = prepareChange(fs, this.#path, this.#inside, plan);
    this.#orBack((undo) => applyChange(fs, this.#path, change, undo));
  }

  /**
   * Changes the folder while a substitute folder that contains the new package takes its place.
   * Returns false if the folder cannot be moved.
   */
  #swap(plan: FolderPlan): boolean {
    const fs = this.#fs;
    writeTree(fs, this.#new, plan.wanted);
    const change = prepareChange(fs, this.#path, this.#work, plan);
    const isMoved = this.#orBack((undo) => {
      try {
        fs.renameSync(this.#path, this.#old);
        undo.push(() => fs.renameSync(this.#old, this.#path));
        fs.renameSync(this.#new, this.#path);
        undo.push(() => fs.renameSync(this.#path, this.#new));
      } catch (error) {
        if (!immovable.includes(errorCode(error) ?? "")) throw error;
        this.#takeBack(undo);
        return false;
      }
      applyChange(fs, this.#old, change, undo);
      return true;
    });
    if (isMoved) this.#putBack();
    else this.#removeScratch();
    return isMoved;
  }

  /**
   * Finishes an interrupted run that had moved the folder away and put a whole package in its
   * place.
   */
  #finish(plan: FolderPlan): void {
    const fs = this.#fs;
    const clash = findClash(fs, this.#path, this.#old, this.#listed());
    if (clash !== undefined)
      throw new InputError(
        "ERR_OUTPUT",
        "Cannot restore a folder set aside by an earlier run: this file is in both folders",
        { file: join(this.#named, clash) },
        `Keep one of the two files: remove or move this file, or ${join(this.#old, clash)}`,
      );
    const change = prepareChange(fs, this.#old, this.#work, plan);
    this.#orBack((undo) => applyChange(fs, this.#old, change, undo));
    this.#putBack();
  }

  #putBack(): void {
    const fs = this.#fs;
    this.#orBack((undo) => {
      fs.renameSync(this.#path, this.#standIn);
      undo.push(() => fs.renameSync(this.#standIn, this.#path));
      fs.renameSync(this.#old, this.#path);
    });
    try {
      this.#removeStandIn();
    } catch (error) {
      // Ignore the error: the package is complete, and the next run can remove the substitute
      // folder.
      if (!isSystemError(error)) throw error;
    }
  }

  /**
   * Removes the substitute folder. Files that other programs have created in it are moved to the
   * package.
   */
  #removeStandIn(): void {
    const left = mergeTree(
      this.#fs,
      this.#standIn,
      this.#path,
      readManifest(this.#fs, this.#standIn),
    );
    if (left === undefined) return;
    throw new InputError(
      "ERR_OUTPUT",
      "Cannot restore a file that was set aside: a file with the same name exists",
      { file: join(this.#standIn, left) },
      `Keep one of the two files: remove or move this file, or ${join(this.#named, left)}`,
    );
  }

  /** Runs steps that can be reverted, and reverts them if one fails. */
  #orBack<Result>(act: (undo: (() => void)[]) => Result): Result {
    const undo: (() => void)[] = [];
    try {
      return act(undo);
    } catch (error) {
      this.#takeBack(undo);
      throw error;
    }
  }

  /**
   * Reverts steps, last one first. Stops if a step cannot be reverted, because continuing could
   * expose a partial change.
   */
  #takeBack(undo: (() => void)[]): void {
    this.#isTorn = true;
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) step();
    this.#isTorn = false;
  }

  #removeScratch(): void {
    for (const folder of [this.#work, this.#inside])
      for (const name of ["new", ...scratchNames]) removeTree(this.#fs, join(folder, name));
  }

  /** Cleans up and releases the lock. If a file cannot be removed, the next run removes it. */
  #leave(release: () => void): void {
    for (const act of [
      () => this.#removeScratch(),
      release,
      () => this.#work === this.#inside || this.#fs.rmdirSync(this.#inside),
      () => this.#fs.rmdirSync(this.#work),
    ]) {
      try {
        act();
      } catch {
        // The work folder is not empty: either another process is waiting for the lock, or a folder
        // has not been moved back.
      }
    }
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** Resolves the symbolic links in a path. The folder at that path need not exist yet. */
function realPath(fs: FileSystem, path: string): string {
  const missing: string[] = [];
  for (let there = path; ; there = dirname(there)) {
    try {
      return join(fs.realpathSync(there), ...missing);
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || dirname(there) === there) throw error;
      if (kindOf(fs, there) === "link")
        // The symbolic link's target is missing, so resolve the link by its text.
        return join(realPath(fs, resolve(dirname(there), fs.readlinkSync(there))), ...missing);
      missing.unshift(basename(there));
    }
  }
}
