import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/input-error.js";
import { applyChange, prepareChange, scratchNames } from "./change-folder.js";
import { compareFolder, planFolder, type FolderPlan, type Staleness } from "./compare-folder.js";
import { errorCode, kindOf, removeTree, writeTree, type FileSystem } from "./file-system.js";
import { takeLock } from "./folder-lock.js";
import { readManifest } from "./manifest.js";
import { findClash, mergeTree } from "./merge-tree.js";

/** Folder within a package where the writer works if it cannot work beside it. */
const insideName = ".wirewright-work";

/** What systems say where a folder must not be moved: it is a mount, it is open, its parent is not ours. */
const immovable = ["EACCES", "EBUSY", "EEXIST", "EINVAL", "ENOTEMPTY", "EPERM", "EROFS", "EXDEV"];

/**
 * A folder with a package, and the folder beside it where the writer works.
 *
 * A change goes like this. The whole new package is written to `new`, beside the folder. The folder is set aside as
 * `old` by a rename, and `new` takes its place. The folder, with whatever else is in it, is changed where nobody looks,
 * and put back. What stood in for it goes. Wherever this is stopped, what stands at the path is the whole old package,
 * the whole new one or, between two renames, nothing; and the names that are left beside it tell the next run how far
 * it got. No name is taken from a file: nothing that somebody leaves there leads elsewhere.
 */
export class PackageFolder {
  readonly #fs: FileSystem;
  /** The folder as the user calls it, and where it really is. */
  readonly #named: string;
  readonly #path: string;
  readonly #inside: string;
  #work: string;
  /** What was changed could not be taken back. */
  #isTorn = false;

  /** @throws InputError `ERR_OUTPUT` if something else stands there. */
  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#named = folder;
    this.#path = realPath(fs, resolve(folder));
    this.#inside = join(this.#path, insideName);
    this.#work = join(dirname(this.#path), `.${basename(this.#path)}.wirewright`);
    for (const path of [this.#path, this.#work, this.#inside]) {
      const kind = kindOf(fs, path);
      if (kind !== "missing" && kind !== "folder")
        throw new InputError("ERR_OUTPUT", "Cannot write a folder where something else is", {
          file: path === this.#path ? folder : path,
        });
    }
  }

  /** What differs from a package; a list of generated files that cannot be read counts as none. */
  compare(files: ReadonlyMap<string, string>): readonly Staleness[] {
    const isInterrupted = kindOf(this.#fs, this.#old) === "folder";
    const state = "interrupted" as const;
    return [
      ...(isInterrupted ? [{ path: ".", state }] : []),
      ...compareFolder(this.#fs, this.#path, files, this.#listed()),
    ];
  }

  /** Writes a package; gives the number of files that changed. @throws InputError `ERR_OUTPUT`. */
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
        ? "The old files are as they were"
        : "Run wirewright generate again: it finishes what was begun",
    );
  }

  /** The folder itself, while another one stands in for it. */
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
      // Another run was quicker.
      if (code === "EEXIST") return;
      if (this.#work === this.#inside || ![...immovable, "ENAMETOOLONG"].includes(code))
        throw error;
      this.#work = this.#inside;
      fs.mkdirSync(this.#work, { recursive: true });
    }
  }

  /** Clears up behind a run that was ended. What it had set aside is put back, unless another folder is in its place. */
  #recover(): void {
    const fs = this.#fs;
    for (const path of [this.#old, this.#standIn]) {
      const kind = kindOf(fs, path);
      // Nothing of ours: in the way of a rename, it would leave a change half done.
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
    // One file alone is all or nothing where it is.
    if (plan.stale.length > 1 && this.#work !== this.#inside && this.#swap(plan)) return;
    fs.mkdirSync(this.#inside, { recursive: true });
    const change = prepareChange(fs, this.#path, this.#inside, plan);
    this.#orBack((undo) => applyChange(fs, this.#path, change, undo));
  }

  /** Changes the folder while a new package stands in for it; false if it must not be moved. */
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

  /** Goes on where a run was ended: the folder is set aside, and a whole package stands in for it. */
  #finish(plan: FolderPlan): void {
    const fs = this.#fs;
    const clash = findClash(fs, this.#path, this.#old, this.#listed());
    if (clash !== undefined)
      throw new InputError(
        "ERR_OUTPUT",
        "Cannot put back a folder that a run has set aside: both have this file",
        { file: join(this.#named, clash) },
        `Keep one of the two: remove or move this one, or ${join(this.#old, clash)}`,
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
      // The package is written: the rest is left to the next run.
      if (!isSystemError(error)) throw error;
    }
  }

  /** What others have put into the folder that stood in goes to where they meant it to be. */
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
      "Cannot put back what was set aside: there is a file of that name",
      { file: join(this.#standIn, left) },
      `Keep one of the two: remove or move this one, or ${join(this.#named, left)}`,
    );
  }

  /** Does something that can be taken back, and takes it back if it fails. */
  #orBack<Result>(act: (undo: (() => void)[]) => Result): Result {
    const undo: (() => void)[] = [];
    try {
      return act(undo);
    } catch (error) {
      this.#takeBack(undo);
      throw error;
    }
  }

  /** Stops at what cannot be taken back: to go on would show half of a change. */
  #takeBack(undo: (() => void)[]): void {
    this.#isTorn = true;
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) step();
    this.#isTorn = false;
  }

  #removeScratch(): void {
    for (const folder of [this.#work, this.#inside])
      for (const name of ["new", ...scratchNames]) removeTree(this.#fs, join(folder, name));
  }

  /** What cannot be cleared up is left to the next run. */
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
        // Somebody waits for the lock, or something is still set aside.
      }
    }
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** The path of a folder without any link in it, also of one that is not there yet. */
function realPath(fs: FileSystem, path: string): string {
  const missing: string[] = [];
  for (let there = path; ; there = dirname(there)) {
    try {
      return join(fs.realpathSync(there), ...missing);
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || dirname(there) === there) throw error;
      if (kindOf(fs, there) === "link")
        // What it leads to is not there, or is set aside.
        return join(realPath(fs, resolve(dirname(there), fs.readlinkSync(there))), ...missing);
      missing.unshift(basename(there));
    }
  }
}
