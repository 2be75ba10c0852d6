import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../base/input-error.js";
import { errorCode, type FileSystem } from "./file-system.js";

/** Time between two tries. */
const retryMs = 25;

/** Age from which on a lock without an owner is taken for one whose owner died while writing it. */
const unownedMs = 500;

/** Age from which on a lock of another machine is taken for one that nobody holds: writing takes seconds. */
const foreignMs = 10 * 60_000;

/** Locks that this process holds: its own number says nothing about them. */
const held = new Set<string>();

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells it from other locks of the same process. */
  readonly id: string;
}

/**
 * Takes a lock file, and waits for whoever holds it. A lock whose process is gone is taken over.
 *
 * @param prepare Makes the folder of the file, which whoever releases the lock removes.
 * @returns what releases it.
 * @throws InputError `ERR_OUTPUT` if it is held for too long.
 */
export async function takeLock(
  fs: FileSystem,
  path: string,
  prepare: () => void,
  patienceMs = 30_000,
): Promise<() => void> {
  const owner: Owner = { pid: process.pid, host: hostname(), id: randomUUID() };
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
        "Wait until it is done; if there is no such process, remove this file",
      );
    await sleep(retryMs);
  }
  held.add(path);
  return () => {
    held.delete(path);
    // Of a process that ended while it removed a lock.
    unlinkIfThere(fs, `${path}.stale`);
    fs.unlinkSync(path);
  };
}

/** False if it is there, or if its folder is not: the last one has just left. */
function create(fs: FileSystem, path: string, text: string): boolean {
  try {
    fs.writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    const code = errorCode(error);
    // Windows says EPERM of a file that is being removed.
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

/** Of several that find a lock stale, one removes it, and only that very lock: another may have been taken since. */
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
