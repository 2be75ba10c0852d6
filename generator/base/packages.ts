import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";

const load = createRequire(import.meta.url);

/** Loads the checker of JSON Schema, which most commands do not need. */
export function loadAjv(): typeof import("ajv") {
  return load("ajv") as typeof import("ajv");
}

/** Loads the parser that reports JSON faults with their positions, and that reads comments. */
export function loadJsoncParser(): typeof import("jsonc-parser") {
  return load("jsonc-parser") as typeof import("jsonc-parser");
}

/** The folders that may contain a package, for imports from a folder; the nearest first. */
export function packageFolders(name: string, from: string): readonly string[] {
  const { resolve } = createRequire(join(from, "package.json"));
  return (resolve.paths(name) ?? []).map((folder) => join(folder, name));
}

const call = /* @__PURE__ */ new Script("run()");

/**
 * Calls a function that may never return, such as one that matches a foreign regular expression.
 *
 * @returns Undefined if the function has not returned in time.
 */
export function runWithin<Result>(milliseconds: number, run: () => Result): Result | undefined {
  try {
    return call.runInContext(createContext({ run }), { timeout: milliseconds }) as Result;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
