import { dirname, posix, relative, sep, isAbsolute, join } from "node:path";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { InputError } from "../../base/input-error.js";
import type { Json } from "../../model/types.js";
import { readJsonInput } from "./input-source.js";
import { isJsonObject, joinPointer, type JsonFile } from "./json-text.js";
import { files } from "../../base/files.js";

/**
 * Keyword under which a schema's other files are stored, keyed by their paths relative to its
 * folder.
 */
export const joinedFiles = "x-joined-files";

/** Maximum number of files that a schema may reference. */
const maxFiles = 256;

/**
 * Joins files that reference each other by relative path. The joined file locates each part in the
 * file that it comes from.
 */
export function joinFiles(root: JsonFile, others: readonly JsonFile[]): JsonFile {
  const named = new Map(others.map((file) => [pathBeside(root, file), file]));
  const { name, value } = root;
  if (!isJsonObject(value)) return root;
  return {
    name,
    value: {
      ...value,
      [joinedFiles]: Object.fromEntries([...named].map(([path, file]) => [path, file.value])),
    },
    locate(pointer) {
      const [keyword, path = "", ...rest] = parsePointer(pointer);
      const file = keyword === joinedFiles ? named.get(path) : undefined;
      return file === undefined ? root.locate(pointer) : file.locate(joinPointer("", ...rest));
    },
  };
}

/** Returns the paths of a source's other files, except for those that only references led to. */
export function joinedNames({
  file,
  others = [],
}: {
  readonly file: JsonFile;
  readonly others?: readonly JsonFile[];
}): readonly string[] {
  return others.map((each) => pathBeside(file, each));
}

/**
 * Returns a file's path relative to the folder of the first file.
 *
 * @throws InputError `ERR_ARGUMENT` if the file is outside that folder.
 */
function pathBeside(root: JsonFile, { name }: JsonFile): string {
  const folder = /^https:.*\//i.exec(root.name)?.[0];
  const path =
    folder === undefined ? relative(dirname(root.name), name) : name.slice(folder.length);
  const isInside =
    folder === undefined ? !/^(?:\.\.|[/\\]|[a-z]+:)/i.test(path) : name.startsWith(folder);
  if (isInside) return path.replaceAll(sep, "/");
  throw new InputError(
    "ERR_ARGUMENT",
    "Cannot read this file as part of the schema: it is not in the folder of the first file",
    { file: name },
    `Pass the file in the outermost folder first. Currently, the first file is ${root.name}`,
  );
}

/**
 * Reads the local files that a schema references, directly or indirectly, if they are in its folder
 * or below. Leaves other references to the schema reader, which knows whether they are needed.
 *
 * @throws InputError `ERR_TOO_LARGE` for too many files, or any error that `readJsonInput` throws.
 */
export async function readReferredFiles(root: JsonFile): Promise<readonly JsonFile[]> {
  const folder = dirname(root.name);
  const filesByName = new Map<string, JsonFile>();
  const waiting = filesIn(root.value, "");
  for (const name of waiting) {
    const file = filesByName.has(name) ? undefined : findInside(folder, name);
    if (file === undefined || "fault" in file || relative(file.path, root.name) === "") continue;
    if (filesByName.size === maxFiles)
      throw new InputError(
        "ERR_TOO_LARGE",
        `Cannot read more than ${maxFiles} files for one schema`,
        {
          file: root.name,
        },
      );
    const read = await readJsonInput(file.path);
    filesByName.set(name, read);
    waiting.push(...filesIn(read.value, posix.dirname(name)));
  }
  return [...filesByName.values()];
}

/**
 * Collects the paths of the files that a part of a schema references, relative to the schema's
 * folder.
 */
function filesIn(part: Json, folder: string): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, Json]) => {
    if (key !== "$ref" || typeof value !== "string") return filesIn(value, folder);
    const [path = ""] = value.split("#", 1);
    return path === "" || /^[a-z]+:|^\//i.test(path)
      ? []
      : [posix.join(folder, decodedOrSame(path))];
  });
}

/** Decodes the escapes of a URL. Returns text with invalid escapes unchanged. */
export function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path of a file that a schema references, or the reason why it must not be read. */
type NamedFile = { readonly path: string } | { readonly fault: "outside" | "absent" | "link" };

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
