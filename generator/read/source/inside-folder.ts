import { isAbsolute, join, relative } from "node:path";
import { files } from "../../base/files.js";

/** The path of a file that a schema references, or the reason why it must not be read. */
export type NamedFile =
  { readonly path: string } | { readonly fault: "outside" | "absent" | "link" };

/**
 * Finds a file in or below a folder. Rejects URLs, paths that leave the folder, and symbolic links
 * to files outside it, so that an untrusted schema cannot make the tool read other files.
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
