import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../base/input-error.js";
import { errorCode, type FileSystem } from "./file-system.js";

/** Milliseconds between attempts to acquire the lock. */
const retryMs = 25;

/**
 * Age at which a lock file that names no owner is stale, because its process stopped while writing
 * it.
 */
const unownedMs = 500;

/** Age at which a lock held by another machine is stale. Writing a package takes only seconds. */
const foreignMs = 10 * 60_000;

/**
 * Paths of the locks held by this process. For these, the process id in the file does not reveal
 * whether a lock is stale.
 */
const held = new Set<string>();

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** A unique id that distinguishes this lock from other locks held by the same process. */
  readonly id: string;
}

/**
 * Acquires a lock file, waiting while another process holds it. Takes over a lock whose process no
 * longer exists.
 *
 * @param prepare Creates the lock file's folder, which the previous owner may have removed.
 * @returns A function that releases the lock.
 * @throws InputError `ERR_OUTPUT` if another process holds the lock for too long.
 */
export async function takeLock(
  fs: FileSystem,
  path: string,
  prepare: () => void,
  patienceMs = 30_000,
): Promise<() => void> {
  const owner: Owner = { pid: process.pid, host: hostname(), id: crypto.randomUUID() };
  const until = Date.now() + patienceMs;
  for (;;) {
    prepare();
    if (!held.has(path) && create(fs, path, JSON.stringify(owner))) break;
    const text = readIfThere(fs, path);
    if (text !== undefined && isStale(fs, path, text) && removeStale(fs, path, text)) continue;
    if (Date.now() > until)
      throw new InputError(
        "ERR_OUTPUT",
        "Cannot write the package: another process is writing it",
        { file: path },
        "Wait until it finishes. If no such process exists, remove this file",
      );
    await sleep(retryMs);
  }
  held.add(path);
  return () => {
    held.delete(path);
    // Another process may have stopped while removing a stale lock. Remove the file that it left.
    unlinkIfThere(fs, `${path}.stale`);
    fs.unlinkSync(path);
  };
}

/**
 * Creates a file. Returns false if it already exists, or if another process has just removed its
 * folder.
 */
function create(fs: FileSystem, path: string, text: string): boolean {
  try {
    fs.writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    const code = errorCode(error);
    // Windows reports EPERM for a file that is being removed.
    if (
      code === "EEXIST" ||
      code === "ENOENT" ||
      (code === "EPERM" && process.platform === "win32")
    )
      return false;
    throw error;
  }
}

function isStale(fs: FileSystem, path: string, text: string): boolean {
  const age = ageOf(fs, path);
  let owner: Partial<Owner> | null;
  try {
    owner = JSON.parse(text) as Partial<Owner> | null;
  } catch {
    return age > unownedMs;
  }
  const { pid, host } = owner ?? {};
  if (typeof pid !== "number" || typeof host !== "string") return age > unownedMs;
  if (host !== hostname()) return age > foreignMs;
  return pid === process.pid ? !held.has(path) : !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Removes a stale lock. If several processes find it, only one of them removes it. A newer lock,
 * which another process may have acquired in the meantime, is kept.
 */
function removeStale(fs: FileSystem, path: string, text: string): boolean {
  const guard = `${path}.stale`;
  if (!create(fs, guard, "")) {
    if (ageOf(fs, guard) > unownedMs) unlinkIfThere(fs, guard);
    return false;
  }
  if (readIfThere(fs, path) === text) unlinkIfThere(fs, path);
  unlinkIfThere(fs, guard);
  return true;
}

function ageOf(fs: FileSystem, path: string): number {
  try {
    return Date.now() - fs.lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function readIfThere(fs: FileSystem, path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unlinkIfThere(fs: FileSystem, path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
