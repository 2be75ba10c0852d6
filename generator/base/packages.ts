import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";

const load = createRequire(import.meta.url);

/** Loads the JSON Schema validator on demand, because most commands do not need it. */
export function loadAjv(): typeof import("ajv") {
  return load("ajv") as typeof import("ajv");
}

/** Loads the JSON parser that accepts comments and reports where faults are. */
export function loadJsoncParser(): typeof import("jsonc-parser") {
  return load("jsonc-parser") as typeof import("jsonc-parser");
}

/** Returns the folders where an import from `from` would look for a package, nearest first. */
export function packageFolders(name: string, from: string): readonly string[] {
  const { resolve } = createRequire(join(from, "package.json"));
  return (resolve.paths(name) ?? []).map((folder) => join(folder, name));
}

const call = /* @__PURE__ */ new Script("run()");

/**
 * Calls a function that might never return, such as one that matches an untrusted regular
 * expression.
 *
 * If the machine was too busy to give the process much CPU time, calls the function again.
 *
 * @returns Undefined if the function does not return in time.
 */
export function runWithin<Result>(
  milliseconds: number,
  run: () => Result,
  attempts = 5,
): Result | undefined {
  const before = process.cpuUsage();
  try {
    return call.runInContext(createContext({ run }), { timeout: milliseconds }) as Result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  const { user, system } = process.cpuUsage(before);
  const isBusy = user + system < milliseconds * 500;
  return isBusy && attempts > 1 ? runWithin(milliseconds, run, attempts - 1) : undefined;
}
