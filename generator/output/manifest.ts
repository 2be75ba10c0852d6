import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../base/input-error.js";
import type { Json } from "../model/types.js";
import { check } from "../read/description/check-file.js";
import { isJsonObject, readJsonText, type JsonFile } from "../read/source/json-text.js";

/**
 * Name of the manifest, which lists the generated files in a folder, so that a later run can remove
 * those that it no longer writes.
 */
export const manifestName = ".wirewright.json";

/** Maximum size of a manifest. No package needs a larger one. */
const maxManifestBytes = 1 << 20;
const maxPathLength = 200;

/** Matches the paths that files in generated packages can have. */
const ownPath =
  /^(?:(?:[a-z][a-z0-9-]*\/){0,3}[A-Za-z0-9][A-Za-z0-9_-]*\.(?:(?:d\.)?ts|js)|README\.md|\.gitattributes|(?:cjs\/)?package\.json|tsconfig(?:\.cjs)?\.json)$/;

/**
 * Returns whether a path stays below a folder on every system. Such a path contains no `..`, root,
 * drive or special notation.
 */
export function isPathBelow(path: string): boolean {
  return (
    path.length <= maxPathLength &&
    !/[\\:*?"<>|\p{Cc}]/u.test(path) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** Adds a manifest to a package's files, unless they already contain one. */
export function withManifest(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (files.has(manifestName)) return files;
  return new Map([...files, [manifestName, manifestText(files.keys())]]);
}

export function manifestText(paths: Iterable<string>): string {
  const manifest = {
    "//": "Files that wirewright generated here. Do not edit.",
    files: [...paths],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const hint = "Remove the list, and pass --force to overwrite the files that it should contain";

/** Returns whether a manifest has exactly the properties that wirewright writes. */
function isUsual(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { files, "//": comment, ...others } = value;
  return (
    Array.isArray(files) &&
    files.every((each) => typeof each === "string" && each !== "") &&
    typeof comment === "string" &&
    Object.keys(others).length === 0
  );
}

/**
 * Reads a folder's manifest and returns the files that an earlier run wrote.
 *
 * @throws InputError `ERR_OUTPUT` if the manifest cannot be read or lists a path outside its
 * folder.
 */
export function readManifest(folder: string): ReadonlySet<string> {
  const file = join(folder, manifestName);
  const fail = (message: string, pointer?: string): never => {
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot use the list of generated files: ${message}`,
      { file, ...(pointer === undefined ? {} : { pointer }) },
      hint,
    );
  };
  const kind = kindOf(file);
  if (kind === "missing") return new Set();
  if (kind !== "file") return fail("it is not a file");
  if (lstatSync(file).size > maxManifestBytes) return fail("it is too large");
  let manifest: JsonFile;
  try {
    manifest = readJsonText(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return fail("wirewright did not write this JSON");
  }
  // Load the schema validator only when necessary: it is slow to load, and few manifests need it.
  if (!isUsual(manifest.value)) check(manifest, "manifest", "ERR_OUTPUT", hint);
  const { files } = manifest.value as { readonly files: readonly string[] };
  for (const [index, path] of files.entries()) {
    if (isPathBelow(path)) continue;
    const shown = JSON.stringify(path);
    fail(
      `${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown} is not a path below its folder`,
      `/files/${index}`,
    );
  }
  return new Set(files);
}

/**
 * Returns whether a listed file may be removed. Because a forged manifest could list a user's own
 * files, the file must have a path that packages use and must not be a link. A module must also
 * start with our header.
 */
export function isOwnFile(folder: string, path: string): boolean {
  if (!ownPath.test(path)) return false;
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent))
    if (kindOf(join(folder, parent)) !== "folder") return false;
  const file = join(folder, path);
  if (kindOf(file) !== "file") return false;
  const isModule = /\.[jt]s$/.test(path) && !path.startsWith("runtime/");
  return !isModule || /^\/\/ .*\bby wirewright\b/.test(readFileSync(file, "utf8"));
}

/**
 * Returns what is at a path. If the path ends in a symbolic link, the link is not followed.
 */
export function kindOf(path: string): "missing" | "file" | "folder" | "link" | "other" {
  let stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return "missing";
    throw error;
  }
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}
