import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError, systemReason } from "../../../generator/base/input-error.js";

/** Folders that never contain a user's recordings. */
const skippedFolders = new Set(["node_modules", ".git"]);

/** Returns whether a name is a pattern that could match several files. */
export function isPattern(name: string): boolean {
  return /[*?[{]/.test(name);
}

/**
 * Expands a list of names to the files they refer to. A name is a file, a folder (meaning all files
 * in it and its subfolders), or a pattern with `*`, `**`, `?`, `[…]` and `{a,b}`. The result is
 * sorted and free of duplicates.
 * @throws InputError `ERR_READ` if a named file does not exist, `ERR_ARGUMENT` if a pattern or a
 * folder matches no files.
 */
export async function findRecordings(
  names: readonly string[],
): Promise<readonly { readonly file: string; readonly isNamed: boolean }[]> {
  const found = new Map<string, boolean>();
  for (const name of names) {
    const kind = await kindOf(name);
    // A pipe is read where it is named, but a folder's pipes and devices are not: they may not end.
    if (kind === "file" || kind === "other") {
      found.set(name, true);
      continue;
    }
    if (kind === undefined && !isPattern(name))
      throw new InputError("ERR_READ", "Cannot read the recording: there is no such file", {
        file: name,
      });
    const files = kind === "folder" ? await filesBelow(name) : await filesLike(name);
    if (files.length === 0)
      throw new InputError("ERR_ARGUMENT", `Cannot find any files in "${name}"`);
    for (const file of files) if (!found.has(file)) found.set(file, false);
  }
  return [...found]
    .map(([file, isNamed]) => ({ file, isNamed }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

async function kindOf(name: string): Promise<"file" | "folder" | "other" | undefined> {
  try {
    const stats = await stat(name);
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A temporary folder may be deleted in the meantime.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    const message = `Cannot read the folder: ${systemReason(error)}`;
    throw new InputError("ERR_READ", message, { file: folder });
  }
  for (const entry of entries) {
    if (entry.name.startsWith(".") || skippedFolders.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else if (entry.isFile() || (await kindOf(path)) === "file") files.push(path);
  }
  return files;
}

/** Finds the files that match a pattern. */
async function filesLike(pattern: string): Promise<readonly string[]> {
  const parts = pattern.split("/");
  const first = parts.findIndex(isPattern);
  const folder = parts.slice(0, first).join("/");
  const start = folder === "" ? (pattern.startsWith("/") ? "/" : ".") : folder;
  if ((await kindOf(start)) !== "folder") return [];
  const wanted = patternOf(parts.slice(first).join("/"));
  return (await filesBelow(start)).filter((file) => {
    const path = file.replaceAll("\\", "/");
    const from = start === "." ? 0 : start === "/" ? 1 : start.replace(/^\.\//, "").length + 1;
    return wanted.test(path.slice(from));
  });
}

/**
 * Converts a pattern to a regular expression. `**` matches any number of folders, and `*` matches
 * within a single name.
 */
export function patternOf(pattern: string): RegExp {
  const parts = /\*\*\/|\*\*|\*|\?|\[[^\]]*\]|\{|\}|,|[^]/g;
  let depth = 0;
  const text = [...pattern.matchAll(parts)].map(([part]) => {
    switch (part) {
      case "**/":
        return "(?:[^/]+/)*";
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      case "{":
        depth++;
        return "(?:";
      case "}":
        if (depth === 0) return "\\}";
        depth--;
        return ")";
      case ",":
        return depth > 0 ? "|" : ",";
      default:
        if (part.length > 1)
          return `[${part.slice(1, -1).replace(/^!/, "^").replaceAll("\\", "\\\\")}]`;
        return part.replace(/[\\^$.|+()[\]]/, "\\$&");
    }
  });
  try {
    return new RegExp(`^${text.join("")}${")".repeat(depth)}$`, "u");
  } catch {
    throw new InputError("ERR_ARGUMENT", `Cannot use the pattern "${pattern}"`);
  }
}
