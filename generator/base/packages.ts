import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(import.meta.url);

/** Loads the checker of JSON Schema, which most commands do not need. */
export function loadAjv(): typeof import("ajv") {
  return load("ajv") as typeof import("ajv");
}

/** Loads the parser that reports what is wrong with JSON and where, and that reads comments. */
export function loadJsoncParser(): typeof import("jsonc-parser") {
  return load("jsonc-parser") as typeof import("jsonc-parser");
}

/** The folders that may hold a package, seen from a folder; the nearest first. */
export function packageFolders(name: string, from: string): readonly string[] {
  const { resolve } = createRequire(join(from, "package.json"));
  return (resolve.paths(name) ?? []).map((folder) => join(folder, name));
}
