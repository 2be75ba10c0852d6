import { isAbsolute, join, relative } from "node:path";
import { files } from "../../base/files.js";

/** A file that a schema names: its path if it may be read, or the reason why not. */
export type NamedFile =
  { readonly path: string } | { readonly fault: "outside" | "absent" | "link" };

/**
 * Finds a file that a schema names, below a folder. An untrusted schema must not cause other files
 * to be read: neither by a URL, nor by a path out of the folder, nor by a link.
 *
 * @param name Path relative to the folder, with slashes.
 */
export function findInside(folder: string, name: string): NamedFile {
  if (name.startsWith("../") || isAbsolute(name) || name.includes("\\") || /^[a-z]+:/i.test(name))
    return { fault: "outside" };
  const path = join(folder, name);
  let real: string;
  try {
    real = relative(files.withoutLinks(folder), files.withoutLinks(path));
  } catch {
    return { fault: "absent" };
  }
  return real.startsWith("..") || isAbsolute(real) ? { fault: "link" } : { path };
}
