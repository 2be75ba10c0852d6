import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";

const load = createRequire(import.meta.url);

/**
 * Loads the JSON Schema validator. It is loaded on demand, because most commands do not need it.
 */
export function loadAjv(): typeof import("ajv") {
  return load("ajv") as typeof import("ajv");
}

/** Loads the JSON parser that reports the positions of faults, and that accepts comments. */
export function loadJsoncParser(): typeof import("jsonc-parser") {
  return load("jsonc-parser") as typeof import("jsonc-parser");
}

/** The folders that may contain a package for imports from a folder, nearest first. */
export function packageFolders(name: string, from: string): readonly string[] {
  const { resolve } = createRequire(join(from, "package.json"));
  return (resolve.paths(name) ?? []).map((folder) => join(folder, name));
}

const call = /* @__PURE__ */ new Script("run()");

/**
 * Calls a function that may never return, such as a function that matches an untrusted regular
 * expression.
 *
 * If the process got little processor time, because the machine is busy, the function is called
 * again.
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
