import { dirname, posix } from "node:path";
import { InputError, type InputPlace } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { readJsonInput } from "../generator/read/source/input-source.js";
import { findInside } from "../generator/read/source/joined-files.js";
import { isJsonObject, joinPointer, type JsonFile } from "../generator/read/source/json-text.js";
import { definitionsIn, targetOf, type SchemaContext } from "./read-value-schema.js";

/** Maximum number of files that a manifest may refer to. */
const maxFiles = 32;

/**
 * Reads the files that a schema refers to, directly or indirectly. They must be in the manifest's
 * folder or below it, so that an untrusted manifest cannot cause other files to be read.
 *
 * @returns The files, keyed by their path relative to the manifest.
 * @throws InputError `ERR_REF` for any other file, or an error from `readJsonInput`.
 */
export async function readReferredFiles(
  manifest: JsonFile,
  schema: Json,
  at: string,
): Promise<ReadonlyMap<string, JsonFile>> {
  const files = new Map<string, JsonFile>();
  const waiting = filesIn(schema, "", manifest, at);
  for (const { name, place } of waiting) {
    if (files.has(name)) continue;
    if (files.size === maxFiles)
      throw new InputError(
        "ERR_REF",
        `Cannot read more than ${maxFiles} files for a manifest`,
        place(),
      );
    const file = await readJsonInput(pathInside(manifest.name, name, place));
    files.set(name, file);
    waiting.push(...filesIn(file.value, name, file, ""));
  }
  return files;
}

/**
 * Collects the definitions from all files, keyed by the names that references use. If two
 * definitions have the same name, a number is appended to the second one.
 */
export function definitionsOf(
  referred: ReadonlyMap<string, JsonFile>,
  own: SchemaContext["referred"],
): SchemaContext["referred"] {
  const all = new Map(own);
  const names = new Set([...own.values()].map(({ name }) => name));
  const add = (key: string, name: string, rest: { schema: Json; at: string }, base: string) => {
    let free = name;
    for (let number = 2; names.has(free); number++) free = `${name}${number}`;
    names.add(free);
    all.set(key, { ...rest, name: free, base, file: referred.get(base)! });
  };
  for (const [base, { value }] of referred) {
    const whole = posix.basename(base).replace(/(\.schema)?\.json$/, "");
    add(`${base}#`, whole, { schema: value, at: "" }, base);
    for (const [key, { name, ...rest }] of definitionsIn(value, ""))
      add(`${base}${key}`, name, rest, base);
  }
  return all;
}

/** @throws InputError if the file is not in the manifest's folder or below it. */
function pathInside(manifest: string, name: string, place: () => InputPlace): string {
  const target = findInside(dirname(manifest), name);
  if ("path" in target) return target.path;
  throw new InputError("ERR_REF", `Cannot read "${name}"`, place(), hints[target.fault]);
}

const hints = {
  outside: "Refer to a file in the manifest's folder or below it",
  absent: "There is no such file next to the manifest",
  link: "It is a link to a file outside the manifest's folder",
};

interface Referred {
  readonly name: string;
  /** Returns the location of the reference to the file. */
  readonly place: () => InputPlace;
}

/** Returns the files that a schema refers to. */
function filesIn(schema: Json, from: string, file: JsonFile, at: string): Referred[] {
  const parts: readonly (readonly [string | number, Json])[] = Array.isArray(schema)
    ? [...(schema as readonly Json[]).entries()]
    : isJsonObject(schema)
      ? Object.entries(schema)
      : [];
  return parts.flatMap(([key, value]) => {
    const pointer = joinPointer(at, key);
    if (key !== "$ref" || typeof value !== "string") return filesIn(value, from, file, pointer);
    const [name = ""] = targetOf(value, from).split("#", 1);
    return name === "" ? [] : [{ name, place: () => file.locate(pointer) }];
  });
}
