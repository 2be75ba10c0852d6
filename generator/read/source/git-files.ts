import { isAbsolute, join, posix, resolve } from "node:path";
import { files } from "../../base/files.js";
import { InputError } from "../../base/input-error.js";
import { maxInputLength } from "./json-text.js";

/** A file or folder at a git revision: `REF:path`, or `git:FOLDER#REF:path`. */
export interface GitFile {
  /** The part of the name that precedes the path: `REF:` or `git:FOLDER#REF:`. */
  readonly prefix: string;
  /** A folder in the repository. Default: the current folder. */
  readonly folder: string;
  readonly ref: string;
  /**
   * Path from the repository root. A path that starts with `./` or `../` is relative to `folder`.
   */
  readonly path: string;
}

/**
 * Parses the name of a file at a git revision. Returns undefined for other names, and for the names
 * of existing files.
 */
export function readGitName(name: string): GitFile | undefined {
  if (isAbsolute(name) || /^[a-z][a-z0-9+.-]+:\/\//i.test(name)) return undefined;
  const match = /^(?<prefix>(?:git:(?<folder>[^#]*)#)?(?<ref>[^:]*):)(?<path>.+)$/s.exec(name);
  if (match?.groups === undefined || files.exists(name)) return undefined;
  const { prefix = "", folder = ".", ref = "", path = "" } = match.groups;
  return { prefix, folder, ref, path };
}

/**
 * Returns the name of another file at the same revision. `name` is relative to the given file's
 * folder.
 */
export function besideGitFile({ prefix, path }: GitFile, name: string): string {
  const other = posix.join(posix.dirname(path), name);
  const isRelative = path.startsWith(".") && !other.startsWith(".");
  return `${prefix}${isRelative ? "./" : ""}${other}`;
}

/** Reads a file at a git revision as UTF-8. @throws InputError `ERR_READ` or `ERR_ARGUMENT`. */
export async function readGitFile(file: GitFile): Promise<string> {
  return runGit(file, "show", "--end-of-options", objectOf(file));
}

/**
 * Returns whether the path is a folder at the git revision. @throws InputError `ERR_READ` or
 * `ERR_ARGUMENT`.
 */
export async function isGitFolder(file: GitFile): Promise<boolean> {
  return (await runGit(file, "cat-file", "-t", objectOf(file))).trim() === "tree";
}

/**
 * Returns the path of the same file in the work tree. @throws InputError `ERR_READ` or
 * `ERR_ARGUMENT`.
 */
export async function inWorkTree(file: GitFile): Promise<string> {
  const { folder, path } = file;
  return path.startsWith(".")
    ? join(folder, path)
    : join(folder, (await runGit(file, "rev-parse", "--show-cdup")).trim(), path);
}

function objectOf({ ref, path }: GitFile): string {
  return `${ref}:${path}`;
}

async function runGit(file: GitFile, ...args: readonly string[]): Promise<string> {
  const { folder, ref } = file;
  const name = objectOf(file);
  if (ref.startsWith("-"))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use "${ref}" as a revision: it starts with a hyphen`,
    );
  const [{ execFile }, { promisify }] = await Promise.all([
    import("node:child_process"),
    import("node:util"),
  ]);
  try {
    const { stdout } = await promisify(execFile)("git", args, {
      cwd: resolve(folder),
      maxBuffer: maxInputLength * 3,
    });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const why =
      code === "ENOENT"
        ? files.exists(folder)
          ? "git is not installed"
          : "there is no such folder"
        : (stderr ?? "").split("\n")[0]!.replace(/^fatal: /, "");
    throw new InputError("ERR_READ", `Cannot read "${name}" from git: ${why}`, { file: name });
  }
}
